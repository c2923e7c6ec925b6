// Two services on one PostgreSQL share what is known of official APIs, and their daily limits (D79).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { SANDBOX_ACCESS } from '../../sandbox/tokens.ts';
import { newDatabase } from '../support/databases.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

const STARTS_MS = Date.UTC(2026, 10, 20, 12);

type Source = Readonly<Record<string, unknown>> & { readonly name: string };

async function productsApi(service: Service) {
  const { retailers } = (await service.get('/v1/retailers')).body;
  const all = retailers as readonly { retailer: string; sources: readonly Source[] }[];
  const source = all
    .find(({ retailer }) => retailer === 'retailer_b')
    ?.sources.find(({ name }) => name === 'products');
  return { ...source, condition: source?.['condition'] as Readonly<Record<string, unknown>> };
}

async function callsOf({ url }: Service): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const line = /^openshelf_source_calls_total\{source="retailer_b\.products"\} (\d+)$/m.exec(text);
  return Number(line?.[1] ?? 0);
}

/** Starts two services over one database. */
async function openPair(settings: Readonly<Record<string, string>>, logTo: (line: string) => void) {
  const stack = new AsyncDisposableStack();
  const { url: DATABASE_URL } = stack.use(await newDatabase('migrated'));
  const clock = stillClock(STARTS_MS);
  const options = { clock, withRetailers: true, env: { DATABASE_URL, ...settings }, logTo };
  const one = stack.use(await startService(options));
  const two = stack.use(await startService(options));
  const { trouble } = one.sandbox.describe().retailers.retailer_b;
  const codes = (['sold_out', 'foreign_currency', 'ended', 'other_pack', 'wrong_barcode'] as const)
    .map((kind) => trouble[kind]?.gtin)
    .filter((gtin) => gtin !== undefined);
  return { stack, clock, one, two, codes };
}

test('what one service learns of an API the other one knows: it does not ask, and says the same', async () => {
  const lines: string[] = [];
  const { stack, clock, one, two, codes } = await openPair(
    { OPENSHELF_RETAILER_B_API_KEY: 'wrong' },
    (line) => lines.push(line),
  );
  await using _ = stack;
  await one.lookup(codes[0] ?? '', '?retailer=retailer_b');
  const [first, second] = [await productsApi(one), await productsApi(two)];
  assert.equal(first.condition['state'], 'credentials_refused');
  assert.deepEqual(second, first);
  await two.lookup(codes[1] ?? '', '?retailer=retailer_b');
  assert.deepEqual([await callsOf(one), await callsOf(two)], [1, 0]);
  clock.advance(3_600_000);
  await two.lookup(codes[2] ?? '', '?retailer=retailer_b');
  assert.equal(await callsOf(two), 1);
  const failures = lines.filter((line) => line.includes('an official source fails'));
  assert.equal(failures.length, 1, failures.join('\n'));
  assert.match(failures[0] ?? '', /OPENSHELF_RETAILER_B_API_KEY/);
});

test('two services together send no more requests than the daily limit', async () => {
  const { stack, one, two, codes } = await openPair(
    {
      OPENSHELF_RETAILER_B_API_KEY: SANDBOX_ACCESS.apiKey,
      OPENSHELF_SOURCE_LIMITS: 'retailer_b.products=3',
    },
    () => undefined,
  );
  await using _ = stack;
  const asked = codes.map((code, n) =>
    (n % 2 === 0 ? one : two).lookup(code, '?retailer=retailer_b'),
  );
  for (const { status } of await Promise.all(asked)) assert.ok(status === 200 || status === 404);
  assert.equal((await callsOf(one)) + (await callsOf(two)), 3);
  for (const service of [one, two]) {
    const { condition } = await productsApi(service);
    assert.deepEqual([condition['state'], condition['calls_today']], ['quota_spent', 3]);
  }
});
