// Which offers of a list are worth keeping, and what each cost before: one list against the offers that are
// held of the same listing. Pure.

import { HOUR_MS } from '../core/clock.ts';
import { EMPTY_OFFER, sellerKeyOf, shownOfferCents, type Offer } from '../listing/offer.ts';

/** An offer as a list showed it, and when. */
export type SeenOffer = { readonly observedAtMs: number; readonly offer: Offer };

export type OfferToKeep = {
  readonly offer: Offer;
  /** In the list, from 0. */
  readonly place: number;
  /** USD hundredths: what the same offer cost when it was seen before; null: not known, or out of stock then. */
  readonly beforeCents: number | null;
};

/**
 * The offers to keep of a list that was fetched at `atMs`. One that was seen within the same UTC hour and says the
 * same is held already. `earlier`: what is held of the listing from before, newest first.
 */
export function offersToKeep(
  offers: readonly Offer[],
  earlier: readonly SeenOffer[],
  atMs: number,
): readonly OfferToKeep[] {
  return offers.flatMap((offer, place) => {
    const before = seenBefore(offer, offers, earlier);
    if (before === null) return [{ offer, place, beforeCents: null }];
    const isHeld = hourOf(before.observedAtMs) === hourOf(atMs) && saysTheSame(before.offer, offer);
    return isHeld ? [] : [{ offer, place, beforeCents: shownOfferCents(before.offer) }];
  });
}

const hourOf = (atMs: number): number => Math.floor(atMs / HOUR_MS);

/** Every field, whatever order an object was written in. */
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

/** The same offer when it was seen last: the same id, else the same seller's in the same condition. */
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
 * A seller that lists anew gets another id. Only where one offer of the list and one that is held can be meant:
 * an offer that is in the list under its own id is nobody's past, and two of one seller cannot be told apart.
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
  // Whatever stood in one list has a row of the same hour, because only such a row spares a second one.
  const together = past.filter((seen) => hourOf(seen.observedAtMs) === hourOf(newest.observedAtMs));
  const isOne = together.every((seen) => seen.offer.offerId === newest.offer.offerId);
  const atOnce = together.filter((seen) => seen.observedAtMs === newest.observedAtMs);
  return isOne && atOnce.length === 1 ? newest : null;
}

function isOfSeller(one: Offer, other: Offer): boolean {
  const key = sellerKeyOf(one);
  return key !== null && key === sellerKeyOf(other);
}
