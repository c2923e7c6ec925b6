// The words for packs in titles of several languages (docs/use/sheets.md). Data: containers with their rank from the inside
// out, words that count pieces, and words that only look like it.

import { wordsFor } from '../../base/listing/words/all-languages.ts';
import type { Meaning } from '../../base/listing/words/language-words.ts';

/** Case before box before pack before ream: the larger one contains the smaller ones. */
export type Container = { readonly name: string; readonly rank: number };

const CONTAINER_LINES: readonly (readonly [name: string, rank: number, meaning: Meaning])[] = [
  ['pallet', 6, 'pallet'],
  ['case', 5, 'crate'],
  ['box', 4, 'box'],
  ['bundle', 3, 'bundle'],
  ['pack', 3, 'pack'],
  ['set', 3, 'set'],
  ['ream', 2, 'ream'],
];

function wordMap<T>(lines: readonly (readonly [T, string])[]): ReadonlyMap<string, T> {
  return new Map(
    lines.flatMap(([value, words]) => words.split(' ').map((word): [string, T] => [word, value])),
  );
}

/** Returns the words in these lines. */
export function wordSet(...lines: readonly string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}

/** Every word allowed in "<container> of 12" and "12/<container>". */
export const CONTAINERS = wordMap<Container>(
  CONTAINER_LINES.map(([name, rank, meaning]) => [{ name, rank }, wordsFor(meaning).join(' ')]),
);

/** Codes that are containers after a slash only: `6 BX/CT`, `12/DZ`, `4/ST`. */
export const SLASH_CONTAINERS = wordMap<Container>([
  [{ name: 'case', rank: 5 }, 'ct dp display'],
  [{ name: 'box', rank: 4 }, 'dz doz'],
  [{ name: 'pack', rank: 3 }, 'bag bd pch pouch tin can ea each'],
  [{ name: 'set', rank: 3 }, 'st kt kit'],
]);

/** Words that turn the preceding number into a pack: `12 pack`, `3 pk`, `6er Packung`. */
export const PACK_WORDS: ReadonlySet<string> = new Set(wordsFor('packOf'));

/** Plural containers: `6 boxes of 50 bags`, `2 cases`. */
export const PLURAL_CONTAINERS: ReadonlySet<string> = new Set(wordsFor('containers'));

/** Words between a number and its pack that do not affect the count: `2 value pack`, `6 Bonus-Pack`. */
export const PACK_ADJECTIVES = wordSet(
  'value bonus super economy economical family jumbo mega bulk combo multi refill saver variety',
  'individual snack',
);

/** Between a container and its number: `pack of 6`, `lot de 3`, `confezione da 6`. */
export const OF_WORDS: ReadonlySet<string> = new Set(wordsFor('ofPack'));

/** Things that a number can count without a container: the number counts pieces. */
export const PIECE_WORDS: ReadonlySet<string> = new Set(wordsFor('pieceOf'));

/** Goods that are one thing made of pieces: their pieces are not packs. */
export const SET_GOODS = wordSet(
  'puzzle puzzles jigsaw set sets kit kits dinnerware cookware bakeware flatware cutlery',
  'silverware tableware luggage furniture sectional sofa bedding comforter sheet tool tools',
  'socket wrench drill bit bits lego blocks bricks building outfit suit train playset collection',
  'combo assortment service teiliges teilig',
);

/** Plural nouns for goods sold by the piece: `24 cans`, `5 90-sheet pads`. */
export const UNIT_NOUNS = wordSet(
  'pads cans bottles jars tins rolls reels spools tubes canisters boxes cartons packs packets',
  'notebooks reams pouches sachets tubs bars sticks refills cartridges bulbs lamps',
);

/** Size names between a number and rolls or bottles: `8 Double Plus Rolls`. */
export const GRADES = wordSet(
  'double triple mega giant jumbo large big regular full plus super family huge ultra extra max',
);

/** Plural nouns for clothes sold in packs of several. */
export const CLOTHES_NOUNS = wordSet(
  'briefs boxers trunks panties hipsters thongs bikinis undershirts undershorts socks tees bras',
  'bralettes bodysuits onesies bibs camisoles',
);

