// Classifies the numbers of a title by meaning: ordinals ("4th Gen"), amounts with a unit, counted things, parts of model
// numbers, and tyre sizes. Each number is read once.

import { cableEndsOf } from './cable-ends.ts';
import { singular, wordsIn } from './title-words.ts';
import { unitOf } from './unit-words.ts';

/** A number with the word before it: `series 8`, `v 11`; the word is '' at the start of a title. */
export type NamedNumber = {
  readonly name: string;
  readonly text: string;
  /** Both joined: one shop writes `LS7863-69`, another `LS786369`. */
  readonly joined: string;
};
const ROMAN: Readonly<Record<string, number>> = {
  ii: 2,
  iii: 3,
  iv: 4,
  vi: 6,
  vii: 7,
  viii: 8,
  ix: 9,
};

/** The words after or before a number that make it an ordinal of that name. */
const NAMES: readonly (readonly [name: string, words: string])[] = [
  ['generation', 'gen|generation|generacion|generazione|generatie|mk|mark'],
  ['edition', 'edition|ed|edn|auflage|edicion|edizione'],
  ['series', 'series'],
  ['size', 'size|sz'],
  ['volume', 'volume|vol|bd|tome|tomo'],
  ['version', 'version|ver'],
  ['season', 'season|staffel|saison|temporada|stagione|seizoen'],
  ['stage', 'stage|step|level'],
  ['spf', 'spf|lsf|fps|upf'],
];

export const ORDINAL_WORDS: Readonly<Record<string, number>> = {
  first: 1,
  second: 2,
  third: 3,
  fourth: 4,
  fifth: 5,
  sixth: 6,
  seventh: 7,
  eighth: 8,
  ninth: 9,
  tenth: 10,
};

/** "Season One". */
const NUMBER_WORDS = [
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
];

const COUNTING = String.raw`(\d{1,3}(?:\.\d)?|i{1,3}|iv|vi{0,3}|ix|${NUMBER_WORDS.join('|')})`;
const ORDINALS = NAMES.map(([name, words]): readonly [string, RegExp] => [
  name,
  new RegExp(
    // "40% vol. 0.7 l" and "Volume 500 ml" are not volumes of a series.
    String.raw`\b(?:(\d{1,2})(?:st|nd|rd|th|\.|e|eme|a|de|ste)|(${Object.keys(ORDINAL_WORDS).join('|')}))[\s-]+(?:${words})\b|(?<!%\s?)\b(?:${words})\.?[\s-]*${COUNTING}(?![\p{L}\p{N}]|,\d| ?(?:[cm]?l|k?g|oz|fl)\b)`,
    'u',
  ),
]);

function countingOf(word: string): number {
  const said = NUMBER_WORDS.indexOf(word) + 1;
  return ORDINAL_WORDS[word] ?? ROMAN[word] ?? (said > 0 ? said : Number(word));
}

/** Returns the ordinals, and the title without them. */
export function ordinalsOf(plain: string): {
  readonly ordinals: Map<string, number>;
  readonly rest: string;
} {
  const ordinals = new Map<string, number>();
  let rest = plain;
  for (const [name, pattern] of ORDINALS) {
    const found = pattern.exec(rest);
    if (found === null) continue;
    const [all, ordinal, word, number] = found;
    const value = ordinal === undefined ? countingOf(word ?? number ?? '') : Number(ordinal);
    if (!Number.isFinite(value)) continue;
    ordinals.set(name, value);
    rest = rest.replace(all, ' | ');
  }
  return { ordinals, rest };
}
/** Dose units that the matcher's own units lack: titles of electronics use none of them. */
const DOSES: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  mg: ['mg', 1],
  milligrams: ['mg', 1],
  mcg: ['mcg', 1],
  iu: ['iu', 1],
  qt: ['qt', 1],
  quart: ['qt', 1],
  quarts: ['qt', 1],
  gal: ['gal', 1],
  gallon: ['gal', 1],
  gallons: ['gal', 1],
};

/** Single letters, which often end a model number or a class instead: `DCS-855L`, `802.11g`, `5G`. */
const METRIC: Readonly<Record<string, readonly [unit: string, factor: number]>> = {
  g: ['g', 1],
  gramm: ['g', 1],
  grammes: ['g', 1],
  l: ['l', 1],
  t: ['t', 1],
};

