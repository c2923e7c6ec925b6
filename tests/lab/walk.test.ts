// The walk: what its model states about limits and keys, that it reports a service that differs from it, and a short one.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import {
  admitted,
  countOne,
  grant,
  newOrganization,
  pay,
  remaining,
  setQuota,
  verdictOf,
  type Key,
  type MeteredCall,
} from '../../lab/eval/walk/accounts.ts';
import { createCaller, type Ask } from '../../lab/eval/walk/calls.ts';
import { brokenLaws } from '../../lab/eval/walk/record-laws.ts';
import { walk } from '../../lab/eval/walk/walk.ts';

const DAY_MS = 86_400_000;
const NOW_MS = Date.UTC(2026, 10, 30, 23, 59, 59);

function keyOf(quota: number): Key {
  const of = newOrganization('one', { quota, perMinute: 6, burst: 2 });
  return {
    text: 'osk_live_a_b',
    id: 'a',
    of,
    scopes: ['products:read'],
    expiresAtMs: null,
    revokedAtMs: null,
  };
}

function callOf(key: Key, more: Partial<MeteredCall> = {}): MeteredCall {
  const usual = { route: 'r', scope: 'products:read', least: 1, most: 3, isForced: false };
  return { key, ...usual, once: null, request: 'GET /', ...more };
}

test('the model of a walk refuses what the limits do not give, and a new month gives it again', () => {
  const key = keyOf(3);
  const call = callOf(key);
  assert.deepEqual(verdictOf(call, NOW_MS), {
    kind: 'open',
    mayLackTokens: false,
    mustLackTokens: false,
  });
  pay(call, 3, NOW_MS);
  assert.equal(remaining(key.of, NOW_MS), 0);
  assert.deepEqual(verdictOf(call, NOW_MS), {
    kind: 'open',
    mayLackTokens: true,
    mustLackTokens: true,
  });
  assert.equal(remaining(key.of, NOW_MS + 1_000), 3);
  setQuota(key.of, 1, NOW_MS);
  assert.equal(remaining(key.of, NOW_MS), 0);
  countOne(key.of, NOW_MS);
  countOne(key.of, NOW_MS);
  assert.equal(admitted(key.of, NOW_MS), 0);
  assert.deepEqual(verdictOf(call, NOW_MS), {
    kind: 'refused',
    code: 'throttled',
  });
  assert.equal(admitted(key.of, NOW_MS + 10_000), 1);
});

test('the model of a walk gives what was granted in its month alone, also when the quota is lowered since', () => {
  const { of } = keyOf(3);
  grant(of, 5, NOW_MS);
  assert.equal(remaining(of, NOW_MS), 8);
  setQuota(of, 1, NOW_MS);
  assert.equal(remaining(of, NOW_MS), 6);
  assert.equal(remaining(of, NOW_MS + 1_000), 1);
});

test('the model of a walk replays an Idempotency-Key for 24 hours and refuses it to another request', () => {
  const key = keyOf(10);
  key.of.kept.set('k', { request: 'GET /', atMs: NOW_MS, status: 200, body: '{}' });
  const call = callOf(key, { once: 'k' });
  assert.equal(verdictOf(call, NOW_MS + DAY_MS - 1).kind, 'replayed');
  assert.equal(verdictOf(call, NOW_MS + DAY_MS).kind, 'open');
  const other = verdictOf({ ...call, request: 'GET /other' }, NOW_MS);
  assert.deepEqual(other, { kind: 'refused', code: 'idempotency_conflict' });
  const revoked = verdictOf({ ...call, key: { ...key, revokedAtMs: NOW_MS } }, NOW_MS);
  assert.deepEqual(revoked, { kind: 'refused', code: 'invalid_api_key' });
});

test('a walk reports an answer whose cost or remaining tokens differ from the model', async () => {
  const body = { tokens_consumed: 2, tokens_remaining: 8 };
  const headers = {
    'content-type': 'application/json',
    'x-request-id': 'r',
    ratelimit: '"throttle";r=1;t=10, "quota";r=8;t=1',
    'ratelimit-policy': '"throttle";q=2;w=20, "quota";q=10;w=1;qu="tokens"',
  };
  const server = createServer((_request, response) => {
    response.writeHead(200, headers).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const differences = async (least: number): Promise<readonly string[]> => {
      const found: string[] = [];
      const caller = createCaller({
        now: () => NOW_MS,
        urlOf: () => url,
        hidden: () => [],
        judge: { check: () => undefined, fields: () => ({ documented: [], seen: [] }) },
        differs: (_where, what) => void found.push(what),
      });
      const ask: Ask = { key: keyOf(10), method: 'GET', target: '/v1/x', route: 'r', least };
      await caller.call(ask);
      return found;
    };
    assert.deepEqual(await differences(2), []);
    assert.deepEqual(await differences(1), [
      'costs 2, expected 1',
      'tokens_remaining 8, expected 9',
      'RateLimit says 8 tokens, expected 9',
    ]);
  } finally {
    server.close();
    server.closeAllConnections();
  }
});

test('a walk reports a record whose fields, codes or windows contradict each other', () => {
  const call = {
    query: new URLSearchParams(),
    isRefresh: false,
    form: 'barcode',
    nowMs: NOW_MS,
  } as const;
  const windows = { '30d': { low: 5, high: 4, average: 5, days_covered: 1, observation_count: 1 } };
  const record = {
    gtin: '00012345678905',
    upc: '012345678905',
    ean: '0012345678905',
    isbn: null,
    current_price: 4.5,
    best_price: null,
    price_history: { days_covered: 1 },
    stats: { current_price: 4.5, windows },
    _meta: { price_source: 'retailer_w' },
    _freshness: { refreshed_at: '2026-10-01T00:00:00.000Z' },
  };
  const found = brokenLaws({ ...record, ean: null, offers: [] }, call);
  for (const law of ['offers is present', 'ean is null of 00012345678905', '30d: '])
    assert.ok(
      found.some((each) => each.startsWith(law)),
      `${law}: ${found.join('; ')}`,
    );
  const right = { ...record, stats: { current_price: 4.5, windows: {} } };
  assert.deepEqual(brokenLaws(right, call), []);
});

test('a short walk, on new connections and on one that repeats its head, finds no difference between service and model', async () => {
  const numbers = Array.from({ length: 24 }, (_, at) => at + 1);
  const plan = { database: 'sqlite', processes: 1, seed: 3, numbers } as const;
  const { differences, calls, onConnections } = await walk(plan);
  assert.deepEqual(differences, []);
  assert.ok(onConnections.repeated > 0, 'some are answered without node:http');
  assert.ok(calls > 40, `${calls} calls`);
});
