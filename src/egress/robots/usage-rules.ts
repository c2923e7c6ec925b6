// Parses the statements of robots.txt and of a page's headers about its use (D83): `Content-Signal` (contentsignals.org),
// `Content-Usage` (draft-ietf-aipref-attach, -vocab) and `License` (RSL 1.0). Pure.

import { strictest, type Signals } from '../../base/listing/signals.ts';
import { literalPath, matches, patternOf } from './path-pattern.ts';

type UsageRule = { readonly pattern: string; readonly signals: Signals };

/** The rules of the groups that address us. A page follows the longest matching path of each kind. */
export type UsageRules = {
  readonly signals: readonly UsageRule[];
  readonly usage: readonly UsageRule[];
  /** The first licence; null if there is none. */
  readonly license: string | null;
};

/** Rules as they are read from a group. */
export type UsageDraft = {
  readonly 'content-signal': UsageRule[];
  readonly 'content-usage': UsageRule[];
  license: string | null;
};

/** Maximum rules of each kind in a file. Every page is compared with all of them. */
const MAX_RULES = 1_000;
const MAX_LICENSE = 2_048;

export function emptyDraft(): UsageDraft {
  return { 'content-signal': [], 'content-usage': [], license: null };
}

/** Whether a line of robots.txt is a rule about use. */
export function isUsageField(name: string): name is keyof UsageDraft {
  return name === 'content-signal' || name === 'content-usage' || name === 'license';
}

/** Adds a line to the rules of its group. A line that cannot be parsed has no effect. */
export function addUsage(draft: UsageDraft, name: keyof UsageDraft, value: string): void {
  if (name === 'license') {
    draft.license ??= licenseIn(value);
    return;
  }
  const [, path = '/', text = value] = /^(\/[^ \t]*)[ \t]+(.*)$/.exec(value) ?? [];
  const signals = name === 'content-usage' ? usageIn(text) : signalsIn(text);
  const rules = draft[name];
  if (signals !== undefined && rules.length < MAX_RULES) {
    rules.push({ pattern: patternOf(path), signals });
  }
}

/** Returns the rules; null if there are none. `general` has the licence of the whole file. */
export function usageRules(own: UsageDraft, general: UsageDraft): UsageRules | null {
  const { 'content-signal': signals, 'content-usage': usage } = own;
  const license = own.license ?? general.license;
  const isEmpty = signals.length === 0 && usage.length === 0 && license === null;
  return isEmpty ? null : { signals, usage, license };
}

/** Returns the signals of the rules about an address; undefined if there are none. */
export function signalsAt(rules: UsageRules, pathAndQuery: string): Signals | undefined {
  const path = literalPath(pathAndQuery);
  const license = rules.license === null ? undefined : { license: rules.license };
  return strictest([longest(rules.signals, path), longest(rules.usage, path), license]);
}

function longest(rules: readonly UsageRule[], path: string): Signals | undefined {
  let length = 0;
  let found: Signals[] = [];
  for (const { pattern, signals } of rules) {
    if (pattern.length < length || !matches(pattern, path)) continue;
    // Rules of the same path apply together.
    if (pattern.length > length) found = [];
    found.push(signals);
    length = pattern.length;
  }
  return strictest(found);
}

type Headers = Readonly<Record<string, string>>;

/** Returns the signals of a page's headers about its use; undefined if there are none. */
export function signalsOfHeaders(headers: Headers): Signals | undefined {
  const { 'content-usage': usage, 'content-signal': signal } = headers;
  if (usage === undefined && signal === undefined) return undefined;
  return strictest([usageIn(usage ?? ''), signalsIn(signal ?? '')]);
}

