// Reads what a listing's title states to distinguish it from another product under the same barcode: what it is made for,
// what it is bundled with, condition, counts, doses, generation, edition, size. Read once per listing; an unstated trait by
// itself contradicts nothing (`trait-conflicts.ts`).

import { statedCounts, withoutCounts, type StatedCounts } from '../../../read/titles/counts.ts';
import { titleCondition } from '../../../read/titles/title-condition.ts';
import { additionsOf, BUNDLE, type Addition } from './additions.ts';
import { flatSizeOf, type FlatSize } from './flat-sizes.ts';
import { negationsOf, type Negations } from './negations.ts';
import { GRILLS, marksOf, statedSides, type StatedSides } from './opposites.ts';
import { extrasOf, formOf, madeForOf, partOf, type Extras, type MadeFor } from './sold-with.ts';
import { FLAVOURS, SHADES, SIZES, SMALL_WORDS, VARIANTS } from '../words/thing-words.ts';
import {
  amountsOf,
  designationsOf,
  namedNumbers,
  ORDINAL_WORDS,
  ordinalsOf,
  sharesOf,
  type NamedNumber,
} from '../words/title-numbers.ts';
import { singular, wordsIn } from '../words/title-words.ts';
import { traitOf } from '../words/trait-words.ts';
import { plainText, squeezed } from '../words/words.ts';

type TraitInput = {
  readonly title: string | null;
  readonly brand: string | null;
  /** Model or part number. */
  readonly model: string | null;
  readonly packCount: number | null;
};

/** The traits checked for search hits and for groups. */
export type SureTraits = {
  readonly title: string;
  /** The title as it is read. */
  readonly plain: string;
  readonly brand: string;
  readonly model: string;
  /** Letters and digits of title and model field. */
  readonly squeezed: string;
  /** Words of the title in the singular, in order. */
  readonly words: readonly string[];
  /** Same, without duplicates. */
  readonly distinct: readonly string[];
  readonly has: ReadonlySet<string>;
  readonly counts: StatedCounts;
  /** `used`, `refurbished`, `open box`, `for parts`; null if new or not stated. */
  readonly condition: string | null;
  /** Amounts by unit: `mg` -> 500. */
  readonly amounts: ReadonlyMap<string, readonly number[]>;
  readonly flatSize: FlatSize | null;
  /** Standard designations: `viscosity` -> 5w40. */
  readonly designations: ReadonlyMap<string, string>;
  /** Percentages of ingredients. */
  readonly shares: readonly number[];
  /** Numbers by the noun after them: `speed` -> 2. */
  readonly counted: ReadonlyMap<string, readonly number[]>;
  /** `generation` -> 4, `edition` -> 10, `size` -> 9. */
  readonly ordinals: ReadonlyMap<string, number>;
  /** Words and numbers with digits that are none of the above: parts of model numbers. */
  readonly numbers: readonly NamedNumber[];
  /** Left or right, paperback or hardcover … */
  readonly sides: StatedSides;
  /** Marks of another edition (`marksOf`), including those of the brand: "Organic Valley" is organic in every title. */
  readonly marks: number;
  /** What the title says it is not, or does not have. */
  readonly negations: Negations;
  readonly form: 'body' | 'kit' | null;
  readonly madeFor: MadeFor | null;
  /** Normalized across all languages. */
  readonly colours: readonly string[];
  /** Words that mean either a colour or a thing (`espresso`), with the colour. */
  readonly shades: ReadonlyMap<string, string>;
  /** The words before the details, in the singular. */
  readonly name: readonly string[];
};

/** The traits checked only for groups. */
type GroupTraits = Extras & {
  /** `deluxe` of "Deluxe Edition"; null if there is none. */
  readonly edition: string | null;
  /** A size in letters. */
  readonly letterSize: string | null;
  readonly flavours: readonly string[];
  readonly variants: readonly string[];
  /** The part that the title mentions last before its details: "QX700 Ear Pads"; null if there is none. */
  readonly part: string | null;
  /** Everything that the title combines with the product. */
  readonly additions: readonly Addition[];
  readonly isBundle: boolean;
  /** Details of few words, as titles state colour, flavour and size. */
  readonly details: readonly (readonly string[])[];
  /** Whether the title calls it a replacement, spare or refill. */
  readonly isReplacement: boolean;
};

export type StatedTraits = SureTraits & GroupTraits;

