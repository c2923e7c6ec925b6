// Steps that create, change, pause and delete watches, and read their changes in the feed (D70).

import { integerBelow, pick } from '../../../tests/support/random.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import { differencesOf, lasting, listOf, objectOf, textAt, timeAt, type Json } from './bodies.ts';
import type { Ask } from './calls.ts';
import { pricedAt } from './goods.ts';
import { drawSpelling } from './lookups.ts';
import { passTime, settle, type Step, type World } from './world.ts';

const MOST_WATCHES = 6;
const FEED_PAUSES_MS = [1_000, 3_600_000, 30 * 3_600_000];
const SETTINGS = [
  'id',
  'retailer',
  'interval',
  'below',
  'down_percent',
  'buy_box',
  'any_change',
  'back_in_stock',
];

export async function changeWatches(step: Step): Promise<void> {
  const { world, random } = step;
  const { watches } = world;
  const drawn = random();
  if (watches.size === 0 || (watches.size < MOST_WATCHES && drawn < 0.5)) await makeWatch(step);
  else if (drawn < 0.8) await patchWatch(step, pick(random, [...watches.keys()]));
  else await deleteWatch(step, pick(random, [...watches.keys()]));
  // The first check is made immediately.
  await settle(world);
  for (const id of watches.keys()) await judgeWatch(world, id);
  const said = await world.caller.call(free(world, 'GET', '/v1/watches?limit=100'));
  const listed = listOf(said.body['watches'])
    .map((watch) => String(watch['id']))
    .toSorted();
  const expected = [...watches.keys()].toSorted();
  if (said.status === 200 && JSON.stringify(listed) !== JSON.stringify(expected))
    world.differs('GET /v1/watches', `lists ${listed.join()}, expected ${expected.join()}`);
}

function free(world: World, method: Ask['method'], target: string, body?: Json): Ask {
  const isChange = method !== 'GET';
  return {
    key: world.keys[0]!,
    method,
    target,
    route: '',
    scope: isChange ? 'products:refresh' : null,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  };
}

async function makeWatch(step: Step): Promise<void> {
  const { world, random } = step;
  const { spelling } = drawSpelling(step);
  const body: Json = {
    identifier: spelling.text,
    interval: `${1 + integerBelow(random, 30)}h`,
    ...(random() < 0.4 ? { any_change: true } : {}),
    ...(random() < 0.4 ? { below: 5 + integerBelow(random, 100) } : {}),
    ...(random() < 0.2 ? { down_percent: 5 } : {}),
    ...(random() < 0.2 ? { buy_box: true } : {}),
    ...(spelling.form === 'barcode' && random() < 0.4
      ? { retailer: pick(random, ['any', 'best', 'anchor', ...KNOWN_SLUGS]) }
      : {}),
  };
  const said = await world.caller.call(free(world, 'POST', '/v1/watches', body));
  const id = textAt(said.body, 'id') ?? textAt(said.body, 'watch', 'id');
  if (said.status < 300 && id !== null) {
    world.watches.set(id, { spelling, body });
    world.mayWatch = true;
  } else if (world.takenDown.size === 0)
    world.differs(`watch ${JSON.stringify(body)}`, `${said.status} ${said.code}`);
}

async function patchWatch({ world, random }: Step, id: string): Promise<void> {
  const change = pick<Json>(random, [
    { below: 10 + integerBelow(random, 60) },
    { paused: random() < 0.5 },
    { interval: `${1 + integerBelow(random, 48)}h` },
    { any_change: random() < 0.5, back_in_stock: true },
  ]);
  const said = await world.caller.call(free(world, 'PATCH', `/v1/watches/${id}`, change));
  await settle(world);
  const read = await world.caller.call(free(world, 'GET', `/v1/watches/${id}`));
  if (said.status !== 200 || read.status !== 200) {
    world.differs(`watch ${id}`, `changed ${said.status}, read ${read.status}`);
    return;
  }
  // A check in between observes something, reports it, and updates when the next one is due.
  const settings = (of: Json): Json => {
    const watch = objectOf(lasting(of)['watch'] ?? of);
    return Object.fromEntries(SETTINGS.map((name) => [name, watch[name]]));
  };
  const differences = differencesOf(settings(said.body), settings(read.body));
  if (differences.length > 0)
    world.differs(`watch ${id}`, `a change is not what is read: ${differences.join('; ')}`);
}

