// Units of weight, length, volume and storage as spelled by shops of several countries, with UN/CEFACT codes (schema.org
// `unitCode`). Data: factors to pounds, inches, milliliters and gigabytes, then spellings in lower case.

export type Unit = {
  readonly kind: 'weight' | 'length' | 'volume' | 'storage';
  /** Pounds, inches, milliliters or gigabytes (of 1000 megabytes) in one unit. */
  readonly factor: number;
};

/** 1 lb = 453.59237 g and 1 in = 2.54 cm, both exact by definition. */
const POUNDS_PER_GRAM = 1 / 453.59237;
const INCHES_PER_CM = 1 / 2.54;
/** US fluid ounce: a gallon of 231 cubic inches has 128. */
export const ML_PER_FLUID_OUNCE = 29.5735295625;

const UNIT_LINES: readonly (readonly [Unit['kind'], number, string])[] = [
  [
    'weight',
    1,
    'lb lbs pound pounds lbr libra libras livre livres libbra libbre фунт фунта фунтов 磅 ポンド رطل',
  ],
  [
    'weight',
    1 / 16,
    'oz ozs ounce ounces onz onza onzas once onces oncia unze unzen uncja uncje unce ons унция ' +
      'унции 盎司 オンス',
  ],
  ['weight', 14, 'stone stones sti'],
  [
    'weight',
    1000 * POUNDS_PER_GRAM,
    'kg kgs kgm kilo kilos kilogram kilograms kilogramm kilogramme kilogrammes kilogramo ' +
      'kilogramos ' +
      'chilogrammo chilogrammi quilograma quilogramas quilo quilos kilogramów kilogramy ' +
      'kilogrammaa ' +
      'кг килограмм килограмма 公斤 千克 キログラム キロ كجم كغ كيلو كيلوغرام كيلوجرام קג ק"ג',
  ],
  [
    'weight',
    POUNDS_PER_GRAM,
    'g gr grs gm gms gram grams gramm gramme grammes gramo gramos grammo grammi grama gramas ' +
      'gramów ' +
      'gramy grammaa grm г гр грамм грамма граммов 克 グラム غ غرام جرام جم',
  ],
  ['weight', 10 * POUNDS_PER_GRAM, 'dag dkg deka dekagram'],
  ['weight', POUNDS_PER_GRAM / 1000, 'mg mgm mgs milligram milligrams milligramm мг'],
  ['weight', 1_000_000 * POUNDS_PER_GRAM, 'tne tonne tonnes'],
  [
    'length',
    1,
    'in ins inch inches inh zoll pouce pouces pulgada pulgadas pulg pollice pollici polegada ' +
      'polegadas tum tommer tommers tomme cal cali cale palec palce palců inç дюйм дюйма дюймов ' +
      '英寸 インチ بوصة "',
  ],
  [
    'length',
    12,
    `ft fts foot feet fot fuß pied pieds pie pies piede piedi fot pé pés фут фута футов 英尺 ` +
      `フィート قدم '`,
  ],
  ['length', 36, 'yd yds yard yards yrd'],
  [
    'length',
    INCHES_PER_CM,
    'cm cms cmt centimeter centimeters centimetre centimetres zentimeter centimètre ' +
      'centimètres centímetro centímetros centimetro centimetri centymetr centymetrów см ' +
      'сантиметр сантиметров 厘米 公分 センチ センチメートル سم',
  ],
  [
    'length',
    INCHES_PER_CM / 10,
    'mm mms mmt millimeter millimeters millimetre millimetres millimètre millimètres milímetro ' +
      'milímetros milimetro milimetros millimetri мм миллиметр 毫米 ミリ ミリメートル مم ملم',
  ],
  ['length', INCHES_PER_CM * 10, 'dm dmt decimeter'],
  [
    'length',
    INCHES_PER_CM * 100,
    'm mtr mtrs meter meters metre metres mètre mètres metro metros metri metr metry м метр ' +
      'метра метров 米 メートル متر',
  ],
  // `fl oz`: the ounces after it belong to it (number-with-unit.ts).
  ['volume', ML_PER_FLUID_OUNCE, 'fl floz oza fluid'],
  ['volume', 1, 'ml mlt mls milliliter milliliters millilitre millilitres мл'],
  ['volume', 10, 'cl clt centiliter centiliters centilitre centilitres'],
  ['volume', 100, 'dl dlt deciliter'],
  ['volume', 1000, 'l ltr ltrs liter liters litre litres litro litros litri л'],
  ['volume', 128 * ML_PER_FLUID_OUNCE, 'gal gals gallon gallons gll'],
  ['volume', 32 * ML_PER_FLUID_OUNCE, 'qt qts quart quarts'],
  ['volume', 16 * ML_PER_FLUID_OUNCE, 'pt pts pint pints'],
  ['storage', 1, 'gb go гб gigabyte gigabytes'],
  ['storage', 1 / 1000, 'mb megabyte megabytes'],
  ['storage', 1000, 'tb тб terabyte terabytes'],
];

/** Spelling in lower case, without its full stop, to the unit. */
export const UNITS: ReadonlyMap<string, Unit> = new Map(
  UNIT_LINES.flatMap(([kind, factor, spellings]) =>
    spellings.split(' ').map((spelling): [string, Unit] => [spelling, { kind, factor }]),
  ),
);

/** Returns the unit that a field states: a word, a UN/CEFACT code, or an address that ends with one. */
export function unitNamed(name: string): Unit | null {
  const bare = name.trim().toLowerCase();
  if (bare.length > 60) return null;
  const last = bare.slice(bare.lastIndexOf('/') + 1).replace(/\.$/, '');
  if (/^fl(?:uid)?[. ]/.test(last)) return UNITS.get('fl') ?? null;
  return UNITS.get(last) ?? null;
}
