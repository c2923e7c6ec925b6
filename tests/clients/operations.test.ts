// The TypeScript client against the service: it can call each operation, and reports each error by its code.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { FAULT_CODES } from '../../src/base/fault.ts';
import { FAULT_STATUS } from '../../src/server/problems/fault-status.ts';
import { presentProblem } from '../../src/answer/wire/present-problem.ts';
import { operationsOf, type Json } from '../support/openapi-walk.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { startService, type Service } from '../support/service.ts';
import {
  importOfClient,
  installClientPackages,
  runOfClient,
} from '../support/typescript-client.ts';

type Call = () => Promise<unknown>;
type Calls = Readonly<Record<string, Call>>;
type Module = {
  createOperations(stage: object): {
    readonly making: Calls;
    readonly reads: Calls;
    readonly ending: Calls;
    readonly client: Headed;
    readonly admin: Headed;
  };
  createErrors(stage: object, standIn: (code: string) => string): Calls;
  readonly STAND_IN: readonly string[];
};
type Told = { readonly response: Response };
type Headed = { readonly routes: { HEAD(path: string, init: object): Promise<Told> } };

let service: Service;
let receiver: Receiver;
let document: Json;
let module: Module;
let stage: object;

before(async () => {
  installClientPackages();
  receiver = await startReceiver();
  service = await startService({
    withRetailers: true,
    env: { OPENSHELF_NOTIFY_ALLOW: receiver.place, OPENSHELF_SECRETS_KEY: 'A'.repeat(43) + '=' },
  });
  document = (await service.get('/openapi.json')).body;
  module = await importOfClient<Module>('tests/operations.ts');
  stage = await makeStage();
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await receiver[Symbol.asyncDispose]();
});

async function makeStage(): Promise<object> {
  const answered = service.sandbox.describe();
  const newKey = (organization: string, more: object = {}) =>
    service.newKey({ organization, note: null, ...more });
  // A seller is known once one of its offers was seen.
  await service.lookup(answered.item_id, '?include_offers=true');
  const key = await newKey('client', { throttlePerMinute: 60_000 });
  const headers = {
    authorization: `Bearer ${key}`,
    origin: service.url,
    'content-type': 'application/json',
  };
  const signedIn = await fetch(`${service.url}/console/session`, {
    method: 'POST',
    headers,
    body: '{}',
  });
  const { session_id: session } = (await signedIn.json()) as { session_id: string };
  return {
    baseUrl: service.url,
    key,
    session,
    adminKey: await newKey('operator', { scopes: ['admin'] }),
    keys: {
      poor: await newKey('poor', { monthlyQuota: 0 }),
      slow: await newKey('slow', { throttlePerMinute: 1, throttleBurst: 1 }),
      reader: await newKey('reader', { scopes: ['products:read'] }),
      eager: await newKey('eager'),
      submitter: await newKey('submitter', { scopes: ['pages:submit', 'rules:write'] }),
    },
    world: {
      item: answered.item_id,
      gtin: answered.gtin,
      seller: answered.seller_id,
      firstPartySeller: answered.first_party_seller_id,
      url: answered.url['hosted'],
      retailerBId: answered.retailer_b_product_id,
      substituted: answered.retailers.retailer_a.trouble['substituted']?.id,
      withoutOffers: answered.retailers.retailer_w.trouble['offers_unavailable']?.id,
      disallowed: answered.trouble.disallowed,
      blocked: answered.trouble.blocked,
    },
    receiver: receiver.url,
  };
}

test('its own compiler finds nothing wrong with it', () => {
  const { status, output } = runOfClient('typescript/bin/tsc', ['-p', 'tsconfig.json']);
  assert.equal(status, 0, output);
});

test('every operation of the document is called, and answers', async () => {
  const { making, reads, ending, client, admin } = module.createOperations(stage);
  const calls = { ...making, ...reads, ...ending };
  const all = operationsOf(document);
  const heads = new Set(
    all.filter(({ method }) => method === 'HEAD').map(({ operationId }) => operationId ?? ''),
  );
  const others = all.filter(({ method }) => method !== 'HEAD');
  assert.deepEqual(
    Object.keys(calls).toSorted(),
    others.map(({ operationId }) => operationId).toSorted(),
    'each operation stands in clients/typescript/tests/operations.ts',
  );
  for (const [name, call] of Object.entries({ ...making, ...reads })) {
    const answered = (await call()) as Told | undefined;
    assert.ok(answered === undefined || answered.response.ok, name);
    await service.untilQueueIdle();
    await service.app.deliverNotices();
    if (answered === undefined || !heads.delete(headName(name))) continue;
    const { pathname, search } = new URL(answered.response.url);
    const { HEAD } = (pathname.startsWith('/v1/admin') ? admin : client).routes;
    const { response } = await HEAD(`${pathname}${search}`, {});
    assert.equal(response.status, 200, `HEAD ${pathname}`);
  }
  assert.deepEqual([...heads], []);
  for (const [name, call] of Object.entries(ending)) {
    const answered = (await call()) as Told;
    assert.ok(answered.response.ok, name);
  }
});

function headName(name: string): string {
  return `head${name.replace(/^(?:get|list)/, '').replace(/^./, (first) => first.toUpperCase())}`;
}

test('every error code of the service reaches the caller by its name', async () => {
  const standIn = createServer((request, response) => {
    const code = FAULT_CODES.find((each) => request.url?.startsWith(`/${each}/`) === true);
    const status = code === undefined ? 404 : FAULT_STATUS[code];
    const fault = { code: code ?? 'unknown_route', detail: 'It is as it is.' } as const;
    const problem = presentProblem(fault, { status, requestId: 'x', tokensRemaining: null });
    response.writeHead(status, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify(problem));
  });
  await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = standIn.address() as AddressInfo;
    const errors = module.createErrors(stage, (code) => `http://127.0.0.1:${port}/${code}`);
    assert.deepEqual(Object.keys(errors).toSorted(), [...FAULT_CODES].toSorted());
    for (const [code, call] of Object.entries(errors)) {
      await assert.rejects(call, (error: Error & { code?: string; status?: number }) => {
        assert.equal(error.name, 'OpenshelfError', `${code}: ${error.stack}`);
        assert.equal(error.code, code);
        assert.equal(error.status, FAULT_STATUS[code as keyof typeof FAULT_STATUS]);
        return true;
      });
    }
  } finally {
    standIn.closeAllConnections();
    standIn.close();
  }
});
