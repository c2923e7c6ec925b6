// Finds the phrases in a title that state a number of packs, token by token. Each phrase states what is counted and what
// contains it, so that the outermost can be chosen (pack-count.ts). Linear: every phrase looks a few tokens ahead.

import {
  isChoice,
  isForeign,
  isLikely,
  countedNumberAt,
  skipHyphen,
  tokenText,
} from './pack-number.ts';
import type { CountedNumber, Tokens } from './pack-number.ts';
import {
  CONTAINERS,
  DESCRIBING,
  FOLD_WORDS,
  FOR_PACKS,
  OF_WORDS,
  PACK_ADJECTIVES,
  PACK_WORDS,
  PLURAL_CONTAINERS,
  SLASH_CONTAINERS,
  SOLD_IN_NUMBERS,
} from './pack-words.ts';
import type { Container } from './pack-words.ts';

export type PackPhrase = {
  readonly count: number;
  /** The phrase's strength: 3 names packs, 2 names pieces, 1 names things that may be something else. */
  readonly tier: 1 | 2 | 3;
  /** How far out the container is: larger containers have higher ranks (pack-words.ts). */
  readonly rank: number;
  /** Name of the counted container; null when things are counted. */
  readonly counted: string | null;
  /** Name of the container with this number; null when it is the listing itself. */
  readonly holder: string | null;
  /** Whether the number is per holder ("50/pack"), which leaves the number of holders open. */
  readonly isShare: boolean;
  /** The total: `12 pads of 50 sheets` are 600 of something, which another phrase may state. Null when unknown. */
  readonly total: number | null;
  readonly bracket: number;
  /** Index of the token after the phrase. */
  readonly end: number;
};

type ContainerAfter = { readonly container: Container; readonly end: number };

/** Matches `/pack`, `per box`, `/ctn.` after a number or its unit. */
function slashContainer(tokens: Tokens, index: number): ContainerAfter | null {
  const by = tokenText(tokens, index);
  if (by !== '/' && by !== 'per' && by !== 'à') return null;
  const word = tokenText(tokens, index + 1);
  const container = CONTAINERS.get(word) ?? SLASH_CONTAINERS.get(word);
  return container === undefined ? null : { container, end: index + 2 };
}

