// Recognizes numbers with a unit that are not quantities in a title: digits of codes, ranges and rates, focal lengths,
// networks, paper weights, and letters that are not a unit in their context.

import type { NumberWithUnit } from '../../base/listing/measures/number-with-unit.ts';
import {
  BASIS_WEIGHTS,
  DRINKS,
  DRY,
  ELECTRONICS,
  LENSES,
  LINKS,
  LIQUIDS,
  MAYBE_LIQUIDS,
  NO_UNITS_IN_TITLES,
  POURED,
  SHEETS,
  SPRAYED,
  TYRES,
  TROUSERS,
} from './quantity-words.ts';
import type { Unit } from '../../base/listing/measures/units.ts';

/** Facts about the goods that the whole text reveals. */
export type KindOfGoods = {
  readonly isLiquid: boolean;
  readonly isSheet: boolean;
  readonly isLens: boolean;
  readonly isTyre: boolean;
  readonly isPaper: boolean;
  readonly isElectronic: boolean;
  readonly isLinked: boolean;
  readonly isWorn: boolean;
};

const PLUG_ENDS = /(?<!\p{L})(?:m\/f|f\/m|f\/f)(?!\p{L})/gu;

/** Returns the kind of goods that a text mentions. */
export function goodsOf(line: string): KindOfGoods {
  // The f in a plug's "M/F" is not an f-number.
  const words =
    line
      .toLowerCase()
      .replaceAll(PLUG_ENDS, ' ')
      .match(/\p{L}+/gu) ?? [];
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  const isDrink = has(DRINKS) || (has(MAYBE_LIQUIDS) && has(POURED));
  const isWet = isDrink || (has(LIQUIDS) && !has(SPRAYED));
  return {
    isLiquid: isWet && !has(DRY),
    isSheet: has(SHEETS),
    isLens: has(LENSES),
    isTyre: has(TYRES),
    isPaper: has(BASIS_WEIGHTS),
    isElectronic: has(ELECTRONICS),
    isLinked: has(LINKS),
    isWorn: has(TROUSERS),
  };
}

const wordAfter = (line: string, end: number): string =>
  /^[\s-]*(\p{L}+)/u.exec(line.slice(end, end + 24))?.[1]?.toLowerCase() ?? '';

/** Returns the unit as written. */
export const unitWord = (line: string, { start, end }: NumberWithUnit): string =>
  /(\p{L}+)\.?$/u.exec(line.slice(start, end))?.[1] ?? '';

/** Whether the digits belong to a code: `AF30`, `W20106X8`, `DSC-W55G`, `RJ-45 m`. Not in `10 x 8`, `10cmx8cm`. */
export function isInCode(line: string, { start, end, unit }: NumberWithUnit): boolean {
  const before = line.slice(Math.max(0, start - 24), start);
  const glued = /[\p{L}\d]*$/u.exec(before)?.[0] ?? '';
  const isFactor = /^x$|^(?:\d+(?:mm|cm|m|in|inch|inches|ft|[lwhd])?x)+$/i.test(glued);
  if (/\p{L}/u.test(glued) && !isFactor) return true;
  const letter = unit !== null && /(?:^|\P{L})\p{L}$/u.test(line.slice(start, end));
  return letter && /\p{L}-$/u.test(before);
}

/** Whether this is either end of a range that repeats its unit: `66 in. - 120 in.`. */
function isRangeEnd(line: string, quantity: NumberWithUnit): boolean {
  const unit = line[quantity.end - 1] === '"' ? '"' : unitWord(line, quantity);
  if (unit === '') return false;
  const after = line.slice(quantity.end, quantity.end + 24);
  const before = line.slice(Math.max(0, quantity.start - 24), quantity.start);
  const written = `\\d\\s?-?${unit}(?!\\p{L})\\.?`;
  return (
    new RegExp(`^\\.?\\s?(?:[-\u2013~]|to\\s)\\s?(?:\\d[\\d.,/ ]{0,8})?${written}`, 'iu').test(
      after,
    ) || new RegExp(`${written}\\s?(?:[-\u2013~]|\\sto)\\s?$`, 'iu').test(before)
  );
}

const RATE = /^(?:\s?\/\s?\p{L}|ps\b|²|2\b)/u;
const RATE_OF_DATA = /^(?:\s?\/\s?(?:s|sec|second|h|hour|d|day|mo|month)(?!\p{L})|ps\b)/iu;

/**
 * Whether this is a range, ratio, rate, limit or quotation mark: `5-7 lb`, `16:10`, `10 m/s`, `2" "title`, `up to 90 lb`.
 */
