// Reads what a title says a product is not or does not have ("non-dimmable", "ohne Akku"), and a plus sign after its name
// ("eero 6+"). Such a product differs from one without the negation or the sign.

export type Negations = {
  /** `dimmable` of "non-dimmable". */
  readonly not: ReadonlySet<string>;
  /** `akku` of "ohne Akku". */
  readonly without: ReadonlySet<string>;
  /** The words directly after a "with". */
  readonly with: ReadonlySet<string>;
  /** `6` of "eero 6+". */
  readonly more: ReadonlySet<string>;
};

/** "Non-slip" shoes may be "slip-on" ones. */
const NOT = /\bnon[ -](?!slip\b|stick\b|skid\b)(\p{L}{4,})/gu;
const WITHOUT = /\b(?:without|w\/o|ohne|sans|sin|senza|zonder)\s(?:an? |the )?(\p{L}{3,})/gu;
const WITH =
  /(?:\b(?:with|mit|avec|con|met|including|incl|inkl|inklusive)\b|\bw\/(?!o\b))\.?\s*((?:[\p{L}\p{N}-]+\s?){1,3})/gu;

/**
 * "Ages 8+", "SPF 50+", "20+ hours" and "HDR10+" are not names; a word such as "PoE+" is often a standard, but "Max+" is
 * not.
 */
const MORE =
  /(?<!\b(?:ages?|aged|ab|from|over|spf|upf|lsf|grade|top)\s?)(?<![\p{L}\p{N}.,-])((?!hdr)\p{L}+\d+\p{L}*|max|pro|ultra|mini|lite|\d{1,4}(?!\+\s?(?:\p{L}{2,}s|year|yr|month|hour|hr|min|day|jahre?|ans|mois|player|kg|lb|ft|in|w|gold)\b))\+(?![\p{L}\p{N}+])/gu;

const ANY = /\b(?:non[ -]|with|w\/|ohne|sans|sin|senza|zonder|mit|avec|con|met|incl|inkl)|\+/;

const NONE: Negations = { not: new Set(), without: new Set(), with: new Set(), more: new Set() };

/** Reads a title in `plainText`. */
export function negationsOf(plain: string): Negations {
  if (!ANY.test(plain)) return NONE;
  const words = (pattern: RegExp): ReadonlySet<string> =>
    new Set([...plain.matchAll(pattern)].flatMap(([, found = '']) => found.trim().split(/[\s-]+/)));
  return { not: words(NOT), without: words(WITHOUT), with: words(WITH), more: words(MORE) };
}

type Negating = { readonly negations: Negations; readonly has: ReadonlySet<string> };

/** Returns the word for something that one title negates and the other states; null if there is none. */
export function negatedWord(a: Negating, b: Negating): string | null {
  const [mine, theirs] = [a.negations, b.negations];
  for (const word of mine.not) if (b.has.has(word) && !theirs.not.has(word)) return word;
  for (const word of mine.without) {
    if (theirs.with.has(word) && !theirs.without.has(word)) return word;
  }
  return null;
}

/**
 * Returns whether the two titles have different names with a plus sign, or the other has the name with neither the sign nor
 * a word for it.
 */
export function isCalledMore(a: Negating, b: Negating): boolean {
  const [mine, theirs] = [a.negations.more, b.negations.more];
  // "1+ Adult" and "7+ Senior".
  if (mine.size === 1 && theirs.size === 1)
    return (
      [...mine, ...theirs].every((word) => /^\d+$/.test(word)) &&
      ![...mine].some((word) => theirs.has(word))
    );
  if (b.has.has('plus') || b.negations.more.size > 0) return false;
  return [...a.negations.more].some((word) => b.has.has(word));
}
