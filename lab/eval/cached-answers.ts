// npm run lab -- cached-answers --answers 100000: several services over one store answer from their caches, while another
// process changes prices, listings, cells, keys, limits and the clock. No answer may be older than what was acknowledged before
// its request, and a cached answer must have the same bytes as a computed one. On PostgreSQL with
// OPENSHELF_TEST_DATABASE=postgres, otherwise on SQLite. Exit code 1 if one did not, or if fewer than half of the answers were
// cached.

import { EventEmitter, once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { issueKey } from '../../src/data/metering/keys.ts';
import { sweepReservations } from '../../src/data/accounts/balances.ts';
import type { NotedListing } from '../../src/data/answers/listings.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { findMonthUsage } from '../../src/data/accounts/usage.ts';
import { isOnPostgres } from '../../tests/support/databases.ts';
import { integerBelow, pick, randomFrom } from '../../tests/support/random.ts';
import { startService, untilQueueIdle, type Service } from '../../tests/support/service.ts';
import { shiftedClock } from '../../tests/support/shifted-clock.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { quantile } from '../bench/measurement.ts';
import {
  keepChanging,
  WIDE,
  writeVersion,
  type Answered,
  type CallerKey,
  type World,
} from './cached-answers/changes.ts';
import {
  acknowledgedOf,
  judge,
  type Counted,
  type Least,
  type Product,
} from './cached-answers/judged.ts';
import type { Truth } from './market/facts.ts';

const { values } = parseArgs({
  options: {
    answers: { type: 'string', default: '100000' },
    /** Ends after this time, with what was found so far. */
    seconds: { type: 'string' },
    seed: { type: 'string', default: '1' },
    services: { type: 'string', default: '3' },
    readers: { type: 'string', default: '6' },
    /** Mean number of answers per service between two changes. */
    pause: { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed);
let wanted = Number(values.answers);
if (values.seconds !== undefined) {
  setTimeout(() => (wanted = 0), 1_000 * Number(values.seconds)).unref();
}

const PRODUCTS = 12;
/** D15: a revoked key is refused everywhere within a second; the machine is allowed as much again. */
const MOST_REVOKED_MS = 2_000;
const SHOWN = 20;
const NO_NOTES = { missing: [], remarks: [] };
/** Prices in cents of the listings whose prices change most: above any at the simulated retailers. */
const FROM_CENTS = 10_000_000;

const random = randomFrom(seed);
const clock = shiftedClock();
const services: Service[] = [];
await using stack = new AsyncDisposableStack();
const first = stack.use(await startService({ clock, withRetailers: true }));
services.push(first);
// SQLite has one process; PostgreSQL has as many as requested.
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

/** Makes a call. A service closes each connection after some requests: a call that hits the close is repeated. */
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

const newKey = (organization: string) =>
  issueKey(store.accounts, { organization, ...WIDE, note: null }, clock.now());

function counted(listing: NotedListing, fromCents: number): Counted {
  const { fetchedAtMs, listing: said } = listing;
  return {
    listing,
    fromCents,
    begun: 0,
    acknowledged: 0,
    seenAtMs: fetchedAtMs,
    stock: [said.inStock === true],
  };
}

async function makeWorld(): Promise<World> {
  const [origin = ''] = Object.values(first.sandbox.origins);
  const answer = await fetch(`${origin}/__truth/retailer?retailer=retailer_w&offset=0&limit=400`);
  const truths = ((await answer.json()) as readonly Truth[]).filter(
    ({ trouble, has_wrong_barcode: isWrong }) => trouble === null && !isWrong,
  );
  const readers = await newKey('readers');
  const products: Product[] = [];
  for (const { url } of truths) {
    if (products.length === PRODUCTS) break;
    const told = await ask(`${first.url}/v1/products/${encodeURIComponent(url)}`, readers.text);
    const id = /\/(\d+)(?:\?|$)/.exec(url)?.[1] ?? '';
    const listing = await store.listings.findListing('retailer_w', id);
    const gtin = listing?.listing.gtin ?? null;
    if (told.status !== 200 || listing === null || gtin === null) continue;
    await ask(`${first.url}/v1/products/${gtin}?include_cross_retailer=true`, readers.text);
    await untilQueueIdle(first.app, clock);
    const tied = await store.listings.findListingsTiedTo(gtin);
    const others = tied.flatMap((each) => {
      const cents = each.listing.price?.cents ?? null;
      if (each.retailer === 'retailer_w' || each.listing.gtin === null || cents === null) return [];
      return [counted({ ...each, notes: NO_NOTES }, cents)];
    });
    if (others.length === 0) continue;
    const path = `/v1/products/${id}`;
    const listings = [counted(listing, FROM_CENTS), ...others] as const;
    products.push({ path, url, gtin, listings, steps: 0 });
  }
  const limited = await newKey('limited');
  return {
    store,
    clock,
    random: randomFrom(seed + 1),
    products,
    changed: products[0]!,
    keys: [{ ...readers, revokedMs: null }],
    limited: { name: 'limited', key: limited.text, turns: 0 },
    moves: 0,
    made: {},
  };
}

type Found = {
  /** Requested as most callers do, so that they may come from the cache. */
  answers: number;
  /** Forced to be computed, for comparison. */
  made: number;
  /** Prices that were compared with what was written. */
  prices: number;
  equal: number;
  explained: number;
  wrong: string[];
  revokedMs: number[];
  /** Calls with a revoked key. */
  refused: number;
};

const told = new EventEmitter();

/** Returns a request that can be made for a product. */
function pathOf({ path, url, gtin }: Product): string {
  return pick(random, [
    path,
    path,
    `/v1/products/${gtin}`,
    `/v1/products/${encodeURIComponent(url)}`,
    `${path}?include_cross_retailer=true`,
    `/v1/products/${gtin}?include_cross_retailer=true`,
    `${path}?include_price_series=true`,
    `${path}/history`,
    `${path}/history?timeframe=all&retailer=all`,
    `/v1/products/${gtin}/compare?cost=5`,
  ]);
}

type Question = {
  readonly product: Product;
  readonly path: string;
  readonly url: string;
  readonly key: CallerKey;
};

/** Makes a request and compares the answer with what was acknowledged before; null: it was refused, as expected. */
async function askAndJudge(
  found: Found,
  question: Question,
  more: Readonly<Record<string, string>> = {},
): Promise<string | null> {
  const { product, path, url, key } = question;
  const least = acknowledgedOf(product);
  const { revokedMs } = key;
  const askedMs = performance.now();
  const { status, body } = await ask(`${url}${path}`, key.text, more);
  if (status === 401 && key.revokedMs !== null) {
    found.refused += 1;
    return null;
  }
  if (status !== 200) {
    found.wrong.push(`${path}: ${status} ${body.slice(0, 200)}`);
    return null;
  }
  if (revokedMs !== null) {
    found.revokedMs.push(askedMs - revokedMs);
    if (askedMs - revokedMs > MOST_REVOKED_MS) found.wrong.push(`${path}: answered a revoked key`);
  }
  hold(found, question, { body, least });
  return body;
}

function hold(
  found: Found,
  { product, path }: Question,
  { body, least }: { readonly body: string; readonly least: Least },
): void {
  const judged = judge(body, product, least, clock.now());
  found.prices += judged.compared;
  found.wrong.push(...judged.wrong.map((each) => `${path}: ${each}`));
}

async function askPlainly(found: Found, question: Question): Promise<string | null> {
  const answer = await askAndJudge(found, question);
  if (answer !== null) found.answers += 1;
  told.emit('answer');
  return answer;
}

/** Removes what may differ between two answers to one request. */
const sameText = (body: string): string =>
  body.replace(/"tokens_remaining":\d+/, '').replace(/"as_of":"[^"]*"/g, '');

/** Forces the answer to be computed even if it is cached. */
const COMPUTED = { 'cache-control': 'no-cache' } as const;
const LOOKS = 3;

/**
 * Compares cached and computed answers, which are the same if nothing was changed in between. The service's own background
 * writes (a retailer that could not be asked) may come in between: then the comparison is repeated.
 */
async function compare(world: World, found: Found, question: Question): Promise<void> {
  const { product, path } = question;
  const steps = () => product.steps + world.moves;
  for (let look = 0; look < LOOKS; look += 1) {
    const before = steps();
    const kept = await askPlainly(found, question);
    if (kept === null || product.steps % 2 === 1 || steps() !== before) return;
    const made = await askAndJudge(found, question, COMPUTED);
    found.made += 1;
    if (made === null || steps() !== before) return;
    if (sameText(kept) === sameText(made)) {
      found.equal += 1;
      return;
    }
    if (look === LOOKS - 1) {
      found.wrong.push(`${path}: kept ${sameText(kept)}\n made ${sameText(made)}`);
    } else {
      found.explained += 1;
      await untilQueueIdle(first.app, clock);
    }
  }
}

/** Checks that a caller whose tokens were taken away before the call gets no answer. */
async function readLimited({ limited }: World, found: Found, question: Question): Promise<void> {
  const { turns } = limited;
  const least = acknowledgedOf(question.product);
  const { status, body } = await ask(`${question.url}${question.path}`, limited.key);
  // While the quota is being changed, both outcomes are right.
  const isKnown = turns === limited.turns && turns % 2 === 0;
  const isSpent = turns % 4 === 2;
  if (isKnown && status !== (isSpent ? 429 : 200)) {
    const name = isSpent ? 'without tokens' : 'with tokens';
    found.wrong.push(`an organization ${name}: ${status} ${body.slice(0, 200)}`);
  }
  if (status !== 200) return;
  hold(found, question, { body, least });
  found.answers += 1;
  told.emit('answer');
}

function oftenFirst<T>(list: readonly T[]): T {
  return list[Math.floor(list.length * random() ** 2)]!;
}

async function read(world: World, found: Found): Promise<void> {
  while (found.answers < wanted) {
    const { url } = pick(random, services);
    // A recently replaced key is refused: it is tried at times, and yields no answer.
    const key = random() < 0.95 ? world.keys.at(-1)! : pick(random, world.keys.slice(-3));
    // The last changed product is often requested immediately, which would reveal a stale answer. Some of the others are
    // requested most often.
    const product = random() < 0.2 ? world.changed : oftenFirst(world.products);
    const question = { product, path: pathOf(product), url, key };
    const drawn = integerBelow(random, 100);
    if (drawn < 70) await askPlainly(found, question);
    else if (drawn < 95)
      await compare(world, found, { ...question, key: world.keys.at(-1) ?? key });
    else await readLimited(world, found, question);
  }
}

/** Counts the cached answers of all services. */
async function keptCount(): Promise<number> {
  const texts = await Promise.all(
    services.map(async ({ url }) => (await fetch(`${url}/metrics`)).text()),
  );
  const counts = texts.map((text) => /^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1]);
  return counts.reduce((sum, each) => sum + Number(each ?? 0), 0);
}

const world = await makeWorld();
// From here on no fetch overwrites what was written here.
await Promise.all(services.map(({ sandbox }) => sandbox.close()));
for (const { listings } of world.products) {
  for (const [at, each] of listings.entries())
    await writeVersion(world, each, { hasBarcode: true, inStock: at === 0 });
}
const found: Found = {
  answers: 0,
  made: 0,
  prices: 0,
  equal: 0,
  explained: 0,
  wrong: [],
  revokedMs: [],
  refused: 0,
};
const stop = new AbortController();
const answered: Answered = async (count) => {
  const until = found.answers + count;
  while (found.answers < until && !stop.signal.aborted) await once(told, 'answer');
};
const answers = Number(values.pause) * services.length;
const changing = keepChanging(world, { answers, answered }, stop.signal);
const fromMs = performance.now();
await Promise.all(Array.from({ length: Number(values.readers) }, () => read(world, found)));
const seconds = (performance.now() - fromMs) / 1_000;
stop.abort();
told.emit('answer');
await changing;
const kept = await keptCount();
while ((await sweepReservations(store.sql, clock.now() + 86_400_000)) > 0);
const problems = await checkStore(store.sql);
const usage = await findMonthUsage(store.sql, 'readers', clock.now());
const revoked = found.revokedMs.toSorted((a, b) => a - b);
const isMostlyKept = kept * 2 >= found.answers;

console.log(
  `${found.answers} answers of ${services.length} services in ${seconds.toFixed(0)} s, and ${found.made} ` +
    `made to compare with; ${kept} were cached ones (${((100 * kept) / found.answers).toFixed(0)} %)`,
);
console.log(
  `changes: ${JSON.stringify(world.made)}; this month's calls by the readers: ${usage?.calls ?? 0}`,
);
console.log(
  `${found.prices} prices compared with what was written; cached compared with computed: ${found.equal} ` +
    `pairs equal, ${found.explained} checked again; revoked keys refused: ${found.refused}, still answered: ` +
    `${revoked.length}, the last after ${quantile(revoked, 1).toFixed(0)} ms`,
);
console.log(`stale or wrong: ${found.wrong.length}; check: ${problems.length} problems`);
for (const line of [...found.wrong.slice(0, SHOWN), ...problems.map(String)])
  console.log(`  ${line.slice(0, 4_000)}`);
if (!isMostlyKept)
  console.log('  fewer than half of the answers were cached ones: this says little');
const isFine = found.wrong.length === 0 && problems.length === 0 && isMostlyKept;
process.exitCode = isFine ? 0 : 1;
