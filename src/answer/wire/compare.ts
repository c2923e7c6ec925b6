// GET /v1/products/{id}/compare on the wire: its parameters and its answer (D69, D74, D77).

import { z } from 'zod';

import { isoTimestamp } from '../../base/clock.ts';
import { CELL_STATUSES } from '../../rules/product/cell.ts';
import {
  comparedOffers,
  type ComparedOffer,
  type Comparison,
} from '../../rules/product/comparison.ts';
import { COSTS_PER } from '../../rules/product/cost-factor.ts';
import type { SellerCosts } from '../../rules/product/profit.ts';
import { WARNINGS } from '../../rules/product/warnings.ts';
import { NativePriceBody, saidCurrency } from './currency.ts';
import {
  AMOUNT_RULE,
  amountIn,
  amountOrNull,
  currencyField,
  fineAmountOf,
  hundredthsOf,
  minorUnitsOf,
  MOST,
  presentMoney,
  usdOf,
} from './hundredths.ts';
import { amount, count, flag, instant, text, tokenFields } from './fields.ts';
import { ProductQuery } from './query.ts';
import { presentSignals } from './signals.ts';
import { SignalsBody } from './signals-body.ts';
import { presentLimits } from './withheld.ts';
import { termsFields } from './withheld-body.ts';

/** An amount as exact hundredths, so that sums have no binary rounding errors. */
function hundredthsIn(description: string, example: number) {
  return z
    .string()
    .transform((written, context) => {
      const hundredths = hundredthsOf(written);
      if (hundredths !== null) return hundredths;
      context.addIssue({ code: 'custom', params: { allowed: [AMOUNT_RULE] } });
      return z.NEVER;
    })
    .optional()
    .meta({ type: 'number', minimum: 0, maximum: MOST, description, example });
}

/** Parameters of the comparison. */
export const CompareQuery = z.strictObject({
  format: ProductQuery.shape.format,
  currency: ProductQuery.shape.currency.meta({
    description:
      'The currency of prices and costs, as in a lookup. Fees, and therefore profit, are known in ' +
      '`USD` only, because every rate card is in US dollars.',
  }),
  cost: hundredthsIn(
    'What you pay for one unit, in the currency of the response. A unit is the product that ' +
      'the identifier names, so a whole set if it names a set (see `cost_per`). Without it, ' +
      'profit, margin, return and break-even price are `null`.',
    12.5,
  ),
  shipping: hundredthsIn('The cost of shipping one unit yourself. The default is 0.', 1.2),
  prep: hundredthsIn('What you pay to prepare one unit. The default is 0.', 0.5),
  cost_per: z
    .enum(COSTS_PER)
    .optional()
    .meta({
      default: 'code',
      description:
        'The unit of `cost`, `shipping` and `prep`. `code`: one unit of the product that the ' +
        'identifier names, as it is bought. `piece`: one piece of it, so that the amounts ' +
        'count six times for a set of six.',
    }),
  roi: hundredthsIn(
    'The desired return as a percentage of your costs. It is required to compute `highest_cost`.',
    30,
  ),
});
export type CompareQuery = z.infer<typeof CompareQuery>;

/** Returns a seller's costs from these parameters, in hundredths. */
export function sellerCostsOf(query: CompareQuery): SellerCosts {
  return {
    costCents: query.cost ?? null,
    shippingCents: query.shipping ?? 0,
    prepCents: query.prep ?? 0,
    costPer: query.cost_per ?? 'code',
    roiBasisPoints: query.roi ?? null,
  };
}

const signed = (what: string) =>
  z
    .number()
    .nullable()
    .meta({ description: `${what} \`null\` if unknown.` });

const card = (what: string) =>
  text(`The ID of the ${what} rate card in \`GET /v1/rate-cards\`; \`null\` if none applies.`);

const FeesBody = z
  .strictObject({
    referral: amount('The fee that the marketplace charges on the sale.'),
    fulfillment: amount('The fee for storing, packing and shipping the item.'),
    total: amount('The sum of both fees; `null` if one of them is unknown.'),
    date: z.iso.date().meta({ description: 'The day (UTC) whose rate cards were used.' }),
    referral_card: card('referral'),
    fulfillment_card: card('fulfilment'),
  })
  .nullable()
  .meta({
    description:
      'The fees of the marketplace at this price; `null` if the retailer has no marketplace, or if ' +
      'there is no rate card in the currency.',
  });

