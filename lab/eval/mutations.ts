// npm run lab -- mutations [--count N] [--seed N] [--json]: every reader of every retailer on answers of the simulated
// market, corrupted N times each. A reader that throws, returns something other than a verdict, or exceeds its thread's
// deadline is a failure.

import { generateKeyPairSync } from 'node:crypto';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { toGtin14 } from '../../src/base/identifiers/gtin.ts';
import type { Identifier } from '../../src/base/identifiers/parse-identifier.ts';
import type { Page } from '../../src/base/listing/page.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../src/base/retailer.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { createAccess } from '../../src/answer/collect/asking/source-access.ts';
import type { RetailerQuestion } from '../../src/read/retailers/adapter.ts';
import { ADAPTERS } from '../../src/read/retailers/adapters.ts';
import { readCredentials } from '../../src/read/retailers/credentials.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import { readAnswer, READERS } from '../../src/read/retailers/registry.ts';
import { sellingLimitOf } from '../../sandbox/retailer-a/selling-api.ts';
import { startSandbox, type Sandbox } from '../../sandbox/server.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../sandbox/tokens.ts';
import { randomFrom } from '../../tests/support/random.ts';
import { mutated } from '../../tests/support/text-mutations.ts';
import { contextOf } from '../../tests/support/contexts.ts';

const VERDICTS = new Set([
  'read',
  'follow',
  'not_found',
  'not_a_product',
  'blocked',
  'retry',
  'unreadable',
]);

/** Deadline of a reading thread: a reader that needs longer for one page is stopped in the service too. */
const DEADLINE_MS = 750;

type Sample = {
  readonly slug: KnownSlug | undefined;
  readonly reader: string;
  readonly page: Page;
};

/** Returns one answer per reader, requested as the service does. */
async function samplesOf(sandbox: Sandbox, privateKey: string): Promise<readonly Sample[]> {
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  const { origins } = parseOrigins(pairs.join(','));
  const fetcher = createFetcher({ clock: systemClock, version: '0', origins });
  const env = { ...SANDBOX_CREDENTIALS, OPENSHELF_RETAILER_W_PRIVATE_KEY: privateKey };
  const credentials = readCredentials(env, []);
  const newId = () => '5a0db0c5-0000-4000-8000-000000000001';
  const access = createAccess({ fetch: fetcher, clock: systemClock, credentials, newId });
  const samples = new Map<string, Sample>();
  const signal = () => AbortSignal.timeout(10_000);
  const described = sandbox.describe();
  const gtin = toGtin14(described.gtin);
  for (const slug of KNOWN_SLUGS) {
    const identifier = ADAPTERS[slug].book.reduce(new URL(described.retailers[slug].url));
    if (identifier === null || gtin === null) continue;
    const questions: readonly RetailerQuestion[] = [
      { kind: 'product', identifier },
      { kind: 'barcode', gtin },
      { kind: 'offers', identifier },
      { kind: 'reviews', identifier, page: 1 },
      { kind: 'seller', catalogSellerId: described.catalog_seller_id ?? '' },
      { kind: 'restriction', identifier: restrictedOr(sandbox, identifier) },
      { kind: 'fulfillment_eligibility', identifier },
    ];
    for (const source of access.sourcesOf(slug)) {
      for (const question of questions) {
        const reader = source.readerOf(question.kind);
        if (samples.has(`${slug} ${reader}`) || READERS[slug][reader] === undefined) continue;
        const allowed = await access.accessOf(slug, source, contextOf(signal()));
        const request = 'access' in allowed ? source.request(question, allowed.access) : null;
        if (request === null) continue;
        const answer = await fetcher({ ...request, isOfficial: true }, contextOf(signal()));
        if (answer.ok && answer.page.body.length > 0) {
          samples.set(`${slug} ${reader}`, { slug, reader, page: answer.page });
        }
      }
    }
  }
  for (const url of [described.url.hosted, described.url.json_ld, described.url.open_graph]) {
    const answer = await fetcher({ url, accept: 'html' }, contextOf(signal()));
    if (answer.ok) {
      samples.set(url, { slug: undefined, reader: 'product', page: answer.page });
    }
  }
  return [...samples.values()];
}

/** Returns a product that is restricted for some sellers, so that the answer contains reasons to corrupt. */
function restrictedOr(sandbox: Sandbox, identifier: Identifier): Identifier {
  if (identifier.kind !== 'asin') return identifier;
  const listings = sandbox.market().listings('retailer_a');
  const restricted = listings.find(
    ({ product }) => product.trouble === null && sellingLimitOf(product.index) !== null,
  );
  return restricted === undefined ? identifier : { ...identifier, value: restricted.id };
}

type Result = {
  readonly reader: string;
  readonly bytes: number;
  readonly runs: number;
  readonly failures: readonly string[];
  readonly slowestMs: number;
  readonly read: number;
};

function spoil({ slug, reader, page }: Sample, count: number, seed: number): Result {
  const random = randomFrom(seed);
  const text = Buffer.from(page.body).toString('utf8');
  const failures: string[] = [];
  let slowestMs = 0;
  let read = 0;
  for (let run = 0; run < count; run += 1) {
    const body = Buffer.from(mutated(text, random));
    const from = performance.now();
    try {
      const verdict = readAnswer({ ...page, body }, reader, slug);
      if (verdict === null || !VERDICTS.has(verdict.kind)) failures.push(`run ${run}: no verdict`);
      if (verdict?.kind === 'read') read += 1;
    } catch (error) {
      failures.push(`run ${run}: ${messageOf(error)}`);
    }
    slowestMs = Math.max(slowestMs, performance.now() - from);
  }
  if (slowestMs > DEADLINE_MS) failures.push(`the slowest took ${Math.round(slowestMs)} ms`);
  return {
    reader: `${slug ?? new URL(page.url).hostname} ${reader}`,
    bytes: page.body.length,
    runs: count,
    failures,
    slowestMs,
    read,
  };
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      count: { type: 'string', default: '10000' },
      seed: { type: 'string', default: '20261120' },
      json: { type: 'boolean', default: false },
    },
  });
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  await using sandbox = await startSandbox({
    seed: 5,
    products: 100,
    now: () => Date.now(),
    retailers: publicOrigins(),
    signedCaller: {
      consumerId: SANDBOX_ACCESS.consumerId,
      keyVersion: SANDBOX_ACCESS.keyVersion,
      publicKey: publicKey.export({ type: 'spki', format: 'pem' }),
    },
  });
  const secret = privateKey.export({ type: 'pkcs8', format: 'pem' });
  const samples = await samplesOf(sandbox, secret);
  console.error(
    `seed ${values.seed}, ${values.count} spoilt answers for each of ${samples.length} readers`,
  );
  const results = samples.map((sample) => spoil(sample, Number(values.count), Number(values.seed)));
  for (const each of results) {
    console.error(
      `${each.reader.padEnd(36)} ${String(each.bytes).padStart(8)} bytes, ${each.runs} runs, ` +
        `${each.failures.length} failures, slowest ${each.slowestMs.toFixed(1)} ms, ${each.read} still read`,
    );
    for (const failure of each.failures.slice(0, 3)) console.error(`  ${failure}`);
  }
  const failures = results.reduce((sum, each) => sum + each.failures.length, 0);
  const runs = results.reduce((sum, each) => sum + each.runs, 0);
  if (values.json) console.log(JSON.stringify({ readers: results.length, runs, failures }));
  return failures === 0 ? 0 : 1;
}

process.exitCode = await main();
