// Rules (D85): find the candidate that a person chose on one page again on other pages of the shop. Pure.

import { inCurrency, isSameAmount } from '../../base/listing/money/minor-units.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { choosePlace, isOnWay, textAtPlace, type ChosenPlace, type Place } from './place.ts';
import { shortDigestOf, type Said } from './placed-texts.ts';

/** A text of a page in the form that a rule stores: its place, and a digest of its words. */
export type KeptText = { readonly says: string; readonly place: Place };

/** The choice. `currency` is the currency of an amount; null if its page names none. */
export type Choice = {
  readonly says: string;
  readonly currency: string | null;
  readonly place: ChosenPlace;
};

export type PageRule = {
  readonly id: string;
  readonly field: Said['field'];
  readonly choice: Choice;
};

type PlacedSaid = { readonly said: Said; readonly place: Place };

/**
 * The candidate that a rule found on a page; null if fewer than two of its three signs lead to the same place, or something
 * else is there.
 */
export type RuleFinding = {
  readonly ruleId: string;
  readonly found: { readonly said: Said; readonly isDoubtful: boolean } | null;
};

/**
 * The number of texts before and after the chosen one that a rule stores. Of texts further away it only stores those to
 * which one of its signs leads.
 */
const KEPT_AROUND = 50;
const MOST_KEPT = 300;

/** Chooses a text among those of its page. */
export function chosenAmong<T extends PlacedSaid>(
  chosen: T,
  texts: readonly T[],
): { readonly choice: Choice; readonly snapshot: readonly KeptText[] } {
  const currency = currencyOf(chosen.said);
  const same = texts.filter(({ said }) => said.field === chosen.said.field);
  const at = same.indexOf(chosen);
  const kept = same.filter(
    ({ place }, index) => Math.abs(index - at) <= KEPT_AROUND || isOnWay(place, chosen.place),
  );
  return {
    choice: { says: saysOf(chosen.said), currency, place: choosePlace(chosen, same) },
    snapshot: kept.slice(0, MOST_KEPT).map(({ said, place }) => ({ says: saysOf(said), place })),
  };
}

/** Finds the candidate of a rule among the texts of a page. An amount must be in the currency of the chosen one. */
export function textByRule<T extends PlacedSaid>(
  { field, choice }: Pick<PageRule, 'field' | 'choice'>,
  texts: readonly T[],
): { readonly text: T; readonly isDoubtful: boolean } | null {
  const same = texts.filter(({ said }) => said.field === field);
  const found = textAtPlace(choice.place, same, (a, b) => saysOf(a.said) === saysOf(b.said));
  if (found === null || currencyOf(found.text.said) !== choice.currency) return null;
  return { text: found.text, isDoubtful: found.agreement === 'two' };
}

/** Whether a rule still finds its own choice among the texts that it stores. */
export function holdsOn(
  { choice }: Pick<PageRule, 'choice'>,
  snapshot: readonly KeptText[],
): boolean {
  const found = textAtPlace(choice.place, snapshot, (a, b) => a.says === b.says);
  return found !== null && found.text.says === choice.says;
}

/**
 * Returns the listing with the candidate that a rule found; null if it must not count. Zero is not a price, nor is an
 * amount in another currency than the one that the page's own data names.
 */
export function withFound(
  listing: Listing,
  { said, isDoubtful }: NonNullable<RuleFinding['found']>,
): Listing | null {
  if (said.field === 'stock') return { ...listing, inStock: said.inStock };
  if (said.field === 'barcode') return { ...listing, gtin: said.gtin };
  const own = listing.price?.currency ?? null;
  const currency = said.money.currency ?? own;
  const price = inCurrency(said.money, currency);
  if (price === null || price.cents <= 0 || (own !== null && own !== currency)) return null;
  const { listPrice, otherPrice } = listing;
  const isBefore =
    listPrice !== null && listPrice.currency === currency && listPrice.cents > price.cents;
  const isOther = otherPrice !== null && !isSameAmount(otherPrice, price);
  return {
    ...listing,
    price,
    priceReadFrom: isDoubtful ? 'doubtful_rule' : 'rule',
    listPrice: isBefore ? listPrice : null,
    otherPrice: isOther ? otherPrice : null,
  };
}

function currencyOf(said: Said): string | null {
  return said.field === 'price' ? said.money.currency : null;
}

/** The content of a text in a form that reveals no code of the page. */
function saysOf(said: Said): string {
  if (said.field === 'price') return `${said.money.cents} ${said.money.currency ?? ''}`;
  if (said.field === 'stock') return String(said.inStock);
  return shortDigestOf(said.gtin);
}
