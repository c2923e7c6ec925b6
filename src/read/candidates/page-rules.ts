// Rules (D85): what a person chose among the candidates of a page, found again on other pages of the shop. Pure.

import { inCurrency, isSameAmount } from '../../base/listing/money/minor-units.ts';
import type { Listing } from '../../base/listing/listing.ts';
import { choosePlace, isOnWay, textAtPlace, type ChosenPlace, type Place } from './place.ts';
import { shortDigestOf, type Said } from './placed-texts.ts';

/** A text of a page as a rule keeps it: its place, and what it says without a word of the page. */
export type KeptText = { readonly says: string; readonly place: Place };

/** What was chosen. `currency` is that of an amount, null if its page names none. */
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

/** What a rule found on a page; null if fewer than two of its three ways meet, or something else stands there. */
export type RuleFinding = {
  readonly ruleId: string;
  readonly found: { readonly said: Said; readonly isDoubtful: boolean } | null;
};

/** Texts before and after the chosen one that a rule keeps; further away only those to which one of its ways leads. */
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

/** Finds what a rule means among the texts of a page. An amount must be in the currency of the one that was chosen. */
export function textByRule<T extends PlacedSaid>(
  { field, choice }: Pick<PageRule, 'field' | 'choice'>,
  texts: readonly T[],
): { readonly text: T; readonly isDoubtful: boolean } | null {
  const same = texts.filter(({ said }) => said.field === field);
  const found = textAtPlace(choice.place, same, (a, b) => saysOf(a.said) === saysOf(b.said));
  if (found === null || currencyOf(found.text.said) !== choice.currency) return null;
  return { text: found.text, isDoubtful: found.agreement === 'two' };
}

/** Whether a rule still finds its own choice among the texts that it keeps. */
export function holdsOn(
  { choice }: Pick<PageRule, 'choice'>,
  snapshot: readonly KeptText[],
): boolean {
  const found = textAtPlace(choice.place, snapshot, (a, b) => a.says === b.says);
  return found !== null && found.text.says === choice.says;
}

/**
 * Returns the listing with what a rule found; null if that may not count: nothing free is for sale, and an amount in another
 * currency than the page's own data name is no price.
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

/** What a text says, in a form that tells nobody a code of the page. */
function saysOf(said: Said): string {
  if (said.field === 'price') return `${said.money.cents} ${said.money.currency ?? ''}`;
  if (said.field === 'stock') return String(said.inStock);
  return shortDigestOf(said.gtin);
}
