// Measures the cost of a lookup on a large database against the same lookup on a small one, alternating: stored products,
// stored ones with a year of history, and products that have to be fetched from a shop that answers immediately.

import { setTimeout as wait } from 'node:timers/promises';

import { openStore, type StoreConfig } from '../../src/data/store.ts';
import { integerBelow, randomFrom } from '../../tests/support/random.ts';
import { loadRound, runCommand, startLoad, startService } from './children.ts';
import type { Load, MeasuredServer } from './children.ts';
import { figureOf, type Figure, type Pair } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop, type Shop } from './shop.ts';
import { barcodeOf } from './size-data.ts';

/** One measured database. */
export type Side = {
  readonly place: StoreConfig;
  /** The data folder; null: `env` names a database. */
  readonly dataDir: string | null;
  readonly env: Readonly<Record<string, string>>;
  readonly products: number;
  /** The first so many products have a year of history, the others none. */
  readonly withHistory: number;
};

export type Sides = { readonly large: Side; readonly small: Side };
type LookupEffort = { readonly pairs: number; readonly msPerRound: number };

export const CONNECTIONS = 64;
/** Every answer is computed from the store. */
export const NOTHING_KEPT = { OPENSHELF_CACHE_MB: '0' };
/** More than are answered in a round: on the large side none is looked up twice in one round. */
const REQUESTS_A_ROUND = 20_000;
const PAGES_A_ROUND = 150;
const LATELY = 900;
const ORGANIZATION = 'bench';
const QUOTA = '1000000000';
const THROTTLE = '60000000';

type Answering = AsyncDisposable & {
  readonly side: Side;
  readonly server: MeasuredServer;
  readonly key: string;
  /** Answered calls: the ledger must show the same number. */
  answers: number;
};

function placeOf({ dataDir }: Side): readonly string[] {
  return dataDir === null ? [] : ['--data', dataDir];
}

