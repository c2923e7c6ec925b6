// The order in which several offers of one product count. Cheaper ones come first, but an offer that is not for everyone or not
// for new goods does not count before one that is, however cheap it is.

import { amountOf } from '../../../base/listing/money/minor-units.ts';
import { oneOf } from '../../../base/listing/words/all-languages.ts';
import { inVariantOrder } from '../variants/chosen-variant.ts';
import type { StatedPrice } from '../facts.ts';
import { isNode, listOf, valueOf } from './node.ts';
import type { SchemaNode } from './node.ts';
import { firstOf, specsIn, textIn } from './schema-values.ts';

/** The facts of an offer that decide its place in the order. */
type OrderedOffer = {
  readonly node: SchemaNode;
  readonly price: StatedPrice | null;
  readonly inStock: boolean | null;
  readonly condition: string | null;
  readonly isAggregate: boolean;
  readonly sku: string | null;
  readonly name: string | null;
  readonly gtin: string | null;
  readonly url: URL | null;
  readonly sellerName: string | null;
};

type OrderedPart = { readonly node: SchemaNode; readonly offers: readonly OrderedOffer[] };

/** A plan is a price for those who buy again and again. */
const PLAN = new RegExp(
  `${oneOf('subscription')}|\\b(?:subscri|autoship|auto-ship|repeat delivery|selling ?plan|plan$)`,
  'i',
);
/** Properties of an offer that is only for some buyers. */
const LIMITS = ['eligibleCustomerType', 'eligibleDuration'];

const isNet = (node: SchemaNode): boolean =>
  [node, ...listOf(node, 'priceSpecification').slice(0, 20).filter(isNode)]
    .map((each) => firstOf(each, 'valueAddedTaxIncluded'))
    .some((taxed) => taxed === false || (typeof taxed === 'string' && /^false$/i.test(taxed)));

function isPlan(node: SchemaNode): boolean {
  const specs = specsIn(node).slice(0, 20);
  return [
    textIn(node, 'name', 200) ?? '',
    ...specs.flatMap(({ name, value }) => [name, value]),
  ].some((text) => PLAN.test(text));
}

/** Counts the reasons against an offer as the price for everyone. */
function setbacks({ node, condition, isAggregate }: OrderedOffer): number {
  const reasons = [
    condition !== null && condition !== 'new',
    isAggregate,
    isNet(node),
    isPlan(node),
    LIMITS.some((name) => valueOf(node, name) !== undefined),
  ];
  return reasons.filter(Boolean).length;
}

/**
 * Returns the offers in the order in which they count, regardless of their order on the page; first those chosen `again`.
 */
export function inOfferOrder<T extends OrderedOffer>(
  offers: readonly T[],
  again: readonly OrderedOffer[] = [],
): readonly T[] {
  if (offers.length < 2) return offers;
  return inVariantOrder(offers, (offer) => ({
    isChosen: again.includes(offer),
    setbacks: setbacks(offer),
    inStock: offer.inStock,
    amount: offer.price === null ? null : amountOf(offer.price.money),
    currency: offer.price?.money.currency ?? null,
    texts: [
      offer.sku,
      offer.name,
      offer.gtin,
      offer.url?.href ?? null,
      offer.sellerName,
      offer.condition,
    ],
  }));
}

/** Returns products or variants in the order of the offers that count first in each. */
export function inPartOrder<T extends OrderedPart>(
  parts: readonly T[],
  again: readonly OrderedOffer[] = [],
): readonly T[] {
  if (parts.length < 2) return parts;
  const named = inVariantOrder(parts, ({ node }) => ({
    inStock: null,
    amount: null,
    texts: ['sku', 'name', 'description'].map((name) => textIn(node, name)),
  }));
  const all = inOfferOrder(
    named.flatMap(({ offers }) => offers),
    again,
  );
  const places = new Map(all.map((offer, place) => [offer, place]));
  const placeOf = ({ offers }: OrderedPart): number =>
    Math.min(all.length, ...offers.map((offer) => places.get(offer) ?? 0));
  return named.toSorted((one, other) => placeOf(one) - placeOf(other));
}
