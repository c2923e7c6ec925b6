import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { KNOWN_SLUGS } from '../../src/core/retailer.ts';
import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService({ withRetailers: true });
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

async function record(id: string, query: string): Promise<ProductRecord> {
  const { status, body } = await service.lookup(id, query);
  assert.equal(status, 200, `${id}${query} ${JSON.stringify(body)}`);
  return ProductRecord.parse(body);
}

const ASKABLE = KNOWN_SLUGS.filter((slug) => slug !== 'retailer_t');

test('an item id and an ASIN are found at every retailer that is named, through the product’s barcode', async () => {
  const { item_id, asin, upc } = service.sandbox.describe();
  for (const slug of ASKABLE) {
    for (const id of [item_id, asin, upc]) {
      const found = await record(id, `?retailer=${slug}`);
      assert.equal(found._meta.price_source, slug);
      assert.equal(found.upc, upc);
      assert.equal(found.tokens_consumed, 1);
      assert.equal(found.asin_match !== undefined, id === asin, `${id} ${slug}`);
    }
  }
});

test('a forced fetch through another retailer’s identifier asks the one that is named', async () => {
  const { item_id } = service.sandbox.describe();
  const first = await record(item_id, '?retailer=retailer_h');
  const forced = await record(item_id, '?retailer=retailer_h&force_refresh=true');
  assert.equal(forced._meta.price_source, 'retailer_h');
  assert.ok(forced._freshness.refreshed_at > first._freshness.refreshed_at);
});

test('an item without a barcode cannot be found elsewhere, and the answer says why', async () => {
  const item = service.sandbox
    .market()
    .listings('retailer_w')
    .find((each) => each.publishedGtin === null && each.product.trouble === null);
  assert.ok(item !== undefined);
  const { status, body } = await service.lookup(item.id, '?retailer=retailer_h');
  assert.deepEqual([status, body['code'], body['tokens_consumed']], [404, 'not_found', 0]);
  assert.match(String(body['detail']), /no barcode/);
});

test('an address is of its own retailer only', async () => {
  const { retailers } = service.sandbox.describe();
  const { status, body } = await service.lookup(retailers.retailer_w.url, '?retailer=retailer_h');
  assert.deepEqual([status, body['code']], [400, 'retailer_mismatch']);
});

test('the address of another shop shows that shop’s history; an ASIN’s address shows retailer_w’s', async () => {
  const { upc, retailers } = service.sandbox.describe();
  const ofW = (await record(upc, '')).stats?.current_price;
  for (const slug of ['retailer_b', 'retailer_h', 'retailer_l', 'retailer_e'] as const) {
    const found = await record(retailers[slug].url, '');
    assert.equal(found.stats?.current_price, found.current_price, slug);
  }
  const ofA = await record(retailers.retailer_a.url, '');
  assert.equal(ofA._meta.price_source, 'retailer_a');
  assert.equal(ofA.stats?.current_price, ofW);
  assert.notEqual(ofA.current_price, ofW);
});

test('what is taken bare only says which address works', async () => {
  const { retailer_b_product_id: id, retailer_b_sku: sku } = service.sandbox.describe();
  for (const path of [`${id}?retailer=retailer_b`, `${sku}?retailer=retailer_b`]) {
    const { status, body } = await service.get(`/v1/products/${path}`);
    assert.deepEqual([status, body['code']], [400, 'bare_identifier_required']);
    const [shown] = /\/v1\/products\/\S+/.exec(String(body['detail'])) ?? [];
    assert.ok(shown !== undefined);
    const answer = await service.get(shown);
    assert.equal(answer.status, 200, shown);
  }
});
