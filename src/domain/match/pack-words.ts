// How many of a thing a title sells at once: "12 pads of 50 sheets" is 12 (D41). Titles only, plain text.

const PATTERNS: readonly RegExp[] = [
  /\b(?:pack|case|set|box|carton|lot|bundle)\s+of\s+(\d{1,5})\b/,
  /\b(\d{1,5})\s*-?\s*(?:packs?|pk)\b/,
  /\b(\d{1,5})\s*(?:\w+\s*)?\/\s*(?:pack|carton|ctn|box|bx|case|pk|ream|set)\b/,
  /\b(\d{1,5})\s*-?\s*(?:count|ct)\b(?!\s*(?:thread|tw|carat))/,
  /\b(\d{1,5})\s+(?:[a-z]+\s+)?per\s+(?:pack|box|case|carton)\b/,
  /(?:^|[^\d\s]\s)x\s?(\d{1,3})$/,
];

const WORDS: readonly (readonly [RegExp, number])[] = [
  [/\b(?:dual|twin|two|double)[\s-]pack\b/, 2],
  [/\b(?:triple|three)[\s-]pack\b/, 3],
  [/\bdozen\b/, 12],
];

/** The count that a title states, 1 to 99,999; null when it states none. */
export function packCountIn(plain: string): number | null {
  for (const pattern of PATTERNS) {
    const count = Number(pattern.exec(plain)?.[1] ?? 0);
    if (count >= 1) return count;
  }
  return WORDS.find(([pattern]) => pattern.test(plain))?.[1] ?? null;
}
