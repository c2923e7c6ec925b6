// retailer_b's API as the service calls it, against a double that checks the requests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import { API_ORIGIN } from '../../../../src/read/retailers/retailer-b/address-book.ts';
import { openApiDouble } from '../api-double.ts';
import type { Call, Reply } from '../api-double.ts';
import * as b from './fixtures.ts';

const identifier = { kind: 'retailer_b_sku', value: b.SKU, retailer: 'retailer_b' } as const;
const gtin = toGtin14(b.UPC);
assert.ok(gtin !== null);

const open = (answer: (call: Call) => Reply, key = 'right+key') =>
  openApiDouble({
    slug: 'retailer_b',
    origin: API_ORIGIN,
    credentials: { API_KEY: key },
    reply: (call) =>
      call.url.searchParams.get('apiKey') === 'right+key'
        ? answer(call)
        : {
            status: 403,
            headers: { 'content-type': 'text/html' },
            body: '<h1>Developer Inactive</h1>',
          },
  });

/** Answers the two existing queries. */
function catalog({ url }: Call): Reply {
  const query = /^\/v1\/products\((.*)\)$/.exec(decodeURIComponent(url.pathname))?.[1];
  const isKnown = query === `sku=${b.SKU}&active=*` || query === `upc=${b.UPC}&active=*`;
  const products = isKnown ? [b.product()] : [];
  return { body: { from: 1, total: products.length, products } };
}

test('a SKU and a UPC are found with one call each', async () => {
  const api = await open(catalog);
  try {
    for (const question of [
      { kind: 'product', identifier },
      { kind: 'barcode', gtin },
    ] as const) {
      const asked = await api.ask(question);
      assert.ok(asked.kind === 'read' && asked.answer.kind === 'product');
      assert.equal(asked.answer.listing.gtin, gtin);
      assert.equal(asked.source, 'primary');
    }
    assert.equal(api.calls.length, 2);
  } finally {
    api.close();
  }
});

test('an unknown SKU is not there', async () => {
  const api = await open(catalog);
  try {
    const other = { ...identifier, value: '7999999' };
    assert.equal((await api.ask({ kind: 'product', identifier: other })).kind, 'miss');
  } finally {
    api.close();
  }
});

test('open-box offers are asked for by SKU', async () => {
  const api = await open(() => ({ body: b.openBox() }));
  try {
    const asked = await api.ask({ kind: 'offers', identifier });
    assert.ok(asked.kind === 'read' && asked.answer.kind === 'offers');
    assert.equal(asked.answer.offers.offers.length, 2);
    assert.equal(api.calls[0]?.url.pathname, `/beta/products/${b.SKU}/openBox`);
  } finally {
    api.close();
  }
});

test('a spent limit names its wait, a wrong key does not', async () => {
  const spent = await open(() => ({ status: 403, body: { error: { message: 'Over Qps' } } }));
  const wrong = await open(catalog, 'wrong');
  try {
    const later = await spent.ask({ kind: 'offers', identifier });
    assert.ok(later.kind === 'failed' && later.official === 'throttled');
    assert.equal(later.fault.retryAfterSeconds, 1);
    const refused = await wrong.ask({ kind: 'offers', identifier });
    assert.ok(refused.kind === 'failed' && refused.official === 'credentials_refused');
  } finally {
    spent.close();
    wrong.close();
  }
});
