// Reads weights in pounds, and lengths and sizes in inches, from the texts and fields in which shops state them. Total and
// bounded; a text without a measure yields null.

import type { Dimensions } from '../listing.ts';
import { measureText, numbersWithUnits } from './number-with-unit.ts';
import type { NumberWithUnit } from './number-with-unit.ts';
import { sidesOf } from './sides.ts';
import { unitNamed } from './units.ts';
import type { Unit } from './units.ts';

/** Anything heavier or longer is an error on the page: no shop ships 50 tons or a kilometre. */
const MAX_POUNDS = 100_000;
const MAX_INCHES = 40_000;

function rounded(value: number, digits: number): number {
  const factor = 10 ** digits;
  return Math.round(value * factor) / factor;
}

/** Returns the first quantity of `kind` in pounds or inches, or a lone bare number if `unitHint` names a unit. */
function firstOf(
  text: string | number,
  kind: 'weight' | 'length',
  unitHint: string | null | undefined,
): number | null {
  const line = measureText(String(text));
  const quantities = numbersWithUnits(line);
  const index = quantities.findIndex((each) => each.unit?.kind === kind);
  const found = quantities[index];
  if (found !== undefined) {
    // `1-2 lb` is a range, not a measure.
    return /\d\s?[-\u2013]\s?$/.test(line.slice(0, found.start)) ? null : found.value;
  }
  const hint = unitHint === null || unitHint === undefined ? null : unitNamed(unitHint);
  return hint?.kind === kind ? loneNumber(line, quantities, hint) : null;
}

function loneNumber(
  line: string,
  quantities: readonly NumberWithUnit[],
  unit: Unit,
): number | null {
  const [only, ...others] = quantities;
  if (only === undefined || only.unit !== null || others.length > 0) return null;
  return line.trim().length <= 30 ? only.value * unit.factor : null;
}

/**
 * Reads the first weight in a text, in pounds ("2 lb 3 oz", "1,5 kg", "12.8ounces"). `unitHint` (a word or a UN/CEFACT
 * code) applies to bare numbers. Null for volumes ("fl oz"), ranges and zero.
 */
export function readWeightLbs(text: string | number, unitHint?: string | null): number | null {
  const pounds = firstOf(text, 'weight', unitHint);
  const usable = pounds !== null && pounds > 0 && pounds <= MAX_POUNDS;
  return usable ? rounded(pounds, 6) : null;
}

/** Reads the first length in a text, in inches (`36"`, "6 ft 3 in", "12,5 cm"); `unitHint` as for weights. */
export function readLengthIn(text: string | number, unitHint?: string | null): number | null {
  const inches = firstOf(text, 'length', unitHint);
  const usable = inches !== null && inches > 0 && inches <= MAX_INCHES;
  return usable ? rounded(inches, 4) : null;
}

const SIDE_WORDS: Readonly<Record<string, string>> = { l: 'long', w: 'wide', h: 'high', d: 'deep' };

/** `10L x 5W x 3H`: the letters are sides, and the L does not mean liters. */
export function spelledOut(line: string): string {
  if (!/\d\s?[lwhd]\s?x\s?\d[\d.,/ -]{0,12}[lwhd]\b/i.test(line)) return line;
  return line.replaceAll(
    /(\d)\s?([lwhd])(?=\s?x\s?\d|\b)/gi,
    (_all, digit: string, side: string) => {
      return `${digit} ${SIDE_WORDS[side.toLowerCase()] ?? side}`;
    },
  );
}

/**
 * Reads the sides, in inches, of "10 x 5 x 3 in", `10"L x 5"W x 3"H`, "H 20 cm, B 10 cm, T 5 cm". Letters and words
 * identify the side (depth is length), otherwise the order is length, width, height. A number without a unit takes the next
 * number's unit, then the one in brackets, then `unitHint`; without any the answer is null.
 */
export function readDimensions(text: string, unitHint?: string | null): Dimensions | null {
  const line = spelledOut(measureText(text));
  const hint = unitHint === null || unitHint === undefined ? null : unitNamed(unitHint);
  const sides = sidesOf(line, numbersWithUnits(line), hint?.kind === 'length' ? hint : null);
  if (sides === null) return null;
  const values = [sides.height, sides.width, sides.length];
  if (values.every((value) => value === null)) return null;
  if (values.some((value) => value !== null && !(value > 0 && value <= MAX_INCHES))) return null;
  const [heightIn = null, widthIn = null, lengthIn = null] = values.map((value) =>
    value === null ? null : rounded(value, 4),
  );
  return { heightIn, widthIn, lengthIn };
}