const RowBody = z
  .strictObject({
    retailer: z.string().meta({ description: 'Slug.' }),
    status: z
      .enum(CELL_STATUSES)
      .meta({ description: "The status of the retailer's data, as in `cross_retailer`." }),
    url: text('The URL of the product page; `null` if there is no listing.'),
    price: amount(
      'The price; `null` if it is unknown, in another currency, or the product is out of stock.',
    ),
    native_price: NativePriceBody.meta({
      description:
        'The price that the page states. Present only if `currency` is set and the price is in another ' +
        'currency.',
    }),
    in_stock: flag('Whether the product can be bought now.'),
    pack_count: count(
      'The number of pieces in the pack, as the listing states it; `null` if not stated, in which case ' +
        'the pack of the product is assumed.',
    ),
    unit_price: amount('The price of one piece, with two more decimals than other prices.'),
    identity: z.enum(['confirmed', 'unconfirmed', 'mismatch']).meta({
      description: 'How the listing is tied to the barcode, as in `cross_retailer`.',
    }),
    refreshed_at: instant('When these facts were fetched.'),
    fees: FeesBody,
    cost_factor: z
      .number()
      .positive()
      .optional()
      .meta({
        description:
          'The number of units of `cost` in one sale of this listing: its pack size divided by the pack size ' +
          'of the product, not rounded; with `cost_per=piece`, its pack size. Omitted if it is 1.',
      }),
    outlay: amount(
      'The sum of cost, preparation and shipping, times `cost_factor`, rounded once to cents (halves ' +
        'up).',
    ),
    profit: signed('The price minus fees and outlay; negative for a loss.'),
    unit_profit: signed(
      'The profit per piece, with two more decimals than prices; compare rows by this value.',
    ),
    margin: signed('The profit in percent of the price.'),
    roi: signed('The profit in percent of the outlay.'),
    break_even_price: amount('The lowest price of this listing that covers fees and outlay.'),
    highest_cost: amount(
      'The highest `cost` at which `roi` is reached; `null` if no cost is low enough, or if `roi` was ' +
        'not sent.',
    ),
    warnings: z.array(z.enum(WARNINGS)).meta({
      description:
        'Why the row should be read with care. `no_fees`: the retailer has no marketplace, or ' +
        'its fees are unknown. `other_pack`: the pack size is not the size of the product, or `cost_factor` is not 1; ' +
        'compare by the piece. `disputed`: other listings contradict the listing. `unconfirmed`: its ' +
        'identity is not confirmed. `out_of_stock`: the product cannot be bought now. `stale`: the ' +
        'listing was fetched more than a day ago. `suspect_price`: nothing supports the price. ' +
        '`foreign_currency`: the price is in another currency than the response. `hazmat`: the product ' +
        'is dangerous goods. `restricted`: published limits rule out fulfilment by the marketplace.',
    }),
    ...termsFields,
  })
  .meta({ id: 'ComparisonRow' });

export const ComparisonBody = z
  .strictObject({
    currency: saidCurrency,
    gtin: text('The GTIN-14 of the product.'),
    title: text('The title of the product.'),
    price_source: z
      .string()
      .meta({ description: 'The retailer that supplies the price and stock of the product.' }),
    pack_count: count(
      'The number of pieces in one unit of the product that the identifier names, as in the ' +
        'record; `null` counts as one.',
    ),
    cost: amount('The `cost` of the request; `null` if it was not sent.'),
    shipping: z
      .number()
      .nonnegative()
      .meta({ description: 'The `shipping` of the request; 0 if it was not sent.' }),
    prep: z
      .number()
      .nonnegative()
      .meta({ description: 'The `prep` of the request; 0 if it was not sent.' }),
    cost_per: z
      .enum(COSTS_PER)
      .optional()
      .meta({ description: 'The `cost_per` of the request. Omitted if it is `code`.' }),
    roi: amount('The `roi` of the request, in percent; `null` if it was not sent.'),
    rows: z.array(RowBody).meta({
      description:
        'One row for each retailer: first the seven known retailers in a fixed order, then other shops.',
    }),
    apart: z
      .array(RowBody)
      .optional()
      .meta({
        description:
          'Rows that must not be compared with the others, because of the terms of their source. Present ' +
          'only if there are any.',
      }),
    signals: SignalsBody.optional(),
    ...tokenFields,
  })
  .meta({ id: 'Comparison' });

