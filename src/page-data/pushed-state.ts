// What a page's scripts push onto a list of a known name (`(window[Symbol.for("NAME")] ??= []).push({...})`):
// each pushed object in page order. Cut out by its brackets, parsed, never run.

import type { HtmlPage } from './html.ts';
import { parseState, valueEnd } from './script-state.ts';

/** No page pushes as often. */
const PUSHES = 400;
const PUSH = '.push(';
/** What may stand between the name and its `push`: `")] ??= [])`. */
const GAP = 60;

/** Every object that a script of the page pushes onto `name`; broken ones are left out. */
export function pushedStates(page: HtmlPage, name: string): readonly unknown[] {
  const states: unknown[] = [];
  for (const { from, to } of page.scripts) {
    const text = page.html.slice(from, to);
    let at = text.indexOf(name);
    while (at >= 0 && states.length < PUSHES) {
      const push = text.slice(at, at + name.length + GAP).indexOf(PUSH);
      const brace = at + push + PUSH.length;
      const end = push >= 0 && text[brace] === '{' ? valueEnd(text, brace, text.length) : -1;
      const state = end < 0 ? undefined : parseState(text.slice(brace, end));
      if (state !== undefined) states.push(state);
      at = text.indexOf(name, end < 0 ? at + name.length : end);
    }
  }
  return states;
}
