// Reads state from a page's scripts: assigned to a name (`window.NAME = {...}`), pushed onto one, quoted in a string, or in
// a script of its own. It is located by name, cut out by matching brackets and parsed, never run.

import { indexOfWord, type SoughtWord } from '../html/find-word.ts';
import type { HtmlPage } from '../html/html.ts';
import { DEPTH_LIMIT, parseScriptJson, TEXT_LENGTH } from './bounded-json.ts';

/** Maximum number of occurrences of a name checked for an assignment. */
const MENTIONS = 40;

/** The text between a name and its value: `'] = `, ` = `, `"]=`. */
const ASSIGNMENT = /\s{0,8}(?:["'`]\s{0,8}\])?\s{0,8}=\s{0,8}(?=[{[])/y;

/** Returns the index after the value opening at `from`; -1 when its brackets do not close or are nested too deep. */
export function valueEnd(text: string, from: number, to: number): number {
  let depth = 0;
  const end = Math.min(to, from + TEXT_LENGTH);
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34 || ((code === 39 || code === 96) && opensString(text, at))) {
      at = stringEnd(text, at, end);
    } else if (code === 123 || code === 91) {
      depth += 1;
      if (depth > DEPTH_LIMIT) return -1;
    } else if (code === 125 || code === 93) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

/** Whether a single quote or a backtick opens a string: an apostrophe in a comment follows a letter. */
function opensString(text: string, at: number): boolean {
  return /[{[(,:=+?&|]\s{0,40}$/.test(text.slice(Math.max(0, at - 41), at));
}

/** Returns the index of the closing quote of the string opening at `from`; `end` if there is none. */
function stringEnd(text: string, from: number, end: number): number {
  const quote = text.charCodeAt(from);
  for (let at = from + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === quote) return at;
  }
  return end;
}

/**
 * Returns the object or list that a script assigns to this name; undefined if there is none. Only scripts are searched:
 * searching the whole page for the thirteen names of `page-state.ts` took a fifth of the time to read a large page without a
 * price.
 */
export function assignedState({ html, scripts }: HtmlPage, name: SoughtWord): unknown {
  let mentions = 0;
  for (const { from, to } of scripts) {
    const text = html.slice(from, to);
    for (let at = indexOfWord(text, name); at >= 0 && mentions < MENTIONS; mentions += 1) {
      const after = at + name.text.length;
      ASSIGNMENT.lastIndex = after;
      const found = ASSIGNMENT.exec(text);
      if (found !== null) return valueAt(text, after + found[0].length);
      at = indexOfWord(text, name, after);
    }
  }
  return undefined;
}

/** Parses the value opening at `from`; undefined when it does not end. */
function valueAt(text: string, from: number): unknown {
  const end = valueEnd(text, from, text.length);
  return end < 0 ? undefined : parseScriptJson(text.slice(from, end));
}

/** Returns the JSON of the script with this id (`__NEXT_DATA__`); undefined if there is none. */
export function stateOfScript(page: HtmlPage, id: string): unknown {
  const script = page.scripts.find((block) => block.id === id);
  return script === undefined
    ? undefined
    : parseScriptJson(page.html.slice(script.from, script.to));
}

/** Maximum number of pushes read from one page. */
const PUSHES = 400;
const PUSH = '.push(';
/** Maximum length of the text between a name and its `push`: `")] ??= [])`. */
const GAP = 60;

/** Returns every object that a script pushes onto this name, skipping invalid ones. */
export function pushedStates({ html, scripts }: HtmlPage, name: SoughtWord): readonly unknown[] {
  const states: unknown[] = [];
  const length = name.text.length;
  for (const { from, to } of scripts) {
    const text = html.slice(from, to);
    let at = indexOfWord(text, name);
    while (at >= 0 && states.length < PUSHES) {
      const push = text.slice(at, at + length + GAP).indexOf(PUSH);
      const brace = at + push + PUSH.length;
      const end = push >= 0 && text[brace] === '{' ? valueEnd(text, brace, text.length) : -1;
      const state = end < 0 ? undefined : parseScriptJson(text.slice(brace, end));
      if (state !== undefined) states.push(state);
      at = indexOfWord(text, name, end < 0 ? at + length : end);
    }
  }
  return states;
}

/** The text between an event name and the object sent with it: `', `. */
const TOLD = /(["'])\s{0,8},\s{0,8}(?=\{)/y;

/** The beginning of an object that is itself an event, up to the event's name: `{"event": "`. */
const EVENT = /\{\s{0,80}["']?event["']?\s{0,8}:\s{0,8}["']$/;
const EVENT_LENGTH = 120;

/** Returns the start of the object whose first member is the event name at `at`; -1 for a name elsewhere. */
function eventStart(text: string, at: number): number {
  const from = Math.max(0, at - EVENT_LENGTH);
  const found = EVENT.exec(text.slice(from, at));
  return found === null ? -1 : from + found.index;
}

/**
 * Returns every object that a script sends with this event, as in `gtag('event', 'view_item', {...})`. Objects that are
 * themselves such an event count anywhere: `const seen = {event: 'view_item', ecommerce: {...}}`.
 */
export function toldStates({ html, scripts }: HtmlPage, event: SoughtWord): readonly unknown[] {
  const states: unknown[] = [];
  for (const { from, to } of scripts) {
    const text = html.slice(from, to);
    let at = indexOfWord(text, event);
    for (let count = 0; at >= 0 && count < MENTIONS; count += 1) {
      TOLD.lastIndex = at + event.text.length;
      const found = TOLD.exec(text);
      const isTold = found !== null && text[at - 1] === found[1];
      const isWhole = text[at - 1] === text[at + event.text.length];
      const from = isTold ? TOLD.lastIndex : isWhole ? eventStart(text, at) : -1;
      const state = from < 0 ? undefined : valueAt(text, from);
      if (state !== undefined) states.push(state);
      at = indexOfWord(text, event, at + event.text.length);
    }
  }
  return states;
}

/** How far past the name to search for the call: page configuration may come first. */
const REACH = 65_536;
const CALL = 'JSON.parse(';

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};

/** Returns the character for the escape after a backslash at `at` (`u0041`, `x3c`), and the length of the escape. */
function codeAt(text: string, at: number): { readonly character: string; readonly length: number } {
  const letter = text[at] ?? '';
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  const code = text.slice(at + 1, at + 1 + digits);
  if (digits > 0 && code.length === digits && /^[0-9a-f]+$/i.test(code)) {
    return { character: String.fromCharCode(Number.parseInt(code, 16)), length: digits + 1 };
  }
  return { character: ESCAPES[letter] ?? letter, length: 1 };
}

/** Returns the content of the script string opening at `from`; null when it does not end before `end`. */
export function unquoted(text: string, from: number, end: number): string | null {
  const quote = text[from];
  const parts: string[] = [];
  let done = from + 1;
  for (let at = done; at < end; at += 1) {
    if (text[at] === quote) {
      parts.push(text.slice(done, at));
      return parts.join('');
    }
    if (text[at] !== '\\') continue;
    const { character, length } = codeAt(text, at + 1);
    parts.push(text.slice(done, at), character);
    done = at + 1 + length;
    at = done - 1;
  }
  return null;
}

/** Returns the first string passed to `JSON.parse` after this name in the scripts; null if there is none. */
export function quotedStateAfter({ html, scripts }: HtmlPage, name: SoughtWord): string | null {
  for (const script of scripts) {
    const mention = indexOfWord(html.slice(script.from, script.to), name);
    if (mention < 0) continue;
    const from = script.from + mention + name.text.length;
    const call = html.slice(from, Math.min(script.to, from + REACH)).indexOf(CALL);
    if (call < 0) continue;
    const argument = from + call + CALL.length;
    const blanks = /^\s{0,20}/.exec(html.slice(argument, argument + 20))?.[0].length ?? 0;
    const quote = argument + blanks;
    if (!['"', "'", '`'].includes(html[quote] ?? '')) continue;
    const text = unquoted(html, quote, Math.min(script.to, quote + TEXT_LENGTH));
    if (text !== null) return text;
  }
  return null;
}
