// All rate cards, and which of them is in force on a day. Old cards are kept for past fees.

import type { Day } from '../../base/clock.ts';
import type { FulfillmentCard, RateCard, ReferralCard } from './rate-card.ts';
import {
  RETAILER_A_FULFILLMENT_2024,
  RETAILER_A_FULFILLMENT_2026,
} from './retailer-a-fulfillment-cards.ts';
import { RETAILER_A_REFERRAL } from './retailer-a-referral-card.ts';
import { RETAILER_E_WITHOUT_STORE, RETAILER_E_WITH_STORE } from './retailer-e-cards.ts';
import { RETAILER_W_FULFILLMENT, RETAILER_W_REFERRAL } from './retailer-w-cards.ts';

export const REFERRAL_CARDS: readonly ReferralCard[] = [
  RETAILER_W_REFERRAL,
  RETAILER_A_REFERRAL,
  RETAILER_E_WITHOUT_STORE,
  RETAILER_E_WITH_STORE,
];

export const FULFILLMENT_CARDS: readonly FulfillmentCard[] = [
  RETAILER_W_FULFILLMENT,
  RETAILER_A_FULFILLMENT_2026,
  RETAILER_A_FULFILLMENT_2024,
];

export const RATE_CARDS: readonly RateCard[] = [...REFERRAL_CARDS, ...FULFILLMENT_CARDS];

/** Both ends included. */
export function isInForce(
  { effectiveFrom, effectiveTo }: Pick<RateCard, 'effectiveFrom' | 'effectiveTo'>,
  day: Day,
): boolean {
  return effectiveFrom <= day && (effectiveTo === null || day <= effectiveTo);
}

/** Returns a retailer's card in force on a day, for a seller whose plan is unknown; null if there is none. */
export function cardInForce<Card extends RateCard>(
  cards: readonly Card[],
  retailer: string,
  day: Day,
): Card | null {
  return (
    cards.find((card) => card.retailer === retailer && card.isDefault && isInForce(card, day)) ??
    null
  );
}
