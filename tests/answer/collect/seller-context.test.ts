// The seller context of one listing, as the record and its cells request it.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { FaultError } from '../../../src/base/fault.ts';
import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { KNOWN_SLUGS, RETAILERS } from '../../../src/base/retailer.ts';
import { createFetcher } from '../../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../../src/egress/origins.ts';
import { createAccess } from '../../../src/answer/collect/asking/source-access.ts';
import { createSellerContextOf } from '../../../src/answer/collect/asking/seller-context.ts';
import { bookOf } from '../../../src/read/retailers/addresses/address-books.ts';
import { readCredentials } from '../../../src/read/retailers/credentials.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { SANDBOX_CREDENTIALS } from '../../../sandbox/tokens.ts';
import { contextOf } from '../../support/contexts.ts';

let sandbox: Sandbox;

before(async () => {
  sandbox = await startSandbox({
    seed: 3,
    products: 60,
    now: systemClock.now,
    retailers: publicOrigins(),
  });
});

after(async () => {
  await sandbox.close();
});

function sellerContextOf(env: Readonly<Record<string, string>> = {}) {
  const pairs = Object.entries(sandbox.origins).map(([from, to]) => `${from}=${to}`);
  const { origins } = parseOrigins(pairs.join(','));
  const fetch = createFetcher({ clock: systemClock, version: '0', origins });
  const credentials = readCredentials(env, []);
  const access = createAccess({ fetch, clock: systemClock, credentials, newId: () => 'id' });
  return createSellerContextOf({
    fetch,
    access,
    clock: systemClock,
    readAnswer: async (page, name, slug) => readAnswer(page, name, slug),
  });
}

const SELLER = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => name.includes('RETAILER_A_SP_')),
);
const context = () => contextOf(AbortSignal.timeout(10_000));

test('a retailer without a marketplace has no seller context, and no request is sent', async () => {
  const of = sellerContextOf(SELLER);
  const { retailers, url } = sandbox.describe();
  const from = sandbox.requestCount();
  for (const retailer of KNOWN_SLUGS.filter((slug) => !RETAILERS[slug].marketplace)) {
    const listing = { retailer, url: retailers[retailer].url };
    assert.equal(await of(listing, EMPTY_LISTING, context()), null);
  }
  assert.equal(
    await of({ retailer: 'somewhere', url: url.json_ld }, EMPTY_LISTING, context()),
    null,
  );
  assert.equal(sandbox.requestCount(), from);
});

test('published limits rule out fulfilment without a request', async () => {
  const of = sellerContextOf(SELLER);
  const from = sandbox.requestCount();
  const { url } = sandbox.describe().retailers.retailer_w;
  const heavy = { ...EMPTY_LISTING, weightPackageLbs: 612.5 };
  const answered = await of({ retailer: 'retailer_w', url }, heavy, context());
  assert.equal(answered?.restriction, null);
  assert.equal(answered?.fulfillmentEligibility?.enabled, false);
  assert.match(answered?.fulfillmentEligibility?.reason ?? '', /500 lb/);
  const unknown = await of({ retailer: 'retailer_w', url }, EMPTY_LISTING, context());
  assert.deepEqual(unknown, { restriction: null, fulfillmentEligibility: null });
  assert.equal(sandbox.requestCount(), from);
});

test('no request is sent for an address that is not a product page of its retailer', async () => {
  const listing = { retailer: 'retailer_a', url: 'https://www.example.com/somewhere' };
  const answered = await sellerContextOf(SELLER)(listing, EMPTY_LISTING, context());
  assert.deepEqual(answered, { restriction: null, fulfillmentEligibility: null });
});

test('a listing that the record and a cell need at once is requested once for each question', async () => {
  const of = sellerContextOf(SELLER);
  const listing = { retailer: 'retailer_a', url: sandbox.describe().retailers.retailer_a.url };
  const from = sandbox.requests().length;
  const [first, second] = await Promise.all([
    of(listing, EMPTY_LISTING, context()),
    of(listing, EMPTY_LISTING, context()),
  ]);
  assert.ok(first?.restriction !== null && first?.fulfillmentEligibility !== null);
  assert.deepEqual(first, second);
  const paths = sandbox
    .requests()
    .slice(from)
    .map(({ path }) => path.split('?')[0]);
  assert.equal(paths.filter((path) => path?.endsWith('/restrictions')).length, 1);
  assert.equal(paths.filter((path) => path?.endsWith('/itemPreview')).length, 1);
});

test('an ASIN that the catalog does not have is unknown, not unrestricted', async () => {
  const identifier = { kind: 'asin', value: 'B0NOTHERE0', retailer: 'retailer_a' } as const;
  const url = bookOf('retailer_a').productUrl(identifier) ?? '';
  const listing = { retailer: 'retailer_a', url };
  const answered = await sellerContextOf(SELLER)(listing, EMPTY_LISTING, context());
  assert.deepEqual(answered, { restriction: null, fulfillmentEligibility: null });
});

test('an API that fails one question fails the call, whatever it answers to the other', async () => {
  const of = sellerContextOf(SELLER);
  const listing = { retailer: 'retailer_a', url: sandbox.describe().retailers.retailer_a.url };
  sandbox.disturb('retailer_a', 'broken');
  try {
    await assert.rejects(of(listing, EMPTY_LISTING, context()), (error: unknown) => {
      assert.ok(error instanceof FaultError);
      assert.equal(error.fault.code, 'upstream_unavailable');
      assert.ok((error.fault.retryAfterSeconds ?? 0) > 0);
      return true;
    });
  } finally {
    sandbox.disturb('retailer_a', null);
  }
});
