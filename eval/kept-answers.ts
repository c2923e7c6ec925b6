// `npm run eval:kept -- --answers 100000`: several services over one store answer from what they keep, while somebody else changes
// prices, listings, cells, keys, limits and the clock. No answer may be older than what was acknowledged before it was asked for,
// and one that is kept has the bytes of one that is made. On PostgreSQL with OPENSHELF_TEST_DATABASE=postgres, else on SQLite.
// Exit code 1 when one was not.

import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { issueKey } from '../src/metering/keys.ts';
import { sweepReservations } from '../src/store/balances.ts';
import { checkStore } from '../src/store/maintenance/check.ts';
import { findMonthUsage } from '../src/store/usage.ts';
import { isOnPostgres } from '../tests/support/databases.ts';
import { integerBelow, pick, randomFrom } from '../tests/support/random.ts';
import { startService, untilWorked, type Service } from '../tests/support/service.ts';
import { shiftedClock } from '../tests/support/shifted-clock.ts';
import { storeAt } from '../tests/support/stores.ts';
import { quantile } from './cluster-staleness.ts';
import {
  FIRST_VERSION,
  keepChanging,
  type CallerKey,
  type Product,
  type World,
} from './kept-changes.ts';
import type { Truth } from './market-facts.ts';

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    services: { type: 'string', default: '3' },
    readers: { type: 'string', default: '6' },
    /** The most that passes between two changes. */
    'pause-ms': { type: 'string', default: '60' },
  },
});
const seed = Number(values.seed);
const wanted = Number(values.answers);

const PRODUCTS = 16;
/** D15: a revoked key is refused everywhere within a second; the machine is given the same again. */
const MOST_REVOKED_MS = 2_000;
const SHOWN = 20;
const NO_NOTES = { missing: [], remarks: [] };

const random = randomFrom(seed);
const clock = shiftedClock();
const services: Service[] = [];
await using stack = new AsyncDisposableStack();
const first = stack.use(await startService({ clock, withRetailers: true }));
services.push(first);
// SQLite has one process; on PostgreSQL there are as many as are asked for.
const count = isOnPostgres() ? Number(values.services) : 1;
for (let at = 1; at < count; at += 1) {
  services.push(stack.use(await startService({ clock, withRetailers: true, env: first.dataEnv })));
}
const store = stack.use(
  await storeAt(first.dataEnv['DATABASE_URL'] ?? join(first.dataDir, 'openshelf.db')),
);

type Told = { readonly status: number; readonly body: string };

const agent = new Agent({ keepAlive: true, maxSockets: 64 });
stack.defer(() => agent.destroy());

/** A service ends each connection after some requests: a call that met the end is made again. */
async function ask(
  url: string,
  key: string,
  more: Readonly<Record<string, string>> = {},
): Promise<Told> {
  try {
    return await askOnce(url, key, more);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ECONNRESET') throw error;
    return await askOnce(url, key, more);
  }
}

function askOnce(url: string, key: string, more: Readonly<Record<string, string>>): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const headers = { authorization: `Bearer ${key}`, ...more };
  httpRequest(url, { agent, headers }, (response) => {
    const pieces: Buffer[] = [];
    response.on('data', (piece: Buffer) => pieces.push(piece));
    response.on('error', reject);
    response.on('end', () =>
      resolve({ status: response.statusCode ?? 0, body: Buffer.concat(pieces).toString() }),
    );
  })
    .once('error', reject)
    .end();
  return promise;
}

const WIDE = {
  note: null,
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};
const newKey = (organization: string) =>
  issueKey(store.accounts, { organization, ...WIDE }, clock.now());

async function makeWorld(): Promise<World> {
  const [origin = ''] = Object.values(first.sandbox.origins);
  const answer = await fetch(`${origin}/__truth/retailer?retailer=retailer_w&offset=0&limit=400`);
  const truths = ((await answer.json()) as readonly Truth[]).filter(
    ({ trouble, has_wrong_barcode: isWrong }) => trouble === null && !isWrong,
  );
  const readers = await newKey('readers');
  const products: Product[] = [];
  const turbulent = [];
  for (const { url } of truths) {
    if (products.length === PRODUCTS) break;
    const told = await ask(`${first.url}/v1/products/${encodeURIComponent(url)}`, readers.text);
    const id = /\/(\d+)(?:\?|$)/.exec(url)?.[1] ?? '';
    const listing = await store.listings.findListing('retailer_w', id);
    const gtin = listing?.listing.gtin ?? null;
    if (told.status !== 200 || listing === null || gtin === null) continue;
    await ask(`${first.url}/v1/products/${gtin}?include_cross_retailer=true`, readers.text);
    const path = `/v1/products/${id}`;
    products.push({ path, history: `${path}/history`, listing, begun: 0, acknowledged: 0 });
    await untilWorked(first.app, clock);
    const tied = await store.listings.findListingsTiedTo(gtin);
    const others = tied.filter(({ retailer }) => retailer !== 'retailer_w');
    turbulent.push(...others.map((each) => ({ ...each, notes: NO_NOTES })));
  }
  const limited = await newKey('limited');
  return {
    store,
    clock,
    random: randomFrom(seed + 1),
    counted: products,
    turbulent,
    keys: [{ ...readers, revokedMs: null }],
    limited: { name: 'limited', key: limited.text, isSpent: false },
    steps: 0,
    made: {},
  };
}

type Found = {
  answers: number;
  compared: number;
  explained: number;
  wrong: string[];
  revokedMs: number[];
};

const versionOf = ({ body }: Told): number | null => {
  const price = /"current_price":([\d.]+)/.exec(body)?.[1];
  return price === undefined ? null : Math.round(Number(price) * 100) - FIRST_VERSION;
};