/** At the end of a detail: "Special Edition Chronograph" is how a shop praises the same watch. */
const EDITION =
  /\b([\p{L}']{4,})[\s-]+(?:edition|version)\b(?=\s*(?:$|[,;:|()[\]&+/-]|\d|(?:with|for|by|pack)\b))/u;
const NO_EDITIONS = new Set(['this', 'latest', 'current', 'updated', 'with', 'english', 'full']);

function editionOf(plain: string): string | null {
  const word = EDITION.exec(plain)?.[1]?.replace(/'?s?$/, '') ?? null;
  return word === null || NO_EDITIONS.has(word) || word in ORDINAL_WORDS ? null : word;
}

/**
 * Returns whether one is an edition by its name, while the other mentions no edition: "FIFA 17 Deluxe Edition" next to "FIFA
 * 17".
 */
export function isEditionOf({ plain }: SureTraits, other: SureTraits): boolean {
  if (!plain.includes('edition') || other.has.has('edition')) return false;
  const named = editionOf(plain);
  if (named === null || other.squeezed.includes(named)) return false;
  // "Black Edition" is often a colour.
  return traitOf(named)?.class !== 'colour';
}

const USED = /\b(?:pre-?owned|used)\b(?! (?:for|in|by|to|with|as|on|at)\b)/;
const REFURBISHED = /\b(?:refurbished|refurb|renewed|reconditioned|remanufactured|restored)\b/;
const OPEN_BOX = /\bopen[ -]box\b/;

/**
 * Returns the condition that the title states, as one of four words; null if new or not stated. The condition field is
 * ignored: there the offer is used, while in a title the whole listing is for such goods.
 */
function conditionOf(title: string | null, plain: string): string | null {
  const stated = titleCondition(title);
  if (stated === 'for_parts') return 'for parts';
  if (stated === 'refurbished' || REFURBISHED.test(plain)) return 'refurbished';
  if (stated === 'open_box' || OPEN_BOX.test(plain)) return 'open box';
  return stated !== null || USED.test(plain) ? 'used' : null;
}
/** Single letters are often parts of names. */
function isPlainSize(word: string): boolean {
  return word.length >= 5 || /^(?:x{1,3}[sl]|[23]x[sl])$/.test(word);
}

/** A title without separators ends with its size: "Swim Shorts M", but neither "24-70mm L" nor "Model S". */
const AFTER_NAME = String.raw`(?<!\b(?:model|series|class|type|version|size|mark|iphone|galaxy|one|pro)\s)(?<=\p{L}{4,})\s`;

function letterSizeOf(words: readonly string[], plain: string): string | null {
  // Letters are a size only where a detail states them: ", M" or "Size M".
  const found = new Set<string>();
  for (const [at, word] of words.entries()) {
    const size = SIZES.get(word);
    if (size === undefined) continue;
    const isDetail = new RegExp(
      `(?:[,|(]|\\s-|${AFTER_NAME})\\s*${word}\\s*(?:[,|()]|-\\s|$)`,
      'u',
    ).test(plain);
    if (!isPlainSize(word) && words[at - 1] !== 'size' && !isDetail) continue;
    found.add(size);
  }
  const [only = null] = found.size === 1 ? found : [];
  return only;
}

const LARGE = /\b(extra|x{1,3}|[234]x)[\s-]?large\b/g;

function xs(much: string): number {
  if (much === 'extra') return 1;
  return /^\d/.test(much) ? Number(much[0]) : much.length;
}

/** Reads the traits of a listing. Never throws. */
export function statedTraits(input: TraitInput): StatedTraits {
  const sure = sureTraits(input);
  return { ...sure, ...groupTraits(sure) };
}

/** Reads only the traits needed for search hits: half of the work. Never throws. */
export function sureTraits(input: TraitInput): SureTraits {
  const plain = plainText(input.title ?? '').replaceAll(
    LARGE,
    (_, much: string) => `${'x'.repeat(xs(much))}large`,
  );
  const words = wordsIn(plain);
  const single = words.map(singular);
  const { ordinals, rest: unordered } = ordinalsOf(plain);
  const { amounts, counted, rest } = amountsOf(withoutCounts(unordered));
  const model = squeezed(plainText(input.model ?? ''));
  return {
    title: input.title ?? '',
    plain,
    brand: squeezed(plainText(input.brand ?? '')),
    model,
    squeezed: `${squeezed(plain)} ${model}`,
    words: single,
    distinct: [...new Set(single)],
    has: new Set([...single, ...words]),
    counts: statedCounts(plain, input.packCount),
    condition: conditionOf(input.title, plain),
    amounts,
    flatSize: flatSizeOf(plain),
    designations: designationsOf(plain),
    shares: sharesOf(plain),
    counted,
    ordinals,
    numbers: namedNumbers(rest),
    sides: statedSides(plain),
    marks: marksOf(`${plain} ${plainText(input.brand ?? '')}`),
    negations: negationsOf(plain),
    form: formOf(plain),
    madeFor: madeForOf(plain),
    colours: coloursOf(words),
    shades: shadesOf(words, plain),
    name: wordsIn(partsOf(plain)[0] ?? '').map(singular),
  };
}

/** Reads the traits needed only for groups. */
export function groupTraits({ title, plain, words: single, name }: SureTraits): GroupTraits {
  const words = wordsIn(plain);
  return {
    edition: editionOf(plain),
    letterSize: letterSizeOf(words, plain),
    flavours: single.filter((word) => FLAVOURS.has(word)),
    variants: variantsOf(words, plain),
    ...extrasOf(plain),
    part: partOf(plain),
    additions: additionsOf(title),
    isBundle: BUNDLE.test(title),
    details: detailsOf(plain, name),
    isReplacement: /\b(?:replacements?|spare|refills?)\b/.test(plain),
  };
}

/** Returns whether a model number begins at an index: "mn 4", "u77", "6867". */
export function isNumberAt(words: readonly string[], at: number): boolean {
  const [word = '', next = ''] = words.slice(at, at + 2);
  if (/^\d{3,}$/.test(word)) return !/^(?:19|20)\d\d$/.test(word);
  if (/\d/.test(word)) return /^[a-z]+\d/.test(word);
  return /^[a-z]{1,3}$/.test(word) && !SHORT_WORDS.has(word) && /^\d{1,4}$/.test(next);
}

/** Words before a number that are not part of it: "max of 8", "ultra hd 4k". */
const SHORT_WORDS = new Set(
  'a an the of to in up by at for and or with w x hd uhd fhd qhd set box bag size gen ver vol no'.split(
    ' ',
  ),
);

/** Finds words such as "Plus" that make a name another model, but not "plus a case" or "Deluxe Edition". */
function variantsOf(words: readonly string[], plain: string): readonly string[] {
  return words.filter(
    (word, at) =>
      VARIANTS.has(word) &&
      at > 0 &&
      (/\d/.test(words[at - 1] ?? '') ||
        /\d/.test(words[at + 1] ?? '') ||
        isNumberAt(words, at + 1) ||
        at === 1) &&
      !(word.length === 2 && /\d/.test(words[at + 1] ?? '')) &&
      !/^(?:edition|version|pack)$/.test(words[at + 1] ?? '') &&
      !(word === 'plus' && /\bplus (?:\d{1,2}\b|a |an |the |extra|free)/.test(plain)),
  );
}

function coloursOf(words: readonly string[]): readonly string[] {
  return words.flatMap((word) => {
    if (SHADES.has(word)) return [];
    const trait = traitOf(word);
    return trait?.class === 'colour' && trait.value !== 'multicolor' ? [trait.value] : [];
  });
}

function shadesOf(words: readonly string[], plain: string): ReadonlyMap<string, string> {
  return new Map(
    words.flatMap((word): [string, string][] => {
      const colour = SHADES.get(word);
      // A grill's fuel is not its colour.
      const isFuel = word === 'charcoal' && GRILLS.test(plain);
      return colour === undefined || isFuel ? [] : [[word, colour]];
    }),
  );
}

/** Splits a title into its name and details. */
function partsOf(plain: string): readonly string[] {
  return plain.split(/[,;|()[\]]|\s[-–—]\s/);
}

/** A title without separators has its details at the end. */
function detailsOf(plain: string, name: readonly string[]): StatedTraits['details'] {
  const [, ...rest] = partsOf(plain);
  const details = rest.map((each) => wordsIn(each).map(singular));
  if (details.length === 0) details.push(name.slice(-1), name.slice(-2));
  return details.filter(isShort);
}

function isShort(words: readonly string[]): boolean {
  return (
    words.length > 0 &&
    words.length < 4 &&
    words.every((word) => /^\p{L}+$/u.test(word) && !SMALL_WORDS.has(word))
  );
}