/** Teeth of a cassette or a saw blade, or a toddler's age, `10-51T` and `2T`, but not `3850-48T-L`. */
const TEETH = /(?:^|[\s(,]|(?<!\d)\d{1,2}-)\d{1,3}t(?![\p{L}\p{N}-])/u;
const LEAST_GRAMS = 10;
const MOST_LITRES = 1000;

/** What follows grams of an ingredient, paper weight, or a rate. */
const NO_SIZE =
  /^\s?\/|^ (?:of )?(?:\p{L}+ )?(?:proteine?s?|eiweiss|carbs?|sugars?|fib(?:er|re)|fat|caffeine|per|pro)\b/u;

type Place = {
  readonly unit: string;
  readonly value: number;
  readonly at: number;
  readonly length: number;
};

function isAmountOf(plain: string, { unit, value, at, length }: Place): boolean {
  if (unit === 't') return TEETH.test(plain.slice(Math.max(0, at - 4), at + length + 1));
  if (unit !== 'g' && unit !== 'l') return true;
  const after = plain.slice(at + length, at + length + 32);
  if (plain[at - 1] === '-' || /^[\p{L}\p{N}-]/u.test(after) || NO_SIZE.test(after)) return false;
  return unit === 'g' ? value >= LEAST_GRAMS && value !== 802.11 : value < MOST_LITRES;
}

/** Other units are as often speeds, caches and voltages as amounts, or the end of a model number: `84W`. */
const AMOUNTS = new Set([
  'gb',
  'in',
  'ft',
  'oz',
  'lb',
  'ml',
  'l',
  'kg',
  'g',
  't',
  'mah',
  ...Object.values(DOSES).map(([name]) => name),
]);

/** Time and similar units: shops count a warranty or a run time in different ways. */
const TIMES = new Set('year yr month day week hour hr minute min sec second'.split(' '));
const NO_NOUNS = new Set([
  ...TIMES,
  ...'in way star percent off time new x by and for with the of or to'.split(' '),
]);

/** A slash is followed by the base of a rate, or by the second of two memories: "6GB/128GB". */
const NUMBER_RUN =
  /(?<![\p{L}\p{N}#.]|(?<!\d ?[gt]b ?)\/)(\d{1,3}(?:,\d{3})+|\d{1,6}(?:[.,]\d{1,2})?)(?:([a-z]{1,10})|\s?-?\s?(fl\.? ?oz|[a-z]{1,12}|["'])(?![\p{L}\p{N}]))?(?![\p{N}])/gu;

/** After a first memory: "6GB/128GB", but neither "6GB/s" nor "1GB/10". */
const MEMORIES = /^\s?\/\s?\d{1,4} ?[gt]b(?![\p{L}\p{N}])/u;

type Numbers = {
  readonly amounts: Map<string, number[]>;
  readonly counted: Map<string, number[]>;
  /** The title without amounts. */
  readonly rest: string;
};

/** Returns the amounts and counted things of a title, by unit and noun. */
export function amountsOf(plain: string): Numbers {
  const amounts = new Map<string, number[]>();
  const counted = new Map<string, number[]>();
  const put = (map: Map<string, number[]>, name: string, value: number): void => {
    map.set(name, [...(map.get(name) ?? []), value]);
  };
  // Replaces a match, given as text, groups and position, in the title.
  const rest = plain.replaceAll(NUMBER_RUN, (...match: readonly unknown[]) => {
    const [all, number, glued, apart, at] = match as [string, string, string?, string?, number?];
    const after = plain.slice((at ?? 0) + all.length, (at ?? 0) + all.length + 4);
    const isRate = /^\s?\/(?:s|\d)/.test(after);
    if (isRate && !(/[gt]b$/.test(all) && MEMORIES.test(plain.slice((at ?? 0) + all.length))))
      return ' | ';
    const unit = (glued ?? apart ?? '').replace(/^fl\.? ?oz$/, 'oz');
    const value = Number(number.replaceAll(/,(?=\d{3})/g, '').replace(',', '.'));
    const amount = DOSES[unit] ?? METRIC[unit] ?? unitEntry(unit);
    if (amount !== null && isAmountOf(plain, { unit, value, at: at ?? 0, length: all.length })) {
      const [name, factor] = amount;
      // `4-in-1`.
      if (name === 'in' && /^[\s-]*1\b/.test(after)) return ' | ';
      if (!AMOUNTS.has(name)) return glued === undefined ? ' | ' : all;
      put(amounts, name, value * factor);
      return ' | ';
    }
    const noun = singular(unit);
    // "2-Speed", "5 drawers": a lone singular after a number is the next word of a name.
    const isPlural = noun !== unit || all.includes('-');
    const isCode = number.length > 4 || plain[(at ?? 0) - 1] === '-' || glued !== undefined;
    if (isPlural && !isCode && isNoun(noun) && Number.isInteger(value)) {
      put(counted, noun, value);
      return all.includes('-') ? ' | ' : all;
    }
    return TIMES.has(noun) ? ' | ' : all;
  });
  return { amounts, counted, rest };
}

/**
 * A percentage that is not a discount, comparison, praise or fibre: "85% Cocoa", but neither "20% off" nor "5% Elastane".
 */
const SHARE =
  /(?<![\p{L}\p{N}.,/-])(?<!\b(?:save|over|to|bis|zu|jusqu'a|fino al) )(\d{1,2}(?:[.,]\d{1,2})?) ?%(?! ?(?:off|of|more|less|extra|bonus|free|mehr|weniger|gratis|rabatt|plus|moins|mas|menos|recyc\p{L}*|rezyk\p{L}*|natur\p{L}*|organic|bio|pure|cotton|baumwolle|coton|algodon|cotone|polyester|wool|wolle|silk|linen|nylon|viscose|elast\p{L}*|spandex|lycra)(?!\p{L}))/gu;

/** Returns the ingredient percentages that a title states: "1.5% Milk". */
export function sharesOf(plain: string): readonly number[] {
  if (!plain.includes('%')) return [];
  return [...plain.matchAll(SHARE)].map(([, share = '']) => Number(share.replace(',', '.')));
}

function isNoun(word: string): boolean {
  return word.length >= 3 && !NO_NOUNS.has(word);
}

function unitEntry(word: string): readonly [string, number] | null {
  const unit = unitOf(word);
  return unit === null ? null : [unit.name, unit.factor];
}

/** A shop's own number, and a percentage. */
const NO_NUMBER =
  /\d+(?:[.,]\d+)? ?%|(?:#|\b(?:sku|item|item no\.?|no\.|upc|asin|mpn|part|ref)[\s:#.]*)[\p{L}\p{N}-]+/gu;

/** A light's colour temperature and life span. For a processor, `6700K` is a model number. */
const OF_LIGHT =
  /(?<![\p{L}\p{N}.,-])\d{4,5} ?(?:k|kelvin|h|hrs|hours|stunden|heures|horas|ore)(?![\p{L}\p{N}])/gu;

/** Longer words before a number are not part of it. */
const MOST_PREFIX = 4;

/** Returns the numbers and words with digits in `rest`. */
export function namedNumbers(rest: string): NamedNumber[] {
  const found: NamedNumber[] = [];
  let before = '';
  let run = '';
  const lit = OF_LAMPS.test(rest) ? rest.replaceAll(OF_LIGHT, ' | ') : rest;
  for (const text of wordsIn(lit.replaceAll(NO_NUMBER, ' | '))) {
    // Decimals are versions and sizes, which shops round differently.
    if (/\d/.test(text) && !/[.,]/.test(text)) {
      const prefix = /\d/.test(before) ? run : before.length <= MOST_PREFIX ? before : '';
      run = prefix + text;
      found.push({ name: before, text: text.replace(/^0+(?=\d)/, ''), joined: run });
    }
    before = text;
  }
  return found.slice(0, 16);
}

/** Width in millimetres, height in percent, rim diameter in inches; `C` is for vans, which then have two loads. */
const SIZE = String.raw`(\d{3})\/(\d{2}) ?z?r[ -]?(\d{2})(c)?(?![\p{L}\p{N}])`;
const LOAD = String.raw`(?: ?\(?(\d{2,3}(?:\/\d{2,3})?) ?([hj-npq-wyz])\)?(?![\p{L}\p{N}]))?`;
/** Groups: width, height, rim, `c`, load, speed. */
const TYRE = new RegExp(String.raw`(?<![\p{L}\p{N}/])${SIZE}${LOAD}`, 'gu');

/** Most titles have none. */
const ANY_TYRE = /\d\/\d\d ?z?r[ -]?\d\d/;

/** SAE J300 grades: the viscosity of an engine oil in winter and when hot, "5W-40". */
const VISCOSITY =
  /(?<![\p{L}\p{N}.,/-])(0|5|10|15|20|25)w ?-? ?(8|12|16|20|30|40|50|60)(?![\p{L}\p{N}])/gu;
const ANY_VISCOSITY = /\dw ?-? ?\d/;

/** Normalizes standard designations: shops write "205/55 R16 91V" in a dozen ways, and "5W40" for "5W-40". */
export function withDesignations(plain: string): string {
  const text = ANY_VISCOSITY.test(plain) ? plain.replaceAll(VISCOSITY, '$1w$2') : plain;
  if (!ANY_TYRE.test(text)) return text;
  return text.replaceAll(TYRE, (...match: readonly unknown[]) => {
    const [width, height, rim, van = '', load = '', speed = ''] = match.slice(1, 7) as string[];
    return `${width}/${height} r${rim}${van} ${load}${speed}`.trimEnd();
  });
}

/** "1:48", "1/72 scale": for scale models that are built or driven. */
const SCALE =
  /(?<![\p{L}\p{N}.,/:])1 ?[:/] ?(\d{2,3})(?![\p{L}\p{N}.,/:]| ?(?:"|inch|in|mm|hp|s|sec)\b)/gu;
const OF_MODELS =
  /\b(?:scale|model|modell?|diecast|die-cast|kit|bausatz|massstab|rc|echelle|maquette|escala|scala)\b/;

const OF_LAMPS =
  /\b(?:led|bulbs?|lamps?|\p{L}*lampen?|gluhbirnen?|leuchtmittel|bec|becuri|ampoules?|bombillas?|lampadin[ae]|halogen|halopin)\b/u;
/** Caps of IEC 60061. */
const CAP =
  /(?<![\p{L}\p{N}.,/-])(e10|e12|e14|e17|e26|e27|e39|e40|b15d?|b22d?|gu10|gu4|gu5\.3|gu24|g4|g5|g9|g13|g23|g24d?|gx53|r7s)(?![\p{L}\p{N}.])/gu;
const KELVIN = /(?<![\p{L}\p{N}.,/-])([1-9]\d00) ?(?:k|kelvin)(?![\p{L}\p{N}])/gu;

/** Returns one of the three light colours of EN 12464: shops treat 2700 K and 2800 K as the same. */
function lightOf(kelvin: number): string {
  if (kelvin < 3300) return 'warm';
  return kelvin <= 5300 ? 'neutral' : 'cold';
}

/** Returns a title's standard designations, by kind; omits a kind with two different values. */
export function designationsOf(plain: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const put = (name: string, values: readonly string[]): void => {
    const [only] = new Set(values);
    if (only !== undefined && new Set(values).size === 1) found.set(name, only);
  };
  if (ANY_TYRE.test(plain)) {
    const tyres = [...plain.matchAll(TYRE)];
    put(
      'size',
      tyres.map(([, width, height, rim, van = '']) => `${width}/${height} r${rim}${van}`),
    );
    put(
      'load',
      tyres.flatMap(([, , , , , load = '', speed = '']) => (load === '' ? [] : [load + speed])),
    );
  }
  if (ANY_VISCOSITY.test(plain)) {
    put(
      'viscosity',
      [...plain.matchAll(VISCOSITY)].map(([, cold, hot]) => `${cold}w${hot}`),
    );
  }
  put('plugs', cableEndsOf(plain));
  if (OF_LAMPS.test(plain)) {
    put(
      'base',
      [...plain.matchAll(CAP)].map(([, base = '']) => base.replace(/(?<=\d)d$/, '')),
    );
    put(
      'light',
      [...plain.matchAll(KELVIN)].map(([, kelvin]) => lightOf(Number(kelvin))),
    );
  }
  if (OF_MODELS.test(plain))
    put(
      'scale',
      [...plain.matchAll(SCALE)].map(([, scale]) => `1:${scale}`),
    );
  return found;
}
