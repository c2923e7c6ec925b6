// Phrases of a title that state a number of packs, found token by token. Each knows what is counted
// and in what, so that the outermost can be chosen (pack-title.ts). Linear: every phrase looks a few
// tokens ahead.

import {
  ABOUT_OTHERS,
  CONTAINERS,
  DOZENS,
  FOLD_WORDS,
  FOR_PACKS,
  MULTIPLIED_UNITS,
  NAMED_BY_NUMBER,
  NUMBER_WORDS,
  OF_WORDS,
  PACK_ADJECTIVES,
  PACK_WORDS,
  PLURAL_CONTAINERS,
  SLASH_CONTAINERS,
  SOLD_IN_NUMBERS,
} from './pack-words.ts';
import type { Container } from './pack-words.ts';
import type { Token } from './title-tokens.ts';

export type Phrase = {
  readonly count: number;
  /** How strongly it speaks: 3 of packs, 2 of pieces, 1 of things that may be something else. */
  readonly tier: 1 | 2 | 3;
  /** How far outside what is meant stands (pack-words.ts). */
  readonly rank: number;
  /** Name of the container that is counted; null: things. */
  readonly counted: string | null;
  /** Name of the container that holds so many; null: the listing itself. */
  readonly holder: string | null;
  /** So many in each holder ("50/pack"), which says nothing of how many holders there are. */
  readonly isShare: boolean;
  /** `12 pads of 50 sheets` are 600 of something, which another phrase may state; null: unknown. */
  readonly total: number | null;
  readonly bracket: number;
  /** Index of the token behind it. */
  readonly end: number;
};

export type Tokens = readonly Token[];

const MOST_PACKED = 1_000;
const MOST_PIECES = 100_000;

const textAt = (tokens: Tokens, index: number): string => tokens[index]?.text ?? '';

function isCode(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'mark') return false;
  return token.kind === 'number' || token.isCapital || token.text.length <= 3;
}

/**
 * `B21`, `XJ-24PK`, `#10`, `$5`, `1/2`, `8-1`: a number that belongs to what stands glued in front.
 */
export function belongsToCode(tokens: Tokens, index: number): boolean {
  const token = tokens[index];
  const before = tokens[index - 1];
  if (token?.isGlued !== true || before === undefined) return false;
  if (before.kind === 'word') {
    return before.text !== 'of' && (before.text !== 'x' || tokens[index - 2]?.kind !== 'number');
  }
  if (before.kind === 'number') return true;
  if ('#$€£'.includes(before.text)) return true;
  if (before.text !== '-' && before.text !== '/') return false;
  // `UAP-PRO-5-PACK` ends in words, whatever it begins with.
  if (textAt(tokens, index + 1) === '-' && textAt(tokens, index + 2) === 'pack') return false;
  return before.isGlued && isCode(tokens[index - 2]);
}

/** The number at `index`: digits or a word, dozens behind it counted in. `end` is behind it. */
export type Counted = { readonly value: number; readonly end: number; readonly start: number };

/** `(12)` and `12` alike. */
function bareNumber(tokens: Tokens, index: number): Counted | null {
  const isWrapped = textAt(tokens, index) === '(' && textAt(tokens, index + 2) === ')';
  const at = isWrapped ? index + 1 : index;
  const token = tokens[at];
  const worded = token?.kind === 'word' ? NUMBER_WORDS.get(token.text) : undefined;
  const value = token?.whole ?? worded ?? null;
  if (value === null || value < 1 || belongsToCode(tokens, at)) return null;
  if (token?.text.startsWith('0') === true) return null;
  if (worded !== undefined && /^(?:in|all)$/.test(textAt(tokens, index - 1))) return null;
  return { value, end: at + (isWrapped ? 2 : 1), start: index };
}

function skipHyphen(tokens: Tokens, index: number): number {
  return textAt(tokens, index) === '-' ? index + 1 : index;
}

export function numberAt(tokens: Tokens, index: number): Counted | null {
  if (textAt(tokens, index) === 'half' && DOZENS.get(dozenWord(tokens, index + 1)) === 12) {
    return { value: 6, end: skipHyphen(tokens, index + 1) + 1, start: index };
  }
  const bare = bareNumber(tokens, index);
  if (bare === null) return null;
  const dozen = DOZENS.get(dozenWord(tokens, bare.end));
  // `2 gross weight`, `12 dozen` of a pack of twelve dozens.
  if (dozen === undefined) return bare;
  const end = skipHyphen(tokens, bare.end) + 1;
  return textAt(tokens, end) === 'weight' ? null : { ...bare, value: bare.value * dozen, end };
}

