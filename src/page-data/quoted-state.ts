// The state that a page's scripts hand over as a quoted text (`NAME = JSON.parse("...")`, `'NAME': {...
// deepFreeze(JSON.parse("..."))}`): the text within the quotes, its escapes undone. Nothing is run.

import type { HtmlPage } from './html.ts';

/** Longest quoted text that is looked at; no recorded state is larger than 1 MiB. */
const TEXT_LENGTH = 4 * 1_048_576;
/** How far behind the name the call may stand: page configuration can come first. */
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

/** `u0041`, `x3c` behind a backslash at `at`: the character, and how many characters wrote it. */
function codeAt(text: string, at: number): { readonly character: string; readonly length: number } {
  const letter = text[at] ?? '';
  const digits = letter === 'u' ? 4 : letter === 'x' ? 2 : 0;
  const code = text.slice(at + 1, at + 1 + digits);
  if (digits > 0 && code.length === digits && /^[0-9a-f]+$/i.test(code)) {
    return { character: String.fromCharCode(Number.parseInt(code, 16)), length: digits + 1 };
  }
  return { character: ESCAPES[letter] ?? letter, length: 1 };
}

/** The text of the script string whose quote stands at `from`; null when it never ends before `end`. */
function unquoted(text: string, from: number, end: number): string | null {
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

/** The first text given to `JSON.parse` behind `name` in the page's scripts; null when there is none. */
export function quotedStateAfter(page: HtmlPage, name: string): string | null {
  const { html } = page;
  for (const script of page.scripts) {
    const mention = html.slice(script.from, script.to).indexOf(name);
    if (mention < 0) continue;
    const from = script.from + mention + name.length;
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
