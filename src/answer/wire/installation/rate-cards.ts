// The answer of GET /v1/rate-cards: the rate cards that fees are computed from (D14, D44); schema and presentation.

import { z } from 'zod';

import type { Day } from '../../../base/clock.ts';
import type { FeeCategory, NotIncluded, RateCard } from '../../../rules/fees/rate-card.ts';
import { isInForce } from '../../../rules/fees/rate-cards.ts';
import { dollars } from '../../../base/dollars.ts';
import { ConfidenceWord } from '../record/fees.ts';
import { tokenFields } from '../fields.ts';
import { usdOf } from '../hundredths.ts';

const CategoryRow = z.strictObject({
  key: z.string().meta({ description: 'The key of the category, as in `fee_breakdown.category`.' }),
  name: z.string().meta({ description: 'The name of the category on the card.' }),
  mode: z.enum(['flat', 'whole', 'marginal', 'whole_from']).meta({
    description:
      'How the rates apply. `flat`: there is one rate. `whole`: the tier that contains the fee base ' +
      'sets the rate for all of it. `marginal`: each slice of the base has the rate of its tier. ' +
      '`whole_from`: the last tier that starts at or below the base sets the rate for all of it.',
  }),
  tiers: z
    .array(
      z.strictObject({
        from_usd: z.number().nullable().meta({
          description: 'The start of the tier in US dollars. Present only with `whole_from`.',
        }),
        up_to_usd: z.number().nullable().meta({
          description: 'The end of the tier in US dollars, inclusive; `null` if it has no end.',
        }),
        rate_percent: z.number().meta({ description: 'The rate in percent of the fee base.' }),
      }),
    )
    .meta({ description: 'The rates by fee base, lowest first.' }),
  minimum_usd: z
    .number()
    .meta({ description: 'The minimum referral fee in US dollars; 0 if there is none.' }),
  closing_fee_usd: z.number().meta({
    description:
      'The fee charged in addition to the percentage, in US dollars; 0 if there is none.',
  }),
});

export const RateCardList = z
  .strictObject({
    currency: z.literal('USD').meta({ description: 'The currency of every amount.' }),
    rate_cards: z
      .array(
        z.strictObject({
          id: z.string().meta({
            description: 'The ID of the card.',
            example: 'retailer_w.referral.2025-03',
          }),
          retailer: z.string().meta({ description: 'The slug of the marketplace.' }),
          kind: z
            .enum(['referral', 'fulfillment'])
            .meta({ description: 'The fee that the card states.' }),
          effective_from: z.iso
            .date()
            .meta({ description: 'The first day on which the card applies.' }),
          effective_to: z.iso.date().nullable().meta({
            description: 'The last day on which the card applies; `null` if it is still in force.',
          }),
          date_note: z
            .string()
            .nullable()
            .meta({ description: 'A remark on the dates; `null` if there is none.' }),
          in_force: z.boolean().meta({ description: 'Whether the card applies today (UTC).' }),
          seller_plan: z.string().nullable().meta({
            description:
              'The kind of seller account to which the card applies; `null` if it applies to every kind.',
          }),
          used_for_records: z.boolean().meta({
            description:
              'Whether records use the card. `false`: it is listed for sellers with another plan.',
          }),
          source: z.string().meta({ description: 'Where its figures come from.' }),
          confidence: ConfidenceWord,
          confidence_note: z.string().nullable().meta({
            description:
              'A note on figures of the card that are less certain; `null` if there are none.',
          }),
          not_included: z
            .array(
              z.strictObject({
                name: z.string().meta({ description: 'The name of the charge.' }),
                detail: z.string().meta({ description: 'When it is charged.' }),
                confidence: ConfidenceWord,
                from: z.iso
                  .date()
                  .nullable()
                  .meta({ description: 'The first day of the charge; `null` if it has no start.' }),
                to: z.iso
                  .date()
                  .nullable()
                  .meta({ description: 'The last day of the charge; `null` if it has no end.' }),
              }),
            )
            .meta({ description: 'The charges that the fees of records do not include.' }),
          categories: z
            .array(CategoryRow)
            .nullable()
            .meta({ description: 'The rows of a referral card; `null` for a fulfilment card.' }),
        }),
      )
      .meta({ description: 'All rate cards, including those that are not in force.' }),
    ...tokenFields,
  })
  .meta({ id: 'RateCardList' });

type Body = Omit<z.infer<typeof RateCardList>, keyof typeof tokenFields>;
type CardBody = Body['rate_cards'][number];

/** Returns the body without its token fields; `today` is the UTC day. */
export function presentRateCards(cards: readonly RateCard[], today: Day): Body {
  return { currency: 'USD', rate_cards: cards.map((card) => cardBody(card, today)) };
}

function cardBody(card: RateCard, today: Day): CardBody {
  return {
    id: card.id,
    retailer: card.retailer,
    kind: card.kind,
    effective_from: card.effectiveFrom,
    effective_to: card.effectiveTo,
    date_note: card.dateNote,
    in_force: isInForce(card, today),
    seller_plan: card.sellerPlan,
    used_for_records: card.isDefault,
    source: card.source,
    confidence: card.confidence,
    confidence_note: card.confidenceNote,
    not_included: card.notIncluded.map(charge),
    categories:
      card.kind === 'referral'
        ? card.categories.map((category) => categoryRow(category, card.minimumCents))
        : null,
  };
}

function charge({
  name,
  note,
  confidence,
  from,
  to,
}: NotIncluded): CardBody['not_included'][number] {
  return { name, detail: note, confidence, from, to };
}

const percent = (basisPoints: number): number => dollars(basisPoints);

function categoryRow(
  category: FeeCategory,
  cardMinimumCents: number,
): NonNullable<CardBody['categories']>[number] {
  const tiers =
    category.mode === 'whole_from'
      ? category.tiers.map(({ fromCents, basisPoints }) => ({
          from_usd: dollars(fromCents),
          up_to_usd: null,
          rate_percent: percent(basisPoints),
        }))
      : category.tiers.map(({ upToCents, basisPoints }) => ({
          from_usd: null,
          up_to_usd: usdOf(upToCents),
          rate_percent: percent(basisPoints),
        }));
  return {
    key: category.key,
    name: category.name,
    mode: category.mode,
    tiers,
    minimum_usd: dollars(category.minimumCents ?? cardMinimumCents),
    closing_fee_usd: dollars(category.closingCents),
  };
}