/** Matches `100/Box`, `4 per pack`, `50 Sheets/Pack`, `6 BX/CT`, `12 pieces / set`. */
export function slashPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const number = countedNumberAt(tokens, index);
  if (number === null || isForeign(tokens, number.start)) return null;
  let at = number.end;
  // `50 sheet pads/pack` means pads of fifty sheets and does not say how many.
  if (DESCRIBING.has(tokenText(tokens, skipHyphen(tokens, at)))) return null;
  let counted: string | null = null;
  for (let words = 0; words <= 4; words += 1) {
    const after = slashContainer(tokens, at);
    if (after !== null) {
      const { container, end } = after;
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
export function reversedPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const container = CONTAINERS.get(tokenText(tokens, index));
  if (container === undefined || tokenText(tokens, index + 1) !== '/') return null;
  const before = tokenText(tokens, index - 1);
  const { whole = null } = tokens[index + 2] ?? {};
  const isOther = before === '/' || tokenText(tokens, index + 3) === '/';
  if (whole === null || whole < 1 || isOther || !isLikely(whole, container.rank)) return null;
  return containerPhrase(tokens, index, { count: whole, holder: container, end: index + 3 });
}

type ContainerCount = {
  readonly count: number;
  readonly holder: Container;
  readonly end: number;
};

/** Returns a phrase with one container. */
export function containerPhrase(
  tokens: Tokens,
  index: number,
  { count, holder, end }: ContainerCount,
): PackPhrase {
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

/** Matches `of 6`, `consists of 12`, `(12)` after a container. */
function amountAfter(tokens: Tokens, index: number): CountedNumber | null {
  let at = index;
  if (/^consists?$/.test(tokenText(tokens, at))) at += 1;
  if (OF_WORDS.has(tokenText(tokens, at))) return countedNumberAt(tokens, at + 1);
  if (at > index) return null;
  if (tokenText(tokens, at) !== '(' || tokenText(tokens, at + 2) !== ')') return null;
  const amount = countedNumberAt(tokens, at);
  return amount === null || YEAR.test(String(amount.value)) ? null : amount;
}

/** "iPhone 15 Pro Case (2023)". */
const YEAR = /^(?:19|20)\d\d$/;

/** Matches `pack of 6`, `case of 1 dozen`, `lot de 3`, `Packung mit 4`, `case (12) dozen`. */
export function ofPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const container = CONTAINERS.get(tokenText(tokens, index));
  if (container === undefined) return null;
  const amount = amountAfter(tokens, index + 1);
  if (amount === null || !isLikely(amount.value, container.rank)) return null;
  if (isChoice(tokens, amount.end)) return null;
  // `case of 4 6-packs`: what follows is inside, and so is `pack of 6 x 330 ml`.
  const inner = packWordAfter(tokens, countedNumberAt(tokens, amount.end)?.end ?? -1);
  const end = inner ?? amount.end;
  return containerPhrase(tokens, index, { count: amount.value, holder: container, end });
}

/** Returns the index after `pack`, `-pack`, `er Pack`, ` value pack`; null if there is none. */
export function packWordAfter(tokens: Tokens, index: number): number | null {
  if (index < 0) return null;
  let at = skipHyphen(tokens, index);
  if (/^(?:er|fach|li|lı|lu|lü)$/.test(tokenText(tokens, at)) && tokens[at]?.isGlued === true) {
    at = skipHyphen(tokens, at + 1);
    if (CONTAINERS.has(tokenText(tokens, at))) return at + 1;
  }
  for (let words = 0; words < MOST_ADJECTIVES; words += 1) {
    const adjective = tokenText(tokens, at);
    if (PACK_ADJECTIVES.has(adjective) || FOLD_WORDS.has(adjective))
      at = skipHyphen(tokens, at + 1);
  }
  return PACK_WORDS.has(tokenText(tokens, at)) ? at + 1 : null;
}

/** `25 Individual Snack Packs`. */
const MOST_ADJECTIVES = 2;

/** The container assumed when a phrase names none. */
export const PACK: Container = { name: 'pack', rank: 3 };

/** Whether the number is per something that is not a container: `50 sets/book`. */
export function isShareOf(tokens: Tokens, index: number): boolean {
  const by = tokenText(tokens, index);
  return (by === '/' || by === 'per') && tokens[index + 1]?.kind === 'word';
}

/** Matches `12 pack`, `3pk`, `6er Pack`, `6 boxes`, and all of these followed by `of 50`. */
export function packPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const number = countedNumberAt(tokens, index);
  if (number === null || isForeign(tokens, number.start)) return null;
  const spaced = tokenText(tokens, number.end) === '/' ? number.end + 1 : number.end;
  const plural = tokenText(tokens, number.end);
  const isPlural = PLURAL_CONTAINERS.has(plural);
  const end = isPlural ? number.end + 1 : packWordAfter(tokens, spaced);
  if (end === null || FOR_PACKS.has(tokenText(tokens, end)) || isShareOf(tokens, end)) return null;
  const isFirst = number.start === 0;
  // "iPad mini 4 cases": covers, not crates.
  if (plural === 'cases' && !isFirst && !OF_WORDS.has(tokenText(tokens, end))) return null;
  const container = (isPlural ? CONTAINERS.get(plural) : undefined) ?? PACK;
  if (!isLikely(number.value, container.rank)) return null;
  const inner = OF_WORDS.has(tokenText(tokens, end)) ? countedNumberAt(tokens, end + 1) : null;
  if (inner !== null && SOLD_IN_NUMBERS.has(tokenText(tokens, number.start - 1))) return null;
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

/** Whether the word is separate, as in "Lamp, single" and "(single)", but not in "single-sided". */
function isApart(tokens: Tokens, index: number): boolean {
  const before = tokens[index - 1];
  const after = tokens[index + 1];
  const isEnd = after === undefined || /^[),;|\]]$/.test(after.text);
  return isEnd && (before === undefined || /^[(,;|[-]$/.test(before.text));
}

/** Matches `twin pack`, `triple value pack`, `Doppelpack`, `single unit`. */
export function foldPhrase(tokens: Tokens, index: number): PackPhrase | null {
  const count = FOLD_WORDS.get(tokenText(tokens, index));
  if (count === undefined) return null;
  const isWhole = tokenText(tokens, index).endsWith('pack');
  let at = skipHyphen(tokens, index + 1);
  if (PACK_ADJECTIVES.has(tokenText(tokens, at))) at = skipHyphen(tokens, at + 1);
  const isUnit = count === 1 && /^(?:unit|item|piece)$/.test(tokenText(tokens, at));
  const isAlone = isWhole || (count === 1 && isApart(tokens, index));
  if (!isAlone && !isUnit && !PACK_WORDS.has(tokenText(tokens, at))) return null;
  if (isForeign(tokens, index)) return null;
  const end = isAlone ? index + 1 : at + 1;
  // "5 twin packs": two in each of them.
  return { ...containerPhrase(tokens, index, { count, holder: PACK, end }), isShare: true };
}

/** Matches `Pack 2 rolls` at the start of a title or of a part of it, `case pack 6`. */
export function headedPhrase(tokens: Tokens, index: number): PackPhrase | null {
  if (tokenText(tokens, index) !== 'pack') return null;
  const before = tokens[index - 1];
  const isCase = before?.text === 'case' || before?.text === 'master';
  if (before !== undefined && before.kind !== 'mark' && !isCase) return null;
  if (before?.text === '-' && before.isGlued) return null;
  const number = countedNumberAt(tokens, index + 1);
  const isThings = number !== null && tokens[number.end]?.kind === 'word';
  if (number === null || number.value > 200 || (!isThings && !isCase)) return null;
  return containerPhrase(tokens, index, { count: number.value, holder: PACK, end: number.end });
}

/** Matches `qty 6`, `Qty: 6`, `quantity of 4`. */
export function quantityPhrase(tokens: Tokens, index: number): PackPhrase | null {
  if (!/^(?:qty|quantity|anzahl|cantidad)$/.test(tokenText(tokens, index))) return null;
  let at = index + 1;
  if (/^[:.=]$|^of$/.test(tokenText(tokens, at))) at += 1;
  // `qty .3` is a fraction of something.
  const number =
    tokenText(tokens, at - 1) === '.' && tokens[at]?.isGlued ? null : countedNumberAt(tokens, at);
  if (number === null || !isLikely(number.value, PACK.rank)) return null;
  return containerPhrase(tokens, index, { count: number.value, holder: PACK, end: number.end });
}

const MOST_THINGS = 100_000;

type ThingCount = { readonly count: number; readonly tier: 1 | 2; readonly end: number };

/** Returns a phrase that counts items; null for a number that cannot be a count in a title. */
export function thingPhrase(
  tokens: Tokens,
  index: number,
  { count, tier, end }: ThingCount,
): PackPhrase | null {
  if (count < 1 || count > MOST_THINGS) return null;
  const bracket = tokens[index]?.bracket ?? 0;
  return {
    count,
    tier,
    rank: 1,
    counted: null,
    holder: null,
    isShare: false,
    total: null,
    bracket,
    end,
  };
}
