import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { ProductRecord } from '../../src/wire/product-record.ts';
import { startService, type Service } from '../support/service.ts';

let service: Service;

before(async () => {
  service = await startService();
});

after(async () => {
  await service[Symbol.asyncDispose]();
});

test('the address of a product page of each kind of shop becomes a record the schema accepts', async () => {
  for (const [kind, url] of Object.entries(service.sandbox.describe().url)) {
    const { status, body } = await service.lookup(url);
    assert.equal(status, 200, `${kind}: ${JSON.stringify(body)}`);
    ProductRecord.parse(body);
    assert.equal(body['tokens_consumed'], 1);
    assert.ok(typeof body['current_price'] === 'number', `${kind} has a price`);
    assert.equal(body['in_stock'], true);
  }
});

test('a second call within the freshness window fetches nothing and is billed again', async () => {
  const url = service.sandbox.describe().url.json_ld;
  const first = await service.lookup(url);
  await service.worked();
  const asked = service.sandbox.requestCount();
  const second = await service.lookup(url);
  assert.equal(second.status, 200);
  assert.equal(service.sandbox.requestCount(), asked);
  assert.equal(second.body['tokens_consumed'], 1);
  assert.equal(Number(first.body['tokens_remaining']) - 1, Number(second.body['tokens_remaining']));
  assert.deepEqual(second.body['_freshness'], first.body['_freshness']);
});

test('force_refresh with the shop’s slug fetches again and renews the time stamp', async () => {
  const url = service.sandbox.describe().url.open_graph;
  const first = await service.lookup(url);
  const slug = String((first.body['_meta'] as Record<string, unknown>)['price_source']);
  await service.worked();
  const asked = service.sandbox.requestCount();
  const forced = await service.lookup(url, `?retailer=${slug}&force_refresh=true`);
  assert.equal(forced.status, 200, JSON.stringify(forced.body));
  assert.ok(service.sandbox.requestCount() > asked);
  assert.equal(forced.body['tokens_consumed'], 1);
});

test('the address as a parameter is the same lookup', async () => {
  const url = service.sandbox.describe().url.hosted;
  const byPath = await service.lookup(url);
  const byQuery = await service.get(`/v1/products?url=${encodeURIComponent(url)}`);
  assert.equal(byQuery.status, 200);
  for (const name of ['title', 'gtin', 'current_price', 'image_url', '_meta', '_freshness']) {
    assert.deepEqual(byQuery.body[name], byPath.body[name], name);
  }
});

test('include_history and include_stats decide whether their fields stand, free of charge', async () => {
  const url = service.sandbox.describe().url.json_ld;
  const all = await service.lookup(url);
  assert.ok('price_history' in all.body && 'stats' in all.body);
  const bare = await service.lookup(url, '?include_history=0&include_stats=FALSE');
  assert.ok(!('price_history' in bare.body) && !('stats' in bare.body));
  assert.equal(bare.body['tokens_consumed'], 1);
});

test('tracking parameters and the fragment do not make another product of a page', async () => {
  const url = service.sandbox.describe().url.json_ld;
  await service.lookup(url);
  await service.worked();
  const asked = service.sandbox.requestCount();
  const same = await service.lookup(`${url}?utm_source=mail&gclid=1#reviews`);
  assert.equal(same.status, 200);
  assert.equal(service.sandbox.requestCount(), asked);
});

test('a barcode answers from a listing that was submitted by address', async () => {
  const url = service.sandbox.describe().url.json_ld;
  const first = await service.lookup(url);
  const gtin = first.body['gtin'];
  if (typeof gtin !== 'string') assert.fail('the page publishes a barcode');
  const byCode = await service.lookup(gtin);
  assert.equal(byCode.status, 200, JSON.stringify(byCode.body));
  assert.equal(byCode.body['title'], first.body['title']);
  assert.deepEqual(
    (byCode.body['retailer_links'] as readonly Record<string, unknown>[]).map(
      (each) => each['url'],
    ),
    [url],
  );
});

test('every answer to a known key tells where its limits stand', async () => {
  const { headers } = await service.lookup(service.sandbox.describe().url.json_ld);
  assert.match(headers.get('ratelimit-policy') ?? '', /q=\d+/);
  assert.match(headers.get('ratelimit') ?? '', /r=\d+/);
  const refused = await service.get('/v1/products/not-an-identifier!');
  assert.equal(refused.status, 400);
  assert.match(refused.headers.get('ratelimit') ?? '', /r=\d+/);
});

test('HEAD answers as GET does, without a body', async () => {
  const url = `${service.url}/v1/products/${encodeURIComponent(service.sandbox.describe().url.json_ld)}`;
  const response = await fetch(url, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${service.key}` },
  });
  assert.equal(response.status, 200);
  assert.equal(await response.text(), '');
});

test('answers are compressed when the caller asks', async () => {
  const url = `${service.url}/v1/products/${encodeURIComponent(service.sandbox.describe().url.json_ld)}`;
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${service.key}`, 'accept-encoding': 'gzip' },
  });
  assert.equal(response.headers.get('content-encoding'), 'gzip');
  assert.equal(response.status, 200);
  ProductRecord.parse(await response.json());
});

test('a request id is echoed, and made when none or a strange one is sent', async () => {
  const given = await service.get('/livez', { 'x-request-id': 'abc-123' });
  assert.equal(given.headers.get('x-request-id'), 'abc-123');
  const made = await service.get('/livez', { 'x-request-id': 'a b"c' });
  assert.match(made.headers.get('x-request-id') ?? '', /^[0-9a-z]{9}-[0-9a-f]{20}$/);
});
