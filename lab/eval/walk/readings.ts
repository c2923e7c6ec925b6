// Steps that read histories, reviews and sellers, and compare retailers' prices.

import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import { listOf, numberAt, objectOf, textAt, timeAt, valueAt, type Json } from './bodies.ts';
import type { Said } from './calls.ts';
import { drawKey, drawSpelling, lookupOf, READ } from './lookups.ts';
import { path, rememberRows, settle, type Step, type World } from './world.ts';

const TIMEFRAMES: readonly (readonly [string, number])[] = [
  ['7d', 7],
  ['30d', 30],
  ['90d', 90],
  ['1y', 365],
  ['all', 100_000],
];

export async function readHistory(step: Step): Promise<void> {
  const { world, random } = step;
  const { good, spelling } = drawSpelling(step);
  const retailer = pick(random, [...KNOWN_SLUGS, 'all', 'all', null]);
  const key = drawKey(step);
  const read = async (timeframe: string): Promise<Said> => {
    const rest = retailer === null ? '' : `&retailer=${retailer}`;
    return await world.caller.call({
      key,
      method: 'GET',
      target: path(spelling.text, `/history?timeframe=${timeframe}${rest}`),
      route: 'GET /v1/products/{id}/history',
      scope: READ,
      least: 2,
    });
  };
  const name = `${spelling.text} of ${retailer}`;
  await settle(world);
  const whole = await read('all');
  const { gtin14 } = good.product;
  const isKept = spelling.form === 'barcode' && retailer !== null && !world.goods.isMoved(gtin14);
  if (whole.status === 200 && isKept)
    rememberRows(step, `history of ${name}`, `${gtin14} ${retailer}`, whole);
  const isAddress = spelling.text.startsWith('http') && spelling.form !== 'barcode';
  const own = isAddress ? spelling.slug : spelling.form === 'barcode' ? 'retailer_w' : null;
  const expected = retailer ?? own;
  if (whole.status === 200 && expected !== null && whole.body['retailer'] !== expected)
    world.differs(
      `history of ${name}`,
      `of ${String(whole.body['retailer'])}, expected ${expected}`,
    );
  const [timeframe, days] = pick(random, TIMEFRAMES);
  const said = await read(timeframe);
  if (said.status !== 200 || whole.status !== 200) return;
  const today = Math.floor(world.stage.now() / 86_400_000);
  const rows = listOf(whole.body['observations']);
  const within = rows.filter(
    (row) => Math.floor((timeAt(row, 'observed_at') ?? 0) / 86_400_000) > today - days,
  );
  const shown = listOf(said.body['observations']);
  if (JSON.stringify(shown) !== JSON.stringify(within))
    world.differs(
      `history of ${name}`,
      `${timeframe} has ${shown.length} rows, all has ${within.length} of them`,
    );
  judgeRows(world, `history of ${name} ${timeframe}`, said.body);
}

function judgeRows(world: World, where: string, body: Json): void {
  const rows = listOf(body['observations']);
  const isAll = body['retailer'] === 'all';
  for (const [at, row] of rows.entries()) {
    const newer = timeAt(rows[at - 1], 'observed_at') ?? world.stage.now();
    if ((timeAt(row, 'observed_at') ?? Infinity) > newer) world.differs(where, 'rows out of order');
    if (row['in_stock'] === false && row['price'] !== null)
      world.differs(where, 'a row that is out of stock has a price');
    if (isAll !== 'counted' in row) world.differs(where, 'counted stands where it should not');
  }
  const counted = rows.filter((row) => row['counted'] !== false).length;
  const count = numberAt(body, 'stats', 'observation_count');
  if (count !== null && count !== counted && (body['next'] ?? null) === null)
    world.differs(where, `observation_count ${count} of ${counted} rows`);
  const stats = objectOf(body['stats']);
  const [low, high] = [numberAt(stats, 'lowest_30d'), numberAt(stats, 'highest_30d')];
  const average = numberAt(stats, 'average_30d');
  if (low !== null && !(low <= (average ?? 0) && (average ?? 0) <= (high ?? 0)))
    world.differs(where, `stats ${JSON.stringify(stats)}`);
}

