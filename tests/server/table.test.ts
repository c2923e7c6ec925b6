// Which row of the table matches a call, by its method and path, and the path's values.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { RouteRow } from '../../src/server/route.ts';
import { createTable, type Match } from '../../src/server/table.ts';

const row = (
  method: RouteRow<object>['method'],
  path: string,
  more: Partial<RouteRow<object>> = {},
): RouteRow<object> => ({
  method,
  path,
  scope: 'no key',
  request: null,
  call: () => () => ({ status: 200, headers: {}, body: path }),
  ...more,
});

const TABLE = createTable(
  [
    row('get', '/'),
    row('get', '/docs', { leadsSlash: true }),
    row('get', '/v1/usage'),
    row('get', '/v1/watches/{id}'),
    row('get', '/v1/watches/sparklines'),
    row('patch', '/v1/watches/{id}', { takes: 'text' }),
    row('get', '/v1/watches/{id}/deliveries/{delivery}'),
    row('post', '/v1/watches/batch', { takes: 'stream' }),
  ],
  {},
);

const match = (method: string, path: string, query = ''): Match =>
  TABLE.match({ method, path, query });

/** Each with the row that matches it, and the parameter values; null if none does. */
const FOUND: readonly (readonly [
  method: string,
  path: string,
  found: readonly [string, Readonly<Record<string, string>>] | null,
])[] = [
  ['GET', '/', ['GET /', {}]],
  ['GET', '/v1/usage', ['GET /v1/usage', {}]],
  ['GET', '/v1/watches/w1', ['GET /v1/watches/{id}', { id: 'w1' }]],
  ['PATCH', '/v1/watches/w1', ['PATCH /v1/watches/{id}', { id: 'w1' }]],
  // A name takes precedence over a parameter, whichever row comes first, provided it has the method.
  ['GET', '/v1/watches/sparklines', ['GET /v1/watches/sparklines', {}]],
  ['POST', '/v1/watches/batch', ['POST /v1/watches/batch', {}]],
  ['GET', '/v1/watches/batch', ['GET /v1/watches/{id}', { id: 'batch' }]],
  [
    'GET',
    '/v1/watches/sparklines/deliveries/d1',
    ['GET /v1/watches/{id}/deliveries/{delivery}', { id: 'sparklines', delivery: 'd1' }],
  ],
  ['HEAD', '/v1/watches/w1', ['GET /v1/watches/{id}', { id: 'w1' }]],
  ['HEAD', '/v1/usage', ['GET /v1/usage', {}]],
  // Names may be percent-encoded; separators of an address count only if unencoded, and decoding happens once.
  ['GET', '/v1/%75sage', ['GET /v1/usage', {}]],
  ['GET', '/v1/watches/w%20%C3%A4', ['GET /v1/watches/{id}', { id: 'w \u00e4' }]],
  ['GET', '/v1/watches/a%2Fb', ['GET /v1/watches/{id}', { id: 'a/b' }]],
  ['GET', '/v1/watches/a%3Fb', ['GET /v1/watches/{id}', { id: 'a?b' }]],
  ['GET', '/v1/watches/a%252Fb', ['GET /v1/watches/{id}', { id: 'a%2Fb' }]],
  ['GET', '/v1/watches/%2541', ['GET /v1/watches/{id}', { id: '%41' }]],
  ['GET', '/v1/watches/%ff%zz', ['GET /v1/watches/{id}', { id: '%ff%zz' }]],
  ['GET', '/v1%2Fusage', null],
  ['GET', '/v1/%2575sage', null],
  // Whatever a row's parameter syntax, characters in a path are literal.
  ['GET', '/v1/watches/:id', ['GET /v1/watches/{id}', { id: ':id' }]],
  ['GET', '/v1/watches/**', ['GET /v1/watches/{id}', { id: '**' }]],
  ['GET', '/v1/watches/__proto__', ['GET /v1/watches/{id}', { id: '__proto__' }]],
  ['GET', '/__proto__', null],
  ['GET', '/constructor', null],
  // A parameter is never empty, and all slashes of a path count.
  ['GET', '/v1/watches/', null],
  ['GET', '/v1/watches//deliveries/d1', null],
  ['GET', '/v1/watches/w1/deliveries/', null],
  ['GET', '/v1//usage', null],
  ['GET', '//v1/usage', null],
  ['GET', '/v1/usage//', null],
  ['GET', '/v1/usage/', null],
  ['GET', '/v1/usage/more', null],
  ['GET', '/v1', null],
  // Letters are case-sensitive.
  ['GET', '/V1/usage', null],
  ['get', '/v1/usage', null],
  ['POST', '/v1/usage', null],
  ['HEAD', '/v1/watches/batch/none', null],
  ['__proto__', '/v1/usage', null],
  ['', '/v1/usage', null],
];

for (const [method, path, expected] of FOUND) {
  test(`${method} ${path} is ${expected === null ? 'for no row' : `for ${expected[0]}`}`, () => {
    const { found } = match(method, path);
    const answered = found === null ? null : [found.entry.name, { ...found.params }];
    assert.deepEqual(answered, expected);
  });
}

test('an address that people type with a slash leads to the page, with its query', async () => {
  for (const [method, query, location] of [
    ['GET', '', '/docs'],
    ['GET', 'a=b&c=%2F', '/docs?a=b&c=%2F'],
    ['HEAD', '', '/docs'],
  ] as const) {
    const { found } = match(method, '/docs/', query);
    assert.equal(found?.entry.path, '/docs/');
    // SAFETY: this row reads nothing of its call.
    const answer = await found.entry.begin({} as never);
    assert.deepEqual(answer, { status: 308, headers: { location }, body: null });
  }
  assert.equal(match('GET', '/docs//').found, null);
  assert.equal(match('POST', '/docs/').found, null);
  assert.equal(match('GET', '/docs').found?.entry.path, '/docs');
});

test('a body is read as its row takes it, and where no row has the method as the others of its path do', () => {
  assert.equal(match('PATCH', '/v1/watches/w1').takes, 'text');
  assert.equal(match('POST', '/v1/watches/w1').takes, 'text');
  assert.equal(match('POST', '/v1/watches/batch').takes, 'stream');
  assert.equal(match('GET', '/v1/watches/w1').takes, null);
  assert.equal(match('POST', '/v1/usage').takes, null);
  assert.equal(match('POST', '/none').takes, null);
});

test('a row is given its parts once, with its first call', async () => {
  let made = 0;
  const counting = row('get', '/a', {
    call: () => {
      made += 1;
      return () => ({ status: 200, headers: {}, body: null });
    },
  });
  const { match: find } = createTable([counting], {});
  assert.equal(made, 0);
  for (let call = 0; call < 3; call += 1) {
    await find({ method: 'GET', path: '/a', query: '' }).found?.entry.begin({} as never);
  }
  assert.equal(made, 1);
});

test('a table that has only some of the routes says where the others are', () => {
  const elsewhere = { code: 'unknown_route', detail: 'Elsewhere.' } as const;
  const { match: find } = createTable([row('get', '/livez')], {}, elsewhere);
  assert.deepEqual(find({ method: 'GET', path: '/v1', query: '' }).unknown(), elsewhere);
  assert.deepEqual(find({ method: 'POST', path: '/livez', query: '' }).unknown(), elsewhere);
});

test('what it costs to find a row does not grow with the slashes of a path', () => {
  const long = '/v1/watches/w1'.repeat(500);
  assert.equal(match('GET', long).found, null);
  assert.equal(
    match('GET', `/v1/watches/${'w'.repeat(8_000)}`).found?.entry.name,
    'GET /v1/watches/{id}',
  );
});
