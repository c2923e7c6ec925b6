// npm run lab -- mixed-load --minutes 60: two processes over one PostgreSQL answer lookups, refreshes, histories and
// lookups of hostile shops; one of them is killed every minute, the other one stays. The memory of the one that stays must
// be flat: the median of the last quarter is within 10 % of that of the second. All answers are of the allowed kinds, and
// the store is consistent at the end. Exit code 1 otherwise.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';

import { sandboxEnv } from '../../src/edge/cli/sandbox-config.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { openStore } from '../../src/data/store.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { residentMb } from '../bench/resident-memory.ts';
import { integerBelow, randomFrom } from '../../tests/support/random.ts';
import { beginKilling, serviceProcess, type ServiceProcess } from './cluster/processes.ts';
import { quantile } from '../bench/measurement.ts';
import type { Truth } from './market/facts.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    callers: { type: 'string', default: '8' },
    'pause-ms': { type: 'string', default: '20' },
  },
});
const seed = Number(values.seed);
const endsMs = performance.now() + Number(values.minutes) * 60_000;

const HOSTILE = 'https://hostile-shop.example.com';
const KILL_EVERY_MS = 60_000;
const SAMPLE_EVERY_MS = 5_000;
const MOST_GROWTH = 1.1;
/** Whatever a hostile shop does, the status is one of these; 0: the process was killed during the request. */
const ALLOWED = new Set([0, 200, 400, 404, 422, 429, 502, 503, 504]);
const LIMITS = {
  monthlyQuota: 1_000_000_000,
  throttlePerMinute: 60_000_000,
  throttleBurst: 1_000_000,
};

async function truthsOf(sandbox: Sandbox): Promise<readonly Truth[]> {
  const [base = ''] = Object.values(sandbox.origins);
  const all = KNOWN_SLUGS.map(async (slug) => {
    const answer = await fetch(`${base}/__truth/retailer?retailer=${slug}&offset=0&limit=2000`);
    return (await answer.json()) as readonly Truth[];
  });
  return (await Promise.all(all)).flat();
}

async function startHostileShop(): Promise<{ readonly origin: string; readonly end: () => void }> {
  const program = new URL('../prove/hostile-shop-process.ts', import.meta.url);
  const child = fork(program, ['shop', String(seed)]);
  process.once('exit', () => child.kill());
  const [port] = (await once(child, 'message')) as [number];
  return { origin: `http://127.0.0.1:${port}`, end: () => child.kill() };
}

type Call = { readonly method: 'GET' | 'POST'; readonly path: string };

/** Draws a call by its percentage. */
function callOf(truths: readonly Truth[], random: () => number, number: number): Call {
  const truth = truths[integerBelow(random, truths.length)];
  if (truth === undefined) throw new Error('the market is empty');
  const [page, code] = [encodeURIComponent(truth.url), truth.true_gtin];
  const share = integerBelow(random, 100);
  if (share < 15) {
    return { method: 'GET', path: `/v1/products/${encodeURIComponent(`${HOSTILE}/p/${number}`)}` };
  }
  if (share < 17) return { method: 'POST', path: `/v1/products/${code}/refresh` };
  if (share < 27) return { method: 'GET', path: `/v1/products/${code}/history?retailer=all` };
  if (share < 50) return { method: 'GET', path: `/v1/products/${page}` };
  return { method: 'GET', path: `/v1/products/${code}?include_cross_retailer=true` };
}

type Counts = Map<number, number>;

async function call(url: string, key: string, { method, path }: Call): Promise<number> {
  try {
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${url}${path}`, { method, headers });
    await answer.arrayBuffer();
    return answer.status;
  } catch {
    return 0;
  }
}

async function caller(
  urls: readonly string[],
  key: string,
  { truths, number, counts }: { truths: readonly Truth[]; number: number; counts: Counts },
): Promise<void> {
  const random = randomFrom(seed * 1_000 + number);
  for (let made = 0; performance.now() < endsMs; made += 1) {
    const next = callOf(truths, random, made * 100 + number);
    const status = await call(urls[made % urls.length] ?? '', key, next);
    counts.set(status, (counts.get(status) ?? 0) + 1);
    if (!ALLOWED.has(status)) console.error(`${status}: ${next.method} ${next.path}`);
    await new Promise((resolve) => setTimeout(resolve, Number(values['pause-ms'])));
  }
}

async function sampled(url: string): Promise<readonly number[]> {
  const samples: number[] = [];
  while (performance.now() < endsMs) {
    samples.push(await residentMb(url));
    if (samples.length % 60 === 0) {
      console.error(`${(samples.length * SAMPLE_EVERY_MS) / 60_000} min: ${samples.at(-1)} MB`);
    }
    await new Promise((resolve) => setTimeout(resolve, SAMPLE_EVERY_MS));
  }
  return samples;
}

const nowMs = Date.now();
await using sandbox = await startSandbox({
  seed,
  products: 1_000,
  now: () => nowMs,
  retailers: publicOrigins(),
});
const truths = await truthsOf(sandbox);
const hostile = await startHostileShop();
await using database = await newDatabase('migrated');
await using store = await openStore({ kind: 'postgres', url: database.url });
const origins = { ...sandbox.origins, [HOSTILE]: hostile.origin };
const env = {
  ...sandboxEnv({ ...sandbox, origins }, {}),
  DATABASE_URL: database.url,
  OPENSHELF_DNS_SERVERS: '127.0.0.1:9',
  OPENSHELF_REQUEST_LOG: 'false',
};
const staying: ServiceProcess = await serviceProcess('api,indexer', env);
const killed: ServiceProcess = await serviceProcess('api,indexer', env);
await Promise.all([staying.start(), killed.start()]);
const { text: key } = await issueKey(
  store.accounts,
  { organization: 'mixed', note: null, ...LIMITS },
  nowMs,
);
const counts: Counts = new Map();
const killing = beginKilling([[killed]], KILL_EVERY_MS);
const callers = Array.from({ length: Number(values.callers) }, (_, number) =>
  caller([staying.url, killed.url], key, { truths, number, counts }),
);
const samples = await sampled(staying.url);
await Promise.all(callers);
await killing.end();
await Promise.all([staying.stop(), killed.stop()]);
hostile.end();
const quarter = (at: number): readonly number[] =>
  samples.slice((samples.length * at) / 4, (samples.length * (at + 1)) / 4);
const [second, last] = [quantile(quarter(1), 0.5), quantile(quarter(3), 0.5)];
const problems = await checkStore(store.sql);
const strange = [...counts].filter(([status]) => !ALLOWED.has(status));
const shown = [...counts].sort(([one], [other]) => one - other);
console.log(`${values.minutes} minutes, ${killing.kills()} kills of one of two processes`);
console.log(`answers: ${shown.map(([status, count]) => `${status}: ${count}`).join(', ')}`);
console.log(
  `memory of the one that keeps running: median of the second quarter ${second.toFixed(0)} MB, of the last ${last.toFixed(0)} MB`,
);
console.log(`problems of the store: ${problems.length}`);
for (const problem of problems.slice(0, 20)) console.log(`  ${problem}`);
process.exitCode = last <= second * MOST_GROWTH && problems.length + strange.length === 0 ? 0 : 1;
