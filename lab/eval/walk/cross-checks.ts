// Steps that compare answers of different routes while nothing changes: cells, history, windows, and the record of one retailer
// are about the same observations (D18, D28, D29, D34, D38, D43).

import { DAY_MS } from '../../../src/base/clock.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { pick } from '../../../tests/support/random.ts';
import {
  differencesOf,
  listOf,
  numberAt,
  objectOf,
  textAt,
  timeAt,
  valueAt,
  type Json,
} from './bodies.ts';
import type { Said } from './calls.ts';
import type { Good } from './goods.ts';
import { drawSpelling, judgeRecord, lookupOf } from './lookups.ts';
import { askUntilQuiet, isCalm, passTime, path, settle, type Step, type World } from './world.ts';

const CELLS = new URLSearchParams({ include_cross_retailer: 'true', identifier_match: 'any' });

export async function checkAcrossRoutes(step: Step): Promise<void> {
  const { world, random } = step;
  const good = pick(random, world.goods.all);
  const { gtin14 } = good.product;
  const [key] = world.keys;
  if (key === undefined) return;
  const ask = lookupOf(key, gtin14, CELLS);
  await askUntilQuiet(world, ask);
  const said = await world.caller.call(ask);
  if (said.status !== 200) return;
  judgePresence(world, good, said.body);
  const rows = await rowsOf(world, gtin14, 'all');
  if (rows === null) return;
  judgeObservations(world, `cells of ${gtin14} and their history`, said.body, rows);
  const anchor = textAt(said.body, '_meta', 'price_source') ?? '';
  const own = await rowsOf(world, gtin14, anchor);
  if (own !== null) judgeWindows(world, `windows of ${gtin14} at ${anchor}`, said.body, own);
  const slug = pick(random, KNOWN_SLUGS);
  const named = await world.caller.call(
    lookupOf(key, gtin14, new URLSearchParams({ retailer: slug })),
  );
  const cell = objectOf(valueAt(said.body, 'cross_retailer', slug));
  const isTied = ['confirmed', 'unconfirmed'].includes(textAt(cell, 'identity', 'state') ?? '');
  const isSeen =
    timeAt(cell, '_freshness', 'refreshed_at') === timeAt(named.body, '_freshness', 'refreshed_at');
  if (
    named.status === 200 &&
    isTied &&
    isSeen &&
    cell['url'] !== null &&
    named.body['current_price'] !== cell['price']
  )
    world.differs(
      `retailer=${slug} of ${gtin14}`,
      `${String(named.body['current_price'])}, its cell ${String(cell['price'])}`,
    );
}

/** Checks that fresh data becomes stale the moment it is a day old, even if the earlier answer was cached (D38). */
export async function askAsTimePasses(step: Step): Promise<void> {
  const { world } = step;
  const drawn = drawSpelling(step);
  const [key] = world.keys;
  if (key === undefined) return;
  const ask = lookupOf(key, drawn.spelling.text, CELLS);
  const look = async (): Promise<Said> => {
    const said = await world.caller.call(ask);
    judgeRecord(step, { drawn, query: CELLS, ask, said, isRefresh: false });
    return said;
  };
  await look();
  await settle(world);
  await look();
  await settle(world);
  const times = Object.values(objectOf((await look()).body['cross_retailer'])).map(
    (cell) => timeAt(cell, '_freshness', 'refreshed_at') ?? 0,
  );
  const fresh = times.filter((atMs) => atMs > world.stage.now() - DAY_MS);
  if (fresh.length === 0) return;
  await passTime(world, Math.min(...fresh) + DAY_MS - world.stage.now());
  await look();
  await passTime(world, 1);
  await look();
}

async function rowsOf(
  world: World,
  gtin14: string,
  retailer: string,
): Promise<readonly Json[] | null> {
  const said: Said = await world.caller.call({
    key: world.keys[0]!,
    method: 'GET',
    target: path(gtin14, `/history?timeframe=all&retailer=${retailer}`),
    route: 'GET /v1/products/{id}/history',
    scope: 'products:read',
    least: 2,
  });
  return said.status === 200 ? listOf(said.body['observations']) : null;
}

/**
 * Checks that, if nothing failed or changed, every retailer that sells the product is present and fresh, and every other one
 * reports that it does not.
 */
