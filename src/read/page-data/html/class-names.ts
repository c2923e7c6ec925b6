// Finds which of a set of classes a tag has. Compares them in place in the page, so the many tags without a match allocate no
// string.

import type { MarkupScanner } from './markup.ts';

/** Maximum length of a class list examined, in characters. */
const LONGEST = 1000;
const SPACE = 32;
const TAB = 9;
const RETURN = 13;
const BEYOND_ASCII = 128;
const NONE: readonly string[] = [];

/** A set of classes searched together. */
export class ClassNames {
  readonly #names: ReadonlySet<string>;
  /** For each letter, by its code, whether a name begins with it. */
  readonly #firsts = new Uint8Array(BEYOND_ASCII);
  /**
   * For each letter, by its code, the lengths of the names ending with it: bit `n` stands for `n` letters, bit 31 for 31 and
   * more. The classes of one design share their beginnings ("s-card__title"), but rarely their endings.
   */
  readonly #lengths = new Uint32Array(BEYOND_ASCII);

  /** Takes ASCII names without whitespace. */
  constructor(names: Iterable<string>) {
    this.#names = new Set(names);
    for (const name of this.#names) {
      this.#firsts[name.charCodeAt(0)] = 1;
      this.#lengths[name.charCodeAt(name.length - 1)]! |= 1 << Math.min(name.length, 31);
    }
  }

  /** Returns the tag's classes that are among the names, in page order. */
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

  /** Returns `found`, plus the class from `from` to `to` if it is one of the names. */
  #with(found: readonly string[], html: string, from: number, to: number): readonly string[] {
    const lengths = this.#lengths[html.charCodeAt(to - 1)]!;
    if ((lengths & (1 << Math.min(to - from, 31))) === 0) return found;
    const name = html.slice(from, to);
    return this.#names.has(name) ? [...found, name] : found;
  }

  /** Returns the matching classes of a string that may contain non-ASCII whitespace. */
  #slowly(written: string): readonly string[] {
    return written.split(/\s+/).filter((name) => this.#names.has(name));
  }
}
