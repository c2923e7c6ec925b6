// Test vectors of rate cards from the reference file: parsed, computed by the service's own fee functions, and compared to
// the cent.

import { fulfillmentFee } from '../../src/rules/fees/fulfillment-fee.ts';
import type { FulfillmentFee, ParcelInput } from '../../src/rules/fees/parcel.ts';
import type { RateCard, UnknownFee } from '../../src/rules/fees/rate-card.ts';
import {
  cardInForce,
  FULFILLMENT_CARDS,
  isInForce,
  RATE_CARDS,
  REFERRAL_CARDS,
} from '../../src/rules/fees/rate-cards.ts';
import { referralFee, type ReferralFee } from '../../src/rules/fees/referral-fee.ts';

type Fields = Readonly<Record<string, unknown>>;

export type Vector = {
  /** Counted from 1. */
  readonly number: number;
  readonly fields: Fields;
  readonly input: Fields;
};

type Outcome = { readonly vector: Vector; readonly misses: readonly string[] };

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses the vectors of the reference file. Throws if it has none or one cannot be understood. */
export function vectorsOf(text: string): readonly Vector[] {
  const file: unknown = JSON.parse(text);
  const rows = isFields(file) ? file['vectors'] : file;
  if (!Array.isArray(rows) || rows.length === 0) throw new Error('the file has no "vectors"');
  return rows.map((fields: unknown, at) => {
    const input = isFields(fields) ? fields['input'] : undefined;
    if (!isFields(fields) || !isFields(input)) throw new Error(`vector ${at + 1}: no "input"`);
    if (!('expected_usd' in fields)) throw new Error(`vector ${at + 1}: no "expected_usd"`);
    return { number: at + 1, fields, input };
  });
}

const numberOf = (value: unknown): number | null => (typeof value === 'number' ? value : null);
const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

function centsOf(usd: unknown): number | null {
  return typeof usd === 'number' ? Math.round(usd * 100) : null;
}

/** Absent means "no"; null means unknown. */
function flagOf(value: unknown): boolean | null {
  return value === undefined ? false : typeof value === 'boolean' ? value : null;
}

/** Returns the card that a vector names, or the one in force on its day; null if there is none. */
function cardOf({ fields, input }: Vector): RateCard | null {
  const day = textOf(fields['day'] ?? fields['date'] ?? input['day'] ?? input['date']);
  const id = textOf(fields['card']);
  if (id !== null) {
    const card = RATE_CARDS.find((each) => each.id === id) ?? null;
    return card !== null && day !== null && !isInForce(card, day) ? null : card;
  }
  const retailer = textOf(fields['retailer'] ?? input['retailer']);
  const kind = fields['kind'] ?? input['kind'];
  if (retailer === null || day === null) return null;
  return kind === 'referral'
    ? cardInForce(REFERRAL_CARDS, retailer, day)
    : cardInForce(FULFILLMENT_CARDS, retailer, day);
}

const TABLES = ['standard', 'apparel', 'dangerous_goods'];

/** Reads the parcel: either a table of the card is given, or the kind of goods. */
function parcelOf(input: Fields): ParcelInput {
  const sides = input['sides_in'];
  const table = input['table'];
  const isKnown = table === undefined || (typeof table === 'string' && TABLES.includes(table));
  return {
    sidesIn: Array.isArray(sides) ? sides.map(numberOf) : [null, null, null],
    weightLbs: numberOf(input['unit_weight_lb']),
    priceCents: centsOf(input['price_usd'] ?? input['retail_price_usd']),
    isApparel: isKnown ? table === 'apparel' || flagOf(input['apparel']) : null,
    isHazmat: isKnown ? table === 'dangerous_goods' || flagOf(input['hazmat']) : null,
  };
}

function feeOf(vector: Vector): ReferralFee | FulfillmentFee | UnknownFee {
  const card = cardOf(vector);
  if (card === null) return { kind: 'unknown', because: 'no_card_on_this_day' };
  if (card.kind === 'fulfillment') return fulfillmentFee(card, parcelOf(vector.input));
  const { category, fee_base_usd: base } = vector.input;
  return referralFee(card, textOf(category), centsOf(base));
}

function difference(name: string, expected: unknown, got: unknown): readonly string[] {
  return expected === got
    ? []
    : [`${name} is ${JSON.stringify(got)}, not ${JSON.stringify(expected)}`];
}

/** Compares the result of the service's functions with the vector's expected values. */
export function judge(vector: Vector): Outcome {
  const fee = feeOf(vector);
  const { expected_usd: usd, tier, shipping_weight_lb, billing_weight_lb } = vector.fields;
  const cents = fee.kind === 'fee' ? fee.cents : null;
  const because = fee.kind === 'unknown' ? ` (${fee.because})` : '';
  const misses = difference('fee in cents', centsOf(usd), cents).map((miss) => miss + because);
  if (fee.kind === 'unknown' || !('sizeTier' in fee)) return { vector, misses };
  const pounds = numberOf(billing_weight_lb) ?? numberOf(shipping_weight_lb);
  return {
    vector,
    misses: [
      ...misses,
      ...(typeof tier === 'string' ? difference('size tier', tier, fee.sizeTier) : []),
      ...(pounds === null ? [] : difference('billed weight', pounds, fee.billedWeightLbs)),
    ],
  };
}

/** Formats one line for people. */
export function missLine({ vector, misses }: Outcome): string {
  const { card, provenance } = vector.fields;
  const from = typeof provenance === 'string' ? ` [${provenance}]` : '';
  return `vector ${vector.number} ${String(card)} ${JSON.stringify(vector.input)}${from}: ${misses.join('; ')}`;
}
