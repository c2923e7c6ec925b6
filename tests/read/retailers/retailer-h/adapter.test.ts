// retailer_h: the request for each question, and which source needs the operator's settings.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toGtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Access, RetailerQuestion } from '../../../../src/read/retailers/adapter.ts';
import { retailerHAdapter } from '../../../../src/read/retailers/retailer-h/adapter.ts';
import { retailerHReaders } from '../../../../src/read/retailers/retailer-h/readers.ts';
import {
  RETAILER_H_ORIGIN,
  retailerHGatewayUrl,
  retailerHSearchUrl,
} from '../../../../src/read/retailers/retailer-h/address-book.ts';
import { ITEM } from './fixtures.ts';

const ACCESS: Access = {
  credentials: { STORE_ID: '121', ZIP_CODE: '30000' },
  token: null,
  nowMs: 0,
  newId: () => 'id',
};

const identifier = { kind: 'retailer_item', value: ITEM, retailer: 'retailer_h' } as const;
const gtin = toGtin14('099900000012');
assert.ok(gtin !== null);

function ask(name: string, question: RetailerQuestion) {
  const source = retailerHAdapter.sources.find((each) => each.name === name);
  assert.ok(source !== undefined, name);
  const reader = source.readerOf(question.kind);
  assert.ok(reader in retailerHReaders, `${name} names a reader that exists: ${reader}`);
  return source.request(question, ACCESS);
}

test('pages are asked first, the gateway only with a store', () => {
  assert.deepEqual(
    retailerHAdapter.sources.map(({ name, needs, isAuthoritative }) => [
      name,
      needs,
      isAuthoritative,
    ]),
    [
      ['page', [], true],
      ['search', [], false],
      ['graphql', ['STORE_ID', 'ZIP_CODE'], false],
    ],
  );
});

test('each question has its request', () => {
  const page = `${RETAILER_H_ORIGIN.href}p/${ITEM}`;
  assert.equal(ask('page', { kind: 'product', identifier })?.url, page);
  assert.equal(ask('page', { kind: 'reviews', identifier, page: 1 })?.url, page);
  assert.equal(ask('page', { kind: 'reviews', identifier, page: 2 }), null);
  assert.equal(ask('page', { kind: 'barcode', gtin }), null);
  assert.equal(ask('search', { kind: 'barcode', gtin })?.url, retailerHSearchUrl('099900000012'));
  assert.equal(ask('search', { kind: 'product', identifier }), null);
  assert.equal(ask('page', { kind: 'offers', identifier }), null);
  assert.equal(ask('page', { kind: 'seller', catalogSellerId: '1' }), null);
});

test('the gateway is asked with the store and the zip code', () => {
  const request = ask('graphql', { kind: 'product', identifier });
  assert.equal(request?.url, retailerHGatewayUrl('productClientOnlyProduct'));
  assert.equal(request?.method, 'POST');
  assert.equal(request?.headers?.['content-type'], 'application/json');
  const body = JSON.parse(request?.body ?? '') as Record<string, unknown>;
  assert.deepEqual(body['variables'], { itemId: ITEM, storeId: '121', zipCode: '30000' });
  const search = ask('graphql', { kind: 'barcode', gtin });
  assert.equal(search?.url, retailerHGatewayUrl('searchModel'));
  assert.equal((JSON.parse(search?.body ?? '') as typeof body)['operationName'], 'searchModel');
});

test('identifiers of others are not asked for', () => {
  const other = { kind: 'retailer_item', value: ITEM, retailer: 'retailer_l' } as const;
  for (const { name } of retailerHAdapter.sources) {
    assert.equal(ask(name, { kind: 'product', identifier: other }), null, name);
  }
});
