// `include_seller_context` as a caller sees it: with the sandbox's credentials, without any, and when the API fails.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { MarketListing } from '../../src/sandbox/market/market.ts';
import {
  NOT_TAKEN,
  SELLING_MESSAGES,
  sellingLimitOf,
} from '../../src/sandbox/retailer-a/selling-api.ts';
import { SANDBOX_CREDENTIALS } from '../../src/sandbox/tokens.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';

/** Of the seller API alone: everything else is read from pages. */
const SELLER = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => name.includes('RETAILER_A_SP_')),
);

const clock = shiftedClock();
let service: Service;
let bare: Service;

before(async () => {
  service = await startService({ clock, withRetailers: true, env: SELLER });
  bare = await startService({ clock, withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await bare[Symbol.asyncDispose]();
});

const FLAG = '?include_seller_context=true';

async function seller(id: string, query = '', of = service): Promise<ProductRecord> {
  const { status, body } = await of.lookup(id, `${FLAG}${query}`);
  assert.equal(status, 200, JSON.stringify(body));
  return ProductRecord.parse(body);
}

/** Ordinary listings of retailer_a that fit. */
function asins(fits: (listing: MarketListing) => boolean): readonly MarketListing[] {
  return service.sandbox
    .market()
    .listings('retailer_a')
    .filter(({ product, hasWrongBarcode }) => product.trouble === null && !hasWrongBarcode)
    .filter(fits);
}

function one(fits: (listing: MarketListing) => boolean): MarketListing {
  const [listing] = asins(fits);
  if (listing === undefined) assert.fail('such a listing exists');
  return listing;
}

const limit = ({ product }: MarketListing) => sellingLimitOf(product.index);

/** Questions that the seller API was asked since a moment. */
function asked(from: number, path = /restrictions|itemPreview/): number {
  return service.sandbox
    .requests()
    .slice(from)
    .filter((each) => path.test(each.path)).length;
}

const moment = () => service.sandbox.requests().length;

test('an ASIN that anybody may sell: told as such, for three tokens more', async () => {
  const listing = one((each) => limit(each) === null && each.product.hazmat === null);
  const record = await seller(listing.id);
  assert.deepEqual(record.seller_context, {
    restricted: { any: false, retailers: [], primary_reason: null },
  });
  assert.deepEqual(record.restriction, { flag: false, reason: null });
  assert.deepEqual(record.fulfillment_eligibility, { enabled: true, reason: null });
  assert.equal(record.tokens_consumed, 4);
});

for (const kind of ['APPROVAL_REQUIRED', 'NOT_ELIGIBLE'] as const) {
  test(`an ASIN with ${kind}: who restricts it, and why in the retailer's words`, async () => {
    const reason = SELLING_MESSAGES[kind];
    const record = await seller(one((each) => limit(each) === kind).id);
    assert.deepEqual(record.restriction, { flag: true, reason });
    assert.deepEqual(record.seller_context, {
      restricted: { any: true, retailers: ['retailer_a'], primary_reason: reason },
    });
  });
}

test('goods that the warehouses do not take are said so, with the reason', async () => {
  const record = await seller(one(({ product }) => product.hazmat === 'flammable').id);
  assert.equal(record.fulfillment_eligibility?.enabled, false);
  assert.match(record.fulfillment_eligibility?.reason ?? '', new RegExp(NOT_TAKEN));
});

test('a barcode anchored elsewhere: the summary speaks of retailer_a, the two facts of the anchor', async () => {
  const listing = one(
    (each) => limit(each) === 'APPROVAL_REQUIRED' && each.publishedGtin === each.product.gtin14,
  );
  const gtin = listing.product.gtin14;
  for (const slug of ['retailer_w', 'retailer_a']) {
    assert.equal((await service.lookup(gtin, `?retailer=${slug}`)).status, 200);
  }
  const record = await seller(gtin);
  assert.equal(record._meta.price_source, 'retailer_w');
  assert.deepEqual(record.seller_context?.restricted?.retailers, ['retailer_a']);
  assert.deepEqual([record.restriction, record.fulfillment_eligibility], [null, null]);
  const alone = await seller(gtin, '&retailer=retailer_w');
  assert.deepEqual(
    alone.seller_context,
    { restricted: null },
    'only what that retailer says (D18)',
  );
});

test('cells: live fields of each marketplace that can be asked, once for record and cell', async () => {
  const { gtin } = service.sandbox.describe();
  for (const slug of ['retailer_w', 'retailer_a', 'retailer_e', 'retailer_b']) {
    assert.equal((await service.lookup(gtin, `?retailer=${slug}`)).status, 200);
  }
  const cells = '&include_cross_retailer=true&identifier_match=any';
  const from = moment();
  const record = await seller(gtin, cells);
  assert.equal(record.tokens_consumed, 6);
  assert.equal(asked(from), 2, 'one listing, two questions');
  const { retailer_a: a, retailer_w: w, retailer_b: b } = record.cross_retailer ?? {};
  assert.ok(a?.seller_context?.restricted !== null, 'the API told');
  assert.equal(a?.seller_context?.restricted?.flag, record.seller_context?.restricted?.any);
  assert.deepEqual(a?.seller_context?.fulfillment_eligibility, { enabled: true, reason: null });
  assert.deepEqual(
    [w?.seller_context?.restricted, w?.seller_context?.fulfillment_eligibility],
    [null, null],
  );
  assert.equal(b?.seller_context, null, 'no marketplace');
  const plain = await service.lookup(gtin, `?${cells.slice(1)}`);
  const without = ProductRecord.parse(plain.body).cross_retailer?.['retailer_a']?.seller_context;
  assert.deepEqual([without?.restricted, without?.fulfillment_eligibility], [null, null]);
});

test('cells of marketplaces are asked for where the anchor is none', async () => {
  const { gtin } = service.sandbox.describe();
  const record = await seller(
    gtin,
    '&retailer=retailer_b&include_cross_retailer=true&identifier_match=any',
  );
  assert.equal(record.seller_context, null);
  assert.ok(record.cross_retailer?.['retailer_a']?.seller_context?.restricted !== null);
});

test('a refresh takes the flag like a lookup', async () => {
  const { asin } = service.sandbox.describe();
  const response = await fetch(
    `${service.url}/v1/products/${asin}/refresh${FLAG}&include_offers_reviews=false`,
    { method: 'POST', headers: { authorization: `Bearer ${service.key}` } },
  );
  assert.equal(response.status, 200);
  const body = (await response.json()) as Record<string, unknown>;
  assert.equal(body['tokens_consumed'], 7);
  assert.deepEqual(body['fulfillment_eligibility'], { enabled: true, reason: null });
});

test('without the flag nothing of it stands, and nobody is asked', async () => {
  const { asin } = service.sandbox.describe();
  const from = moment();
  const { body } = await service.lookup(asin);
  assert.ok(!('seller_context' in body));
  assert.deepEqual([body['restriction'], body['fulfillment_eligibility']], [null, null]);
  assert.equal(asked(from), 0);
});

test('what no credentials allow asking is null, never "not restricted"; it costs the same', async () => {
  const { asin, upc } = bare.sandbox.describe();
  for (const id of [asin, upc]) {
    const from = bare.sandbox.requests().length;
    const record = await seller(id, '', bare);
    assert.deepEqual(record.seller_context, { restricted: null });
    assert.deepEqual([record.restriction, record.fulfillment_eligibility], [null, null]);
    assert.equal(record.tokens_consumed, 4);
    const paths = bare.sandbox.requests().slice(from);
    assert.ok(paths.every(({ path }) => !/restrictions|itemPreview|token/.test(path)));
  }
});

test('the whole is null where the anchor is a first-party retailer or another shop', async () => {
  const { retailers, url } = service.sandbox.describe();
  const first = (['retailer_l', 'retailer_t', 'retailer_b', 'retailer_h'] as const).map(
    (slug) => retailers[slug].url,
  );
  for (const address of [...first, url.json_ld]) {
    await service.lookup(address);
    await service.worked();
    const from = moment();
    const record = await seller(address);
    assert.equal(record.seller_context, null);
    assert.deepEqual([record.restriction, record.fulfillment_eligibility], [null, null]);
    assert.deepEqual([record.tokens_consumed, moment()], [4, from], 'nobody is asked');
  }
});

test('asked anew by each call; calls that wait together share an answer', async () => {
  const [first, second] = asins((each) => limit(each) === null);
  if (first === undefined || second === undefined) assert.fail('two such listings exist');
  await service.lookup(first.id);
  await service.lookup(second.id);
  let from = moment();
  await seller(first.id);
  await seller(first.id);
  assert.deepEqual([asked(from, /restrictions/), asked(from, /itemPreview/)], [2, 2]);
  from = moment();
  const together = await Promise.all(Array.from({ length: 6 }, () => seller(second.id)));
  assert.ok(asked(from) < 12, `${asked(from)} questions for six callers`);
  assert.ok(together.every(({ tokens_consumed: tokens }) => tokens === 4));
});

test('with live offers both are asked for and paid', async () => {
  const { item_id } = service.sandbox.describe();
  const record = await seller(item_id, '&include_offers=true');
  assert.equal(record.tokens_consumed, 9);
  assert.ok(record.offers !== undefined && record.seller_context !== undefined);
});

test('an API that can be asked and does not answer is 503, unbilled, with a time to come back', async () => {
  const { asin, upc } = service.sandbox.describe();
  await service.lookup(upc, '?retailer=retailer_a');
  const left = (await seller(asin)).tokens_remaining;
  for (const kind of ['down', 'broken', 'blocked'] as const) {
    service.sandbox.disturb('retailer_a', kind);
    try {
      for (const id of [asin, upc]) {
        const { status, body, headers } = await service.lookup(id, FLAG);
        assert.equal(status, 503, `${kind} ${id}: ${JSON.stringify(body)}`);
        assert.equal(body['code'], 'upstream_unavailable');
        assert.equal(body['tokens_consumed'], 0);
        assert.ok(Number(headers.get('retry-after')) >= 1);
      }
    } finally {
      service.sandbox.disturb('retailer_a', null);
    }
  }
  assert.equal((await seller(asin)).tokens_remaining, left - 4);
});

test('credentials that the API refuses are a failure too, with no word of them', async () => {
  await using wrong = await startService({
    clock,
    withRetailers: true,
    env: { ...SELLER, OPENSHELF_RETAILER_A_SP_CLIENT_SECRET: 'not-the-secret' },
  });
  const { asin } = wrong.sandbox.describe();
  await wrong.lookup(asin);
  const { status, body } = await wrong.lookup(asin, FLAG);
  assert.deepEqual([status, body['code']], [503, 'upstream_unavailable']);
  assert.doesNotMatch(JSON.stringify(body), /not-the-secret|sandbox-client/);
});

test('a token that the API takes no longer is renewed, and the caller notices nothing', async () => {
  const { asin } = service.sandbox.describe();
  await seller(asin);
  const minted = service.sandbox.tokenCount();
  service.sandbox.expireTokens();
  const record = await seller(asin);
  assert.ok(record.restriction !== null && record.fulfillment_eligibility !== null);
  assert.equal(service.sandbox.tokenCount(), minted + 1, 'one for both questions');
});

test('a source that fails says nothing about questions that it does not take', async () => {
  await using partner = await startService({
    clock,
    withRetailers: true,
    env: {
      OPENSHELF_RETAILER_A_CREATORS_ID: 'nobody',
      OPENSHELF_RETAILER_A_CREATORS_SECRET: 'nothing',
      OPENSHELF_RETAILER_A_CREATORS_VERSION: '3.1',
      OPENSHELF_RETAILER_A_PARTNER_TAG: 'none-20',
    },
  });
  const record = await seller(partner.sandbox.describe().asin, '', partner);
  assert.deepEqual(record.seller_context, { restricted: null });
});

test('the flag is a boolean like every other', async () => {
  const { asin } = service.sandbox.describe();
  const { status, body } = await service.lookup(asin, '?include_seller_context=yes');
  assert.deepEqual([status, body['code']], [400, 'invalid_parameter']);
});
