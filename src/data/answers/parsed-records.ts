// Parses stored records and remembers the result: the same text gives the same object, so that what is computed from a listing
// can be remembered by the object. Parsing took 6 % of a held lookup.

import { createBoundedMap } from '../../base/bounded-map.ts';
import { EMPTY_LISTING, type Listing } from '../../base/listing/listing.ts';
import { EMPTY_OFFER, type Offer } from '../../base/listing/offer.ts';
import type { ReadNotes } from '../../base/listing/page.ts';

export type StoredRecord = { readonly listing: Listing; readonly notes: ReadNotes };

/** Characters of the remembered texts. What is parsed from them takes two to three times as much. */
const MAX_CHARACTERS = 8 * 1_024 * 1_024;

/** Makes a `recordOf` that remembers what it parsed last. */
export function createParsedRecords(
  maxCharacters = MAX_CHARACTERS,
): (text: string) => StoredRecord {
  const kept = createBoundedMap<string, StoredRecord>(maxCharacters, (_, { length }) => length);
  return (text) => {
    const known = kept.use(text);
    if (known !== undefined) return known;
    const record = recordOf(text);
    kept.set(text, record);
    return record;
  };
}

/**
 * The listing and notes of a stored record; throws if the text is no record. A field that did not exist when the record was
 * written is null (D23).
 */
export function recordOf(text: string): StoredRecord {
  // SAFETY: our own JSON, made by `upsertListing`; `checkStore` reports a row where it is not.
  const { listing, notes } = JSON.parse(text) as {
    listing: Partial<Omit<Listing, 'offers'>> & { offers?: readonly Partial<Offer>[] };
    notes?: Partial<ReadNotes>;
  };
  if (typeof listing !== 'object' || listing === null) throw new Error('record has no listing');
  const offers = (listing.offers ?? []).map((offer) => ({ ...EMPTY_OFFER, ...offer }));
  return {
    listing: { ...EMPTY_LISTING, ...listing, offers },
    notes: { missing: notes?.missing ?? [], remarks: notes?.remarks ?? [] },
  };
}
