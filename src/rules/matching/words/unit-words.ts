// Units in titles that distinguish a product from its siblings: the name of a unit, then its spellings with the factor
// that converts to that name. `conflicts.ts` and `fact-features.ts` decide what a difference means.

export type UnitWord = { readonly name: string; readonly factor: number };

const LINES: readonly (readonly [name: string, factor: number, spellings: string])[] = [
  ['gb', 1, 'gb gig gigabyte gigabytes go gbyte'],
  ['gb', 1024, 'tb terabyte terabytes'],
  ['mb', 1, 'mb mo megabyte megabytes'],
  ['in', 1, `in inch inches zoll pouces pulgadas pollici cali " '`],
  ['mm', 1, 'mm millimeter millimeters'],
  ['mm', 10, 'cm centimeter centimeters'],
  ['ft', 1, 'ft feet foot'],
  ['m', 1, 'meter meters metre metres mtr'],
  ['mhz', 1, 'mhz'],
  ['mhz', 1000, 'ghz'],
  ['w', 1, 'w watt watts'],
  ['va', 1, 'va'],
  ['v', 1, 'v volt volts'],
  ['mah', 1, 'mah'],
  ['mp', 1, 'mp mpix mpx megapixel megapixels megapixeles'],
  ['ml', 1, 'ml'],
  ['ml', 10, 'cl'],
  ['l', 1, 'l liter liters litre litres'],
  ['oz', 1, 'oz ounce ounces'],
  ['lb', 1, 'lb lbs pound pounds'],
  ['kg', 1, 'kg kilo kilogram'],
  ['g', 1, 'gr gram grams'],
  ['rpm', 1, 'rpm'],
  ['port', 1, 'port ports'],
  ['ch', 1, 'ch channel channels'],
  ['speed', 1, 'speed sp spd'],
  ['user', 1, 'user users licenses'],
  ['page', 1, 'page pages'],
  ['dbi', 1, 'dbi'],
  ['btu', 1, 'btu'],
  ['bit', 1, 'bit'],
  ['p', 1, 'p'],
  ['pin', 1, 'pin pins'],
  ['link', 1, 'link links'],
  ['zoom', 1, 'x'],
  ['pack', 1, 'pack packs pk count ct pc pcs piece pieces'],
];

function unitEntries(lines: typeof LINES): [string, UnitWord][] {
  return lines.flatMap(([name, factor, spellings]) =>
    spellings.split(' ').map((spelling): [string, UnitWord] => [spelling, { name, factor }]),
  );
}

const UNITS = new Map(unitEntries(LINES));

/** Returns the unit that a lower-case word names, or null. */
export function unitOf(word: string): UnitWord | null {
  return UNITS.get(word) ?? null;
}

/** Units recognized only when splitting words: elsewhere they often end a model number or a class ("5G"). */
const WORD_LINES: typeof LINES = [
  ['l', 1, 'litros litri litro'],
  ['ml', 1, 'milliliter milliliters millilitre millilitres'],
  ['ml', 10, 'centiliter centiliters centilitre centilitres'],
  ['oz', 1, 'floz'],
  ['kg', 1, 'kgs kilos kilograms kilogramm kilogrammes'],
  ['g', 1, 'g gm grs gramm grammes grammi gramos'],
  ['mg', 1, 'mg milligram milligrams'],
  ['mcg', 1, 'mcg'],
  ['iu', 1, 'iu'],
  ['qt', 1, 'qt qts quart quarts'],
  ['gal', 1, 'gal gallon gallons'],
  ['lm', 1, 'lm lumen lumens'],
  ['mah', 1000, 'ah'],
  ['wh', 1, 'wh'],
  ['w', 1000, 'kw kilowatt kilowatts'],
  ['hz', 1, 'hz'],
];

/** One unit for all amounts of a measure: "0.75 l" and "750 ml" are one word. */
const SMALLEST: Readonly<Record<string, UnitWord>> = {
  l: { name: 'ml', factor: 1000 },
  kg: { name: 'g', factor: 1000 },
};

const WORD_UNITS = new Map(
  [...UNITS, ...unitEntries(WORD_LINES)].map(([spelling, { name, factor }]): [string, UnitWord] => {
    const small = SMALLEST[name];
    const unit =
      small === undefined ? { name, factor } : { ...small, factor: factor * small.factor };
    return [spelling, unit];
  }),
);

/** Returns the unit in which an amount becomes a word of a title, or null. */
export function wordUnitOf(word: string): UnitWord | null {
  return WORD_UNITS.get(word) ?? null;
}

/** Names of units in a fixed order: the index is the number of a unit. */
export const UNIT_NAMES = [...new Set([...LINES, ...WORD_LINES].map(([name]) => name))];
