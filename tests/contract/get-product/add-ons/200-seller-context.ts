import assert from 'node:assert/strict';

import type { MarketListing } from '../../../../src/sandbox/market/market.ts';
import {
  SELLING_MESSAGES,
  sellingLimitOf,
} from '../../../../src/sandbox/retailer-a/selling-api.ts';
import { SANDBOX_CREDENTIALS } from '../../../../src/sandbox/tokens.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { one } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

/** Of the seller API alone: everything else is read from pages. */
const env = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => name.includes('RETAILER_A_SP_')),
);
const contract = contractService({ env });
const bare = contractService();

const FLAG = '?include_seller_context=true';

const limited = (kind: string | null): MarketListing =>
  one(
    contract,
    'retailer_a',
    ({ product }) => sellingLimitOf(product.index) === kind && product.hazmat === null,
  );

proves(
  'PA-08 CO-03 PR-27 PR-28 PR-29 D33a OV-03',
  'three tokens bring the live word of a marketplace: who restricts it and why, and whether it is taken',
  async () => {
    const free = await contract.record(limited(null).id, FLAG);
    assert.deepEqual(free['seller_context'], {
      restricted: { any: false, retailers: [], primary_reason: null },
    });
    assert.deepEqual(free['restriction'], { flag: false, reason: null });
    assert.deepEqual(free['fulfillment_eligibility'], { enabled: true, reason: null });
    assert.equal(free['tokens_consumed'], 4);
    const reason = SELLING_MESSAGES.APPROVAL_REQUIRED;
    const closed = await contract.record(limited('APPROVAL_REQUIRED').id, FLAG);
    assert.deepEqual(closed['restriction'], { flag: true, reason });
    assert.deepEqual(closed['seller_context'], {
      restricted: { any: true, retailers: ['retailer_a'], primary_reason: reason },
    });
    const dangerous = one(contract, 'retailer_a', ({ product }) => product.hazmat === 'flammable');
    const refusedOnes = await contract.record(dangerous.id, FLAG);
    assert.equal(at(refusedOnes, 'fulfillment_eligibility.enabled'), false);
    assert.ok(String(at(refusedOnes, 'fulfillment_eligibility.reason')).length > 5);
    const plain = await contract.record(limited(null).id);
    assert.ok(!('seller_context' in plain));
    assert.deepEqual([plain['restriction'], plain['fulfillment_eligibility']], [null, null]);
  },
);

proves(
  'PR-30 PA-09',
  'a first-party retailer answers null as a whole, and nobody is asked',
  async () => {
    for (const slug of ['retailer_l', 'retailer_t', 'retailer_b', 'retailer_h'] as const) {
      const { url } = contract.world.retailers[slug];
      await contract.record(url);
      await contract.worked();
      const asked = contract.sandbox.requestCount();
      const record = await contract.record(url, FLAG);
      assert.equal(record['seller_context'], null, slug);
      assert.equal(record['tokens_consumed'], 4);
      assert.equal(contract.sandbox.requestCount(), asked);
    }
  },
);

proves(
  'D33b CL-13 CO-07 CL-12',
  'with the cells their live fields appear; without the flag they stay null',
  async () => {
    const { gtin } = contract.world;
    for (const slug of ['retailer_w', 'retailer_a', 'retailer_b'] as const) {
      await contract.record(gtin, `?retailer=${slug}`);
    }
    const cells = '&include_cross_retailer=true&identifier_match=any';
    const live = await contract.record(gtin, `${FLAG}${cells}`);
    assert.equal(live['tokens_consumed'], 6);
    const shown = 'cross_retailer.retailer_a.seller_context';
    assert.ok(at(live, `${shown}.restricted.flag`) !== undefined);
    assert.deepEqual(at(live, `${shown}.fulfillment_eligibility`), { enabled: true, reason: null });
    assert.equal(at(live, 'cross_retailer.retailer_b.seller_context'), null);
    const plain = await contract.record(gtin, `?${cells.slice(1)}`);
    assert.equal(at(plain, `${shown}.restricted`), null);
    assert.equal(at(plain, `${shown}.fulfillment_eligibility`), null);
    const all = await contract.record(gtin, `${FLAG}${cells}&include_offers_reviews=true`);
    assert.equal(all['tokens_consumed'], 11);
  },
);

proves(
  'D33c D23c',
  'what no credentials allow asking is null and never "not restricted"',
  async () => {
    for (const id of [bare.world.asin, bare.world.upc]) {
      const record = await bare.record(id, FLAG);
      assert.deepEqual(record['seller_context'], { restricted: null });
      assert.deepEqual([record['restriction'], record['fulfillment_eligibility']], [null, null]);
      assert.equal(record['tokens_consumed'], 4);
    }
  },
);

proves('D33d D16a', 'a source with credentials that does not answer is 503, unbilled', async () => {
  const { asin } = contract.world;
  await contract.record(asin);
  const left = await contract.left();
  for (const kind of ['down', 'broken'] as const) {
    contract.sandbox.disturb('retailer_a', kind);
    try {
      const answer = await contract.lookup(asin, FLAG);
      refused(answer, 503, 'upstream_unavailable');
      assert.ok(Number(answer.headers.get('retry-after')) >= 1);
    } finally {
      contract.sandbox.disturb('retailer_a', null);
    }
  }
  assert.equal(await contract.left(), left);
});
