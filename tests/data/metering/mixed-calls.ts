// Mixed calls of several organizations against the running service, and the three sums that must agree: the costs stated in
// the answers, the ledger's total, and the decrease of the balances.

import { openApp, type App } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { issueKey } from '../../../src/data/metering/keys.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type SandboxDescription } from '../../../sandbox/server.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { findMonthUsage } from '../../../src/data/accounts/usage.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type MeteringOptions = {
  readonly calls: number;
  readonly seed: number;
  readonly workers: number;
};

type MeteringResult = {
  /** Answers served from the cache, before the framework. */
  readonly kept: number;
  readonly calls: number;
  readonly statuses: Readonly<Record<string, number>>;
  /** Sum of tokens_consumed over all answers; replays, which repeat an older answer, left out. */
  readonly answered: number;
  readonly ledger: number;
  readonly dropped: number;
  readonly problems: readonly string[];
};

/** The last one soon runs out of tokens, so that refusals are among the calls. */
const ORGANIZATIONS = [
  { name: 'north', monthlyQuota: 1_000_000_000 },
  { name: 'south', monthlyQuota: 1_000_000_000 },
  { name: 'poor', monthlyQuota: 100 },
] as const;

const WIDE = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };

type Kind = (world: SandboxDescription) => string;

const product = (id: string, rest = ''): string => `/v1/products/${encodeURIComponent(id)}${rest}`;

/** Lookups with and without add-ons, histories, reviews, sellers, free routes and refusals. */
const KINDS: readonly Kind[] = [
  ({ upc }) => product(upc),
  ({ item_id: id }) => product(id),
  ({ asin }) => product(asin, '?include_stats=0'),
  ({ url }) => product(url.hosted),
  ({ upc }) => product(upc, '?include_cross_retailer=true'),
  ({ item_id: id }) => product(id, '?include_price_series=true'),
  ({ out_of_stock_url: url }) => product(url, '?include_price_series=true'),
  ({ item_id: id }) => product(id, '?include_offers_history=true'),
  ({ seller_item_id: id }) => product(id ?? '', '?include_offers=true'),
  ({ upc }) => product(upc, '/history?retailer=all'),
  ({ item_id: id }) => product(id, '/reviews'),
  ({ seller_id: id }) => `/v1/sellers/${id}`,
  () => '/v1/usage',
  () => product('hello!'),
  ({ upc }) => product(upc, '?nonsense=1'),
  ({ first_party_seller_id: id }) => `/v1/sellers/${id}`,
];

export async function measureMetering(options: MeteringOptions): Promise<MeteringResult> {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  await using sandbox = await startSandbox({
    seed: options.seed,
    now: Date.now,
    retailers: publicOrigins(),
  });
  const config = withSandbox(readConfig({}, { dataDir, port: 0 }), sandbox);
  await using app = await openApp(config);
  const { url } = await app.listen();
  const result = await run(app, url, sandbox.describe(), options);
  await app.stop(1_000);
  return result;
}

async function run(
  app: App,
  url: string,
  world: SandboxDescription,
  { calls, seed, workers }: MeteringOptions,
): Promise<MeteringResult> {
  const { store } = app;
  const keys: string[] = [];
  for (const { name, monthlyQuota } of ORGANIZATIONS) {
    const request = { organization: name, note: null, monthlyQuota, ...WIDE };
    keys.push((await issueKey(store.accounts, request, Date.now())).text);
  }
  const paths = KINDS.map((kind) => kind(world));
  const statuses: Record<string, number> = {};
  let answered = 0;
  let started = 0;
  const work = async (): Promise<void> => {
    for (let number = started++; number < calls; number = started++) {
      const drawn = mixed(seed, number);
      const key = keys[drawn % 10 === 0 ? 2 : drawn % 2] ?? '';
      // One call in eight has a key of its own or one that was sent before.
      const again = drawn % 8 === 0 ? { 'idempotency-key': `k${number % 97}` } : {};
      const path = paths[Math.floor(drawn / 16) % paths.length] ?? '/v1';
      const response = await ask(`${url}${path}`, { authorization: `Bearer ${key}`, ...again });
      const body = (await response.json()) as { readonly tokens_consumed?: number };
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      if (response.headers.get('idempotency-replayed') === null) {
        answered += body.tokens_consumed ?? 0;
      }
    }
  };
  await Promise.all(Array.from({ length: workers }, work));
  const usages = await Promise.all(
    ORGANIZATIONS.map(({ name }) => findMonthUsage(store.sql, name, Date.now())),
  );
  const dropped = ORGANIZATIONS.reduce(
    (sum, { monthlyQuota }, at) => sum + monthlyQuota - (usages[at]?.tokensRemaining ?? 0),
    0,
  );
  const [row] = await store.sql.all('select coalesce(sum(tokens), 0) as tokens from ledger');
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return {
    calls,
    statuses,
    kept: Number(/^openshelf_prepared_answers_total (\d+)/m.exec(metrics)?.[1] ?? 0),
    answered,
    ledger: Number(row?.['tokens']),
    dropped,
    problems: (await checkStore(store.sql)).map(String),
  };
}

/**
 * A connection may be closed at the moment when it is reused, after a pause or a number of requests; the call is then
 * repeated. If the first one had been charged, the ledger would have more tokens than the answers.
 */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Response> {
  try {
    return await fetch(url, { headers });
  } catch (error) {
    const cause = error instanceof Error ? (error.cause as NodeJS.ErrnoException) : null;
    if (cause?.code !== 'ECONNRESET' && cause?.code !== 'UND_ERR_SOCKET') throw error;
    return await fetch(url, { headers });
  }
}

/** Returns a number drawn for a call: the same seed draws the same calls. */
function mixed(seed: number, number: number): number {
  let value = (seed * 0x9e3779b1 + number * 0x85ebca6b) >>> 0;
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d) >>> 0;
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39) >>> 0;
  return (value ^ (value >>> 15)) >>> 0;
}