/** `twin pack`, `triple pack`. */
export const FOLD_WORDS: ReadonlyMap<string, number> = new Map([
  ['single', 1],
  ['twin', 2],
  ['double', 2],
  ['dual', 2],
  ['duo', 2],
  ['triple', 3],
  ['trio', 3],
  ['tri', 3],
  ['quad', 4],
  ['doppelpack', 2],
  ['duopack', 2],
  ['twinpack', 2],
  ['sixpack', 6],
]);

export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  'one two three four five six seven eight nine ten eleven twelve'
    .split(' ')
    .map((word, index): [string, number] => [word, index + 1]),
);

/** Twelve and 144, alone or after a number: `2 dozen`, `half dozen`, `1dz`. */
export const DOZENS: ReadonlyMap<string, number> = new Map([
  ...wordsFor('dozen').map((word): [string, number] => [word, 12]),
  ['gross', 144],
]);

/** Before a number, these assign it to another thing: `refill for 6 pack`, `holds 6 cans`. */
export const ABOUT_OTHERS = wordSet(
  'for fits fit holds hold holding stores carries carry replaces replace accommodates like buy get',
  'per to includes with model mod part item sku style no number version v',
);

/** Before a number, these make it a name: `size 3`, `stage 2`. */
export const NAMED_BY_NUMBER = wordSet(
  'size sz gen generation type level stage step grade mk chapter volume vol season service',
);

/** Before "size", these are its name, and the following number is not one: `Travel Size 3 Pack`. */
export const SIZES_BY_NAME = wordSet(
  'travel trial pocket family party fun snack regular standard full twin queen king a aa aaa c d letter legal',
);

/**
 * Product names that end in a number but may precede a pack: "iPhone 12 pack of 2" is a pack of two, and so is "for Windows
 * 2 pack".
 */
export const SOLD_IN_NUMBERS = wordSet(
  'iphone ipad galaxy pixel ps playstation xbox windows office series edition watch kindle echo',
);

/** After `12 pack`, these mean something for packs: `12-pack cooler`, `six-pack abs`. */
export const FOR_PACKS = wordSet(
  'abs cooler coolers holder holders carrier carriers rack racks caddy dispenser dispensers tote',
  'backpack ring rings opener workout',
);

/** Anywhere in a title, these contain what is counted: `60 cans beverage center`. */
export const FOR_UNITS = wordSet(
  'cooler coolers holder holders rack racks caddy dispenser dispensers organizer refrigerator fridge',
  'center centre chest capacity warmer opener crusher shredder printer printers storage',
);

/** Units that `6 x 330 ml` multiplies: weight, volume, pieces. Not length: that is a size. */
export const MULTIPLIED_UNITS = wordSet(
  'ml cl dl l lt ltr liter liters litre litres oz ounce ounces fl floz g gr gram grams gramm',
  'grammes gramos kg kilo lb lbs pound pounds mg gal gallon gallons qt quart quarts pt pint pints',
  'ct count cnt tablets capsules caps tabs softgels bags sachets pads sheets wipes rolls cans',
  'bottles pouches pcs pieces stück мл л г кг',
);

/** After a leading `4x` these are factors: zoom, speed, strength. */
export const FACTOR_WORDS = wordSet(
  'zoom optical digital magnification magnifier magnifying magnified mag speed faster strength',
  'stronger more longer power dvd cd bd blu ray rw r burner drive writer recorder loupe lens',
  'binoculars scope microscope agp pci pcie sata usb ultra concentrate concentrated better',
  'brighter thicker the less extra max lite internal external rewritable combo dl ide telephoto',
);

/** Ammunition units: in a box, a crate or alone. */
export const ROUNDS = wordSet('rounds rds rd rnd rnds');

/** After a number, these describe the following noun: `50-sheet pads`, `12 oz cans`. */
export const DESCRIBING = wordSet(
  'sheet page ply ring pocket tab hole port cell oz ounce fl ml cl l liter g kg lb gal gallon qt mm',
  'cm in inch ft watt volt gb mb tb hour minute day year mil pt',
);

/**
 * Goods for which a count measures a single unit, so it is not a number of packs: `120 ct` of tablets, `168 count` in a size.
 */
export const MEASURED_IN_PIECES = wordSet(
  'tablet tablets capsule capsules caplet caplets softgel softgels gummies gummy pills lozenges',
  'vitamin vitamins supplement mg mcg iu probiotic diaper diapers pants pullups size',
  'wipes thread threads',
);