/** Checks that a watch's data about a listing is what the market stated when it was observed. */
async function judgeWatch(world: World, id: string): Promise<void> {
  const { goods, stage, differs } = world;
  const said = await world.caller.call(free(world, 'GET', `/v1/watches/${id}`));
  for (const known of listOf(said.body['listings'])) {
    const url = textAt(known, 'url') ?? '';
    const listing = goods.listingAt(url);
    const atMs = timeAt(known, 'observed_at');
    if (listing === null || atMs === null || atMs <= (goods.changedAtMs(listing) ?? 0)) continue;
    // A price without support is unknown, and a known one remains while there is none.
    if (listing.product.trouble !== null || known['in_stock'] !== true) continue;
    const truth = pricedAt(stage.sandbox, listing, atMs);
    if (known['price'] !== truth.price)
      differs(
        `watch ${id} at ${url}`,
        `knows ${String(known['price'])}, the market said ${truth.price}`,
      );
  }
}

async function deleteWatch({ world }: Step, id: string): Promise<void> {
  const said = await world.caller.call(free(world, 'DELETE', `/v1/watches/${id}`));
  if (said.status >= 300) world.differs(`watch ${id}`, `deleted ${said.status}`);
  world.watches.delete(id);
  const read = await world.caller.call(free(world, 'GET', `/v1/watches/${id}`));
  if (read.status !== 404) world.differs(`watch ${id}`, `${read.status} after it was deleted`);
  // A product that is watched again begins with its next observation, and earlier changes may be read later.
  const [feed] = await world.stage.store.sql.all('select max(last_seq) as seq from feeds');
  world.feed.breaks.push(Number(feed?.['seq'] ?? 0));
}

/** Reads the feed: each change once, in order, and starting from the result of the previous one. */
export async function readFeed({ world, random }: Step): Promise<void> {
  const { feed, differs } = world;
  for (let page = 0; page < 50; page += 1) {
    const limit = 1 + integerBelow(random, 20);
    const cursor = feed.cursor === null ? '' : `&cursor=${feed.cursor}`;
    const said = await world.caller.call(free(world, 'GET', `/v1/changes?limit=${limit}${cursor}`));
    if (said.code === 'cursor_expired') {
      feed.cursor = null;
      feed.chain.clear();
    }
    if (said.status !== 200) {
      if (said.code !== 'cursor_expired') differs('GET /v1/changes', `${said.status} ${said.code}`);
      return;
    }
    const changes = listOf(said.body['changes']);
    for (const change of changes) judgeChange(world, change);
    feed.cursor = textAt(said.body, 'next');
    if (changes.length === 0) return;
    // More changes are added during reading.
    if (random() < 0.1) await passTime(world, pick(random, FEED_PAUSES_MS));
  }
}

function judgeChange(world: World, change: Json): void {
  const { feed, differs, goods, stage } = world;
  const id = textAt(change, 'id') ?? '';
  const [kind, url] = [textAt(change, 'kind'), textAt(change, 'url') ?? ''];
  const where = `change ${id} of ${kind} at ${url}`;
  if (feed.seen.has(id)) differs(where, 'told twice');
  feed.seen.add(id);
  const { before, after } = change;
  if (JSON.stringify(before) === JSON.stringify(after))
    differs(where, `no change: ${JSON.stringify(after)}`);
  const name = `${url} ${kind}`;
  while (feed.breaks[0] !== undefined && feed.breaks[0] < Number(id)) {
    feed.breaks.shift();
    feed.chain.clear();
  }
  const last = feed.chain.get(name);
  if (last !== undefined && JSON.stringify(last) !== JSON.stringify(before))
    differs(
      where,
      `begins at ${JSON.stringify(before)}, the one before led to ${JSON.stringify(last)}`,
    );
  feed.chain.set(name, after);
  const listing = goods.listingAt(url);
  const atMs = timeAt(change, 'observed_at');
  if (listing === null || atMs === null || kind !== 'price') return;
  if (atMs <= (goods.changedAtMs(listing) ?? 0)) return;
  const { price } = pricedAt(stage.sandbox, listing, atMs);
  const told = typeof after === 'object' ? objectOf(after)['price'] : after;
  if (told !== price) differs(where, `tells ${String(told)}, the market said ${price}`);
}
