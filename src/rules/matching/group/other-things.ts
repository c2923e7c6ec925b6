// Recognizes a listing that is a different thing than the others of its group, by title structure instead of lists of
// things. The name of the thing, or what it is made for or combined with, is then a word that none of the others has.

import { FEATURE, KIT, SEVERAL_THINGS, type Addition } from '../traits/additions.ts';
import type { Conflict } from '../pair/conflicts.ts';
import type { GroupListing } from './group-conflicts.ts';
import { PARTS, SMALL_WORDS } from '../words/thing-words.ts';
import { traitOf } from '../words/trait-words.ts';

type OtherThing = {
  readonly conflict: Conflict;
  /** How explicitly the title says so. If several listings of a group do, the most explicit ones are the other things. */
  readonly plainness: number;
};

/** The plainness of an explicit word such as "for", "replacement" or "bundle". */
const SAID = 2;
/** The plainness if only the name says so. */
const CALLED = 1;

/**
 * Returns for each listing the word that makes it a different product than the two or more others; null if it is the same
 * product.
 */
export function otherThings(listings: readonly GroupListing[]): readonly (OtherThing | null)[] {
  const counts = new Map<string, number>();
  for (const { traits } of listings) {
    for (const word of traits.distinct) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  const fields = listings.map(({ traits: { brand } }) => brand).filter((brand) => brand !== '');
  const brands = new Set(fields);
  // Most words occur in one listing only, so that only the remaining ones can be shared.
  const common = [...counts].filter(
    ([word, count]) => count >= LEAST_SHARED && !isBrand(word, brands),
  );
  return listings.map((listing) =>
    otherThing(listing, othersOf(listing, listings, { brands, common })),
  );
}

function otherThing(listing: GroupListing, others: Others): OtherThing | null {
  const part = madeForThem(listing, others) ?? replacement(listing, others);
  if (part !== null) return said('part', part, SAID);
  const bundle = bundled(listing, others);
  if (bundle !== null) return said('bundle', bundle, SAID);
  const called = calledOtherwise(listing, others);
  return called === null ? null : said('part', called, CALLED);
}

function said(name: string, what: string, plainness: number): OtherThing {
  return { conflict: { reason: 'title', detail: `${name} ${what} vs none stated` }, plainness };
}

type Others = {
  readonly listings: readonly GroupListing[];
  /** Words that most of them have, without brands. */
  readonly shared: ReadonlySet<string>;
  /** The brands of all listings, as stated in fields. */
  readonly brands: ReadonlySet<string>;
  readonly knows: (word: string) => boolean;
};

/** The share of listings that must have a word for it to count as shared by all, because titles omit words. */
const SHARED = 0.6;
const LEAST_SHARED = 2;

type Group = {
  readonly brands: ReadonlySet<string>;
  /** Words that at least two listings have, and how many have them. */
  readonly common: readonly (readonly [string, number])[];
};

function othersOf(
  listing: GroupListing,
  listings: readonly GroupListing[],
  { brands, common }: Group,
): Others {
  const others = listings.filter((each) => each !== listing);
  const quorum = Math.max(LEAST_SHARED, Math.ceil(SHARED * others.length));
  const shared = new Set<string>();
  for (const [word, count] of common) {
    const own = listing.traits.has.has(word) ? 1 : 0;
    if (count - own >= quorum) shared.add(word);
  }
  return {
    listings: others,
    shared,
    brands,
    knows: (word) => others.some((other) => hasWord(other, word)),
  };
}

function isBrand(word: string, brands: ReadonlySet<string>): boolean {
  return [...brands].some(
    (brand) => brand === word || (word.length >= LEAST_INSIDE && brand.startsWith(word)),
  );
}

function hasWord({ traits, prepared }: GroupListing, word: string): boolean {
  if (traits.has.has(word)) return true;
  if (word.length < LEAST_INSIDE) return false;
  return traits.squeezed.includes(word) || prepared.squeezedDescription.includes(word);
}

/** Shorter words occur inside others by chance. */
const LEAST_INSIDE = 4;

/** Returns whether a word may name a thing. */
function isName(word: string): boolean {
  return /^\p{L}{3,}$/u.test(word) && !SMALL_WORDS.has(word) && traitOf(word)?.class !== 'colour';
}

/** "Water Tank for Arden 632LN": most of the others are the thing after "for", not the one before it. */
function madeForThem({ traits }: GroupListing, others: Others): string | null {
  const { madeFor, numbers } = traits;
  if (madeFor === null) return null;
  const { what, whom } = madeFor;
  const isTheirs = (word: string): boolean =>
    isBrand(word, others.brands) || isNumberOf(word, others);
  const [before, after] = [what.join(''), whom.join('')];
  const isNumbered = numbers.some(
    ({ joined }) =>
      isNumberOf(joined, others) && after.includes(joined) && !before.includes(joined),
  );
  if (!isNumbered && !whom.some(isTheirs)) return null;
  const isSaidByOther = others.listings.some(
    (other) => other.traits.madeFor?.whom.some(isTheirs) === true,
  );
  if (isSaidByOther || what.some((word) => isNearNumber(word, others))) return null;
  // "Arden Lens for Cameras" says what the others are.
  const isKind = (word: string): boolean =>
    isName(word) && others.shared.has(word) && !whom.includes(word);
  if (what.some(isKind)) return null;
  const own = what.filter((word) => isName(word) && !isBrand(word, others.brands));
  return own.some((word) => !others.knows(word)) ? own.join(' ') : null;
}

/** Checks for a model number, or part of one, that two of the others have. */
function isNumberOf(word: string, { listings }: Others): boolean {
  if (!/\d/.test(word) || word.length < 2) return false;
  const holding = listings.filter(
    ({ traits }) => traits.has.has(word) || traits.squeezed.includes(word),
  );
  return holding.length >= LEAST_SHARED;
}

/** Returns whether a word is a model number of one of the others, or begins like one: `LC1100BK` and `LC1100`. */
function isNearNumber(word: string, { listings }: Others): boolean {
  if (!/\d/.test(word) || word.length < LEAST_INSIDE) return false;
  return listings.some(
    ({ traits: { squeezed, numbers } }) =>
      squeezed.includes(word) ||
      numbers.some(({ joined }) => joined.length >= LEAST_INSIDE && word.startsWith(joined)),
  );
}

/** "Arden 632LN Espresso Machine Replacement Water Tank". */
function replacement({ traits }: GroupListing, others: Others): string | null {
  if (!traits.isReplacement || others.listings.some((other) => other.traits.isReplacement))
    return null;
  const at = traits.words.findIndex((word) => /^(?:replacement|spare|refill)$/.test(word));
  const around = traits.words.slice(at + 1, at + 4).filter(isName);
  return around.some((word) => !others.knows(word)) ? around.join(' ') : null;
}

/**
 * "Arden 632LN Water Tank": brand, model number and a name that none of the others has, and nothing more. If a shop uses
 * another word for the product, its name still shares a word with the others ("Coffee Maker", "Coffee Machine"); with such
 * a shared word, only a known part is a different thing ("Guitar Strings").
 */
function calledOtherwise({ traits }: GroupListing, others: Others): string | null {
  if (traits.amounts.size > 0 || traits.ordinals.size > 0) return null;
  const { front, own } = parted(traits.name);
  if (!isShortName(own) || !isBrandAndNumber(front, others)) return null;
  const head = own.findLast(isName) ?? '';
  if (own.slice(0, -1).some((word) => word === 'pack' || word === 'plus')) return null;
  if (own.some((word) => !others.shared.has(word) && isOfProduct(word, others))) return null;
  if (others.shared.has(head)) return null;
  if (!own.some((word) => isName(word) && !others.knows(word))) return null;
  // The words before its name are the brand and the model number in the other titles, too.
  const theirs = [...others.shared].filter((word) => isName(word) && !front.includes(word));
  // Its description may name the product that it is made for.
  const missing = theirs.filter((word) => !traits.has.has(word));
  if (missing.length === 0 || (missing.length < theirs.length && !PARTS.has(head))) return null;
  return own.join(' ');
}

/** Splits the words of a name after the last one with a digit. */
function parted(words: readonly string[]): {
  readonly front: readonly string[];
  readonly own: readonly string[];
} {
  const after = words.findLastIndex((word) => /\d/.test(word)) + 1;
  // `NT9-N` ends in a letter.
  const own = words.slice(words[after]?.length === 1 ? after + 1 : after);
  return { front: words.slice(0, after), own };
}

function isShortName(words: readonly string[]): boolean {
  return (
    words.length > 0 && words.length <= MOST_NAME && !words.some((word) => /\P{L}/u.test(word))
  );
}

/** Returns whether words are one of the others' model numbers, preceded only by a brand. */
function isBrandAndNumber(front: readonly string[], others: Others): boolean {
  // `VE-132` is two words here, and often follows the brand in the others too.
  const at = front.findIndex((_, index) => isNumberOf(front.slice(index).join(''), others));
  if (at < 0) return false;
  const before = front.slice(0, at).filter((word) => !isBrand(word, others.brands));
  // One word may be a brand that is in no field.
  return before.length <= (others.brands.size === 0 ? 1 : 0);
}

/** `USB-BT`, "Noise Cancelling" and a compound of their word belong to the product. */
function isOfProduct(word: string, { shared }: Others): boolean {
  if (word.length < 3 || FEATURE.has(word)) return true;
  return [...shared].some((each) => each.length > LEAST_INSIDE && word.includes(each));
}

/** Longer names are product names. */
const MOST_NAME = 3;
/** The most words that name a thing added to the product. */
const MOST_ADDED = 4;
/** The most things in a list; longer lists are features. */
const MOST_LISTED = 3;

/** Returns the additional product that the title bundles with the product of the other listings. */
function bundled({ traits }: GroupListing, others: Others): string | null {
  if (traits.additions.length === 0 && !traits.isBundle) return null;
  const additions = traits.additions.filter((each) => !isOfName(each, others));
  const text = additions
    .flatMap(({ things }) => things.filter((thing) => isNew(thing, others)))
    .map((thing) => thing.join(' '))
    .join(' and ');
  const isSeveral = others.listings.some((other) =>
    other.traits.words.some((word) => SEVERAL_THINGS.has(word)),
  );
  if (traits.isBundle && !isSeveral) return text === '' ? 'bundle' : text;
  const isAlone = others.listings.every((other) =>
    other.traits.additions.every(({ join }) => join === 'plus'),
  );
  if (isAlone && additions.some((each) => isAdded(each, others))) return text;
  return KIT.test(traits.title) && text !== '' && !isSeveral ? `kit ${text}` : null;
}

/** Returns whether a thing that a title adds is not mentioned by the others. */
function isNew(thing: readonly string[], others: Others): boolean {
  if (thing.length > MOST_ADDED || thing.some((word) => FEATURE.has(word))) return false;
  return thing.some((word) => isName(word) && !SEVERAL_THINGS.has(word) && !others.knows(word));
}

/** Returns whether "plus" is part of a name: "Canvas Select Plus", "17G Plus Drill". */
function isOfName({ join, before }: Addition, others: Others): boolean {
  if (join !== 'plus') return false;
  return others.listings.some(
    ({ traits: { has, squeezed } }) =>
      squeezed.includes(`${before}plus`) || (/\d/.test(before) && has.has('plus')),
  );
}

/** Returns whether an addition combines another thing with the product, instead of mentioning a part or a feature of it. */
function isAdded({ join, things, isLast }: Addition, others: Others): boolean {
  if (!isLast || things.flat().some((word) => FEATURE.has(word))) return false;
  if (!things.some((thing) => isNew(thing, others))) return false;
  // One thing after "with" is as often a part of the product that other titles do not mention.
  if (/^(?:\+|plus)$/.test(join)) return true;
  if (things.length < 2 || things.length > MOST_LISTED) return false;
  const [first = []] = things;
  return isNew(first, others) && !first.some((word) => others.shared.has(word));
}
