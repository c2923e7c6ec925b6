import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import { FAULT_CODES } from '../../src/core/fault.ts';
import { startService, type Answer, type Service } from '../support/service.ts';

type Json = Readonly<Record<string, unknown>>;

let service: Service;
let document: Json;

before(async () => {
  service = await startService({ withRetailers: true });
  document = (await service.get('/openapi.json')).body;
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

/** What the document says an answer of this route and status must look like. */
type Item = Readonly<Record<string, { readonly responses: Record<string, Json> }>>;

function validatorOf(path: string, status: number, method: string): ValidateFunction {
  const paths = document['paths'] as Record<string, Item>;
  const response = paths[path]?.[method]?.responses[String(status)];
  assert.ok(response, `${path} documents ${status}`);
  const content = response['content'] as Record<string, { schema: Json }>;
  const schema = Object.values(content)[0]?.schema;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  return ajv.compile({ ...schema, components: document['components'] });
}

function conforms(path: string, answer: Answer, method = 'get'): void {
  const validate = validatorOf(path, answer.status, method);
  assert.ok(validate(answer.body), JSON.stringify(validate.errors));
}

test('it is an OpenAPI 3.1 document that names every route and the key', () => {
  assert.match(String(document['openapi']), /^3\.1\./);
  assert.deepEqual(Object.keys(document['paths'] as Json).toSorted(), [
    '/livez',
    '/readyz',
    '/v1',
    '/v1/products',
    '/v1/products/{id}',
    '/v1/products/{id}/history',
    '/v1/products/{id}/refresh',
    '/v1/products/{id}/reviews',
    '/v1/rate-cards',
    '/v1/retailers',
    '/v1/sellers/{seller_id}',
    '/v1/usage',
  ]);
  const { securitySchemes } = document['components'] as Record<string, Json>;
  assert.ok('bearer' in (securitySchemes ?? {}));
});

test('every answer that the service gives is as the document says', async () => {
  const { url, out_of_stock_url, variant_url, trouble, other_pages } = service.sandbox.describe();
  const route = '/v1/products/{id}';
  const addresses = [
    ...Object.values(url),
    out_of_stock_url,
    variant_url,
    trouble.foreign_currency,
    trouble.ended,
    trouble.moved,
    trouble.gone,
    trouble.too_large,
    trouble.disallowed,
    trouble.blocked,
    'http://10.0.0.1/',
    'nothing of the kind',
    ...Object.values(other_pages),
  ];
  const seen = new Set<number>();
  for (const address of addresses) {
    const answer = await service.lookup(address);
    seen.add(answer.status);
    conforms(route, answer);
  }
  conforms(route, await service.lookup(url.hosted, '?include_stats=0&include_history=0'));
  conforms(route, await service.lookup(url.hosted, '?nonsense=1'));
  conforms(route, await service.get('/v1/products/1', { authorization: 'Bearer x' }));
  conforms('/v1/products', await service.get(`/v1/products?url=${encodeURIComponent(url.hosted)}`));
  for (const path of ['/v1', '/v1/usage', '/v1/retailers', '/v1/rate-cards']) {
    conforms(path, await service.get(path));
  }
  const key = { 'idempotency-key': 'once' };
  for (const again of [1, 2]) {
    const answer = await service.get(`/v1/products/${encodeURIComponent(url.hosted)}`, key);
    assert.equal(answer.headers.get('idempotency-replayed'), again === 1 ? null : 'true');
    conforms(route, answer);
  }
  conforms(route, await service.get('/v1/products/4006381333931', key));
  const history = '/v1/products/{id}/history';
  const page = encodeURIComponent(url.hosted);
  conforms(history, await service.get(`/v1/products/${page}/history?retailer=all`));
  conforms(history, await service.get(`/v1/products/${page}/history`));
  conforms(history, await service.get(`/v1/products/${page}/history?timeframe=1d`));
  conforms(history, await service.get('/v1/products/4006381333931/history'));
  conforms('/livez', await service.get('/livez'));
  conforms('/readyz', await service.get('/readyz'));
  for (const status of [200, 400, 404, 422, 503]) assert.ok(seen.has(status), `saw ${status}`);
});

test('every answer of a refresh is as the document says', async () => {
  const { upc, retailer_b_sku } = service.sandbox.describe();
  const route = '/v1/products/{id}/refresh';
  for (const [id, query] of [
    [upc, ''],
    [upc, '?include_offers_reviews=false&include_price_series=true'],
    [upc, '?include_stats=false&include_history=false&include_cross_retailer=true'],
    [retailer_b_sku, ''],
    [upc, '?force_refresh=true'],
  ] as const) {
    conforms(route, await service.post(`/v1/products/${id}/refresh${query}`), 'post');
  }
});

test('every answer about reviews and sellers is as the document says', async () => {
  const { item_id, seller_id, seller_item_id, first_party_seller_id, trouble } =
    service.sandbox.describe();
  const reviews = '/v1/products/{id}/reviews';
  const paths = [
    item_id,
    `${item_id}?end_date=2020-01-01`,
    `${item_id}?end_date=never`,
    '99999999999',
    encodeURIComponent(trouble.disallowed),
  ].map((text) => text.replace(/(?=\?)|$/, '/reviews'));
  for (const path of paths) conforms(reviews, await service.get(`/v1/products/${path}`));
  await service.lookup(seller_item_id ?? '');
  const seller = '/v1/sellers/{seller_id}';
  for (const id of [seller_id, first_party_seller_id, 'Z'.repeat(32), 'short']) {
    conforms(seller, await service.get(`/v1/sellers/${id}`));
  }
});

test('live offers and reviews in the record are as the document says, of every retailer', async () => {
  const { retailers } = service.sandbox.describe();
  const pages = Object.values(retailers).flatMap(({ url, trouble }) => [
    url,
    trouble.offers_unavailable?.url ?? url,
  ]);
  for (const page of pages) {
    for (const query of ['?include_offers=true', '?include_offers_reviews=true']) {
      conforms('/v1/products/{id}', await service.lookup(page, query));
    }
  }
});

test('archived offers and the price series are as the document says, with rows and without', async () => {
  const { item_id: itemId, url } = service.sandbox.describe();
  await service.lookup(itemId, '?include_offers=true');
  for (const id of [itemId, url.json_ld]) {
    const answer = await service.lookup(id, '?include_offers_history=1&include_price_series=1');
    assert.equal(answer.status, 200);
    conforms('/v1/products/{id}', answer);
  }
});

test('the document lists every fault code', () => {
  const { schemas } = document['components'] as { schemas: Record<string, Json> };
  const properties = schemas['Problem']?.['properties'] as Record<string, { enum?: string[] }>;
  assert.deepEqual(properties['code']?.enum, [...FAULT_CODES]);
});
