// What a lookup answers when an official API issues no access token, how often a token is requested, and for whom. The
// retailer's pages are unreachable here, so the API's failure is the answer.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';

import type { Fault } from '../../../src/base/fault.ts';
import { API_ORIGIN } from '../../../src/read/retailers/retailer-e/address-book.ts';
import { openApiDouble, type ApiDouble, type Reply } from '../../read/retailers/api-double.ts';
import * as e from '../../read/retailers/retailer-e/fixtures.ts';

const CREDENTIALS = { CLIENT_ID: 'me', CLIENT_SECRET: 'hush' };
const PRODUCT = {
  kind: 'product',
  identifier: { kind: 'retailer_item', value: e.ITEM, retailer: 'retailer_e' },
} as const;
const TOKEN: Reply = { body: { access_token: 'T', expires_in: 7_200 } };

async function apiWith(
  t: TestContext,
  tokens: () => Reply | Promise<Reply>,
  unread = 0,
): Promise<ApiDouble> {
  const api = await openApiDouble({
    slug: 'retailer_e',
    origin: API_ORIGIN,
    credentials: CREDENTIALS,
    unread,
    reply: ({ url }) => (url.pathname.endsWith('/token') ? tokens() : { body: e.item() }),
  });
  t.after(api.close);
  return api;
}

async function faultOf(api: ApiDouble, signal?: AbortSignal): Promise<Fault> {
  const outcome = await api.ask(PRODUCT, signal);
  assert.ok(outcome.kind === 'failed');
  return outcome.fault;
}

test('an API whose tokens fail for now is asked again when it says, and nobody doubts the credentials', async (t) => {
  let isMended = false;
  const failing: Reply = { status: 503, headers: { 'retry-after': '30' }, body: {} };
  const api = await apiWith(t, () => (isMended ? TOKEN : failing));
  const first = await faultOf(api);
  assert.deepEqual([first.code, first.retryAfterSeconds], ['upstream_unavailable', 30]);
  assert.match(first.detail ?? '', /retailer_e\.browse.*access token: 503/);
  assert.doesNotMatch(first.detail ?? '', /credentials/);
  api.clock.advance(10_000);
  assert.equal((await faultOf(api)).retryAfterSeconds, 20);
  assert.equal(api.calls.length, 1);
  isMended = true;
  api.clock.advance(20_000);
  assert.equal((await api.ask(PRODUCT)).kind, 'read');
});

test('credentials that the API refuses are named by their settings, and not sent again for an hour', async (t) => {
  const api = await apiWith(t, () => ({ status: 401, body: { error: 'invalid_client' } }));
  const fault = await faultOf(api);
  assert.deepEqual([fault.code, fault.retryAfterSeconds], ['upstream_unavailable', 3_600]);
  assert.match(fault.detail ?? '', /credentials.*OPENSHELF_RETAILER_E_CLIENT_ID/);
  assert.doesNotMatch(fault.detail ?? '', /hush/);
  api.clock.advance(3_599_000);
  await faultOf(api);
  assert.equal(api.calls.length, 1);
  api.clock.advance(1_000);
  await faultOf(api);
  assert.equal(api.calls.length, 2);
});

test('an unreachable API is reported as such', async (t) => {
  const api = await apiWith(t, () => TOKEN);
  api.close();
  const fault = await faultOf(api);
  assert.deepEqual([fault.code, fault.upstream], ['upstream_unavailable', 'upstream_reset']);
  assert.doesNotMatch(fault.detail ?? '', /credentials/);
});

test('an answer that the machine had no time to read is not a pause that the API asked for', async (t) => {
  const api = await apiWith(t, () => TOKEN, 1);
  assert.equal((await faultOf(api)).upstream, 'upstream_timeout');
  assert.equal((await api.ask(PRODUCT)).kind, 'read');
});

test('a token that two callers wait for does not end with the deadline of the first', async (t) => {
  const asked = Promise.withResolvers<void>();
  const given = Promise.withResolvers<Reply>();
  const api = await apiWith(t, () => {
    asked.resolve();
    return given.promise;
  });
  const hurried = new AbortController();
  const first = faultOf(api, hurried.signal);
  await asked.promise;
  const second = api.ask(PRODUCT);
  hurried.abort();
  assert.equal((await first).upstream, 'upstream_timeout');
  given.resolve(TOKEN);
  assert.equal((await second).kind, 'read');
  assert.equal(api.calls.filter(({ url }) => url.pathname.endsWith('/token')).length, 1);
});