/** Returns the address of the licence that a page's `Link` header names (RSL 1.0, 4.5); null if there is none. */
export function licenseOfHeaders({ link }: Headers): string | null {
  if (link === undefined || !/application\/rsl\+xml/i.test(link)) return null;
  const named = link.split(/,(?=\s*<)/).find((each) => /;\s*rel="?license\b/i.test(each)) ?? '';
  return licenseIn(/<([^>]*)>/.exec(named)?.[1] ?? '');
}

/** An absolute http address; null for any other text. */
function licenseIn(text: string): string | null {
  const url = text.length > MAX_LICENSE ? null : URL.parse(text);
  return url !== null && /^https?:$/.test(url.protocol) ? url.href : null;
}

/**
 * Whether a licence may ask for payment. Its address is never fetched, so every licence may, except those whose address
 * identifies them as a free licence.
 */
export function mayAskPayment(license: string): boolean {
  return !/(?:^|\.)creativecommons\.org$/.test(URL.parse(license)?.hostname ?? '');
}

const SIGNALS: Readonly<Record<string, keyof Signals>> = {
  search: 'search',
  'ai-input': 'aiInput',
  'ai-train': 'aiTrain',
};

/** `search=yes, ai-train=no`, in any case and with any separator. If a value is stated twice, the stricter one counts. */
function signalsIn(text: string): Signals | undefined {
  const pairs = text
    .toLowerCase()
    .replaceAll(/\s*=\s*/g, '=')
    .split(/[\s,;]+/)
    .map((pair) => /^([a-z-]+)=(yes|no)$/.exec(pair) ?? []);
  return strictest(
    pairs.map(([, name = '', value]) =>
      Object.hasOwn(SIGNALS, name) ? { [SIGNALS[name] ?? '']: value === 'yes' } : undefined,
    ),
  );
}

/** The categories of the vocabulary. */
const CATEGORIES = { search: 'search', 'ai-use': 'aiInput', 'train-ai': 'aiTrain' } as const;

/**
 * `train-ai=n, search=y`: a dictionary (RFC 9651), in which the last of equal keys counts. Undefined if the text is not a
 * dictionary.
 */
function usageIn(text: string): Signals | undefined {
  const members = dictionaryOf(text);
  const stated = Object.entries(CATEGORIES).flatMap(([label, kind]) => {
    const value = members?.get(label);
    return value === 'y' || value === 'n' ? [[kind, value === 'y'] as const] : [];
  });
  return stated.length === 0 ? undefined : Object.fromEntries(stated);
}

const KEY = '[a-z*][a-z0-9_.*-]*';
const BARE = [
  String.raw`[A-Za-z*][\w!#$%&'*+.^\`|~:/-]*`,
  String.raw`%?"(?:[ !#-\[\]-~]|\\["\\])*"`,
  String.raw`@?-?\d{1,15}(?:\.\d{1,3})?`,
  String.raw`:[A-Za-z0-9+/=]*:`,
  String.raw`\?[01]`,
].join('|');
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE}))?)*`;
const ITEM = `(?:${BARE})${PARAMETERS}`;
const INNER_LIST = String.raw`\( *(?:${ITEM}(?: +${ITEM})* *)?\)`;
const MEMBER = new RegExp(`(${KEY})(?:=(?:(${BARE})|${INNER_LIST}))?${PARAMETERS}`, 'y');
const COMMA = /[ \t]*,[ \t]*/y;

/**
 * Parses a dictionary into the bare item of each key as written, '' for any other value. Null if the text is not a
 * dictionary.
 */
function dictionaryOf(text: string): ReadonlyMap<string, string> | null {
  const input = text.replace(/^ +| +$/g, '');
  const members = new Map<string, string>();
  for (let at = 0; at < input.length;) {
    MEMBER.lastIndex = at;
    const [member, key, value = ''] = MEMBER.exec(input) ?? [];
    if (member === undefined || key === undefined) return null;
    members.set(key, value);
    at += member.length;
    if (at === input.length) break;
    COMMA.lastIndex = at;
    const comma = COMMA.exec(input)?.[0].length ?? 0;
    // Nothing may follow a member but a comma and the next one.
    if (comma === 0 || at + comma === input.length) return null;
    at += comma;
  }
  return members;
}
