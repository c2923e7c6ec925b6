// The state that a page's own scripts assign to a name (`window.NAME = {...}`): found by its name, cut out by
// its brackets, parsed, never run. Knows no shop's names and nothing of what the state holds.

import type { HtmlPage } from './html.ts';
import { isShallow } from './json-depth.ts';
import { parseLeniently } from './lenient-json.ts';

/** Half of what a page may have at most (security 2.2: 8 MiB); the largest states met are near 1 MiB. */
const STATE_LENGTH = 4 * 1_048_576;
const DEPTH_LIMIT = 64;
/** Scripts mention the name without assigning it; no page does so often. */
const MENTIONS = 40;

/** What stands between the name and its value: `'] = `, ` = `, `"]=`. */
const ASSIGNMENT = /\s{0,8}(?:["'`]\s{0,8}\])?\s{0,8}=\s{0,8}(?=[{[])/y;

/** Where the value that opens at `from` ends; -1 when its brackets never close or nest too deep. */
export function valueEnd(text: string, from: number, to: number): number {
  let depth = 0;
  const end = Math.min(to, from + STATE_LENGTH);
  for (let at = from; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 34) {
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

/** Index of the quote that closes the string whose quote stands at `from`; `end` when none does. */
function stringEnd(text: string, from: number, end: number): number {
  for (let at = from + 1; at < end; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 92) at += 1;
    else if (code === 34) return at;
  }
  return end;
}

/**
 * The value of a whole text that is JSON, or JSON as scripts write it (`undefined`, names without quotes,
 * trailing commas); undefined when it is neither, is nested deeper than 64 or longer than 4 MiB.
 */
export function parseState(text: string): unknown {
  if (text.length > STATE_LENGTH || !isShallow(text, DEPTH_LIMIT)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    const lenient = parseLeniently(text);
    return lenient === null || lenient.truncated ? undefined : lenient.roots[0];
  }
}

/** The object or list that the page's scripts assign to `name`; undefined when they assign none. */
export function assignedState(page: HtmlPage, name: string): unknown {
  const { html, scripts } = page;
  let next = 0;
  let at = html.indexOf(name);
  for (let mentions = 0; at >= 0 && mentions < MENTIONS; mentions += 1) {
    while (next < scripts.length && (scripts[next]?.to ?? 0) <= at) next += 1;
    const script = scripts[next];
    if (script === undefined) return undefined;
    // What stands between two scripts is passed over at once.
    const isInside = at >= script.from;
    const after = isInside ? at + name.length : script.from;
    ASSIGNMENT.lastIndex = after;
    const found = isInside ? ASSIGNMENT.exec(html) : null;
    if (found !== null) {
      const from = after + found[0].length;
      const end = valueEnd(html, from, script.to);
      return end < 0 ? undefined : parseState(html.slice(from, end));
    }
    at = html.indexOf(name, after);
  }
  return undefined;
}

/** The JSON of the script block with this id (`__NEXT_DATA__`); undefined when there is none. */
export function stateOfScript(page: HtmlPage, id: string): unknown {
  const script = page.scripts.find((block) => block.id === id);
  return script === undefined ? undefined : parseState(page.html.slice(script.from, script.to));
}
