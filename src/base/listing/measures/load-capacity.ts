// Recognizes a published weight that is actually the product's load capacity. Shops fill the field `weight` with the load of
// a chair, a shelf or a hook.

import { readWeightLbs } from './measure.ts';

/** The words for a load, before or after its number. */
const BEFORE = new RegExp(
  `(?:${[
    '(?:weight|load(?:ing)?|lifting|carrying|static) (?:capacity|limit|rating)',
    'max(?:imum|\\.)? (?:load|weight|user weight)|capacity',
    'can hold|holds?|supports?|supporting|bears?|bearing|withstands?|rated (?:for|to|at)|carry|carries|up to',
    // German, French, Spanish
    'tragkraft|belastbar|charge (?:max|utile)|carga m[aá]xima',
  ].join('|')})[^\\d.;]{0,40}$`,
  'i',
);
const BEHIND =
  /^[^\d.;]{0,24}(?:(?:weight |load )?(?:capacity|limit|rating)|of weight|max(?:imum)? (?:load|weight)|per shelf|load\b)/i;
const WEIGHT =
  /(?<![\d.,])(\d{1,3}(?:,\d{3})+|\d{1,5}(?:\.\d{1,3})?)[\s-]?(lbs?\.?|pounds?|kgs?|kilograms?)(?![\p{L}])/giu;

/** A product sold for its load capacity never weighs this share of the load. */
const HALF = 0.5;
/** The most characters that are searched in all texts together, and the most loads that are taken from them. */
const MOST_TEXT = 40_000;
const MOST_LOADS = 40;

/** Returns each load stated in the text, in pounds. */
function loadsIn(text: string): readonly number[] {
  const loads: number[] = [];
  for (const match of text.slice(0, MOST_TEXT).matchAll(WEIGHT)) {
    if (loads.length >= MOST_LOADS) break;
    const before = text.slice(Math.max(0, match.index - 60), match.index);
    const after = text.slice(match.index + match[0].length, match.index + match[0].length + 40);
    if (!BEFORE.test(before) && !BEHIND.test(after)) continue;
    const amount = (match[1] ?? '').replaceAll(',', '');
    const pounds = readWeightLbs(`${amount} ${/^k/i.test(match[2] ?? '') ? 'kg' : 'lb'}`);
    if (pounds !== null) loads.push(pounds);
  }
  return loads;
}

/** Returns whether `pounds` is a load: it equals a load stated in the texts, or is at least half of one. */
export function isLoadCapacity(pounds: number, texts: readonly string[]): boolean {
  return texts.flatMap(loadsIn).some((load) => pounds >= load * HALF);
}
