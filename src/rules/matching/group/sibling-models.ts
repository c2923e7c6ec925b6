// Finds listings of different models of one line under one barcode: `TA800225, wheat` among two `TA600226, ink`. Their
// titles are so similar that a pair may pass, but the model number on which the others agree decides (D40).

import { CodeRelation, codeRelation, shapeOf } from '../prepared/code-likeness.ts';
import type { Conflict } from '../pair/conflicts.ts';
import type { Prepared } from '../prepared/prepared.ts';

/** Shorter model numbers occur inside other words by chance. */
const LONG_ENOUGH = 4;

/**
 * Returns how a listing contradicts a model number of one of the others; null if it does not. Only numbers of the same shape
 * (letters and digits in the same positions) are compared: a shop's item number does not contradict the maker's model number.
 */
export function siblingAgainst(others: readonly Prepared[], listing: Prepared): Conflict | null {
  const own = listing.codes.filter(isModelNumber);
  if (own.length === 0) return null;
  if (own.some((code) => others.some((other) => holds(other, code)))) return null;
  const stated = new Set(others.flatMap(({ codes }) => codes.filter(isModelNumber)));
  for (const code of stated) {
    if (holds(listing, code)) return null;
    if (own.some((mine) => codeRelation(code, mine) >= CodeRelation.prefix)) return null;
  }
  for (const code of stated) {
    const theirs = own.find((mine) => shapeOf(mine) === shapeOf(code));
    if (theirs !== undefined) return { reason: 'model', detail: `model ${code} vs ${theirs}` };
  }
  return null;
}

function isModelNumber(code: string): boolean {
  return code.length >= LONG_ENOUGH && /\d/.test(code) && /\D/.test(code);
}

function holds({ codes, squeezed, squeezedDescription }: Prepared, code: string): boolean {
  return codes.includes(code) || squeezed.includes(code) || squeezedDescription.includes(code);
}
