// Decides which offers of a fetched list are stored, and finds the earlier price of each, based on the offers already
// stored for the same listing. Pure.

import { HOUR_MS } from '../../base/clock.ts';
import { EMPTY_OFFER, sellerKeyOf, shownOfferCents, type Offer } from '../../base/listing/offer.ts';

/** An offer as listed, and the time. */
export type SeenOffer = {
  readonly observedAtMs: number;
  readonly offer: Offer;
  /** Whether the list did not include every seller: an offer missing from it may still have existed. */
  readonly isPartial: boolean;
};

/** An offer list as fetched. */
type FetchedList = {
  readonly offers: readonly Offer[];
  readonly atMs: number;
  readonly isPartial: boolean;
};

export type OfferToKeep = {
  readonly offer: Offer;
  /** Index in the list. */
  readonly place: number;
  /** USD cents: the price of the same offer when it was last seen. Null if unknown, or if it was out of stock. */
  readonly beforeCents: number | null;
};

/**
 * Returns the offers of a list that must be stored. An offer already stored from the same UTC hour with the same facts is not
 * stored again, unless only a partial list showed it and this one is complete. `earlier` are the listing's stored offers,
 * newest first.
 */
export function offersToKeep(
  { offers, atMs, isPartial }: FetchedList,
  earlier: readonly SeenOffer[],
): readonly OfferToKeep[] {
  const ofThisHour = earlier.filter((seen) => hourOf(seen.observedAtMs) === hourOf(atMs));
  return offers.flatMap((offer, place) => {
    // A partial list may omit a seller's previous offer and show another one with another id.
    const before = isPartial ? byId(offer, earlier) : seenBefore(offer, offers, earlier);
    const same =
      before === null && isPartial ? ofThisHour : [before].filter((each) => each !== null);
    const isStored = same.some(
      (seen) =>
        hourOf(seen.observedAtMs) === hourOf(atMs) &&
        (isPartial || !seen.isPartial) &&
        saysTheSame(seen.offer, offer),
    );
    if (isStored) return [];
    return [
      { offer, place, beforeCents: before === null ? null : shownOfferCents(before.offer, 'USD') },
    ];
  });
}

const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS);

/** Returns whether all fields are equal, regardless of key order. */
function saysTheSame(one: Offer, other: Offer): boolean {
  const text = (offer: Offer, name: keyof Offer): string => {
    const value = offer[name];
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    return `${value.cents} ${value.currency}`;
  };
  return NAMES.every((name) => text(one, name) === text(other, name));
}

// SAFETY: an empty offer has every field of its type and no other.
const NAMES = Object.keys(EMPTY_OFFER) as (keyof Offer)[];

/**
 * Returns the same offer when it was last seen: the one with the same id, otherwise the one of the same seller and
 * condition.
 */
function seenBefore(
  offer: Offer,
  list: readonly Offer[],
  earlier: readonly SeenOffer[],
): SeenOffer | null {
  return byId(offer, earlier) ?? bySeller(offer, list, earlier);
}

function byId({ offerId }: Offer, earlier: readonly SeenOffer[]): SeenOffer | null {
  if (offerId === null) return null;
  return earlier.find((seen) => seen.offer.offerId === offerId) ?? null;
}

/**
 * Matches by seller, because a seller that lists again gets a new id. Offers match only if exactly one offer of the list
 * and one stored offer are candidates. A stored offer whose id is in the list is that offer, and two offers of one seller
 * and condition are ambiguous.
 */
function bySeller(
  offer: Offer,
  list: readonly Offer[],
  earlier: readonly SeenOffer[],
): SeenOffer | null {
  const isAlike = (other: Offer) => isOfSeller(other, offer) && other.condition === offer.condition;
  if (list.some((other) => other !== offer && isAlike(other) && byId(other, earlier) === null)) {
    return null;
  }
  const listed = new Set(list.map(({ offerId }) => offerId).filter((id) => id !== null));
  const past = earlier.filter(
    (seen) =>
      isAlike(seen.offer) && !(seen.offer.offerId !== null && listed.has(seen.offer.offerId)),
  );
  const [newest] = past;
  if (newest === undefined) return null;
  // All offers of a complete list have a row in the same hour: an offer without one would have been stored. A partial list
  // says nothing about offers missing from it, so earlier lists are searched.
  const whole = past.find((seen) => !seen.isPartial) ?? null;
  const sinceHour = whole === null ? 0 : hourOf(whole.observedAtMs);
  const together = past.filter((seen) => hourOf(seen.observedAtMs) >= sinceHour);
  const isOne = together.every((seen) => seen.offer.offerId === newest.offer.offerId);
  const atOnce = together.filter((seen) => seen.observedAtMs === newest.observedAtMs);
  return isOne && atOnce.length === 1 ? newest : null;
}

function isOfSeller(one: Offer, other: Offer): boolean {
  const key = sellerKeyOf(one);
  return key !== null && key === sellerKeyOf(other);
}