export type ComparisonBody = z.infer<typeof ComparisonBody>;
export type ComparisonFacts = Omit<ComparisonBody, 'tokens_consumed' | 'tokens_remaining'>;

/** The fields of a row that terms withhold. */
const WITHHELD = { sale: ['price', 'in_stock'], facts: ['pack_count'] };

const fine = (cents: number | null, currency: string): number | null =>
  cents === null ? null : fineAmountOf(cents, currency);

/**
 * Presents the comparison with what a seller with these costs would earn; without its token fields. Costs are in hundredths of
 * the comparison's currency, which may become known with its anchor. `isCurrencyAsked`: the call requested a currency.
 */
export function presentComparison(
  comparison: Comparison,
  written: SellerCosts,
  isCurrencyAsked = false,
): ComparisonFacts {
  const { gtin, title, anchor, packCount, day, currency } = comparison;
  const costs = costsIn(written, currency);
  const said = currencyField(currency, isCurrencyAsked);
  const shown = { day, currency, hasNative: 'currency' in said };
  return {
    ...said,
    gtin,
    title,
    price_source: anchor,
    pack_count: packCount,
    cost: amountOrNull(costs.costCents, currency),
    shipping: amountIn(costs.shippingCents, currency),
    prep: amountIn(costs.prepCents, currency),
    ...(costs.costPer === 'code' ? {} : { cost_per: costs.costPer }),
    roi: costs.roiBasisPoints === null ? null : costs.roiBasisPoints / 100,
    rows: comparedOffers(comparison, comparison.listings, costs).map((each) => row(each, shown)),
    ...apart(comparison, costs, shown),
    ...presentSignals(comparison.signals),
  };
}

/** Rows on their own, without the fields that would compare them with the caller's own price (D81). */
function apart(
  comparison: Comparison,
  costs: SellerCosts,
  shown: Shown,
): Pick<ComparisonFacts, 'apart'> {
  if (comparison.apart.length === 0) return {};
  const offers = comparedOffers(comparison, comparison.apart, costs);
  const alone = { break_even_price: null, highest_cost: null };
  return { apart: offers.map((each) => ({ ...row(each, shown), ...alone })) };
}

/** Converts costs from hundredths to minor units. */
function costsIn(costs: SellerCosts, currency: string): SellerCosts {
  const { costCents, shippingCents, prepCents } = costs;
  return {
    ...costs,
    costCents: costCents === null ? null : minorUnitsOf(costCents, currency),
    shippingCents: minorUnitsOf(shippingCents, currency),
    prepCents: minorUnitsOf(prepCents, currency),
  };
}

type Shown = Pick<Comparison, 'day' | 'currency'> & {
  /** Whether rows have prices in other currencies. */
  readonly hasNative: boolean;
};

function row(
  offer: ComparedOffer,
  { day, currency, hasNative }: Shown,
): ComparisonFacts['rows'][number] {
  const amount = (cents: number | null) => amountOrNull(cents, currency);
  return {
    retailer: offer.retailer,
    status: offer.status,
    url: offer.url,
    price: amount(offer.priceCents),
    ...(hasNative && offer.native !== null ? { native_price: presentMoney(offer.native) } : {}),
    in_stock: offer.inStock,
    pack_count: offer.packCount,
    unit_price: fine(offer.unitPriceCents, currency),
    identity: offer.identity,
    refreshed_at: offer.refreshedAtMs === null ? null : isoTimestamp(offer.refreshedAtMs),
    fees: feesBody(offer, day),
    ...(offer.costFactor === null || offer.costFactor === 1
      ? {}
      : { cost_factor: offer.costFactor }),
    outlay: amount(offer.outlayCents),
    profit: amount(offer.profitCents),
    unit_profit: fine(offer.unitProfitCents, currency),
    margin: offer.marginPercent,
    roi: offer.roiPercent,
    break_even_price: amount(offer.breakEvenCents),
    highest_cost: amount(offer.highestCostCents),
    warnings: [...offer.warnings],
    ...presentLimits(offer.stored?.limits, WITHHELD),
  };
}

function feesBody({ fees, feesCents }: ComparedOffer, day: string) {
  if (fees === null) return null;
  return {
    referral: usdOf(fees.referralCents),
    fulfillment: usdOf(fees.fulfillmentCents),
    total: usdOf(feesCents),
    date: day,
    referral_card: fees.referral.card?.id ?? null,
    fulfillment_card: fees.fulfillment.card?.id ?? null,
  };
}
