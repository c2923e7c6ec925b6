// Archived offers of retailer_w, as shown in its lists, append-only; and the length of a listing's last fetched list (D31).

import type { SeenOffer, OfferToKeep } from '../../rules/history/offer-archive.ts';
import { EMPTY_OFFER, sellerKeyOf, shownOfferCents, type Offer } from '../../base/listing/offer.ts';
import { COMMON_VIEW, notExpired, type View } from './layers.ts';
import type { Origin } from '../../base/listing/origin.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { offerInMinorUnits, unitsOfOffer, type RecordUnits } from './record-amounts.ts';
import { mayReplace, originIn, originValues, placeholdersOf } from '../statement-values.ts';

export type StoredOffer = SeenOffer & {
  /** USD hundredths: the price of the same offer when it was previously seen. */
  readonly beforeCents: number | null;
};

export type StoredOfferList = {
  readonly fetchedAtMs: number;
  readonly offersCount: number;
  readonly origin?: Origin;
};

export type Offers = {
  /** Returns the list fetched last; null if there is none. */
  findOfferList(listingId: string): Promise<StoredOfferList | null>;
  /** Returns offers, newest first; those of one list in its order. With `beforeMs`, only offers seen before it. */
  findNewestOffers(
    listingId: string,
    most: number,
    beforeMs?: number,
  ): Promise<readonly StoredOffer[]>;
  countOffers(listingId: string): Promise<number>;
};

export function createOffers(sql: Sql, view: View = COMMON_VIEW): Offers {
  const archived = { at: 'observed_at_ms', of: 'facts', needs: 'history' } as const;
  return {
    async findOfferList(listingId) {
      const given = notExpired(view, { at: 'fetched_at_ms', of: 'sale' }, 2);
      const rows = await sql.all(
        `select * from offer_lists where listing_id = $1 and ${given.text}`,
        [listingId, ...given.params],
      );
      return rows.map(toList)[0] ?? null;
    },
    async findNewestOffers(listingId, most, beforeMs = Number.MAX_SAFE_INTEGER) {
      const given = notExpired(view, archived, 4);
      const rows = await sql.all(
        `select * from archived_offers where listing_id = $1 and observed_at_ms < $2 and ${given.text}
         order by observed_at_ms desc, place limit $3`,
        [listingId, beforeMs, most, ...given.params],
      );
      return rows.map(toStoredOffer);
    },
    async countOffers(listingId) {
      const given = notExpired(view, archived, 2);
      const rows = await sql.all(
        `select count(*) as total from archived_offers where listing_id = $1 and ${given.text}`,
        [listingId, ...given.params],
      );
      return Number(rows[0]?.['total'] ?? 0);
    },
  };
}

function toList(row: Row): StoredOfferList {
  return {
    fetchedAtMs: Number(row['fetched_at_ms']),
    offersCount: Number(row['offers_count']),
    ...originIn(row),
  };
}

function toStoredOffer(row: Row): StoredOffer {
  const before = row['before_cents'];
  return {
    observedAtMs: Number(row['observed_at_ms']),
    offer: offerOf(String(row['record'])),
    beforeCents: typeof before === 'number' ? before : null,
    isPartial: Number(row['is_partial']) === 1,
  };
}

/** Parses a stored offer; throws if the text is not a record. Fields added later are null. */
function offerOf(text: string): Offer {
  // SAFETY: our own JSON, made by `insertArchivedOffers`; `checkStore` reports a row where it is not.
  const record: unknown = JSON.parse(text);
  if (typeof record !== 'object' || record === null) throw new Error('the record is not an offer');
  const { units, ...offer } = record as Partial<Offer> & RecordUnits;
  return { ...EMPTY_OFFER, ...offerInMinorUnits(offer, { ...(units && { units }) }) };
}

/** Writes the length of a list. An older list never replaces a newer one. */
export function upsertOfferList(listingId: string, list: StoredOfferList): Statement {
  return {
    text: `insert into offer_lists (listing_id, fetched_at_ms, offers_count, source, door)
      values ($1, $2, $3, $4, $5)
      on conflict (listing_id) do update set fetched_at_ms = excluded.fetched_at_ms,
        offers_count = excluded.offers_count, source = excluded.source, door = excluded.door
      where ${mayReplace('offer_lists', 'fetched_at_ms')}`,
    params: [listingId, list.fetchedAtMs, list.offersCount, ...originValues(list.origin)],
  };
}

/**
 * Appends the offers of one list; repeating a list changes nothing. `isPartial`: the list is from a page that does not name
 * all sellers.
 */
export function insertArchivedOffers(
  listingId: string,
  toStore: readonly OfferToKeep[],
  {
    observedAtMs,
    isPartial,
    origin,
  }: Pick<SeenOffer, 'observedAtMs' | 'isPartial'> & { readonly origin?: Origin | undefined },
): readonly Statement[] {
  return toStore.map(({ offer, place, beforeCents }) => ({
    text: `insert into archived_offers (listing_id, observed_at_ms, place, offer_id, seller_key,
        price_cents, before_cents, record, is_partial, source, door)
      values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
      on conflict (listing_id, observed_at_ms, place) do nothing`,
    params: [
      listingId,
      observedAtMs,
      place,
      offer.offerId,
      sellerKeyOf(offer),
      shownOfferCents(offer, 'USD'),
      beforeCents,
      JSON.stringify({ ...offer, ...unitsOfOffer(offer) }),
      Number(isPartial),
      ...originValues(origin),
    ],
  }));
}

/** Deletes the lists and the archive of these listings. */
export function deleteOffersOf(listingIds: readonly string[]): readonly Statement[] {
  const marks = placeholdersOf(listingIds, 1);
  return [
    { text: `delete from offer_lists where listing_id in (${marks})`, params: listingIds },
    { text: `delete from archived_offers where listing_id in (${marks})`, params: listingIds },
  ];
}
