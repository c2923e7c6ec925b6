// `fee_breakdown`: a record's fees and how they were computed; the schema and its presentation.

import { z } from 'zod';

import type { Assumption, Fees, LeftOut } from '../../../rules/fees/listing-fees.ts';
import type { RateCard, UnknownFee } from '../../../rules/fees/rate-card.ts';
import { dollars } from '../../../base/dollars.ts';
import { usdOf } from '../hundredths.ts';

export const ConfidenceWord = z.enum(['sure', 'likely', 'unsure']).meta({
  description:
    "How certain this is. `sure`: it is the marketplace's own text, or several copies that agree. " +
    '`likely`: it is one public copy. `unsure`: it is one weak source, or inferred.',
});

const MeasuredOf = z.enum(['package', 'unspecified', 'assembled']).nullable().meta({
  description: 'Which measurement was used. Any other than `package` may make the fee too low.',
});

const amount = (what: string) =>
  z
    .number()
    .multipleOf(0.01)
    .nullable()
    .meta({ description: `${what}, in US dollars.` });

const Card = z
  .strictObject({
    id: z.string().meta({
      description: 'The ID of the card in `GET /v1/rate-cards`.',
      example: 'retailer_w.referral.2025-03',
    }),
    effective_from: z.iso.date().meta({ description: 'The first day on which the card applies.' }),
    effective_to: z.iso.date().nullable().meta({
      description: 'The last day on which the card applies; `null` if it is still in force.',
    }),
    source: z.string().meta({ description: 'Where its figures come from.' }),
    confidence: ConfidenceWord,
    seller_plan: z.string().nullable().meta({
      description:
        'The kind of seller account to which the card applies; `null` if it applies to every kind.',
    }),
  })
  .nullable()
  .meta({ description: 'The rate card; `null` if there is none for the day.' });

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
  .meta({
    description: 'The reason why the fee is unknown and `null`. It is `null` if the fee is known.',
  });

export const FeeBreakdown = z
  .strictObject({
    fee_base_usd: amount(
      'The price from which the fees are computed, with shipping assumed to be 0',
    ),
    category: z
      .strictObject({
        key: z.string().meta({ description: 'The category of the rate card.' }),
        confidence: ConfidenceWord,
        derived_from: z
          .string()
          .meta({ description: 'The category of the listing from which it was derived.' }),
      })
      .nullable()
      .meta({
        description:
          'The category of the rate card; `null` if the listing states no category of the card.',
      }),
    referral: z
      .strictObject({
        fee_usd: amount('The fee'),
        unknown_because: unknownBecause,
        card: Card,
        charged_as: z.string().nullable().meta({
          description: 'The row of the card; a wider category if the card has no row for this one.',
        }),
        percentage_usd: amount('The part of the fee that is a percentage of the base'),
        minimum_applied: z
          .boolean()
          .nullable()
          .meta({ description: 'Whether the minimum fee of the card was charged.' }),
        per_order_usd: amount('The fixed fee per order'),
        closing_usd: amount('The closing fee of the category'),
      })
      .meta({ description: 'The fee that the marketplace charges on the sale.' }),
    fulfillment: z
      .strictObject({
        fee_usd: amount('The fee'),
        unknown_because: unknownBecause,
        card: Card,
        confidence: ConfidenceWord.nullable().meta({
          description:
            'The confidence in the table and size that were used; it may be lower than the confidence of the card.',
        }),
        table: z.enum(['standard', 'apparel', 'dangerous_goods']).nullable().meta({
          description: 'The table of the card that applies; `null` if the card has only one.',
        }),
        size_tier: z.string().nullable().meta({
          description: 'The size tier as the card names it; `null` if the fee is `null`.',
        }),
        billed_weight_lbs: z.number().nullable().meta({
          description:
            'The weight in pounds that the fee is based on, actual or by volume, rounded up.',
        }),
        weight_of: MeasuredOf,
        dimensions_of: MeasuredOf,
        adders: z
          .array(
            z.strictObject({
              name: z.string().meta({ description: 'What the surcharge is for.' }),
              usd: z.number().multipleOf(0.01).meta({ description: 'The amount in US dollars.' }),
            }),
          )
          .meta({ description: 'The surcharges that the fee includes.' }),
      })
      .meta({
        description:
          'The fee that the marketplace charges for storing, packing and shipping the item.',
      }),
    assumptions: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'The stable name of the assumption.' }),
          detail: z.string().meta({ description: 'The assumption as a sentence.' }),
        }),
      )
      .meta({ description: 'The assumptions that were made because no source states the facts.' }),
    not_included: z
      .array(
        z.strictObject({
          name: z.string().meta({ description: 'The name of the charge.' }),
          of: z
            .enum(['referral', 'fulfillment'])
            .meta({ description: 'The fee to which it would be added.' }),
          usd: amount('The amount (`null` if it is unknown, or not charged per item)'),
          detail: z.string().meta({ description: 'When it is charged.' }),
          confidence: ConfidenceWord,
        }),
      )
      .meta({
        description: 'The charges that may apply in addition and that neither fee includes.',
      }),
  })
  .meta({ id: 'FeeBreakdown' });

export type FeeBreakdown = z.infer<typeof FeeBreakdown>;

const ASSUMPTIONS: Readonly<Record<Assumption, string>> = {
  shipping_zero: 'Shipping that the buyer pays is assumed to be $0.',
  tax_zero: 'The percentage is charged on the sales tax too; the tax is assumed to be $0.',
  no_store_plan: 'The seller is assumed to have no store subscription.',
  not_hazardous:
    'The listing does not state whether it is dangerous goods; it is assumed not to be.',
  apparel_by_category: 'The product is assumed to be clothing because of its category.',
  weight_not_of_package: 'The weight of the package is unknown; the known weight was used.',
  dimensions_not_of_package: 'The size of the package is unknown; the known size was used.',
};

/** Null for a retailer without a marketplace. */
export function presentFeeBreakdown(fees: Fees | null): FeeBreakdown | null {
  if (fees === null) return null;
  const { category } = fees;
  return {
    fee_base_usd: usdOf(fees.baseCents),
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
    fee_usd: usdOf(known?.cents ?? null),
    unknown_because: fee.kind === 'unknown' ? fee.because : null,
    card: card(used),
    charged_as: known?.category.name ?? null,
    percentage_usd: usdOf(known?.percentageCents ?? null),
    minimum_applied: known?.isMinimum ?? null,
    per_order_usd: usdOf(known?.perOrderCents ?? null),
    closing_usd: usdOf(known?.closingCents ?? null),
  };
}

function fulfillment({ fulfillment: part }: Fees): FeeBreakdown['fulfillment'] {
  const { fee, weightOf, dimensionsOf } = part;
  const known = fee.kind === 'fee' ? fee : null;
  return {
    fee_usd: usdOf(known?.cents ?? null),
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
  return { name, of, usd: usdOf(cents), detail: note, confidence };
}
