// Reads what a title says about things that are sold alongside the product: that it is made for another thing, a part of
// it, or a bundle with more things.

import {
  BUNDLE_WORDS,
  EXTRAS,
  OF_PRODUCT,
  PARTS,
  WEARERS,
  WITH_PARTS,
} from '../words/thing-words.ts';
import { singular, wordsIn } from '../words/title-words.ts';
import { countRelation, type StatedCounts } from '../../../read/titles/counts.ts';
import { additionsOf, FEATURE, type Addition } from './additions.ts';

/** The words before and after "for" or a similar word. */
export type MadeFor = { readonly what: readonly string[]; readonly whom: readonly string[] };

const FOR =
  /\b(?:for(?: use with)?|fits|fit for|compatible with|replacements? for|replaces|suitable for|works with|designed for|made for|f(?:u|ue)r|pour|para|per)\b(?: (?:the|your|use with|all|most))?/gu;

/** The thing that a product is made for comes directly after the "for". */
const MOST_WHOM = 5;

/** Returns what a thing is made for: the words around the first "for" or similar word that is not followed by a wearer. */
export function madeForOf(plain: string): MadeFor | null {
  for (const found of plain.matchAll(FOR)) {
    const after = plain.slice(found.index + found[0].length);
    const whom = wordsIn(after.split(/[;|()[\]"]|\s[-–—]\s/)[0] ?? '')
      .slice(0, MOST_WHOM)
      .map(singular);
    // "Running Shoes for Women Arden QX700" is the pair itself.
    if (WEARERS.has(whom[0] ?? '')) continue;
    // "Cartridge, Replacement for": the thing comes before the detail.
    const what = wordsIn(plain.slice(0, found.index)).map(singular);
    return whom.length === 0 ? null : { what, whom };
  }
  return null;
}

/** Returns the last word of the thing's name if it names a part: "Arden QX700 Ear Pads, Black". */
export function partOf(plain: string): string | null {
  const name =
    plain.split(
      /[,;|()[\]]|\s[-–—]\s|\b(?:with|w\/|for|and|plus|includes?|including|fits|compatible)\b|[+&]/,
    )[0] ?? '';
  const words = wordsIn(name.replace(/\s(?:units?|packs?|sets?|kits?)\s*$/, '')).map(singular);
  const last = words.at(-1) ?? '';
  // "30-Hour Battery" is a detail.
  const isDetail = /\b\d+-\p{L}+\s\p{L}+\s*$/u.test(name);
  return words.length > 1 && !isDetail && PARTS.has(last) ? last : null;
}

/** More words belong to a longer title of the product. */
const MOST_OF_PART = 3;

type Titled = { readonly words: readonly string[]; readonly name: readonly string[] };

const SPARE = /^(?:replacement|spare|ersatz)$/;

/**
 * Returns whether words before or after a product's whole title name a part instead of the product: a spare part, or a part of
 * a thing that has parts.
 */
function nameAPart(own: readonly string[], product: Titled): boolean {
  const head = own.at(-1) ?? '';
  if (own.length > MOST_OF_PART || !PARTS.has(head) || product.words.includes(head)) return false;
  return own.some((word) => SPARE.test(word)) || product.words.some((word) => WITH_PARTS.has(word));
}

/**
 * "Arden QX700 Headphones" and "Arden QX700 Headphones Carrying Case": the whole title, followed directly by a part, without a
 * separator.
 */
export function isNamedPartOf(part: Titled, product: Titled): boolean {
  const own = part.name.slice(product.words.length);
  if (!nameAPart(own, product)) return false;
  if (product.words.some((word, at) => word !== part.name[at])) return false;
  return own.every((word) => /^\p{L}+$/u.test(word) && !OF_PRODUCT.has(word));
}

/** "Replacement Filter - Arden QX700 Vacuum": the whole title, preceded by a part. */
export function isPartAheadOf(part: Titled, product: Titled): boolean {
  const count = Math.max(0, part.words.length - product.words.length);
  if (!nameAPart(part.words.slice(0, count), product)) return false;
  return product.words.every((word, at) => word === part.words[count + at]);
}

type Whole = Titled & { readonly has: ReadonlySet<string> };

/**
 * "Arden QX700 Vacuum" and "Arden QX700 Vacuum with Wall Dock and Bag": the whole title of a thing, combined with something
 * sold separately. Features also come after "with", so only known parts and extras count.
 */
export function isPutWith(bundle: Titled & { readonly title: string }, product: Whole): boolean {
  return additionsTo(bundle, product).some(({ things }) =>
    things.some((thing) => {
      const head = addedHead(thing, product);
      return PARTS.has(head) || EXTRAS.has(head);
    }),
  );
}

/** "+ Free Shipping". */
const OFFERS =
  /^(?:free|shipping|delivery|postage|gift|gratis|kostenlos\w*|versand\w*|livraison|envio|spedizione)$/;

/**
 * "Arden Tablet Wi-Fi" and "Arden Tablet Wi-Fi + Cellular": after a "+", anything except a feature or an offer is an
 * addition.
 */
export function isAddedTo(bundle: Titled & { readonly title: string }, product: Whole): boolean {
  return additionsTo(bundle, product).some(
    ({ join, things }) =>
      join === '+' &&
      things.some(
        (thing) => addedHead(thing, product) !== '' && !thing.some((word) => OFFERS.test(word)),
      ),
  );
}

/** Returns what is combined with a product, directly after its whole title. */
function additionsTo(
  bundle: Titled & { readonly title: string },
  { words }: Titled,
): readonly Addition[] {
  const count = words.length;
  if (count === 0 || bundle.words.length <= count) return [];
  if (words.some((word, at) => word !== bundle.words[at])) return [];
  return additionsOf(bundle.title).filter(({ before }) => singular(before) === words[count - 1]);
}

/**
 * Returns the word that names an added thing; '' if it names none, a feature, or something already in the product's title.
 */
function addedHead(thing: readonly string[], { has }: Whole): string {
  const head = thing.findLast((word) => /^\p{L}{3,}$/u.test(word)) ?? '';
  return has.has(head) || thing.some((word) => FEATURE.has(word)) ? '' : head;
}

const TWO = /\b(?:twin|double|duo|pair)\b/;

type Counted = { readonly counts: StatedCounts; readonly plain: string };

/**
 * "Arden Bars 40 g, 12 Pack" and "Arden Bars 40 g": several by its title, and the other title does not contain the number.
 */
export function isPackOf({ counts }: Counted, single: Counted): boolean {
  const { isInTitle, packs } = counts;
  if (!isInTitle || packs < 2 || single.counts.packs > 1) return false;
  if (countRelation(counts, single.counts) === 'same') return false;
  if (packs === 2 && TWO.test(single.plain)) return false;
  return !new RegExp(`(?<![\\p{L}\\p{N}])x?${packs}(?!\\d)`, 'u').test(single.plain);
}

const BODY =
  /\b(?:body|tool|unit|bare tool|bare unit|console|device|machine|kit less|lamp|frame|skin|base) only\b|\bbare (?:tool|unit)\b|\bno batter(?:y|ies)\b/;
const KIT =
  /\b(?:starter|combo|creator|travel|gift|accessory|value|deluxe) kit\b|\bkit (?:with|w\/|includes?|includ)/;

/** Returns whether the product is sold without or with its accessories; null if not stated. */
export function formOf(plain: string): 'body' | 'kit' | null {
  if (BODY.test(plain)) return 'body';
  if (KIT.test(plain)) return 'kit';
  const words = wordsIn(plain).map(singular);
  const before = words[words.indexOf('kit') - 1] ?? '';
  return PARTS.has(before) || EXTRAS.has(before) ? 'kit' : null;
}

/** Words before an addition. "+" must be separate: "20+ hours" and "Evolve 75+" add nothing. */
const WITH =
  /(?:\bwith\b|\bw\/|\bplus\b|(?<=\s)[+&](?=\s)|\bincludes?\b|\bincluding\b|\band\b)\s*((?:(?!(?:with|w|plus|and)\b)[\p{L}\p{N}"./-]+\s*){1,6})/gu;

export type Extras = {
  /** The text that names the bundled product; null if it is not a bundle. */
  readonly bundle: string | null;
  /** "with" something that is sold separately: a bundle, or a part that other titles do not mention. */
  readonly extra: string | null;
  /** The words of `extra` that name things. */
  readonly extraThings: readonly string[];
};

/** Finds things sold separately after "with", "+" or "and". */
export function extrasOf(plain: string): Extras {
  let extra: string | null = null;
  let added: string | null = null;
  let joins = 0;
  const things = new Set<string>();
  for (const match of plain.matchAll(WITH)) {
    const thing = (match[1] ?? '').trim();
    const words = wordsIn(thing).map(singular);
    const found = words.slice(0, 3).filter((word) => PARTS.has(word) || EXTRAS.has(word));
    if (found.length === 0) continue;
    joins += /\band\b|&/.test(match[0]) || /^\d+ /.test(thing) ? 2 : 1;
    for (const each of found) things.add(each);
    extra ??= thing;
    // "V8 plus Tool Bag" adds, "Select Plus SD Card Class 10" does not.
    const isLast =
      match.index + match[0].length >= plain.length ||
      /^\s*[,|(-]/.test(plain.slice(match.index + match[0].length));
    if (match[0].startsWith('+') || (match[0].startsWith('plus') && isLast && words.length < 5)) {
      added ??= thing;
    }
  }
  const isBundle = wordsIn(plain).some((word) => BUNDLE_WORDS.has(word));
  const bundle = isBundle ? (extra ?? 'bundle') : added;
  // One additional thing is as often a part of the product that others do not mention.
  return { bundle, extra: joins > 1 ? extra : null, extraThings: [...things] };
}
