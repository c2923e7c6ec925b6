// The TypeScript client in pages: in browsers that lack a part of what Node has, on plain http, and on another origin than
// the service.

import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { startService } from '../support/service.ts';
import { json, standIn } from '../support/stand-in.ts';
import {
  importOfClient,
  installClientPackages,
  type ClientModule,
} from '../support/typescript-client.ts';

let createOpenshelf: ClientModule['createOpenshelf'];

before(async () => {
  installClientPackages();
  ({ createOpenshelf } = await importOfClient<ClientModule>('src/index.ts'));
});

/** Removes a part of this runtime until disposed, wherever it is defined on the prototype chain. */
function without(object: object, name: string): Disposable {
  let owner = object;
  // A service in this process puts a class of its own before the runtime's.
  while (!Object.hasOwn(owner, name)) {
    owner = (Object.getPrototypeOf(owner) as object | null) ?? assert.fail(name);
  }
  const own = Object.getOwnPropertyDescriptor(owner, name) ?? assert.fail(name);
  Object.defineProperty(owner, name, { value: undefined, configurable: true });
  return { [Symbol.dispose]: () => void Object.defineProperty(owner, name, own) };
}

test('a runtime whose requests show no body can read and write', async () => {
  await using told = await standIn((_, response) => json(response, { tokens_consumed: 1 }));
  const client = createOpenshelf({ baseUrl: told.baseUrl, apiKey: 'k' });
  using _ = without(Request.prototype, 'body');
  await client.lookUp('1');
  const body = { identifier: '1' };
  await client.routes.POST('/v1/watches', { body });
  await client.routes.DELETE('/v1/watches/1');
  assert.deepEqual(
    told.asked.map((each) => [each.method, each.body]),
    [
      ['GET', ''],
      ['POST', JSON.stringify(body)],
      ['DELETE', ''],
    ],
  );
});

test('on a page over plain http, calls that change something have a key of their own', async () => {
  await using told = await standIn((_, response) => json(response, {}));
  const client = createOpenshelf({ baseUrl: told.baseUrl, apiKey: 'k' });
  using _ = without(crypto, 'randomUUID');
  for (const identifier of ['1', '2']) {
    await client.routes.POST('/v1/watches', { body: { identifier } });
  }
  const keys = told.asked.map(({ key }) => key ?? '');
  for (const key of keys) assert.match(key, /^[0-9a-f]{32}$/);
  assert.equal(new Set(keys).size, 2);
});

test('a page of an allowed origin may send every header that the client sends', async () => {
  const origin = 'https://pages.example';
  await using service = await startService({ env: { OPENSHELF_CORS_ORIGINS: origin } });
  const sent = new Set<string>();
  const enough = new AbortController();
  const client = createOpenshelf({
    baseUrl: service.url,
    apiKey: service.key,
    idempotentReads: true,
    fetch: (request: Request) => {
      for (const [name] of request.headers) sent.add(name);
      if (sent.has('last-event-id')) enough.abort();
      return fetch(request);
    },
  });
  await client.routes.GET('/v1/usage');
  await client.routes.POST('/v1/watches', { body: { identifier: '614141000005' } });
  for await (const _ of client.batch([{ id: 'lamp' }]));
  for await (const _ of client.changes({ after: '0', signal: enough.signal }));
  assert.ok(sent.has('last-event-id') && sent.has('idempotency-key') && sent.has('content-type'));
  const names = [...sent].toSorted().join(',');
  const preflight = await fetch(`${service.url}/v1/changes`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'GET',
      'access-control-request-headers': names,
    },
  });
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
  const allowed = (preflight.headers.get('access-control-allow-headers') ?? '').toLowerCase();
  // A browser sends this header without a preflight.
  sent.delete('accept');
  assert.deepEqual(
    [...sent].filter((name) => !allowed.split(',').includes(name)),
    [],
  );
});
