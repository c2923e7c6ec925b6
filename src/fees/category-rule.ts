// A listing's way through the shop -> the category that a rate card charges it by. The category that a marketplace
// has on file is not public: its own category names are the nearest sign of it, so a table of rules reads them
// from top to bottom, and the first that matches counts. What no rule knows has no category.

import type { Confidence } from './rate-card.ts';

/** `words` are phrases between bars; plural and singular are the same; `=phrase` is a whole step. */
export type CategoryRule = {
  /** Null: the words leave open which of two rates holds, and no later rule may decide it. */
  readonly key: string | null;
  /** The department (first step of the way) has one of these; `words` then stand in a later one. */
  readonly in?: string;
  /** Some step has one of these; `*`: there is a step behind the first. */
  readonly words?: string;
  /** Some other step has one of these too. */
  readonly within?: string;
  /** Neither the step with the words nor one behind it has any of these. */
  readonly unless?: string;
  /** `likely` unless said: nothing of this is published. */
  readonly confidence?: Confidence;
};

export type CategoryFound = {
  readonly key: string;
  readonly confidence: Confidence;
  /** The step of the way that decided. */
  readonly matched: string;
};

/** A way has few steps; longer texts are no names. */
const MOST_STEPS = 20;
const LONGEST_STEP = 200;

function singular(word: string): string {
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  // "movie" and "movies" must meet as well as "accessory" and "accessories".
  if (/[a-z]{2}ies?$/.test(word)) return word.replace(/ies?$/, 'y');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Lower case, words only, singular, with a blank and a stroke on both sides. */
function plain(text: string): string {
  const words = text
    .slice(0, LONGEST_STEP)
    .toLowerCase()
    .replaceAll(/['\u2019]/g, '')
    .replaceAll('&', ' and ')
    .split(/[^a-z0-9\u0080-\uffff]+/)
    .map(singular);
  return `/ ${words.join(' ').trim()} /`;
}

const NO_WORDS = plain('');

/** Steps that say nothing of what the thing is. */
const SAYS_NOTHING = new Set(
  ['home page', 'departments', 'all departments', 'categories', 'all categories'].map(plain),
);

/** One pattern a set of phrases: every record is matched against every rule. */
function patternOf(phrases: string | undefined): RegExp | null {
  if (phrases === undefined || phrases === '*') return null;
  const alternatives = phrases
    .split('|')
    .map((phrase) => (phrase.startsWith('=') ? plain(phrase) : plain(phrase).slice(1, -1)));
  return new RegExp(alternatives.join('|'));
}

type CompiledRule = {
  readonly rule: CategoryRule;
  readonly in: RegExp | null;
  readonly words: RegExp | null;
  readonly within: RegExp | null;
  readonly unless: RegExp | null;
};

export type CategoryRules = {
  readonly compiled: readonly CompiledRule[];
  readonly roots: number;
  /** Answers by way: every record asks, and a shop has far fewer ways than products. */
  readonly remembered: Map<string, CategoryFound | null>;
};

const MOST_REMEMBERED = 4_000;
const LONGEST_REMEMBERED = 500;

/**
 * Rules made ready to match. `roots` is 2 for a retailer that may put a name of its own before the department.
 */
export function categoryRules(rules: readonly CategoryRule[], roots: 1 | 2 = 1): CategoryRules {
  const read = rules.map((rule) => ({
    rule,
    in: patternOf(rule.in),
    words: patternOf(rule.words),
    within: patternOf(rule.within),
    unless: patternOf(rule.unless),
  }));
  return { compiled: read, roots, remembered: new Map() };
}

/** The first index in `steps` from `start` below `end` that a pattern finds; -1: none. */
function stepWith(
  pattern: RegExp,
  steps: readonly string[],
  start: number,
  end = steps.length,
): number {
  for (let at = start; at < end && at < steps.length; at += 1) {
    if (pattern.test(steps[at] ?? '')) return at;
  }
  return -1;
}

/** Whether what stands beside the words at a step lets the rule match. */
function isMeant({ within, unless }: CompiledRule, steps: readonly string[], at: number): boolean {
  if (unless !== null && stepWith(unless, steps, at) !== -1) return false;
  if (within === null) return true;
  return stepWith(within, steps, 0, at) !== -1 || stepWith(within, steps, at + 1) !== -1;
}

/** The plain steps, and all of them as one text. */
type CategoryPath = { readonly steps: readonly string[]; readonly whole: string };

/** The index of the step that a rule matches; -1: it does not. `roots`: steps that may name the department. */
function matchOf(read: CompiledRule, { steps, whole }: CategoryPath, roots: number): number {
  const { rule, words } = read;
  // Nearly every rule ends here.
  if (words !== null && !words.test(whole)) return -1;
  const root = read.in === null ? 0 : stepWith(read.in, steps, 0, roots);
  if (root === -1) return -1;
  if (rule.words === undefined) return isMeant(read, steps, root) ? root : -1;
  const isBehind = read.in !== null || words === null;
  for (let at = isBehind ? root + 1 : 0; at < steps.length; at += 1) {
    if (words !== null && !words.test(steps[at] ?? '')) continue;
    if (isMeant(read, steps, at)) return at;
  }
  return -1;
}

/** The category of a way from the widest step to the narrowest; null: none can be told. */
export function categoryBy(
  rules: CategoryRules,
  categories: readonly string[],
): CategoryFound | null {
  const { remembered } = rules;
  const key = categories.join('\u0000');
  const known = remembered.get(key);
  if (known !== undefined) return known;
  const found = firstMatch(rules, categories.slice(0, MOST_STEPS));
  if (key.length > LONGEST_REMEMBERED) return found;
  if (remembered.size >= MOST_REMEMBERED) remembered.clear();
  remembered.set(key, found);
  return found;
}

function firstMatch(
  { compiled: rules, roots }: CategoryRules,
  categories: readonly string[],
): CategoryFound | null {
  const named = categories
    .map((name) => ({ name, step: plain(name) }))
    .filter(({ step }) => step !== NO_WORDS);
  const start = named.findIndex(({ step }) => !SAYS_NOTHING.has(step));
  if (start === -1) return null;
  const way = named.slice(start);
  const steps = way.map(({ step }) => step);
  const whole = steps.join('');
  for (const read of rules) {
    const at = matchOf(read, { steps, whole }, roots);
    if (at === -1) continue;
    const { key, confidence = 'likely' } = read.rule;
    return key === null ? null : { key, confidence, matched: way[at]?.name.trim() ?? '' };
  }
  return null;
}
