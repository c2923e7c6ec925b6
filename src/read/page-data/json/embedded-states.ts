// Collects state that a page embeds for its scripts under names that nobody knows beforehand: assigned to any name, streamed in
// pieces, written into attributes. Nothing is run.

import { decodeEntities } from '../../../base/listing/text/text.ts';
import type { HtmlPage } from '../html/html.ts';
import { parseJson, parseScriptJson } from './bounded-json.ts';
import { unquoted, valueEnd } from './script-state.ts';

/** Whether the source of a state is worth parsing. */
export type Wanted = (source: string) => boolean;

/** Maximum number of values of one kind parsed from a page, and of characters examined for the ends of assigned ones. */
const MOST_VALUES = 60;
const MOST_EXAMINED = 4_000_000;

/** Maximum length of a value that is not JSON but an object literal: parsing 350,000 characters takes 30 ms. */
const LITERAL_LENGTH = 100_000;

const parsed = (source: string): unknown =>
  source.length > LITERAL_LENGTH ? parseJson(source) : parseScriptJson(source);

/** The beginning of an assigned object, list or quoted JSON. */
const ASSIGNED = /=\s{0,8}(?:JSON\.parse\(\s{0,8}(?=["'`])|(?=[{[]))/g;
const CODE = /^(?:|module|(?:text|application)\/(?:java|ecma)script)$/;

/** Returns the values assigned in a script to any name, outermost first; only those whose source is `wanted`. */
function assignedIn(
  text: string,
  wanted: Wanted,
  left: { characters: number },
): readonly unknown[] {
  const values: unknown[] = [];
  ASSIGNED.lastIndex = 0;
  while (values.length < MOST_VALUES && left.characters > 0 && ASSIGNED.test(text)) {
    const from = ASSIGNED.lastIndex;
    const isQuoted = !'{['.includes(text.charAt(from));
    const quoted = isQuoted ? unquoted(text, from, text.length) : null;
    const end = isQuoted ? from + (quoted?.length ?? 1) : valueEnd(text, from, text.length);
    left.characters -= end < 0 ? text.length - from : end - from;
    if (end < 0) continue;
    const source = quoted ?? (isQuoted ? '' : text.slice(from, end));
    if (!wanted(source)) continue;
    const value = parsed(source);
    if (value === undefined || value === null) continue;
    values.push(value);
    ASSIGNED.lastIndex = end;
  }
  return values;
}

/** A piece of a server-rendered component tree: `self.__next_f.push([1,"..."])`. */
const STREAMED = /__next_f\.push\(\[1,\s{0,4}(?=")/g;
/** A line of such a stream, with its number. */
const ROW = /^[\da-f]{1,8}:(?=[[{])/;

/** Returns the rows of a streamed component tree that are `wanted`. */
function streamedIn({ html, scripts }: HtmlPage, wanted: Wanted): readonly unknown[] {
  const pieces: string[] = [];
  for (const { from, to } of scripts) {
    const text = html.slice(from, to);
    for (const { 0: start, index } of text.matchAll(STREAMED)) {
      pieces.push(unquoted(text, index + start.length, text.length) ?? '');
    }
  }
  const rows = pieces.join('').split('\n');
  return rows
    .filter((row) => ROW.test(row) && wanted(row))
    .slice(0, MOST_VALUES)
    .map((row) => parseJson(row.slice(row.indexOf(':') + 1)));
}

/** Maximum length of an attribute, in source characters. */
const ATTRIBUTE_LENGTH = 400_000;

/** Returns the objects and lists in attributes: `data-product='{...}'`, `:product="{&quot;...}"`. */
function attributesIn({ html, scripts }: HtmlPage, wanted: Wanted): readonly unknown[] {
  const values: unknown[] = [];
  let left = MOST_VALUES;
  // Braces are rare outside of scripts, quotation marks and equals signs are not.
  for (const [index, from] of [0, ...scripts.map(({ to }) => to)].entries()) {
    const markup = html.slice(from, scripts[index]?.from ?? html.length);
    let at = markup.indexOf('{');
    while (at >= 0 && left > 0) {
      const start = markup.charAt(at - 1) === '[' ? at - 1 : at;
      const quote = markup.charAt(start - 1);
      const isOpening = (quote === '"' || quote === "'") && markup.charAt(start - 2) === '=';
      const end = isOpening ? markup.indexOf(quote, at) : at + 1;
      if (end < 0) break;
      if (isOpening && end - start <= ATTRIBUTE_LENGTH) {
        left -= 1;
        const source = markup.slice(start, end);
        if (wanted(source)) values.push(parsed(decodeEntities(source)));
      }
      at = markup.indexOf('{', end);
    }
  }
  return values;
}

/**
 * Returns the states that a page assigns in these of its scripts, streams and writes into attributes; only those whose source is
 * `wanted`.
 */
export function embeddedStates(
  page: HtmlPage,
  scripts: HtmlPage['scripts'],
  wanted: Wanted,
): readonly unknown[] {
  const left = { characters: MOST_EXAMINED };
  const assigned = scripts
    .filter(({ type }) => CODE.test(type))
    .flatMap(({ from, to }) => assignedIn(page.html.slice(from, to), wanted, left));
  return [...assigned, ...streamedIn(page, wanted), ...attributesIn(page, wanted)];
}

/** Whether a value is the index of another in a list of this length. */
const isIndex = (value: unknown, length: number): boolean =>
  typeof value === 'number' && Number.isInteger(value) && value < length;

/** Whether a list begins with an object, or a wrapped one, whose members are all indexes: `[{"name": 1}, "Mug"]`. */
function isFlat([first, ...rest]: readonly unknown[]): boolean {
  if (typeof first !== 'object' || first === null) return false;
  const members = Array.isArray(first) ? (first as unknown[]).slice(1) : Object.values(first);
  return members.length > 0 && members.every((value) => isIndex(value, rest.length + 1));
}

/**
 * Returns the root of a state written as a flat list in which every member is the index of its value, as devalue writes it:
 * `[["Reactive", 1], {"name": 2}, "Mug"]`. Any other value is returned as it is.
 */
export function unflattened(state: unknown): unknown {
  if (!Array.isArray(state) || !isFlat(state)) return state;
  const flat = state as readonly unknown[];
  const made = flat.map((value) => {
    if (Array.isArray(value)) return [];
    return typeof value === 'object' && value !== null ? Object.create(null) : value;
  }) as unknown[];
  const at = (index: unknown): unknown => (typeof index === 'number' ? made[index] : undefined);
  for (const [index, value] of flat.entries()) {
    if (Array.isArray(value)) {
      const members = (value as readonly unknown[]).map(at).filter((each) => each !== undefined);
      (made[index] as unknown[]).push(...members);
    } else if (typeof value === 'object' && value !== null) {
      const node = made[index] as Record<string, unknown>;
      for (const [key, member] of Object.entries(value)) node[key] = at(member);
    }
  }
  return made[0];
}
