// Reads multipliers in a title: "6 x 330 ml", "500 ml x 2", "2x Thing" at its start, "x30" at its end. Sizes ("2 x 4"),
// zooms and models ("X30") are not multipliers.

import {
  isFactor,
  isForeign,
  isLikely,
  countedNumberAt,
  skipHyphen,
  tokenText,
} from './pack-number.ts';
import type { CountedNumber, Tokens } from './pack-number.ts';
import {
  PACK,
  packWordAfter,
  containerPhrase,
  thingPhrase,
  type PackPhrase,
} from './pack-phrases.ts';
import { FACTOR_WORDS, MULTIPLIED_UNITS, PIECE_WORDS } from './pack-words.ts';

/** Returns the index after `330ml`, `12 fl oz`, `30-count`, `12 pack`; null if there is no measure. */
function measureAfter(tokens: Tokens, index: number): number | null {
  const at = tokenText(tokens, index) === '(' ? index + 1 : index;
  if (tokens[at]?.kind !== 'number') return null;
  const unit = skipHyphen(tokens, at + 1);
  // `4 x 1G`: ports, not grams.
  const isPort = tokenText(tokens, unit) === 'g' && tokens[unit]?.isCapital === true;
  if (MULTIPLIED_UNITS.has(tokenText(tokens, unit)) && !isPort) return unit + 1;
  return packWordAfter(tokens, at + 1);
}

/** Matches `6 x 330 ml`, `2x500ml`, `6 x (12 x 330ml)`, `2 x 6-pack`, `3 x 100 count`. */
export function multiplierPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const number = countedNumberAt(tokens, index);
  if (number === null || tokenText(tokens, number.end) !== 'x') return null;
  if (tokenText(tokens, number.end - 1) !== ')' && !isFactor(tokens, number.end)) return null;
  if (isForeign(tokens, number.start) || !isLikely(number.value, PACK.rank)) return null;
  const first = number.end + 1;
  const isNested = tokenText(tokens, first) === '(' && tokenText(tokens, first + 2) === 'x';
  const end = measureAfter(tokens, isNested ? first + 3 : first);
  if (end === null) return null;
  const { value: count } = number;
  return { ...containerPhrase(tokens, index, { count, holder: PACK, end }), rank: 2, holder: null };
}

/** `500ml x 2`, `16 oz. x 12`, `100 ct x 2`. */
export function mirroredPhrase(tokens: Tokens, index: number): PackPhrase | null {
  if (tokens[index]?.kind !== 'number') return null;
  let at = skipHyphen(tokens, index + 1);
  if (!MULTIPLIED_UNITS.has(tokenText(tokens, at))) return null;
  at += 1;
  if (/^(?:oz|ounces?)$/.test(tokenText(tokens, at))) at += 1;
  while (/^[.)]$/.test(tokenText(tokens, at)) && at < index + 7) at += 1;
  if (tokenText(tokens, at) !== 'x') return null;
  const { whole = null } = tokens[at + 1] ?? {};
  if (whole === null || whole < 1 || !isLikely(whole, PACK.rank)) return null;
  const next = tokenText(tokens, at + 2);
  // `6 bottles x 750 ml` counts bottles, `5 g x 10 cm` nothing.
  if (/^(?:in|inch|inches|cm|mm|m|ft|x|"|ml|cl|l|g|kg|oz|fl|lb)$/.test(next)) return null;
  const phrase = containerPhrase(tokens, index, { count: whole, holder: PACK, end: at + 2 });
  return { ...phrase, rank: 2, holder: null };
}

/** Matches `2x HP 901 ink`, `3 x Thing`: a factor before the whole title. */
export function leadingFactor(tokens: Tokens, number: CountedNumber): PackPhrase | null {
  if (number.start !== 0 || tokenText(tokens, number.end) !== 'x') return null;
  // "12 X Something" is written like a name.
  if (tokens[number.end]?.isCapital === true && tokens[number.end]?.isGlued !== true) return null;
  const next = tokens[number.end + 1];
  if (next?.kind !== 'word' || FACTOR_WORDS.has(next.text) || next.isGlued) return null;
  if (number.value > 100) return null;
  return thingPhrase(tokens, 0, { count: number.value, tier: 1, end: number.end + 1 });
}

/** Names ending in `x2`, `x360`: no factor follows them. */
const NAMES_WITH_X =
  /^(?:elite|thinkpad|pavilion|envy|spectre|athlon|express|pcie|pci|phenom|finepix)$/;

/** Units and side letters that make the surrounding numbers a size. */
const LENGTHS: ReadonlySet<string> = new Set(
  'in inch inches cm mm m ft foot feet yd yards yard meter meters metre metres h w d l'.split(' '),
);

/** Maximum factor at the end of a title; `x360` is more often a name than a quantity. */
const MOST_AFTER = 200;

/** Matches `(x2)`, `X24 pieces`, and `x30` at the end of the title. */
export function trailingFactor(tokens: Tokens, index: number): PackPhrase | null {
  const number = tokens[index + 1];
  const before = tokens[index - 1];
  if (tokenText(tokens, index) !== 'x' || before === undefined) return null;
  const { whole = null } = number ?? {};
  if (whole === null || whole < 2 || whole > 1_000) return null;
  const after = tokenText(tokens, index + 2);
  const isBracket = before.text === '(' && after === ')';
  if (isBracket || PIECE_WORDS.has(after)) {
    return thingPhrase(tokens, index, { count: whole, tier: 1, end: index + 2 });
  }
  const isThing = before.kind === 'word' || before.text === ')';
  // `10 cm x 5`, `72w x 24`, `24 inches x 150 feet`: sizes.
  if (!isThing || tokens[index]?.isGlued === true || LENGTHS.has(before.text)) return null;
  // "tea bags x30 Acme": the number of pieces named by the preceding plural noun.
  const isPlural = /\p{L}{2}(?!s)\p{L}s$/u.test(before.text);
  const isAmid = isPlural && tokens[index + 2]?.kind === 'word';
  const isSize = MULTIPLIED_UNITS.has(after) || LENGTHS.has(after) || after === 'x';
  // "Find X5": a capital glued to the number starts a model name, unless a plural precedes it.
  const isModel = tokens[index]?.isCapital === true && number?.isGlued === true && !isPlural;
  const isNamed = isModel || NAMES_WITH_X.test(before.text);
  const isEnd = after === '' && whole <= MOST_AFTER && !isNamed;
  if (!isEnd && (!isAmid || isSize)) return null;
  return thingPhrase(tokens, index, { count: whole, tier: 1, end: index + 2 });
}