function dozenWord(tokens: Tokens, index: number): string {
  return textAt(tokens, skipHyphen(tokens, index));
}

const YEARS = { from: 1_900, to: 2_099 };

/** Whether a number of the pack in question is believed. */
function isLikely(value: number, rank: number): boolean {
  if (value > (rank >= 4 ? MOST_PIECES : MOST_PACKED)) return false;
  return !(value >= YEARS.from && value <= YEARS.to && rank < 4);
}

/** What stands in front says that the number is another's, or a name's. */
export function isForeign(tokens: Tokens, start: number): boolean {
  const before = textAt(tokens, start - 1);
  if (ABOUT_OTHERS.has(before) || NAMED_BY_NUMBER.has(before)) return true;
  // `1/2/4 pack` and `3 or 6 pack` are choices, `3-6 pack` a range.
  if (tokens[start - 2]?.kind !== 'number') return false;
  return /^(?:or|\/|&)$/.test(before) || (before === '-' && tokens[start]?.isGlued === true);
}

type Behind = { readonly container: Container; readonly end: number };

/** `/pack`, `per box`, `/ctn.` behind a number or what it counts. */
function slashContainer(tokens: Tokens, index: number): Behind | null {
  const by = textAt(tokens, index);
  if (by !== '/' && by !== 'per' && by !== 'à') return null;
  const word = textAt(tokens, index + 1);
  const container = CONTAINERS.get(word) ?? SLASH_CONTAINERS.get(word);
  return container === undefined ? null : { container, end: index + 2 };
}

/** `100/Box`, `4 per pack`, `50 Sheets/Pack`, `6 BX/CT`, `12 pieces / set`. */
export function slashPhrase(tokens: Tokens, index: number): Phrase | null {
  const number = numberAt(tokens, index);
  if (number === null || isForeign(tokens, number.start)) return null;
  let at = number.end;
  let counted: string | null = null;
  for (let words = 0; words <= 4; words += 1) {
    const behind = slashContainer(tokens, at);
    if (behind !== null) {
      const { container, end } = behind;
      if (!isLikely(number.value, Math.max(4, container.rank))) return null;
      return {
        count: number.value,
        tier: 3,
        rank: container.rank,
        counted,
        holder: container.name,
        isShare: true,
        total: null,
        bracket: tokens[index]?.bracket ?? 0,
        end,
      };
    }
    const token = tokens[at];
    const isWord = token?.kind === 'word' || (token?.text === '-' && token.isGlued);
    if (!isWord || OF_WORDS.has(token.text)) return null;
    counted = CONTAINERS.get(token.text)?.name ?? counted;
    at += 1;
  }
  return null;
}

/** `PK/12`, `Box/50`. */
export function reversedPhrase(tokens: Tokens, index: number): Phrase | null {
  const container = CONTAINERS.get(textAt(tokens, index));
  if (container === undefined || textAt(tokens, index + 1) !== '/') return null;
  const before = textAt(tokens, index - 1);
  const { whole = null } = tokens[index + 2] ?? {};
  const isOther = before === '/' || textAt(tokens, index + 3) === '/';
  if (whole === null || whole < 1 || isOther || !isLikely(whole, container.rank)) return null;
  return single(tokens, index, { count: whole, holder: container, end: index + 3 });
}

type Single = {
  readonly count: number;
  readonly holder: Container;
  readonly end: number;
};

function single(tokens: Tokens, index: number, { count, holder, end }: Single): Phrase {
  return {
    count,
    tier: 3,
    rank: holder.rank,
    counted: null,
    holder: holder.name,
    isShare: false,
    total: null,
    bracket: tokens[index]?.bracket ?? 0,
    end,
  };
}

/** `of 6`, `consists of 12`, `(12)` behind a container. */
function amountBehind(tokens: Tokens, index: number): Counted | null {
  let at = index;
  if (/^consists?$/.test(textAt(tokens, at))) at += 1;
  if (OF_WORDS.has(textAt(tokens, at))) return numberAt(tokens, at + 1);
  if (at > index) return null;
  if (textAt(tokens, at) !== '(' || textAt(tokens, at + 2) !== ')') return null;
  return numberAt(tokens, at);
}

