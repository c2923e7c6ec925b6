// Finds which of some classes a tag has. It compares them in place in the page, so that the many tags with none of them make no
// text.

import type { MarkupScanner } from './markup.ts';

/** Longest list of classes that is looked at, in characters. */
const LONGEST = 1000;
const SPACE = 32;
const TAB = 9;
const RETURN = 13;
const BEYOND_ASCII = 128;
const NONE: readonly string[] = [];

/** A set of classes that are looked for together. */
export class ClassNames {
  readonly #names: ReadonlySet<string>;
  /** For each letter, by its code, whether a name begins with it. */
  readonly #firsts = new Uint8Array(BEYOND_ASCII);
  /**
   * For each letter, by its code, the lengths of the names that end with it: bit `n` stands for `n` letters, bit 31 for 31 and
   * more. The classes of one design begin alike ("s-card__title"), and hardly two of them end alike.
   */
  readonly #lengths = new Uint32Array(BEYOND_ASCII);

  /** Takes names without blanks, in ASCII. */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) {
      this.#firsts[name.charCodeAt(0)] = 1;
      this.#lengths[name.charCodeAt(name.length - 1)]! |= 1 << Math.min(name.length, 31);
    }
  }

  /** The classes of the tag that are among the names, in the order of the page. */
  of(tag: MarkupScanner): readonly string[] {
    if (!tag.find('class')) return NONE;
    const { html, valueFrom } = tag;
    const to = Math.min(tag.valueTo, valueFrom + LONGEST);
    let found = NONE;
    let from = valueFrom;
    for (let at = valueFrom; at <= to; at += 1) {
      const code = at === to ? SPACE : html.charCodeAt(at);
      if (code > SPACE && code < BEYOND_ASCII) continue;
      if (code >= BEYOND_ASCII) return this.#slowly(html.slice(valueFrom, to));
      if (code !== SPACE && (code < TAB || code > RETURN)) continue;
      if (from < at && this.#firsts[html.charCodeAt(from)] === 1) {
        found = this.#with(found, html, from, at);
      }
      from = at + 1;
    }
    return found;
  }

  /** `found`, with the class from `from` to `to` if that is looked for. */
  #with(found: readonly string[], html: string, from: number, to: number): readonly string[] {
    const lengths = this.#lengths[html.charCodeAt(to - 1)]!;
    if ((lengths & (1 << Math.min(to - from, 31))) === 0) return found;
    const name = html.slice(from, to);
    return this.#names.has(name) ? [...found, name] : found;
  }

  /** The classes of a text that may have blanks beyond ASCII. */
  #slowly(written: string): readonly string[] {
    return written.split(/\s+/).filter((name) => this.#names.has(name));
  }
}
