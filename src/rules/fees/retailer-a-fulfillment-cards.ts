// Rate cards of retailer_a's fulfilment programme, outside the peak season: the one since 2026, and the previous one.

import { leftOut } from './card-rows.ts';
import type { SizeTier, SizeTierCard } from './rate-card.ts';
import {
  APPAREL_2026,
  DANGEROUS_GOODS_2026,
  STANDARD_2024,
  STANDARD_2026,
} from './retailer-a-fulfillment-tables.ts';

const GREATER = 'greater_of_unit_and_dimensional';
const ANY_SIZE = { maxSidesIn: null, maxLengthPlusGirthIn: null } as const;

const STANDARD_SIZES: readonly SizeTier[] = [
  {
    name: 'small_standard',
    maxPounds: 1,
    maxSidesIn: [15, 12, 0.75],
    maxLengthPlusGirthIn: null,
    billed: 'unit',
  },
  {
    name: 'large_standard',
    maxPounds: 20,
    maxSidesIn: [18, 14, 8],
    maxLengthPlusGirthIn: null,
    billed: GREATER,
  },
];

const SMALL_BULKY: SizeTier = {
  name: 'small_bulky',
  maxPounds: 50,
  maxSidesIn: [37, 28, 20],
  maxLengthPlusGirthIn: 130,
  billed: GREATER,
};

const LARGER_SIZES: readonly SizeTier[] = [
  {
    name: 'large_bulky',
    maxPounds: 50,
    maxSidesIn: [59, 33, 33],
    maxLengthPlusGirthIn: 130,
    billed: GREATER,
  },
  { name: 'extra_large_0_50', maxPounds: 50, ...ANY_SIZE, billed: GREATER },
  { name: 'extra_large_50_70', maxPounds: 70, ...ANY_SIZE, billed: GREATER },
  { name: 'extra_large_70_150', maxPounds: 150, ...ANY_SIZE, billed: GREATER },
  { name: 'extra_large_150_plus', maxPounds: null, ...ANY_SIZE, billed: 'unit' },
];

export const RETAILER_A_FULFILLMENT_2026: SizeTierCard = {
  id: 'retailer_a.fba.2026-01-15',
  retailer: 'retailer_a',
  kind: 'fulfillment',
  rule: 'size_tiers',
  effectiveFrom: '2026-01-15',
  effectiveTo: null,
  dateNote: null,
  source:
    "retailer_a's fulfilment rate card for sellers, according to four public copies that agree",
  confidence: 'sure',
  confidenceNote: 'The tables for clothing and dangerous goods are only likely.',
  sellerPlan: null,
  isDefault: true,
  notIncluded: [
    leftOut('fuel and logistics surcharge', '3.5% of the fulfilment fee.', {
      confidence: 'likely',
      from: '2026-04-17',
      basisPointsOfFee: 350,
    }),
    leftOut(
      'holiday peak',
      'A more expensive card applies in this season; its figures are not known.',
      {
        confidence: 'unsure',
        from: '2026-10-15',
        to: '2027-01-14',
      },
    ),
    leftOut('overmax handling', 'A surcharge on items of this size; its amount is not known.', {
      confidence: 'unsure',
      onlyOf: 'overmax',
    }),
    leftOut(
      'own packaging',
      'Items that ship in their own packaging cost less; the amounts are not known.',
      { confidence: 'likely' },
    ),
  ],
  sizeTiers: [...STANDARD_SIZES, SMALL_BULKY, ...LARGER_SIZES],
  tables: {
    standard: STANDARD_2026,
    apparel: APPAREL_2026,
    dangerous_goods: DANGEROUS_GOODS_2026,
  },
  lowPriceDiscount: null,
};

export const RETAILER_A_FULFILLMENT_2024: SizeTierCard = {
  id: 'retailer_a.fba.2024-04-15',
  retailer: 'retailer_a',
  kind: 'fulfillment',
  rule: 'size_tiers',
  effectiveFrom: '2024-04-15',
  effectiveTo: '2026-01-14',
  dateNote: 'Nothing changed for 2025.',
  source: "retailer_a's fulfilment rate card of 2024 for sellers",
  confidence: 'sure',
  confidenceNote: 'Only the standard table is known: clothing and dangerous goods are unknown.',
  sellerPlan: null,
  isDefault: true,
  notIncluded: [
    leftOut(
      'holiday peak',
      'A more expensive card applied in this season; only a few of its figures are known.',
      {
        confidence: 'likely',
        from: '2025-10-15',
        to: '2026-01-14',
      },
    ),
  ],
  sizeTiers: [...STANDARD_SIZES, ...LARGER_SIZES],
  tables: { standard: STANDARD_2024 },
  lowPriceDiscount: { belowCents: 1000, cents: 77 },
};
