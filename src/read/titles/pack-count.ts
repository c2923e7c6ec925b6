// Determines how many packs a listing sells (D41): what a structured field states, otherwise what the title says. It counts
// the units sold together, not the pieces inside one of them.

import type { Listing, Spec } from '../../base/listing/listing.ts';
import { titlePackCount } from './pack-title.ts';

/** Names that shops use for pack count fields, most reliable first. */
const FIELDS: readonly string[] = [
  'item package quantity',
  'package quantity',
  'pack quantity',
  'multipack quantity',
  'multi pack quantity',
  'number of packs',
  'pack count',
  'lot size',
  'items per lot',
  'pack size',
  'number in pack',
  'number in package',
  'number of items',
];

/** Fields that shops set to 1 for every product: they only count above 1. */
const ABOVE_ONE: ReadonlySet<string> = new Set(['number of items', 'quantity']);

/** Maximum pack count; a larger number counts something else. */
const MOST_PACKS = 10_000;

const NAME_LENGTH = 60;

function fieldOf(name: string): string {
  return name
    .slice(0, NAME_LENGTH)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

/** Parses `6`, `12-Pack`, `4 units`, `Pack of 3`, `single`. */
function countIn(value: string): number | null {
  const text = value.slice(0, NAME_LENGTH).trim().toLowerCase();
  const bare =
    /^(\d{1,5})(?:[\s-]*(?:packs?|pks?|pieces?|pcs|units?|items?|ct|count|each|ea))?\.?$/.exec(
      text,
    );
  const count = bare === null ? titlePackCount(text) : Number(bare[1]);
  return count !== null && count >= 1 && count <= MOST_PACKS ? count : null;
}

/**
 * Returns the pack count stated by a specification; null when none does. "Number of Items" and "Quantity" only count above
 * 1. `own` lists further fields that count packs only at this retailer, in lower case.
 */
export function statedPackCount(
  specs: readonly Spec[],
  own: readonly string[] = [],
): number | null {
  if (specs.length === 0) return null;
  const fields = specs.map(({ name }) => fieldOf(name));
  for (const field of [...FIELDS, ...own]) {
    for (let at = fields.indexOf(field); at >= 0; at = fields.indexOf(field, at + 1)) {
      const count = countIn(specs[at]?.value ?? '');
      if (count !== null && (count > 1 || !ABOVE_ONE.has(field))) return count;
    }
  }
  return null;
}

/** Titles that state several of something. With such a title, a field of 1 counts something else. */
const SEVERAL =
  /\b(?:packs?|pk|sets?|case|lot|bundle|box|carton|count|pcs|pieces)\b.{0,4}\d|\d.{0,2}\b(?:packs?|pk|ct|count|pcs|pieces|sets?)\b/i;

const TITLE_LENGTH = 1_000;

/** Weighs a field's count against the title, because shops also leave the field at 1 for two-packs. */
function settled(stated: number | null, title: string | null): number | null {
  if (stated !== null && stated > 1) return stated;
  const said = title === null ? null : titlePackCount(title);
  if (said !== null || stated === null) return said;
  return SEVERAL.test((title ?? '').slice(0, TITLE_LENGTH)) ? null : stated;
}

type PackFacts = { readonly specs: readonly Spec[]; readonly title: string | null };

/**
 * Returns the outermost multiplier stated by a specification or the title (D41): a field above 1, else the title, else a
 * field of 1 that the title does not contradict. Null when nothing states one.
 */
export function packCountOf({ specs, title }: PackFacts): number | null {
  return settled(statedPackCount(specs), title);
}

/** Returns the listing with the pack count stated by its specifications or title, if its reader found none or only 1. */
export function withPackCount(listing: Listing): Listing {
  const { packCount, specs, title } = listing;
  const stated = packCount ?? statedPackCount(specs);
  const count = settled(stated, title);
  return count === packCount ? listing : { ...listing, packCount: count };
}
