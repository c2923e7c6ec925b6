import assert from 'node:assert/strict';

import type { MarketListing } from '../../../../sandbox/market/market.ts';
import { sellingLimitOf } from '../../../../sandbox/retailer-a/selling-api.ts';
import { SANDBOX_CREDENTIALS } from '../../../../sandbox/tokens.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { one } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

/** Only for the seller API: everything else is read from pages. */
const env = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => name.includes('RETAILER_A_SP_')),
);
const contract = contractService({ env, isAlone: true });
const bare = contractService();

const FLAG = '?include_seller_context=true';

/** Returns the number of seller API requests since then: two for each listing. */
const questionsSince = (from: number): number =>
  contract.sandbox
    .requests()
    .slice(from)
    .filter(({ path }) => /restrictions|itemPreview/.test(path)).length;

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
    for (const [kind, reason] of [
      ['APPROVAL_REQUIRED', 'You need approval to list this product.'],
      ['NOT_ELIGIBLE', 'This product takes no offers from other sellers.'],
    ] as const) {
      const closed = await contract.record(limited(kind).id, FLAG);
      assert.deepEqual(closed['restriction'], { flag: true, reason });
      assert.deepEqual(closed['seller_context'], {
        restricted: { any: true, retailers: ['retailer_a'], primary_reason: reason },
      });
    }
    const dangerous = one(contract, 'retailer_a', ({ product }) => product.hazmat === 'flammable');
    const refusedOnes = await contract.record(dangerous.id, FLAG);
    assert.equal(at(refusedOnes, 'fulfillment_eligibility.enabled'), false);
    assert.match(String(at(refusedOnes, 'fulfillment_eligibility.reason')), /FBA_INB_0097/);
    const from = contract.sandbox.requests().length;
    const plain = await contract.record(limited(null).id);
    assert.equal(questionsSince(from), 0);
    assert.ok(!('seller_context' in plain));
    assert.deepEqual([plain['restriction'], plain['fulfillment_eligibility']], [null, null]);
  },
);

proves(
  'PR-30 PA-09',
  'a first-party retailer has null as a whole, and no retailer is asked',
  async () => {
    const { retailers, url: shops } = contract.world;
    const firstParty = (['retailer_l', 'retailer_t', 'retailer_b', 'retailer_h'] as const).map(
      (slug) => retailers[slug].url,
    );
    for (const url of [...firstParty, shops.json_ld]) {
      await contract.record(url);
      await contract.untilQueueIdle();
      const asked = contract.sandbox.requestCount();
      const record = await contract.record(url, FLAG);
      assert.equal(record['seller_context'], null, url);
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
    const from = contract.sandbox.requests().length;
    const live = await contract.record(gtin, `${FLAG}${cells}`);
    assert.equal(questionsSince(from), 2, 'asked once for record and cell');
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
      const from = bare.sandbox.requests().length;
      const record = await bare.record(id, FLAG);
      const paths = bare.sandbox.requests().slice(from);
      assert.ok(paths.every(({ path }) => !/restrictions|itemPreview|token/.test(path)));
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
  for (const kind of ['down', 'broken', 'blocked'] as const) {
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

proves(
  'D33a D18a',
  'a barcode anchored elsewhere: the summary is of all marketplaces, the two facts are of the anchor',
  async () => {
    const { gtin14: gtin } = one(
      contract,
      'retailer_a',
      ({ product, listing }) =>
        sellingLimitOf(product.index) === 'APPROVAL_REQUIRED' &&
        listing.publishedGtin === product.gtin14,
    ).product;
    for (const slug of ['retailer_w', 'retailer_a']) {
      await contract.record(gtin, `?retailer=${slug}`);
    }
    const record = await contract.record(gtin, FLAG);
    assert.equal(at(record, '_meta.price_source'), 'retailer_w');
    assert.deepEqual(at(record, 'seller_context.restricted.retailers'), ['retailer_a']);
    assert.deepEqual([record['restriction'], record['fulfillment_eligibility']], [null, null]);
    const alone = await contract.record(gtin, `${FLAG}&retailer=retailer_w`);
    assert.deepEqual(alone['seller_context'], { restricted: null }, 'of that retailer alone');
    const elsewhere = '&retailer=retailer_b&include_cross_retailer=true&identifier_match=any';
    const cells = await contract.record(contract.world.gtin, `${FLAG}${elsewhere}`);
    assert.equal(cells['seller_context'], null, 'retailer_b has no marketplace');
    assert.ok(at(cells, 'cross_retailer.retailer_a.seller_context.restricted') !== null);
  },
);

proves(
  'D33a D19c',
  'a refresh takes the flag like a lookup, for the same three tokens',
  async () => {
    const { body } = await contract.refresh(
      contract.world.asin,
      `${FLAG}&include_offers_reviews=false`,
    );
    assert.equal(body['tokens_consumed'], 7);
    assert.deepEqual(body['fulfillment_eligibility'], { enabled: true, reason: null });
  },
);

proves('D33a', 'each call asks again; calls that wait together share the answers', async () => {
  const { id } = limited(null);
  await contract.record(id);
  let from = contract.sandbox.requests().length;
  await contract.record(id, FLAG);
  await contract.record(id, FLAG);
  assert.equal(questionsSince(from), 4);
  from = contract.sandbox.requests().length;
  await Promise.all(Array.from({ length: 6 }, () => contract.record(id, FLAG)));
  assert.ok(questionsSince(from) < 12, `${questionsSince(from)} questions for six callers`);
});

proves('D33d', 'an access token that the API refuses is renewed within the call', async () => {
  const { asin } = contract.world;
  await contract.record(asin, FLAG);
  const issued = contract.sandbox.tokenCount();
  contract.sandbox.expireTokens();
  const record = await contract.record(asin, FLAG);
  assert.ok(record['restriction'] !== null && record['fulfillment_eligibility'] !== null);
  assert.equal(contract.sandbox.tokenCount(), issued + 1, 'one for both questions');
});

const refusedThere = contractService({
  env: { ...env, OPENSHELF_RETAILER_A_SP_CLIENT_SECRET: 'not-the-secret' },
});

proves('D33d', 'credentials that the API refuses are 503, and are not in the answer', async () => {
  const { asin } = refusedThere.world;
  await refusedThere.record(asin);
  const body = refused(await refusedThere.lookup(asin, FLAG), 503, 'upstream_unavailable');
  assert.doesNotMatch(JSON.stringify(body), /not-the-secret|sandbox-client/);
});

const publisher = contractService({
  env: {
    OPENSHELF_RETAILER_A_CREATORS_ID: 'nobody',
    OPENSHELF_RETAILER_A_CREATORS_SECRET: 'nothing',
    OPENSHELF_RETAILER_A_CREATORS_VERSION: '3.1',
    OPENSHELF_RETAILER_A_PARTNER_TAG: 'none-20',
  },
});

proves('D33c', 'credentials of an API that cannot answer the question count as none', async () => {
  const record = await publisher.record(publisher.world.asin, FLAG);
  assert.deepEqual(record['seller_context'], { restricted: null });
});

proves('D33f', 'an empty context says why, and one that was not requested is omitted', async () => {
  const why = (record: Record<string, unknown>) => at(record, '_meta.seller_context_null');
  const { asin, retailers } = contract.world;
  assert.equal(why(await contract.record(asin, FLAG)), undefined);
  assert.equal(why(await bare.record(bare.world.asin, FLAG)), 'no_source');
  assert.equal(why(await bare.record(bare.world.asin)), undefined);
  assert.equal(why(await contract.record(retailers.retailer_h.url, FLAG)), 'first_party_retailer');
});
