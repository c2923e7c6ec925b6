// Maps a listing's categories to the category by which a rate card charges it. The category that a marketplace has on file
// is not public; its public category names are the closest indication. The rules in a table are evaluated from top to
// bottom, and the first match counts. Without a match the category is unknown.

import type { Confidence } from './rate-card.ts';

/**
 * A path runs from department to narrowest category. Fields list phrases separated by bars; plural equals singular;
 * `=phrase` must match a whole step.
 */
type CategoryRule = {
  /** Null if the words do not determine which of two rates applies, and no later rule may decide it. */
  readonly key: string | null;
  /** The department (first step of the path) has one of these; `words` must then be in a later step. */
  readonly in?: string;
  /** Some step has one of these; `*`: there is a second step. */
  readonly words?: string;
  /** Some other step has one of these as well. */
  readonly within?: string;
  /** Neither the step with the words nor any after it has one of these. */
  readonly unless?: string;
  /** `likely` by default: marketplaces do not publish the mapping. */
  readonly confidence?: Confidence;
};

export type CategoryFound = {
  readonly key: string;
  readonly confidence: Confidence;
  /** The step of the path that decided. */
  readonly matched: string;
};

/** A path has few steps, and longer texts are not category names. */
const MOST_STEPS = 20;
const LONGEST_STEP = 200;

function singular(word: string): string {
  if (/(?:ch|sh|ss|x)es$/.test(word)) return word.slice(0, -2);
  // "movie" must equal "movies", and "accessory" must equal "accessories".
  if (/[a-z]{2}ies?$/.test(word)) return word.replace(/ies?$/, 'y');
  return /[^s]s$/.test(word) ? word.slice(0, -1) : word;
}

/** Normalizes a text: lower case, words only, singular, between "/ " and " /". */
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

/** Steps that do not name a category of products. */
const NOT_A_CATEGORY = new Set(
  ['home page', 'departments', 'all departments', 'categories', 'all categories'].map(plain),
);

/** One pattern for each set of phrases, because every listing is matched against every rule. */
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
  /** Compiled on first use: compiling all of them took 4 ms of every startup. */
  readonly compiled: () => readonly CompiledRule[];
  readonly roots: number;
  /** Cached results by path: a retailer has far fewer category paths than products. */
  readonly cache: Map<string, CategoryFound | null>;
};

const MOST_CACHED = 4_000;
const LONGEST_CACHED = 500;

/** `roots` is 2 for a retailer that may put a name of its own before the department. */
export function categoryRules(rules: readonly CategoryRule[], roots: 1 | 2 = 1): CategoryRules {
  let compiled: readonly CompiledRule[] | null = null;
  return { compiled: () => (compiled ??= rules.map(compile)), roots, cache: new Map() };
}

function compile(rule: CategoryRule): CompiledRule {
  return {
    rule,
    in: patternOf(rule.in),
    words: patternOf(rule.words),
    within: patternOf(rule.within),
    unless: patternOf(rule.unless),
  };
}

/** Returns the first index in `steps` from `start` up to but excluding `end` where the pattern matches; -1 if none. */
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

/** Returns whether `within` and `unless` allow the rule to match at a step. */
function isMeant({ within, unless }: CompiledRule, steps: readonly string[], at: number): boolean {
  if (unless !== null && stepWith(unless, steps, at) !== -1) return false;
  if (within === null) return true;
  return stepWith(within, steps, 0, at) !== -1 || stepWith(within, steps, at + 1) !== -1;
}

/** The normalized steps of a path, and all of them as one text. */
type CategoryPath = { readonly steps: readonly string[]; readonly whole: string };

/**
 * Returns the index of the step that a rule matches, or -1. `roots` is the number of leading steps that may name the
 * department.
 */
function matchOf(read: CompiledRule, { steps, whole }: CategoryPath, roots: number): number {
  const { rule, words } = read;
  // Most rules fail here, with one test of the whole path.
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

/** Returns the fee category of a path from the widest category to the narrowest; null if no rule determines it. */
export function categoryBy(
  rules: CategoryRules,
  categories: readonly string[],
): CategoryFound | null {
  const { cache } = rules;
  const key = categories.join('\u0000');
  const known = cache.get(key);
  if (known !== undefined) return known;
  const found = firstMatch(rules, categories.slice(0, MOST_STEPS));
  if (key.length > LONGEST_CACHED) return found;
  if (cache.size >= MOST_CACHED) cache.clear();
  cache.set(key, found);
  return found;
}

function firstMatch(
  { compiled, roots }: CategoryRules,
  categories: readonly string[],
): CategoryFound | null {
  const named = categories
    .map((name) => ({ name, step: plain(name) }))
    .filter(({ step }) => step !== NO_WORDS);
  const start = named.findIndex(({ step }) => !NOT_A_CATEGORY.has(step));
  if (start === -1) return null;
  const path = named.slice(start);
  const steps = path.map(({ step }) => step);
  const whole = steps.join('');
  for (const read of compiled()) {
    const at = matchOf(read, { steps, whole }, roots);
    if (at === -1) continue;
    const { key, confidence = 'likely' } = read.rule;
    return key === null ? null : { key, confidence, matched: path[at]?.name.trim() ?? '' };
  }
  return null;
}
