// The fees of a record with everything that led to them (`fee_breakdown`): schema, and domain to wire.

import { z } from '@hono/zod-openapi';

import type { Assumption, Fees, LeftOut } from '../fees/listing-fees.ts';
import type { RateCard, UnknownFee } from '../fees/rate-card.ts';
import { dollars } from '../listing/money.ts';

export const ConfidenceWord = z.enum(['sure', 'likely', 'unsure']).meta({
  description:
    "Sure: the marketplace's own text, or copies that agree. Unsure: one weak source, or inferred.",
});

const MeasuredOf = z
  .enum(['package', 'unspecified', 'assembled'])
  .nullable()
  .meta({ description: 'Whose measure was used. Any but `package` may understate the fee.' });

const amount = (what: string) =>
  z
    .number()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, USD.` });

const Card = z
  .strictObject({
    id: z.string().meta({
      description: 'Name of the card, as `GET /v1/rate-cards` lists it.',
      example: 'retailer_w.referral.2025-03',
    }),
    effective_from: z.iso.date().meta({ description: 'First day.' }),
    effective_to: z.iso.date().nullable().meta({ description: 'Last day; null: still in force.' }),
    source: z.string().meta({ description: 'Where its figures come from.' }),
    confidence: ConfidenceWord,
    seller_plan: z
      .string()
      .nullable()
      .meta({ description: "The kind of seller's account it holds for; null: for all." }),
  })
  .nullable()
  .meta({ description: 'The rate card. Null: none is held for the day.' });

const unknownBecause = z
  .enum([
    'no_price',
    'no_card_on_this_day',
    'no_category',
    'category_not_on_card',
    'no_weight',
    'no_dimensions',
    'kind_of_goods_unknown',
    'table_not_held',
    'size_not_covered',
    'not_accepted',
    'no_fulfillment_program',
  ] satisfies UnknownFee['because'][])
  .nullable()
  .meta({ description: 'Why the fee is null. Null where it is known.' });

export const FeeBreakdown = z
  .strictObject({
    fee_base_usd: amount('What the fees are computed at; shipping is 0'),
    category: z
      .strictObject({
        key: z.string().meta({ description: "Category of the retailer's rate card." }),
        confidence: ConfidenceWord,
        derived_from: z.string().meta({ description: "The listing's category that decided." }),
      })
      .nullable()
      .meta({ description: 'Null when none of the card can be told from the listing.' }),
    referral: z
      .strictObject({
        fee_usd: amount('The fee'),
        unknown_because: unknownBecause,
        card: Card,
        charged_as: z
          .string()
          .nullable()
          .meta({ description: 'Row of the card; a wider one where it has none of the category.' }),
        percentage_usd: amount('The part that is a share of the base'),
        minimum_applied: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the least fee of the card stands in for less.' }),
        per_order_usd: amount('Fixed part of an order'),
        closing_usd: amount('Closing fee of the category'),
      })
      .meta({ description: 'What the marketplace takes of the price.' }),
    fulfillment: z
      .strictObject({
        fee_usd: amount('The fee'),
        unknown_because: unknownBecause,
        card: Card,
        confidence: ConfidenceWord.nullable().meta({
          description: 'Of the table and size that were used, which may be less than the card.',
        }),
        table: z
          .enum(['standard', 'apparel', 'dangerous_goods'])
          .nullable()
          .meta({ description: 'Table of the card that applies; null where it has but one.' }),
        size_tier: z
          .string()
          .nullable()
          .meta({ description: 'Size as the card names it; null where the fee is.' }),
        billed_weight_lbs: z
          .number()
          .nullable()
          .meta({ description: 'Pounds that are charged: by weight or volume, rounded up.' }),
        weight_of: MeasuredOf,
        dimensions_of: MeasuredOf,
        adders: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'What it is for.' }),
              usd: z.number().multipleOf(0.01).meta({ description: 'USD.' }),
            }),
          )
          .meta({ description: 'Contained in the fee.' }),
      })
      .meta({ description: 'What the marketplace takes for storing, packing and sending.' }),
    assumptions: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'Stable name.' }),
          detail: z.string().meta({ description: 'The same in words.' }),
        }),
      )
      .meta({ description: 'What was taken for granted because nothing tells.' }),
    not_included: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'Name of the charge.' }),
          of: z
            .enum(['referral', 'fulfillment'])
            .meta({ description: 'The fee that it would come on top of.' }),
          usd: amount('What it would be; null when not known, or not of one item'),
          detail: z.string().meta({ description: 'When it is charged.' }),
          confidence: ConfidenceWord,
        }),
      )
      .meta({ description: 'Charges that may come on top, and are in neither fee.' }),
  })
  .openapi('FeeBreakdown');

export type FeeBreakdown = z.infer<typeof FeeBreakdown>;

const ASSUMPTIONS: Readonly<Record<Assumption, string>> = {
  shipping_zero: 'Shipping that the buyer pays is taken as 0.',
  tax_zero: 'The percentage is charged on the sales tax too; the tax is taken as 0.',
  no_store_plan: 'The seller is taken to have no store subscription.',
  not_hazardous: 'The listing does not say whether it is dangerous goods: taken as not.',
  apparel_by_category: 'Taken as clothing, because of its category.',
  weight_not_of_package: 'No weight of the parcel is known: the weight that is known was used.',
  dimensions_not_of_package: 'No size of the parcel is known: the size that is known was used.',
};

const usd = (cents: number | null): number | null => (cents === null ? null : dollars(cents));

/** Null for a retailer without a marketplace. */
export function presentFeeBreakdown(fees: Fees | null): FeeBreakdown | null {
  if (fees === null) return null;
  const { category } = fees;
  return {
    fee_base_usd: usd(fees.baseCents),
    category:
      category === null
        ? null
        : {
            key: category.key,
            confidence: category.confidence,
            derived_from: category.matched,
          },
    referral: referral(fees),
    fulfillment: fulfillment(fees),
    assumptions: fees.assumptions.map((name) => ({ name, detail: ASSUMPTIONS[name] })),
    not_included: fees.notIncluded.map(leftOut),
  };
}

function card(value: RateCard | null): FeeBreakdown['referral']['card'] {
  if (value === null) return null;
  return {
    id: value.id,
    effective_from: value.effectiveFrom,
    effective_to: value.effectiveTo,
    source: value.source,
    confidence: value.confidence,
    seller_plan: value.sellerPlan,
  };
}

function referral({ referral: { card: used, fee } }: Fees): FeeBreakdown['referral'] {
  const known = fee.kind === 'fee' ? fee : null;
  return {
    fee_usd: usd(known?.cents ?? null),
    unknown_because: fee.kind === 'unknown' ? fee.because : null,
    card: card(used),
    charged_as: known?.category.name ?? null,
    percentage_usd: usd(known?.percentageCents ?? null),
    minimum_applied: known?.isMinimum ?? null,
    per_order_usd: usd(known?.perOrderCents ?? null),
    closing_usd: usd(known?.closingCents ?? null),
  };
}

function fulfillment({ fulfillment: part }: Fees): FeeBreakdown['fulfillment'] {
  const { fee, weightOf, dimensionsOf } = part;
  const known = fee.kind === 'fee' ? fee : null;
  return {
    fee_usd: usd(known?.cents ?? null),
    unknown_because: fee.kind === 'unknown' ? fee.because : null,
    card: card(part.card),
    confidence: known?.confidence ?? null,
    table: known?.table ?? null,
    size_tier: known?.sizeTier ?? null,
    billed_weight_lbs: known?.billedWeightLbs ?? null,
    weight_of: weightOf,
    dimensions_of: dimensionsOf,
    adders: (known?.adders ?? []).map(({ name, cents }) => ({ name, usd: dollars(cents) })),
  };
}

function leftOut({ charge, of, cents }: LeftOut): FeeBreakdown['not_included'][number] {
  const { name, note, confidence } = charge;
  return { name, of, usd: usd(cents), detail: note, confidence };
}
