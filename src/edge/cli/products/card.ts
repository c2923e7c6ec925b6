// The product record as a card for a terminal. It leaves out what is unknown; numbers and names are the same as in the
// record.

import { decimalsOf } from '../../../base/listing/money/minor-units.ts';
import type { RecordBody } from '../../../answer/wire/record/present-record.ts';
import { wrapped } from '../help.ts';
import { moneyOrDash, unitPriceText } from '../dollars.ts';

const WIDTH = 78;

/** Renders the record as lines. `tokens` are shown at the end of the card if the call was metered. */
export function renderCard(
  record: RecordBody,
  tokens?: { readonly tokens_consumed: number; readonly tokens_remaining: number },
): readonly string[] {
  const rows = [...productRows(record), ...offerRows(record), ...physicalRows(record)];
  const footer = tokens === undefined ? [] : [tokenLine(tokens)];
  const body = rows.flatMap(([name, value]) => (value === null ? [] : row(name, value)));
  const rule = '─'.repeat(WIDTH);
  const title = wrap(record.title ?? '(no title)', WIDTH - 2).map((line) => ` ${line}`);
  return [
    `┌${rule}`,
    ...title.map(edge),
    `├${rule}`,
    ...[...body, ...footer].map(edge),
    `└${rule}`,
  ];
}

type Row = readonly [name: string, value: string | null];

const edge = (line: string): string => `│${line}`;

function row(name: string, value: string): string[] {
  const [first = '', ...rest] = wrap(value, WIDTH - 16);
  return [` ${name.padEnd(13)} ${first}`, ...rest.map((line) => `${' '.repeat(15)}${line}`)];
}

/** Wraps to lines of at most this many characters; a longer word is cut. */
function wrap(text: string, width: number): string[] {
  return wrapped(text, width).map((each) =>
    each.length > width ? `${each.slice(0, width - 1)}…` : each,
  );
}

function priceRow(amount: number | null, { currency }: RecordBody): string | null {
  return amount === null ? null : moneyOrDash(amount, currency);
}

function productRows(record: RecordBody): readonly Row[] {
  return [
    ['brand', record.brand],
    ['gtin', record.gtin],
    ['mpn', record.mpn],
    ['model', record.model],
    ['asin', record.asin],
    ['item id', record.item_id],
    ['categories', record.categories.length === 0 ? null : record.categories.join(' › ')],
  ];
}

function offerRows(record: RecordBody): readonly Row[] {
  const native = record._meta.native_price;
  const stock = new Map([
    [true, 'in stock'],
    [false, 'out of stock'],
  ]);
  const reviews = record.review_count === null ? '' : ` (${record.review_count} reviews)`;
  return [
    ['price', priceRow(record.current_price, record)],
    ['unit price', pieceText(record)],
    ['best price', bestPriceText(record)],
    ['native price', native === undefined ? null : nativeText(native)],
    ['list price', priceRow(record.msrp, record)],
    ['stock', record.in_stock === null ? 'not stated' : (stock.get(record.in_stock) ?? null)],
    ['condition', record.condition],
    ['seller', record.seller_name],
    ['fees', feesText(record)],
    ['rating', record.average_rating === null ? null : `${record.average_rating}${reviews}`],
    ['price of', record._meta.price_source],
    ...identityRows(record._meta),
    ['moved from', record._meta.moved_from ?? null],
    ['refreshed', record._freshness.refreshed_at],
    ['30 days', windowText(record)],
  ];
}

/** The lines about the database that names a product that no retailer has, which an answer must include. */
function identityRows({
  identity_from: from,
  upstream: silent = [],
}: RecordBody['_meta']): readonly Row[] {
  if (from === undefined) return [];
  return [
    ['identity', 'Known only to a barcode database; no retailer is known to have it.'],
    ['from', from.url],
    ['licence', from.licence],
    ['no answer', silent.length === 0 ? null : silent.join(', ')],
  ];
}

function nativeText({
  amount,
  currency,
}: NonNullable<RecordBody['_meta']['native_price']>): string {
  return `${amount.toFixed(decimalsOf(currency))} ${currency ?? ''}`;
}

function bestPriceText({ best_price: best, currency }: RecordBody): string | null {
  return best === undefined || best === null
    ? null
    : `${moneyOrDash(best.price, currency)} at ${best.retailer}`;
}

function pieceText({ unit_price: value, currency }: RecordBody): string | null {
  if (value === null) return null;
  return `${unitPriceText(value.price, currency)} for each piece`;
}

function feesText(record: RecordBody): string | null {
  const fees = [
    ['referral', record.referral_fee_usd],
    ['fulfilment', record.fulfillment_fee_usd],
  ] as const;
  const known = fees.flatMap(([name, fee]) => (fee === null ? [] : `${name} ${moneyOrDash(fee)}`));
  return known.length === 0 ? null : known.join(', ');
}

function windowText(record: RecordBody): string | null {
  const window = record.stats?.windows?.['30d'];
  if (window === undefined || window === null) return null;
  const { low, high, average, days_covered: days } = window;
  const text = (amount: number) => moneyOrDash(amount, record.currency);
  return `low ${text(low)}, high ${text(high)}, average ${text(average)}, days covered ${days}`;
}

function physicalRows(record: RecordBody): readonly Row[] {
  const size = record.dimensions;
  const sides = size === null ? [] : [size.length_in, size.width_in, size.height_in];
  const known = sides.every((side) => side !== null) && sides.length === 3;
  return [
    ['weight', record.weight_lbs === null ? null : `${Number(record.weight_lbs.toFixed(2))} lb`],
    ['size', known ? `${sides.join(' × ')} in (l × w × h)` : null],
    ['image', record.image_url],
  ];
}

function tokenLine(tokens: { tokens_consumed: number; tokens_remaining: number }): string {
  return ` ${'tokens'.padEnd(13)} ${tokens.tokens_consumed} used, ${tokens.tokens_remaining} left`;
}
