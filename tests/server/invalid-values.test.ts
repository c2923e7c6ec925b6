// What a call with an invalid parameter or field value is told: which one, and what it accepts, in the service's wording
// and never in that of the schema library.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { operationsOf, resolved, type Json, type Operation } from '../support/openapi-walk.ts';
import { startService, type Service } from '../support/service.ts';

const WORDS_OF_ZOD =
  /Invalid (?:input|option|string)|expected|received|pattern|Too (?:small|big)|undefined|NaN/;
const FILLED = /\{[^}]+\}/g;
const WRONG: readonly unknown[] = [null, '', 'x', -1, 1.234, 1e9, true, [], [1], {}];

type Call = { readonly method: string; readonly path: string; readonly body?: unknown };
type Problem = { readonly code: string; readonly detail: string; readonly parameter?: string };

/** Returns the problem of a call, or null if it was accepted. */
async function problemOf(service: Service, call: Call): Promise<Problem | null> {
  const headers: Record<string, string> = { Authorization: `Bearer ${service.key}` };
  if (call.body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(service.url + call.path, {
    method: call.method,
    headers,
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  });
  return response.status === 400 ? ((await response.json()) as Problem) : null;
}

/** Each query parameter of an operation with values of every kind. */
function wrongQueries({ method, path, parameters }: Operation): readonly Call[] {
  const at = path.replaceAll(FILLED, '614141000005');
  return parameters
    .filter((each) => each.in === 'query' && method !== 'HEAD')
    .flatMap(({ name }) =>
      ['', 'x', '-1', '9'.repeat(20)].map((value) => ({
        method,
        path: `${at}?${name}=${value}`,
      })),
    );
}

/** Each field of the JSON body of an operation with values of every kind. */
function wrongBodies(document: Json, { method, path, ...operation }: Operation): readonly Call[] {
  const { requestBody } = operation as { readonly requestBody?: { readonly content: Json } };
  const content = requestBody?.content['application/json'] as { schema: Json } | undefined;
  if (content === undefined) return [];
  // An array has no fields; those of its elements are checked line by line.
  const { properties = {} } = resolved(document, content.schema);
  const at = path.replaceAll(FILLED, 'none');
  return Object.keys(properties as Json).flatMap((field) =>
    WRONG.map((value) => ({ method, path: at, body: { [field]: value } })),
  );
}

test('a refused value of any parameter or field is answered with the accepted ones', async () => {
  await using service = await startService();
  const document = (await service.get('/openapi.json')).body;
  const operations = operationsOf(document);
  const queries = operations.flatMap(wrongQueries);
  const bodies = operations.flatMap((each) => wrongBodies(document, each));
  assert.ok(queries.length > 100 && bodies.length > 200, `${queries.length} ${bodies.length}`);
  let refused = 0;
  for (const call of [...queries, ...bodies]) {
    const problem = await problemOf(service, call);
    if (problem === null) continue;
    refused += 1;
    assert.doesNotMatch(problem.detail, WORDS_OF_ZOD, JSON.stringify(call));
    if (problem.code === 'invalid_parameter') assert.ok(problem.parameter, JSON.stringify(call));
  }
  assert.ok(refused > 200, String(refused));
});

test('names that every object has are not values of any parameter, alone and in a batch', async () => {
  await using service = await startService();
  const document = (await service.get('/openapi.json')).body;
  const free = new Set(['retailer', 'url', 'tag']);
  const names = ['constructor', '__proto__', 'valueOf'];
  let tried = 0;
  for (const { method, path, parameters } of operationsOf(document)) {
    for (const { name, in: place } of parameters) {
      // A route that the key may not use refuses first.
      if (path.startsWith('/v1/admin')) continue;
      if (place !== 'query' || method === 'HEAD' || free.has(name)) continue;
      for (const value of names) {
        const at = `${path.replaceAll(FILLED, '614141000005')}?${name}=${value}`;
        const problem = await problemOf(service, { method, path: at });
        assert.equal(problem?.code, 'invalid_parameter', `${method} ${at}`);
        tried += 1;
      }
    }
  }
  assert.ok(tried > 60, String(tried));
  const response = await fetch(`${service.url}/v1/products/batch`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${service.key}`, 'Content-Type': 'application/x-ndjson' },
    body: names.map((each) => `{"id":"614141000005","include_offers":"${each}"}`).join('\n'),
  });
  const lines = (await response.text()).trim().split('\n');
  assert.deepEqual(
    lines.map((line) => (JSON.parse(line) as { readonly status: number }).status),
    names.map(() => 400),
  );
});

test('a body that is not a JSON object, or is sent as a form, is answered with the expected form', async () => {
  await using service = await startService();
  const sent: readonly (readonly [type: string, body: string])[] = [
    ['application/json', '{bad'],
    ['application/json', '[]'],
    ['application/json', 'null'],
    ['application/x-www-form-urlencoded', '{"kind":"ntfy"}'],
    ['text/plain', '{"kind":"ntfy"}'],
  ];
  for (const path of ['/v1/watches', '/v1/channels']) {
    for (const [type, body] of sent) {
      const headers = { Authorization: `Bearer ${service.key}`, 'Content-Type': type };
      const response = await fetch(service.url + path, { method: 'POST', headers, body });
      const { detail, parameter } = (await response.json()) as Problem;
      assert.equal(response.status, 400, detail);
      assert.equal(parameter, 'body');
      assert.equal(
        detail,
        'The body must be a JSON object, sent with Content-Type: application/json.',
        `${type} ${body}`,
      );
    }
  }
});

test('the answer to an unknown path says where the routes are listed', async () => {
  await using service = await startService();
  const { status, body } = await service.get('/elsewhere');
  assert.equal(status, 404);
  assert.equal(
    body['detail'],
    'No route has this path. GET /v1 lists the routes of the API, GET /docs describes them.',
  );
});

test('a mistyped field of a body is answered with the field that it is near to', async () => {
  await using service = await startService();
  const said = async (path: string, body: Readonly<Record<string, string>>) =>
    (await problemOf(service, { method: 'POST', path, body }))?.detail;
  assert.match(
    (await said('/v1/watches', { identifer: '614141000005' })) ?? '',
    /does not accept the field "identifer" in its body\. Did you mean "identifier"\?/,
  );
  assert.match((await said('/v1/channels', { knid: 'ntfy' })) ?? '', /Did you mean "kind"\?/);
  assert.match((await said('/v1/watches', { colour: 'red' })) ?? '', /GET \/docs shows the fields/);
});

test('a parameter that only another method of the path takes is not a suggestion', async () => {
  await using service = await startService();
  const problem = await problemOf(service, { method: 'POST', path: '/v1/watches?limit=1' });
  assert.equal(problem?.code, 'unknown_parameter');
  assert.equal(problem?.detail, 'Unknown parameter "limit". This route accepts none.');
});