/** Starts the service on a database, with a key without limits. */
export async function startAnswering(
  side: Side,
  shop: Shop,
  settings: Readonly<Record<string, string>> = {},
): Promise<Answering> {
  const { dataDir } = side;
  const env = { ...side.env, ...settings };
  const limits = ['--quota', QUOTA, '--throttle', THROTTLE];
  const create = ['keys', 'create', '--org', ORGANIZATION, ...limits, ...placeOf(side), '--json'];
  const key = String((await runCommand(create, { env }))['key']);
  const answers = await billedCalls(side);
  const server = await startService({ dataDir, env: { ...env, ...shop.env }, profileDir: null });
  return { side, server, key, answers, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

/** A fetch leaves jobs for other retailers: until none is due, this service is busy with them. */
async function untilQuiet({ place }: Side): Promise<void> {
  await using store = await openStore(place);
  for (;;) {
    const { running } = await store.jobs.countJobs(Date.now());
    if (running === 0 && !(await store.jobs.isDue(Date.now()))) return;
    await wait(100);
  }
}

async function billedCalls(side: Side): Promise<number> {
  const { env } = side;
  const usage = await runCommand(['usage', '--org', ORGANIZATION, ...placeOf(side), '--json'], {
    env,
  });
  return Number(usage['calls']);
}

/** A service that answers before billing would be faster, so the ledger is counted. */
export async function checkBilled({ side, answers }: Answering): Promise<void> {
  const calls = await billedCalls(side);
  if (calls !== answers) throw new Error(`${answers} calls were answered, the ledger has ${calls}`);
}

/** Different pages at each call: a database that was kept contains those of the last one. */
let seed = Date.now() % 1_000_000_000;

/** Returns URLs of pages that nobody has requested yet. */
function newPages(shop: Shop, count: number): readonly string[] {
  const urls: string[] = [];
  while (urls.length < count) {
    const page = smallPage((seed += 1));
    if (shop.add(page)) urls.push(page.product.url);
  }
  return urls;
}

const chance = randomFrom(41);

/** Returns any products: on the large side hardly any is requested twice. */
export function heldPaths(side: Side): readonly string[] {
  const { products, withHistory } = side;
  return Array.from({ length: REQUESTS_A_ROUND }, () => {
    const product = withHistory + integerBelow(chance, products - withHistory);
    return `/v1/products/${barcodeOf(product)}`;
  });
}

/** As many as the small side has, from everywhere: the same ones repeatedly. */
function latelyPaths(side: Side): readonly string[] {
  const { products, withHistory } = side;
  const step = Math.floor((products - withHistory) / LATELY);
  return Array.from(
    { length: LATELY },
    (_, at) => `/v1/products/${barcodeOf(withHistory + at * step)}`,
  );
}

function crossPaths(side: Side): readonly string[] {
  return heldPaths(side).map((path) => `${path}?include_cross_retailer=true`);
}

function historyPaths({ withHistory }: Side): readonly string[] {
  return Array.from({ length: REQUESTS_A_ROUND }, () => {
    const product = integerBelow(chance, withHistory);
    return `/v1/products/${barcodeOf(product)}?include_price_series=true`;
  });
}

/** Runs one round of lookups, each path at most once unless there is time left. */
export async function lookUp(
  load: Load,
  { server, key }: Pick<Answering, 'server' | 'key'>,
  paths: readonly string[],
  limits: { readonly maxMs: number; readonly maxRequests?: number },
) {
  const request = paths.map((path) =>
    [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`, '', ''].join(
      '\r\n',
    ),
  );
  const { maxMs, maxRequests = Number.MAX_SAFE_INTEGER } = limits;
  return loadRound(load, server, { request, connections: CONNECTIONS, maxRequests, maxMs });
}

type Lookup = {
  readonly name: string;
  readonly what: string;
  readonly goal: number | null;
  /** Created again for each pair: the paths for the large side and for the small one. */
  readonly paths: (large: Side, small: Side) => readonly [readonly string[], readonly string[]];
  readonly isOnce: boolean;
};

function lookupsOf(shop: Shop): readonly Lookup[] {
  const both = (of: (side: Side) => readonly string[]): Lookup['paths'] => {
    return (large, small) => [of(large), of(small)];
  };
  return [
    {
      name: 'held-lately',
      what: `a stored product by barcode, one of ${LATELY} that are requested all the time`,
      goal: 1.3,
      paths: both(latelyPaths),
      isOnce: false,
    },
    {
      name: 'held',
      what: 'a stored product by barcode, any of all',
      goal: 1.3,
      paths: both(heldPaths),
      isOnce: false,
    },
    {
      name: 'held-retailers',
      what: 'a stored product with the cells of all retailers',
      goal: null,
      paths: both(crossPaths),
      isOnce: false,
    },
    {
      name: 'held-year',
      what: 'a stored product with a year of bars, all of them returned',
      goal: null,
      paths: both(historyPaths),
      isOnce: false,
    },
    {
      name: 'fetched',
      what: 'a product fetched from a shop that answers at once',
      goal: 2,
      paths: () => {
        const urls = newPages(shop, PAGES_A_ROUND);
        const paths = urls.map((url) => `/v1/products/${encodeURIComponent(url)}`);
        return [paths, paths];
      },
      isOnce: true,
    },
  ];
}

/** Alternates all lookups: large, small, large, small. Both services run all the time. */
export async function benchLookups(sides: Sides, effort: LookupEffort): Promise<readonly Figure[]> {
  await using shop = await openShop();
  await using load = startLoad();
  await using large = await startAnswering(sides.large, shop);
  await using small = await startAnswering(sides.small, shop);
  const round = async (answering: Answering, paths: readonly string[], isOnce: boolean) => {
    const limits = isOnce
      ? { maxMs: 600_000, maxRequests: paths.length }
      : { maxMs: effort.msPerRound };
    const sample = await lookUp(load, answering, paths, limits);
    answering.answers += sample.answers;
    if (isOnce) await untilQuiet(answering.side);
    return sample;
  };
  const figures: Figure[] = [];
  for (const { name, what, goal, paths, isOnce } of lookupsOf(shop)) {
    const pairs: Pair[] = [];
    // The first pair warms up.
    for (let pair = 0; pair <= effort.pairs; pair += 1) {
      const [ofLarge, ofSmall] = paths(sides.large, sides.small);
      const measured = await round(large, ofLarge, isOnce);
      const baseline = await round(small, ofSmall, isOnce);
      if (pair > 0) pairs.push({ measured, baseline });
    }
    const text = {
      name,
      measured: `${what}, among ${sides.large.products} products, ${CONNECTIONS} at once`,
      baseline: `the same among ${sides.small.products}`,
      goal: goal === null ? null : ({ is: 'at most', value: goal, stretch: goal } as const),
      ratioOf: 'time',
    } as const;
    figures.push(figureOf(text, pairs));
  }
  await checkBilled(large);
  await checkBilled(small);
  return figures;
}