export function isNoMeasure(line: string, quantity: NumberWithUnit): boolean {
  const { start, end } = quantity;
  const before = line.slice(Math.max(0, start - 8), start);
  if (/\d\s?[-\u2013~]\s?$|\d:$|[$€£]\s?$|\bup to\s?$/i.test(before)) return true;
  if (isRangeEnd(line, quantity) || isRating(line, quantity)) return true;
  if (isOfWearer(line, quantity)) return true;
  // `8GB/OS X` is a list, `6 GB/s` a rate.
  const rate = quantity.unit?.kind === 'storage' ? RATE_OF_DATA : RATE;
  if (rate.test(line.slice(end, end + 8))) return true;
  if (line[end - 1] !== '"') return false;
  if (/^(?:@|,|\s")/.test(line.slice(end, end + 2)) && isClosing(line, end)) return true;
  return end >= line.trimEnd().length && isClosing(line, end);
}

/** Whether this is the model's height: "The model is wearing a size L and is 187 cm tall". */
function isOfWearer(line: string, { start, end }: NumberWithUnit): boolean {
  const before = line.slice(Math.max(0, start - 64), start);
  return (
    /^\.?\s?tall\b/i.test(line.slice(end, end + 6)) && /\b(?:model|wear(?:s|ing))\b/i.test(before)
  );
}

const LOAD_AHEAD =
  /\b(?:(?:load|weight|lifting|carrying|bearing|static|user|rider)[ -]?(?:capacity|limit|rating|bearing|load)?|capacity|max(?:imum)?\.?(?: \p{L}+)? (?:load|capacity|user)|holds?|supports?|support for|rated (?:for|to|at)|limit)(?: (?:of|to|over|is|about|more than))?[:=]?\s*(?:\d[\d.,]*\s?(?:kgs?|lbs?)\s?[/(]\s?)?\(?$/iu;
const LOAD_AFTER =
  /^\.?\)?[\s-]*(?:\p{L}+[\s-]){0,1}?(?:max(?:imum)?\.? |weight |load |lifting |user )?(?:capacity|load|limit|rated|rating|bearing|thrust)\b/iu;
const WEIGHT_AFTER = /\b(?:net|item|product|shipping|package|gross) weight\b/i;

/** Whether the number is a load rather than a weight: "Load capacity 150 lb", "300 lb weight limit". */
function isRating(line: string, { start, end, unit }: NumberWithUnit): boolean {
  if (unit?.kind !== 'weight') return false;
  const before = line.slice(Math.max(0, start - 48), start);
  if (WEIGHT_AFTER.test(before) || /\bweighs?\b[^\d]*$/i.test(before)) return false;
  if (
    /\bweight:?\s*$/i.test(before) &&
    !/\b(?:user|rider|max(?:imum)?)\.? weight:?\s*$/i.test(before)
  )
    return false;
  return LOAD_AHEAD.test(before) || LOAD_AFTER.test(line.slice(end, end + 32));
}

/** Words after the diameter that identify a plug: `3.5mm jack`, `1/4" TRS`. */
const PLUG_AFTER =
  /^[\s-]*(?:(?:mini|stereo|mono|audio|aux|auxiliary|headphone|earphone|headset|microphone|trrs?|ts|male|female|to|dc|phone)[\s-]+){0,3}(?:jacks?|plugs?|aux|trrs?|ts|stereo|mono|connectors?|headphones?|earphones?|earbuds)\b/i;

/** `Jack 3.5 mm`. */
const PLUG_AHEAD = /\b(?:jacks?|plugs?|aux)[\s:-]*$/i;

/** Maximum plug diameter, in inches. */
const THICKEST_PLUG = 0.3;

/** Maximum weight of cloth used in products. */
const HEAVIEST_CLOTH = 2;
/** No word starts with a dash: a row of dashes could be split into words in millions of ways. */
const CLOTH_AFTER =
  /^\.?[\s-]*(?:(?!and\b)[\p{L}%\d][\p{L}%\d-]*[\s-]+){0,3}?(?:cotton|canvas|denim|twill|fleece|jersey|duck|poly(?:ester)?|fabric|cloth|tarp\w*|(?:t-?)?shirts?|tees?|hoodies?|sweatshirts?|jeans|polos?|linen|flannel|nylon|vinyl)\b(?! (?:balls?|swabs?|candy|pads?|rounds?))/iu;

/** Whether the number is the weight of a square yard of cloth: "6 oz cotton tee", "fabric weight 7.5 oz". */
function isClothWeight(line: string, { start, end, value }: NumberWithUnit): boolean {
  if (value > HEAVIEST_CLOTH) return false;
  const before = line.slice(Math.max(0, start - 24), start);
  if (/\b(?:fabric|material|cloth)(?: weight)?:?\s*$/i.test(before)) return true;
  return CLOTH_AFTER.test(line.slice(end, end + 48));
}

/** Drives of 5, 7, 9.5, 12.5 and 15 mm height. */
const HIGHEST_DRIVE = 0.6;
const DRIVE =
  /\b(?:ssds?|hdds?|hard (?:disk )?drives?|solid state drives?|sata|(?:optical|notebook|laptop|internal) drives?)\b/i;

/** Whether a quotation mark closes: in a text that opens with one, every second one does. */
function isClosing(line: string, end: number): boolean {
  return line.trimStart().startsWith('"') && line.slice(0, end).split('"').length % 2 === 1;
}

/** Whether capital G means grams: `397G`, but `16G` of memory and `850 G3` do not. */
function isGrams(written: string, goods: KindOfGoods): boolean {
  return /^\d{2,4}G$/.test(written) && Number(written.slice(0, -1)) >= 20 && !goods.isElectronic;
}

/** Whether the number is below ten or a power of two, like memory sizes and generation numbers. */
function isElectronicSize(written: string): boolean {
  const value = Number.parseFloat(written);
  return value < 10 || Number.isInteger(Math.log2(value));
}

/** Whether this is a model number, because measures are not stated to four digits: `2544m`, `7684g`. */
function isModel(written: string): boolean {
  const [, digits, letter] = /^(\d{4,})(\p{L})$/u.exec(written) ?? [];
  return digits !== undefined && (letter !== 'g' || Number(digits) % 10 !== 0);
}

/** Whether a single letter is meant as a unit. Adjacent letters and digits may make it something else. */
function isLetterMeant(line: string, { start, end }: NumberWithUnit, goods: KindOfGoods): boolean {
  const written = line.slice(start, end);
  const letter = written.slice(-1);
  const isGlued = /\d\p{L}$/u.test(written);
  // `850 G3`, `2.4 GH`, `3 G-TX`, `79g-00007`; but `10mx5`.
  const tail = line.slice(end, end + 3);
  if (/^(?:\d|\p{L}|-[\p{L}\d])/u.test(tail) && !(isGlued && /^x\s?\d/i.test(tail))) return false;
  // f-numbers of lenses, clocks, networks, men's sizes.
  if (wordAfter(line, end) === 'hz' || goods.isLens || letter === 'M') return false;
  if (/^802\.\d{1,2}\s?\p{L}$/u.test(written) || isModel(written)) return false;
  if (letter === 'G') return isGrams(written, goods);
  // "3m" at the start is the maker.
  if (letter === 'm') return !(start <= 4 && written === '3m');
  if (letter !== 'g') return true;
  // `270 g` of paper is its weight per square meter; `4g` a network, `128g` memory.
  if (goods.isPaper || /^0?[1-8]g$/.test(written)) return false;
  return !goods.isElectronic || !isElectronicSize(written);
}

/** Whether a title means the unit spelled by its letters. */
export function isMeant(
  line: string,
  quantity: NumberWithUnit,
  unit: Unit,
  goods: KindOfGoods,
): boolean {
  const word = unitWord(line, quantity);
  const lower = word.toLowerCase();
  // `CL11`, `8 dlx`; but `10cmx5`, `10inL`.
  const tail = line.slice(quantity.end, quantity.end + 3);
  if (/^[\p{L}\d]/u.test(tail) && !/^(?:x\s?\d|[lwhd](?!\p{L}))/iu.test(tail)) return false;
  if (NO_UNITS_IN_TITLES.has(lower) || (lower === 'go' && word !== 'Go')) return false;
  if (word.length === 1) return isLetterMeant(line, quantity, goods);
  if (goods.isLens && lower === 'gm') return false;
  if (lower === 'gr' && /^\d/.test(line.slice(quantity.start)) && quantity.value < 0.02)
    return false;
  const isGlued = /\d\p{L}+\.?$/u.test(line.slice(quantity.start, quantity.end));
  if (lower === 'pt' && (isGlued || goods.isPaper || goods.isSheet)) return false;
  if (unit.kind === 'storage') {
    const isLink = LINKS.has(wordAfter(line, quantity.end)) || (word === 'Gb' && goods.isLinked);
    return !isLink;
  }
  const after = line.slice(quantity.end, quantity.end + 48);
  if (unit.kind === 'length' && quantity.value <= THICKEST_PLUG) {
    const before = line.slice(Math.max(0, quantity.start - 12), quantity.start);
    if (PLUG_AFTER.test(after) || PLUG_AHEAD.test(before)) return false;
  }
  if (unit.kind === 'length' && lower === 'mm') {
    return !goods.isLens && !(quantity.value <= HIGHEST_DRIVE && DRIVE.test(line));
  }
  if (unit.kind === 'weight' && /^(?:oz|ozs|ounces?)$/.test(lower) && isClothWeight(line, quantity))
    return false;
  if (unit.kind === 'weight' && /^(?:lbs?|pounds?)$/.test(lower)) {
    return !goods.isPaper || quantity.value > 200 || !Number.isInteger(quantity.value);
  }
  return true;
}
