// Amounts in stored records. A record with an amount of a currency that has not two decimals says that its amounts are in minor
// units; one without that mark is of before D87, in hundredths, and is converted when it is read. All others are the same in both.

import type { Listing } from '../../base/listing/listing.ts';
import { decimalsOf, ofHundredths, type Money } from '../../base/listing/money/minor-units.ts';
import type { Offer } from '../../base/listing/offer.ts';

/** The mark of a record whose amounts are in minor units. */
export type RecordUnits = { readonly units?: 'minor' };

const OF_LISTING = [
  'price',
  'otherPrice',
  'listPrice',
  'instalmentTotal',
  'secondaryOfferPrice',
] as const satisfies readonly (keyof Listing)[];
const OF_OFFER = ['price', 'wasPrice', 'shipping'] as const satisfies readonly (keyof Offer)[];

/** A listing's record; fields that did not exist when it was written are absent. */
export type ListingRecord = Partial<Omit<Listing, 'offers'>> & {
  offers?: readonly Partial<Offer>[];
};

const isOtherwiseCounted = (money: Money | null | undefined): boolean =>
  money !== null && money !== undefined && decimalsOf(money.currency) !== 2;

function hasOtherUnits(listing: ListingRecord): boolean {
  return (
    OF_LISTING.some((name) => isOtherwiseCounted(listing[name])) ||
    (listing.offers ?? []).some(hasOtherUnitsInOffer)
  );
}

const hasOtherUnitsInOffer = (offer: Partial<Offer>): boolean =>
  OF_OFFER.some((name) => isOtherwiseCounted(offer[name]));

/** Returns the mark of a listing's record; empty if it needs none. */
export function unitsOfListing(listing: ListingRecord): RecordUnits {
  return hasOtherUnits(listing) ? { units: 'minor' } : {};
}

/** Returns the mark of an offer's record; empty if it needs none. */
export function unitsOfOffer(offer: Partial<Offer>): RecordUnits {
  return hasOtherUnitsInOffer(offer) ? { units: 'minor' } : {};
}

/** Returns a listing from its record in minor units, whichever units the record has. */
export function listingInMinorUnits(listing: ListingRecord, { units }: RecordUnits): ListingRecord {
  if (units === 'minor' || !hasOtherUnits(listing)) return listing;
  const { offers } = listing;
  return {
    ...listing,
    ...changed(listing, OF_LISTING, ofOlderRecord),
    ...(offers === undefined ? {} : { offers: offers.map((each) => offerInMinorUnits(each, {})) }),
  };
}

/** The same for the record of an offer. */
export function offerInMinorUnits(offer: Partial<Offer>, { units }: RecordUnits): Partial<Offer> {
  if (units === 'minor' || !hasOtherUnitsInOffer(offer)) return offer;
  return { ...offer, ...changed(offer, OF_OFFER, ofOlderRecord) };
}

const ofOlderRecord = ({ cents, currency }: Money): Money | null => ofHundredths(cents, currency);

/** Returns a listing as it is stored: without the decimals that only a reader uses. */
export function withoutFiner(listing: Listing): Listing {
  const plain = ({ cents, currency }: Money): Money => ({ cents, currency });
  const offers = listing.offers.map((offer) => ({ ...offer, ...changed(offer, OF_OFFER, plain) }));
  return { ...listing, ...changed(listing, OF_LISTING, plain), offers };
}

/** Returns the fields that contain an amount, with `change` applied to it. */
function changed<Name extends string>(
  facts: { readonly [Each in Name]?: Money | null },
  names: readonly Name[],
  change: (money: Money) => Money | null,
): Record<string, Money | null> {
  const stated = names.flatMap((name) => {
    const money = facts[name] ?? null;
    return money === null ? [] : [[name, change(money)] as const];
  });
  return Object.fromEntries(stated);
}