/** `pack of 6`, `case of 1 dozen`, `lot de 3`, `Packung mit 4`, `case (12) dozen`. */
export function ofPhrase(tokens: Tokens, index: number): Phrase | null {
  const container = CONTAINERS.get(textAt(tokens, index));
  if (container === undefined) return null;
  const amount = amountBehind(tokens, index + 1);
  if (amount === null || !isLikely(amount.value, container.rank)) return null;
  // `case of 4 6-packs`: what follows is inside, and so is `pack of 6 x 330 ml`.
  const inner = packWordBehind(tokens, numberAt(tokens, amount.end)?.end ?? -1);
  const end = inner ?? amount.end;
  return single(tokens, index, { count: amount.value, holder: container, end });
}

/** Index behind `pack`, `-pack`, `er Pack`, ` value pack`; null: none stands there. */
function packWordBehind(tokens: Tokens, index: number): number | null {
  if (index < 0) return null;
  let at = skipHyphen(tokens, index);
  if (/^(?:er|fach|li|lı|lu|lü)$/.test(textAt(tokens, at)) && tokens[at]?.isGlued === true) {
    at = skipHyphen(tokens, at + 1);
    if (CONTAINERS.has(textAt(tokens, at))) return at + 1;
  }
  const adjective = textAt(tokens, at);
  if (PACK_ADJECTIVES.has(adjective) || FOLD_WORDS.has(adjective)) at = skipHyphen(tokens, at + 1);
  return PACK_WORDS.has(textAt(tokens, at)) ? at + 1 : null;
}

const PACK: Container = { name: 'pack', rank: 3 };

/** `50 sets/book`: so many in each of something that is no container. */
export function isShareOf(tokens: Tokens, index: number): boolean {
  const by = textAt(tokens, index);
  return (by === '/' || by === 'per') && tokens[index + 1]?.kind === 'word';
}

/** `12 pack`, `3pk`, `6er Pack`, `6 boxes`, and all of these with `of 50` behind them. */
export function packPhrase(tokens: Tokens, index: number): Phrase | null {
  const number = numberAt(tokens, index);
  if (number === null || isForeign(tokens, number.start)) return null;
  const spaced = textAt(tokens, number.end) === '/' ? number.end + 1 : number.end;
  const plural = textAt(tokens, number.end);
  const isPlural = PLURAL_CONTAINERS.has(plural);
  const end = isPlural ? number.end + 1 : packWordBehind(tokens, spaced);
  if (end === null || FOR_PACKS.has(textAt(tokens, end)) || isShareOf(tokens, end)) return null;
  const isFirst = number.start === 0;
  // "iPad mini 4 cases": covers, not crates.
  if (plural === 'cases' && !isFirst && !OF_WORDS.has(textAt(tokens, end))) return null;
  const container = (isPlural ? CONTAINERS.get(plural) : undefined) ?? PACK;
  if (!isLikely(number.value, container.rank)) return null;
  const inner = OF_WORDS.has(textAt(tokens, end)) ? numberAt(tokens, end + 1) : null;
  if (inner !== null && SOLD_IN_NUMBERS.has(textAt(tokens, number.start - 1))) return null;
  const { value } = number;
  // `1 box of 50` is a box of fifty.
  const count = inner !== null && value === 1 ? inner.value : value;
  return {
    count,
    tier: 3,
    rank: container.rank,
    counted: container.name,
    holder: null,
    isShare: false,
    total: inner === null ? null : value * inner.value,
    bracket: tokens[number.start]?.bracket ?? 0,
    end: inner?.end ?? end,
  };
}

/** `twin pack`, `triple value pack`, `Doppelpack`, `single unit`. */
export function foldPhrase(tokens: Tokens, index: number): Phrase | null {
  const count = FOLD_WORDS.get(textAt(tokens, index));
  if (count === undefined) return null;
  const isWhole = /pack$/.test(textAt(tokens, index));
  let at = skipHyphen(tokens, index + 1);
  if (PACK_ADJECTIVES.has(textAt(tokens, at))) at = skipHyphen(tokens, at + 1);
  const isUnit = count === 1 && /^(?:unit|item|piece)$/.test(textAt(tokens, at));
  if (!isWhole && !isUnit && !PACK_WORDS.has(textAt(tokens, at))) return null;
  if (isForeign(tokens, index)) return null;
  const end = isWhole ? index + 1 : at + 1;
  // "5 twin packs": two in each of them.
  return { ...single(tokens, index, { count, holder: PACK, end }), isShare: true };
}