export async function readReviews(step: Step): Promise<void> {
  const { world, random } = step;
  const { spelling } = drawSpelling(step);
  const key = drawKey(step);
  const read = (rest: string): Promise<Said> =>
    world.caller.call({
      key,
      method: 'GET',
      target: path(spelling.text, `/reviews${rest}`),
      route: 'GET /v1/products/{id}/reviews',
      scope: READ,
      least: 3,
    });
  const whole = await read('');
  const total = (said: Said): number => numberAt(said.body, 'summary', 'total_reviews') ?? 0;
  const months = listOf(whole.body['monthly_breakdown']);
  if (whole.status !== 200 || months.length === 0) return;
  const sum = months.reduce((all, month) => all + (numberAt(month, 'total_reviews') ?? 0), 0);
  if (sum !== total(whole))
    world.differs(whole.text.slice(0, 80), `months of ${sum} reviews, total ${total(whole)}`);
  const atMs = world.stage.now() - integerBelow(random, 400) * 86_400_000;
  const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
  const before = await read(`?end_date=${day(atMs)}`);
  const behind = await read(`?start_date=${day(atMs + 86_400_000)}`);
  // A review page read in the meantime adds to all of them.
  const isSame = (await read('')).text.includes(JSON.stringify(months));
  const isBoth =
    before.status === 200 &&
    behind.status === 200 &&
    isSame &&
    day(atMs) !== day(world.stage.now());
  if (isBoth && total(before) + total(behind) !== total(whole))
    world.differs(
      `reviews of ${spelling.text} at ${day(atMs)}`,
      `${total(before)} and ${total(behind)} of ${total(whole)}`,
    );
}

export async function compareOffers(step: Step): Promise<void> {
  const { world, random } = step;
  const { spelling } = drawSpelling(step);
  const [key] = [world.keys[0]!];
  await settle(world);
  const cost = (integerBelow(random, 4_000) / 100).toFixed(2);
  const compare = (rest: string): Promise<Said> =>
    world.caller.call({
      key,
      method: 'GET',
      target: path(spelling.text, `/compare${rest}`),
      route: 'GET /v1/products/{id}/compare',
      scope: READ,
      least: 3,
    });
  await compare('');
  await settle(world);
  const said = await compare(`?cost=${cost}&shipping=1.10&prep=0.35&roi=30`);
  const query = new URLSearchParams({ include_cross_retailer: 'true', identifier_match: 'any' });
  const record = await world.caller.call(lookupOf(key, spelling.text, query));
  if (said.status !== 200 || record.status !== 200) return;
  for (const row of listOf(said.body['rows'])) {
    const cell = objectOf(valueAt(record.body, 'cross_retailer', textAt(row, 'retailer') ?? ''));
    if ('price' in cell && cell['price'] !== row['price'])
      world.differs(
        `compare ${spelling.text}`,
        `${textAt(row, 'retailer')} has ${String(row['price'])}, its cell ${String(cell['price'])}`,
      );
  }
}

export async function readSellers(step: Step): Promise<void> {
  const { world } = step;
  const { spelling } = drawSpelling(step);
  const key = drawKey(step);
  const query = new URLSearchParams({ include_offers: 'true' });
  const record = await world.caller.call(lookupOf(key, spelling.text, query));
  if (record.status !== 200 || spelling.slug !== 'retailer_w') return;
  for (const offer of listOf(record.body['offers']).slice(0, 2)) {
    const id = textAt(offer, 'seller_id') ?? '';
    const read = (text: string): Promise<Said> =>
      world.caller.call({
        key,
        method: 'GET',
        target: `/v1/sellers/${text}`,
        route: 'GET /v1/sellers/{seller_id}',
        scope: READ,
        least: 2,
      });
    const one = await read(id);
    const other = await read((textAt(offer, 'seller_id_hex') ?? id).toLowerCase());
    const isOwn = textAt(offer, 'seller_type') === '1p';
    const told = isOwn
      ? one.code === 'first_party_seller'
      : one.status === 200 || one.status === 503;
    if (!told && one.code !== 'quota_exceeded' && one.code !== 'throttled')
      world.differs(`seller ${id} of ${spelling.text}`, `${one.status} ${one.code}`);
    if (one.status !== 200 || other.status !== 200) continue;
    for (const name of ['seller_id', 'seller_name', 'rating', 'status'])
      if (one.body[name] !== other.body[name])
        world.differs(`seller ${id}`, `two forms have two of ${name}`);
    if (one.body['seller_name'] !== offer['seller_name'])
      world.differs(`seller ${id}`, 'another name than its offer');
  }
}