function judgePresence(world: World, good: Good, record: Json): void {
  const { product } = good;
  const market = world.stage.sandbox.market();
  for (const slug of KNOWN_SLUGS) {
    const listings = market.listingsOf(slug, product);
    const isAsEver = listings.every((one) => world.goods.changedAtMs(one) === null);
    if (!isCalm(world, good, 'retailer_w') || !isCalmAt(world, slug) || !isAsEver) continue;
    const cell = objectOf(valueAt(record, 'cross_retailer', slug));
    const status = textAt(cell, 'status') ?? 'absent';
    const where = `the cell of ${slug} of ${product.gtin14}`;
    if (listings.length === 0 && ['ok', 'stale'].includes(status))
      world.differs(where, `${status} of what it does not sell: ${textAt(cell, 'url')}`);
    const states = listings.some((one) => one.publishedGtin === product.gtin14);
    const isConfirmable = slug !== 'retailer_a' && slug !== 'retailer_t';
    if (states && isConfirmable && status !== 'ok')
      world.differs(where, `${status}, and nothing hinders it`);
    if (states && isConfirmable && textAt(cell, 'identity', 'state') !== 'confirmed')
      world.differs(
        where,
        `${textAt(cell, 'identity', 'state')}, and its record states the barcode`,
      );
  }
}

function isCalmAt(
  { troubledAtMs, disturbed, stage }: World,
  slug: (typeof KNOWN_SLUGS)[number],
): boolean {
  return !disturbed.has(slug) && (troubledAtMs.get(slug) ?? 0) <= stage.now() - 2 * DAY_MS;
}

/** Checks that every observation in a cell is a row of the history, at its whole second. */
function judgeObservations(world: World, where: string, record: Json, rows: readonly Json[]): void {
  for (const [slug, cell] of Object.entries(objectOf(record['cross_retailer']))) {
    const seenMs = timeAt(cell, '_freshness', 'refreshed_at');
    const isTied = textAt(cell, 'identity', 'state') !== 'mismatch' && textAt(cell, 'url') !== null;
    if (seenMs === null || !isTied) continue;
    const second = Math.floor(seenMs / 1_000) * 1_000;
    const of = rows.filter(
      (row) => row['retailer'] === slug && timeAt(row, 'observed_at') === second,
    );
    if (of.length === 0) {
      world.differs(
        where,
        `${slug} was read at ${textAt(cell, '_freshness', 'refreshed_at')}, and no row says so`,
      );
      continue;
    }
    // A listing that has since disappeared shows no price.
    const price = valueAt(cell, 'price');
    if (price !== null && of.every((row) => row['price'] !== price))
      world.differs(
        where,
        `${slug} shows ${JSON.stringify(price)}, its row ${of.map((row) => String(row['price'])).join()}`,
      );
  }
}

/** Computes D29 from the rows of the anchor's own history. */
export function judgeWindows(
  world: World,
  where: string,
  record: Json,
  rows: readonly Json[],
): void {
  for (const [name, days] of [
    ['30d', 30],
    ['60d', 60],
    ['90d', 90],
    ['180d', 180],
  ] as const) {
    const expected = windowOf(rows, days, world.stage.now());
    const shown = valueAt(record, 'stats', 'windows', name);
    const stated = shown === null ? null : pickFields(objectOf(shown), Object.keys(expected ?? {}));
    const differences = differencesOf(stated, expected);
    if (differences.length > 0)
      world.differs(where, `${name}: ${differences.join('; ')} (shown / from rows)`);
  }
}

function pickFields(from: Json, names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, from[name]]));
}

function windowOf(rows: readonly Json[], days: number, nowMs: number): Json | null {
  const today = Math.floor(nowMs / DAY_MS);
  const ofDays = new Map<number, number[]>();
  let count = 0;
  for (const row of rows.toReversed()) {
    const day = Math.floor((timeAt(row, 'observed_at') ?? 0) / DAY_MS);
    const price = numberAt(row, 'price');
    const isSuspect =
      row['suspect'] !== undefined && row['suspect'] !== null && row['suspect'] !== false;
    if (day <= today - days || price === null || isSuspect) continue;
    ofDays.set(day, [...(ofDays.get(day) ?? []), Math.round(price * 100)]);
    count += 1;
  }
  const all = [...ofDays.values()];
  if (all.length === 0) return null;
  const closes = all.map((prices) => prices.at(-1) ?? 0);
  const mean = closes.reduce((sum, cents) => sum + cents, 0) / closes.length;
  return {
    low: Math.min(...all.flat()) / 100,
    high: Math.max(...all.flat()) / 100,
    average: Math.round(mean) / 100,
    days_covered: all.length,
    observation_count: count,
  };
}