/** `Pack 2 rolls` where a title or a part of it begins, `case pack 6`. */
export function headedPhrase(tokens: Tokens, index: number): Phrase | null {
  if (textAt(tokens, index) !== 'pack') return null;
  const before = tokens[index - 1];
  const isCase = before?.text === 'case' || before?.text === 'master';
  if (before !== undefined && before.kind !== 'mark' && !isCase) return null;
  if (before?.text === '-' && before.isGlued) return null;
  const number = numberAt(tokens, index + 1);
  const isThings = number !== null && tokens[number.end]?.kind === 'word';
  if (number === null || number.value > 200 || (!isThings && !isCase)) return null;
  return single(tokens, index, { count: number.value, holder: PACK, end: number.end });
}

/** `qty 6`, `Qty: 6`, `quantity of 4`. */
export function quantityPhrase(tokens: Tokens, index: number): Phrase | null {
  if (!/^(?:qty|quantity|anzahl|cantidad)$/.test(textAt(tokens, index))) return null;
  let at = index + 1;
  if (/^[:.=]$|^of$/.test(textAt(tokens, at))) at += 1;
  // `qty .3` is a share of something.
  const number = textAt(tokens, at - 1) === '.' && tokens[at]?.isGlued ? null : numberAt(tokens, at);
  if (number === null || !isLikely(number.value, PACK.rank)) return null;
  return single(tokens, index, { count: number.value, holder: PACK, end: number.end });
}

/** Index behind `330ml`, `12 fl oz`, `30-count`, `12 pack`; null: no measure stands there. */
function measureBehind(tokens: Tokens, index: number): number | null {
  const at = textAt(tokens, index) === '(' ? index + 1 : index;
  if (tokens[at]?.kind !== 'number') return null;
  const unit = skipHyphen(tokens, at + 1);
  // `4 x 1G`: ports, not grams.
  const isPort = textAt(tokens, unit) === 'g' && tokens[unit]?.isCapital === true;
  if (MULTIPLIED_UNITS.has(textAt(tokens, unit)) && !isPort) return unit + 1;
  return packWordBehind(tokens, at + 1);
}

/** `6 x 330 ml`, `2x500ml`, `6 x (12 x 330ml)`, `2 x 6-pack`, `3 x 100 count`. */
export function multiplierPhrase(tokens: Tokens, index: number): Phrase | null {
  const number = numberAt(tokens, index);
  if (number === null || textAt(tokens, number.end) !== 'x') return null;
  if (isForeign(tokens, number.start) || !isLikely(number.value, PACK.rank)) return null;
  const first = number.end + 1;
  const isNested = textAt(tokens, first) === '(' && textAt(tokens, first + 2) === 'x';
  const end = measureBehind(tokens, isNested ? first + 3 : first);
  if (end === null) return null;
  const { value: count } = number;
  return { ...single(tokens, index, { count, holder: PACK, end }), rank: 2, holder: null };
}

/** `500ml x 2`, `16 oz. x 12`, `100 ct x 2`. */
export function mirroredPhrase(tokens: Tokens, index: number): Phrase | null {
  if (tokens[index]?.kind !== 'number') return null;
  let at = skipHyphen(tokens, index + 1);
  if (!MULTIPLIED_UNITS.has(textAt(tokens, at))) return null;
  at += 1;
  if (/^(?:oz|ounces?)$/.test(textAt(tokens, at))) at += 1;
  while (/^[.)]$/.test(textAt(tokens, at)) && at < index + 7) at += 1;
  if (textAt(tokens, at) !== 'x') return null;
  const { whole = null } = tokens[at + 1] ?? {};
  if (whole === null || whole < 1 || !isLikely(whole, PACK.rank)) return null;
  const next = textAt(tokens, at + 2);
  if (/^(?:in|inch|inches|cm|mm|m|ft|x|")$/.test(next)) return null;
  const phrase = single(tokens, index, { count: whole, holder: PACK, end: at + 2 });
  return { ...phrase, rank: 2, holder: null };
}
