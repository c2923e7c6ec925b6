// Calling a service: lost calls are sent again, and any unexpected response is reported in a sentence.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { NEXT_STEPS } from '../../../src/base/next-steps.ts';
import {
  askForWatch,
  askService,
  tokensLeft,
  type ServiceParts,
} from '../../../src/edge/runs/ask-service.ts';
import { createAllowanceBook } from '../../../src/edge/runs/call-allowance.ts';
import { manualClock } from '../../support/manual-clock.ts';

type Answer = (response: ServerResponse) => void;

const json =
  (status: number, body: unknown): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
const page =
  (status: number): Answer =>
  (response) =>
    response.writeHead(status, { 'content-type': 'text/html; charset=utf-8' }).end('<p>Welcome');
const cut: Answer = (response) => {
  response.writeHead(200, { 'content-length': '1000' });
  response.write('{"_freshness"', () => response.destroy());
};
const refused = (status: number, code: string): Answer =>
  json(status, { code, detail: `No: ${code}.` });
const RECORD = { _freshness: {}, tokens_consumed: 3 };

/** Starts a server that gives these answers one after the other, and repeats the last one. */
async function serving(...answers: readonly Answer[]) {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    answers[Math.min(calls, answers.length - 1)]?.(response);
    calls += 1;
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const parts: ServiceParts = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    apiKey: 'osk_live_x',
    clock: manualClock(0),
    stop: new AbortController().signal,
    allowances: createAllowanceBook(),
  };
  return {
    parts,
    calls: () => calls,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const first = (parts: ServiceParts) =>
  askService(parts).first('4006381333931', 'key', () => undefined);

for (const [what, answer, shown] of [
  ['a page', page(200), 'status 200, text/html'],
  ['null', json(200, null), 'status 200, application/json'],
  ['something else in JSON', json(200, { ok: true }), 'status 200, application/json'],
] as const) {
  test(`where ${what} answers, it is not a service, whatever is asked`, async () => {
    await using server = await serving(answer);
    const said = new RegExp(
      `^Error: http://127.* does not answer like an openshelf service \\(${shown}\\)`,
    );
    await assert.rejects(tokensLeft(server.parts), said);
    await assert.rejects(first(server.parts), said);
  });
}

test('a page that says it is not there is no service either, and a refusal says why', async () => {
  await using nowhere = await serving(page(404));
  await assert.rejects(
    tokensLeft(nowhere.parts),
    /does not answer like .* \(status 404, text\/html\)/,
  );
  await using refusing = await serving(refused(401, 'invalid_api_key'));
  await assert.rejects(tokensLeft(refusing.parts), /answered 401: No: invalid_api_key\.$/);
  await assert.rejects(first(refusing.parts), /refuses: No: invalid_api_key\.$/);
});

test('an answer that is cut in its middle is asked for again, as a connection that is lost', async () => {
  await using server = await serving(cut, cut, json(200, RECORD));
  assert.deepEqual(await first(server.parts), { kind: 'record', record: RECORD, tokens: 3 });
  assert.equal(server.calls(), 3);
  await using broken = await serving(cut);
  await assert.rejects(first(broken.parts), /cannot be reached: /);
});

test('trouble between here and the service is waited for, and said of the product in the end', async () => {
  await using passing = await serving(page(502), json(200, RECORD));
  assert.equal((await first(passing.parts)).kind, 'record');
  await using lasting = await serving(page(502));
  const detail = 'The service answered with status 502.';
  assert.deepEqual(await first(lasting.parts), { kind: 'problem', code: 'status_502', detail });
});

test('a watch is made, or it is said why not; a key that is refused ends it', async () => {
  const watch = async (...answers: readonly Answer[]) => {
    await using server = await serving(...answers);
    return await askForWatch(server.parts, '4006381333931', 'file 4006381333931');
  };
  assert.equal(await watch(json(201, {})), null);
  assert.equal(await watch(refused(409, 'idempotency_conflict')), null);
  assert.equal(await watch(refused(503, 'overloaded'), json(200, {})), null);
  assert.equal(await watch(refused(400, 'invalid_parameter')), 'No: invalid_parameter.');
  assert.equal(await watch(page(503)), 'The service answered with status 503.');
  for (const status of [401, 403]) {
    await assert.rejects(
      watch(refused(status, 'insufficient_scope')),
      /refuses: No: insufficient_scope/,
    );
  }
});

test('what the service says of its routes names what a sheet can do instead', async () => {
  const detail = `Send the address of a product page instead: ${NEXT_STEPS.lookUpPage.route}.`;
  await using server = await serving(json(404, { code: 'not_found', detail }));
  assert.deepEqual(await first(server.parts), {
    kind: 'problem',
    code: 'not_found',
    detail: 'Send the address of a product page instead: a row with the address.',
  });
});
