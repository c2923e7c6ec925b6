// Decides whether the currency sign next to a number is the number's own or belongs to the amount before or after it.

import type { PlacedMoney } from '../../../../base/listing/money/money.ts';
import type { VisiblePiece } from '../lines/line-draft.ts';
import type { VisibleLine } from '../lines/visible-lines.ts';

/**
 * Whether the sign after a bare number opens the next piece and has its own digits: "Pack of 12" next to "€ 6.99" is not a
 * price of 12. With two decimals it is an amount anyway.
 */
function isSignOfNext({ pieces, text }: VisibleLine, placed: PlacedMoney): boolean {
  if (placed.hasDecimals || placed.start < placed.digits) return false;
  // A dash in place of decimals: "2.499,-" next to "€ 6.50".
  if (/[-–—]$/.test(text.slice(placed.digits, placed.digitsEnd))) return false;
  const isNext = ({ from }: VisiblePiece): boolean => from >= placed.digitsEnd && from < placed.end;
  return pieces.some(
    (piece, index) =>
      isNext(piece) &&
      /^\s*\p{Sc}\s*\d/u.test(text.slice(piece.from, pieces[index + 1]?.from ?? text.length)),
  );
}

/**
 * Whether the sign before a bare number belongs to the preceding amount: "5 kr" next to "49 points" is not 49 crowns. With two
 * decimals it is an amount anyway.
 */
function isSignOfLast(
  { pieces }: VisibleLine,
  before: PlacedMoney | undefined,
  placed: PlacedMoney,
): boolean {
  if (before === undefined || placed.hasDecimals || placed.start >= before.end) return false;
  return pieces.some(({ from }) => from > placed.start && from <= placed.digits);
}

/** Whether the sign or dash next to an amount belongs to it. */
export function hasOwnSign(
  line: VisibleLine,
  placed: PlacedMoney,
  before: PlacedMoney | undefined,
): boolean {
  return placed.isMarked && !isSignOfNext(line, placed) && !isSignOfLast(line, before, placed);
}
