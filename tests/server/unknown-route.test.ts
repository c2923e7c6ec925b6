// The fault for an unknown path: 405 with the methods of a known one, otherwise 404 with the route that was meant.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { RouteRow } from '../../src/server/route.ts';
import { createTable } from '../../src/server/table.ts';

const row = (method: RouteRow<object>['method'], path: string): RouteRow<object> => ({
  method,
  path,
  scope: 'no key',
  request: null,
  call: () => () => ({ status: 200, headers: {}, body: null }),
});

const { match } = createTable(
  [
    row('get', '/'),
    row('get', '/v1/usage'),
    row('get', '/v1/products/{id}'),
    row('post', '/v1/products/batch'),
    row('post', '/v1/products/{id}/refresh'),
    row('get', '/v1/watches/{id}'),
    row('patch', '/v1/watches/{id}'),
    row('get', '/console/files/{tag}/app.js'),
  ],
  {},
);

const faultOf = (method: string, path: string) => {
  const { found, unknown } = match({ method, path, query: '' });
  assert.equal(found, null);
  return unknown();
};

for (const [method, path, allow] of [
  ['PUT', '/v1/usage', ['GET', 'HEAD']],
  ['PUT', '/v1/usage/', ['GET', 'HEAD']],
  ['POST', '/', ['GET', 'HEAD']],
  ['PUT', '/v1/products/batch', ['GET', 'POST', 'HEAD']],
  ['GET', '/v1/products/1/refresh', ['POST']],
  ['PUT', `/v1/watches/${'w'.repeat(8_000)}`, ['GET', 'PATCH', 'HEAD']],
] as const) {
  test(`${method} ${path.slice(0, 40)} is 405 and names ${allow.join(', ')}`, () => {
    const fault = faultOf(method, path);
    assert.equal(fault.code, 'method_not_allowed');
    assert.deepEqual(fault.allow, allow);
  });
}

for (const [method, path, named] of [
  ['GET', '/v1/usages', '/v1/usage'],
  ['GET', '/v1/wotches/x1', '/v1/watches/{id}'],
  ['GET', '/v1/usage/', '/v1/usage'],
  ['GET', '/v1/usage//', '/v1/usage'],
  ['GET', '//v1/usage', '/v1/usage'],
  ['GET', '/console/files/t/app.jsx', 'GET /v1 lists'],
  ['GET', '/v1/products//refresh', '/v1/products/{id}'],
  ['GET', '/v1/products/https://shop.example/p', 'url='],
  ['GET', '/v1/lookup', '/v1/products/{id}'],
  ['GET', `/v1/watches/${'w/'.repeat(4_000)}`, 'GET /v1 lists'],
  ['GET', `/${'/a'.repeat(4_000)}`, 'GET /v1 lists'],
] as const) {
  test(`${method} ${path.slice(0, 40)} is 404 and names ${named}`, () => {
    const fault = faultOf(method, path);
    assert.equal(fault.code, 'unknown_route');
    assert.ok(fault.detail.includes(named), fault.detail);
  });
}