/** What two answers to one question may differ in. */
const sameText = ({ body }: Told): string =>
  body.replace(/"tokens_remaining":\d+/, '').replace(/"as_of":"[^"]*"/g, '');

/** A price that was asked for is none from before the asking. */
async function readCounted(world: World, found: Found, url: string, key: CallerKey): Promise<void> {
  const product = pick(random, world.counted);
  const path = random() < 0.2 ? `${product.path}?include_cross_retailer=true` : product.path;
  const least = product.acknowledged;
  const askedMs = performance.now();
  const { revokedMs } = key;
  const told = await ask(`${url}${path}`, key.text);
  const most = product.begun;
  found.answers += 1;
  if (told.status === 401 && key.revokedMs !== null) return;
  if (told.status !== 200) {
    found.wrong.push(`${path}: ${told.status} ${told.body.slice(0, 200)}`);
    return;
  }
  if (revokedMs !== null) {
    found.revokedMs.push(askedMs - revokedMs);
    if (askedMs - revokedMs > MOST_REVOKED_MS) found.wrong.push(`${path}: answered a revoked key`);
  }
  const version = versionOf(told) ?? -1;
  // Until its first version, the price is the simulated retailer's.
  if (least > 0 && (version < least || version > most)) {
    found.wrong.push(`${path}: version ${version}, not ${least} to ${most}`);
  }
}

const ORDINARY = { 'x-made-anew': '1' };
const LOOKS = 3;

/** Kept and made are the same, where nothing was changed in between. What the service itself writes behind an answer (a retailer that could not be asked) may come in between: then once more. */
async function compare(world: World, found: Found, url: string, key: CallerKey): Promise<void> {
  const path = comparedPath(world);
  for (let look = 0; look < LOOKS; look += 1) {
    const { steps } = world;
    if (steps % 2 === 1) return;
    const kept = await ask(`${url}${path}`, key.text);
    const made = await ask(`${url}${path}`, key.text, ORDINARY);
    found.answers += 2;
    if (world.steps !== steps || kept.status !== 200) return;
    if (sameText(kept) === sameText(made)) {
      found.compared += 1;
      return;
    }
    if (look === LOOKS - 1) {
      found.wrong.push(`${path}: kept ${sameText(kept)}\n made ${sameText(made)}`);
    } else {
      found.explained += 1;
      await untilWorked(first.app, clock);
    }
  }
}

function comparedPath({ counted }: World): string {
  const { path, history, listing } = pick(random, counted);
  return pick(random, [
    path,
    history,
    `${history}?timeframe=all&retailer=all`,
    `${path}?include_price_series=true`,
    `/v1/products/${listing.listing.gtin ?? ''}?include_cross_retailer=true`,
    `/v1/products/${listing.listing.gtin ?? ''}/compare?cost=5`,
  ]);
}

/** Nobody is answered whose tokens were taken away before the call. */
async function readLimited({ limited, counted }: World, found: Found, url: string): Promise<void> {
  const wasSpent = limited.isSpent;
  const told = await ask(`${url}${pick(random, counted).path}`, limited.key);
  found.answers += 1;
  if (wasSpent && limited.isSpent && told.status === 200) {
    found.wrong.push('answered an organization without tokens');
  }
}

async function read(world: World, found: Found): Promise<void> {
  while (found.answers < wanted) {
    const { url } = pick(random, services);
    const keys = world.keys.slice(-3);
    const key = pick(random, keys);
    const drawn = integerBelow(random, 100);
    if (drawn < 60) await readCounted(world, found, url, key);
    else if (drawn < 95) await compare(world, found, url, world.keys.at(-1) ?? key);
    else await readLimited(world, found, url);
  }
}

async function preparedCount({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
}

const world = await makeWorld();
// From here on nothing that was written here is fetched over.
await Promise.all(services.map(({ sandbox }) => sandbox.close()));
const found: Found = { answers: 0, compared: 0, explained: 0, wrong: [], revokedMs: [] };
const stop = new AbortController();
const changing = keepChanging(world, Number(values['pause-ms']), stop.signal);
const fromMs = performance.now();
await Promise.all(Array.from({ length: Number(values.readers) }, () => read(world, found)));
const seconds = (performance.now() - fromMs) / 1_000;
stop.abort();
await changing;
const kept = (await Promise.all(services.map(preparedCount))).reduce((sum, each) => sum + each, 0);
while ((await sweepReservations(store.sql, clock.now() + 86_400_000)) > 0);
const problems = await checkStore(store.sql);
const usage = await findMonthUsage(store.sql, 'readers', clock.now());
const revoked = found.revokedMs.toSorted((a, b) => a - b);

console.log(
  `${found.answers} answers of ${services.length} services in ${seconds.toFixed(0)} s, ${kept} from what was kept; ` +
    `changes: ${JSON.stringify(world.made)}; this month's calls of the readers: ${usage?.calls ?? 0}`,
);
console.log(
  `kept against made: ${found.compared} pairs equal, ${found.explained} looked at again; revoked keys still answered: ` +
    `${revoked.length}, the last after ${quantile(revoked, 1).toFixed(0)} ms`,
);
console.log(`stale or wrong: ${found.wrong.length}; check: ${problems.length} problems`);
for (const line of [...found.wrong.slice(0, SHOWN), ...problems.map(String)])
  console.log(`  ${line.slice(0, 4_000)}`);
if (kept * 4 < found.answers)
  console.log('  fewer than a quarter of the answers were kept ones: this says little');
const isFine = found.wrong.length === 0 && problems.length === 0 && kept * 4 >= found.answers;
process.exitCode = isFine ? 0 : 1;
