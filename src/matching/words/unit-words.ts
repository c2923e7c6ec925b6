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

const UNITS = new Map(
  LINES.flatMap(([name, factor, spellings]) =>
    spellings.split(' ').map((spelling): [string, UnitWord] => [spelling, { name, factor }]),
  ),
);

/** The unit that a lower-case word names, or null. */
export function unitOf(word: string): UnitWord | null {
  return UNITS.get(word) ?? null;
}

/** Names of units in a fixed order: the index is the number of a unit. */
export const UNIT_NAMES = [...new Set(LINES.map(([name]) => name))];
