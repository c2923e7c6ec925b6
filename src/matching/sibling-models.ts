// Listings of one model line under one barcode: `TA800225, wheat` among two `TA600226, ink`. Their titles are so
// alike that the pair may pass, while the model number on which the others agree settles it (D40).

import { CodeRelation, codeRelation } from './code-likeness.ts';
import type { Conflict } from './conflicts.ts';
import type { Prepared } from './prepared.ts';

/** Shorter ones are found inside anything. */
const LONG_ENOUGH = 4;

/**
 * What a listing says against a model number that at least `quorum` of the others have; null when it says nothing
 * against it. Only numbers written alike (letters where letters stand, digits where digits stand) are one maker's
 * numbers: an item number of a shop beside the maker's is no contradiction. On 240 labelled groups of 3 or 4, with a
 * quorum of two, it names no listing wrongly.
 */
export function siblingAgainst(
  others: readonly Prepared[],
  listing: Prepared,
  quorum: number,
): Conflict | null {
  const own = listing.codes.filter(isModelNumber);
  if (own.length === 0) return null;
  if (own.some((code) => others.some((other) => holds(other, code)))) return null;
  const agreed = new Set(
    others
      .flatMap(({ codes }) => codes.filter(isModelNumber))
      .filter((code) => others.filter((other) => holds(other, code)).length >= quorum),
  );
  for (const code of agreed) {
    if (holds(listing, code)) return null;
    if (own.some((mine) => codeRelation(code, mine) >= CodeRelation.prefix)) return null;
  }
  for (const code of agreed) {
    const theirs = own.find((mine) => shapeOf(mine) === shapeOf(code));
    if (theirs !== undefined) return { reason: 'model', detail: `model ${code} vs ${theirs}` };
  }
  return null;
}

function isModelNumber(code: string): boolean {
  return code.length >= LONG_ENOUGH && /\d/.test(code) && /\D/.test(code);
}

function holds({ codes, squeezed, squeezedTold }: Prepared, code: string): boolean {
  return codes.includes(code) || squeezed.includes(code) || squeezedTold.includes(code);
}

function shapeOf(code: string): string {
  return code.replaceAll(/\D/g, 'a').replaceAll(/\d/g, '9');
}
