// Conditions that must hold for the cells and links of a record, compared with the record itself and with the simulated
// market (D25, D28, D34, D35, D38, D39, D58, D60).

import { DAY_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { Sandbox } from '../../../sandbox/server.ts';
import { listOf, numberAt, objectOf, textAt, timeAt, valueAt, type Json } from './bodies.ts';
import { pricedAt, type Goods } from './goods.ts';
import { FIRST_PARTY, type RecordCall } from './record-laws.ts';

type Say = (holds: boolean, what: string) => void;

export function brokenCells(record: Json, call: RecordCall): readonly string[] {
  const broken: string[] = [];
  const say: Say = (holds, what) => void (holds || broken.push(what));
  const cells = objectOf(record['cross_retailer']);
  const isAny = call.query.get('identifier_match') === 'any';
  for (const [slug, cell] of Object.entries(cells))
    judgeCell(objectOf(cell), { slug, isAny, call }, say);
  if (record['cross_retailer'] !== undefined && isAny && record['gtin'] !== null)
    for (const slug of KNOWN_SLUGS) say(slug in cells, `no cell of ${slug}`);
  judgeOwnCell(record, cells, call, say);
  judgeLinks(record, cells, call, say);
  judgeBest(record, cells, call, say);
  return broken;
}

function judgeCell(
  cell: Json,
  of: { readonly slug: string; readonly isAny: boolean; readonly call: RecordCall },
  say: Say,
): void {
  const { slug, isAny, call } = of;
  const status = textAt(cell, 'status') ?? '';
  const state = textAt(cell, 'identity', 'state');
  const isEmpty = cell['price'] === null && cell['url'] === null && cell['in_stock'] === null;
  say(cell['retailer'] === slug, `the cell of ${slug} is of another retailer`);
  if (!isAny) say(state === 'confirmed', `a cell of ${slug} that is ${state}`);
  if (state === 'mismatch') say(isEmpty && status === 'ok', `a mismatch of ${slug} with facts`);
  if (slug === 'retailer_a' || slug === 'retailer_t')
    say(state !== 'confirmed', `${slug} is confirmed`);
  if (state === 'confirmed')
    say(valueAt(cell, 'identity', 'method') !== null, `${slug} is confirmed without a method`);
  if (cell['in_stock'] === false || cell['unavailable'] === true)
    say(cell['price'] === null, `${slug} is out of stock and has a price`);
  if (FIRST_PARTY.includes(slug)) say(cell['seller_context'] === null, `a seller at ${slug}`);
  if (['indexing', 'not_found', 'blocked', 'error'].includes(status))
    say(cell['price'] === null, `${slug} is ${status} and has a price`);
  const seenMs = timeAt(cell, '_freshness', 'refreshed_at');
  if (seenMs === null || state === 'mismatch') return;
  const age = call.nowMs - seenMs;
  say(age >= 0, `${slug} was refreshed in the future`);
  if (status === 'ok') say(age <= DAY_MS, `${slug} is ok and ${Math.round(age / 3_600_000)} h old`);
  if (status === 'stale')
    say(age >= DAY_MS, `${slug} is stale and ${Math.round(age / 60_000)} min old`);
}

/** Checks that the cell of the anchor equals the record. */
function judgeOwnCell(record: Json, cells: Json, { query, form }: RecordCall, say: Say): void {
  const anchor = textAt(record, '_meta', 'price_source') ?? '';
  const cell = objectOf(cells[anchor]);
  const isLive = 'offers' in record;
  const isSame = anchor in cells && form === 'barcode' && !query.has('retailer') && !isLive;
  if (!isSame || textAt(cell, 'identity', 'state') === 'mismatch') return;
  say(
    cell['price'] === record['current_price'],
    `the cell of the anchor ${anchor} has another price`,
  );
  for (const name of ['sold_tag', 'estimated_sales', 'is_best_seller', 'hazmat'])
    say(cell[name] === record[name], `the cell of the anchor ${anchor} has another ${name}`);
  const freshness = (of: Json): string | null => textAt(of, '_freshness', 'refreshed_at');
  say(freshness(cell) === freshness(record), `the cell of the anchor ${anchor} has another time`);
}

function judgeLinks(record: Json, cells: Json, { form }: RecordCall, say: Say): void {
  const links = listOf(record['retailer_links']);
  const slugs = new Set(links.map((link) => link['retailer']));
  say(slugs.size === links.length, 'two links of one retailer');
  for (const link of links) {
    const slug = textAt(link, 'retailer') ?? '';
    const state = textAt(link, 'identity_state');
    say(state !== 'mismatch', `a link to the mismatch of ${slug}`);
    if (form !== 'barcode' || !(slug in cells)) continue;
    const cell = objectOf(cells[slug]);
    const isDisputed = valueAt(cell, 'identity', 'disputed') !== null;
    const expected = isDisputed ? 'disputed' : textAt(cell, 'identity', 'state');
    say(cell['url'] === link['url'], `the link of ${slug} leads elsewhere than its cell`);
    say(state === expected, `the link of ${slug} is ${state}, its cell ${expected}`);
  }
}

/** Checks D60, as far as cells reveal it. */
function judgeBest(record: Json, cells: Json, { query, form, nowMs }: RecordCall, say: Say): void {
  const isOfBarcode = form === 'barcode' && query.get('identifier_match') === 'any';
  if (!isOfBarcode || record['best_price'] === undefined || Object.keys(cells).length === 0) return;
  const best = objectOf(record['best_price']);
  const pack = numberAt(record, 'pack_count') ?? 1;
  const able = Object.values(cells).filter(
    (cell) =>
      textAt(cell, 'identity', 'state') === 'confirmed' &&
      valueAt(cell, 'identity', 'disputed') === null &&
      valueAt(cell, 'in_stock') === true &&
      (numberAt(cell, 'pack_count') ?? pack) === pack &&
      (timeAt(cell, '_freshness', 'refreshed_at') ?? 0) >= nowMs - 2 * DAY_MS,
  );
  const prices = able.flatMap((cell) => numberAt(cell, 'price') ?? []);
  const price = numberAt(best, 'price');
  if (price === null) return;
  const own = objectOf(cells[textAt(best, 'retailer') ?? '']);
  say(
    own['price'] === price && own['url'] === best['url'],
    'the best price is not that of its cell',
  );
  say(prices.includes(price), `the best price ${price} is none of ${prices.join(', ')}`);
}

/**
 * Checks a listing's data against what the market stated at `refreshed_at`, when its retailer was asked. Listings changed since
 * then are skipped.
 */
export function untrueCells(
  record: Json,
  { sandbox, goods }: { readonly sandbox: Sandbox; readonly goods: Goods },
): readonly string[] {
  const broken: string[] = [];
  for (const [slug, cell] of Object.entries(objectOf(record['cross_retailer']))) {
    const seenMs = timeAt(cell, '_freshness', 'refreshed_at');
    const listing = goods.listingAt(textAt(cell, 'url') ?? '');
    if (seenMs === null || listing === null) continue;
    if (seenMs <= (goods.changedAtMs(listing) ?? 0)) continue;
    const truth = pricedAt(sandbox, listing, seenMs);
    const price = numberAt(cell, 'price');
    if (price !== truth.price)
      broken.push(
        `${slug} shows ${price}, the market said ${truth.price} at ${textAt(cell, '_freshness', 'refreshed_at')}`,
      );
    const inStock = valueAt(cell, 'in_stock');
    if (inStock !== null && inStock !== truth.inStock)
      broken.push(
        `${slug} says in stock ${JSON.stringify(inStock)}, the market ${String(truth.inStock)}`,
      );
  }
  return broken;
}
