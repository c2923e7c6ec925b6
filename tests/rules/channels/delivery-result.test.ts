// What a receiver's answer means, according to the services' documentation.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DeliveryResult } from '../../../src/rules/channels/channel.ts';
import { deliveryResultOf } from '../../../src/rules/channels/delivery-result.ts';

type Kind = Parameters<typeof deliveryResultOf>[0];
const KINDS: readonly Kind[] = ['webhook', 'ntfy', 'discord', 'slack', 'telegram'];
const NOW = Date.UTC(2026, 10, 23, 9, 0, 0);

const received = (kind: Kind, status: number, body = '', headers: Record<string, string> = {}) =>
  deliveryResultOf(kind, { status, headers, body }, NOW);

const OUTCOMES: readonly (readonly [
  status: number,
  webhook: DeliveryResult['outcome'],
  service: DeliveryResult['outcome'],
])[] = [
  [200, 'delivered', 'delivered'],
  [204, 'delivered', 'delivered'],
  [301, 'refused', 'refused'],
  [304, 'refused', 'refused'],
  [307, 'refused', 'refused'],
  [400, 'retry', 'refused'],
  [401, 'retry', 'refused'],
  [403, 'retry', 'refused'],
  [404, 'retry', 'refused'],
  [408, 'retry', 'retry'],
  [410, 'refused', 'refused'],
  [413, 'retry', 'refused'],
  [425, 'retry', 'retry'],
  [429, 'retry', 'retry'],
  [500, 'retry', 'retry'],
  [503, 'retry', 'retry'],
  [599, 'retry', 'retry'],
  [103, 'retry', 'retry'],
];

test('a status is delivered, tried again or final', () => {
  for (const [status, webhook, service] of OUTCOMES) {
    for (const kind of KINDS) {
      const deliveryResult = received(kind, status);
      assert.equal(
        deliveryResult.outcome,
        kind === 'webhook' ? webhook : service,
        `${kind} ${status}`,
      );
      assert.equal(deliveryResult.status, status);
      assert.match(deliveryResult.detail, /^[A-Z].+\.$/);
    }
  }
  assert.match(received('webhook', 410).detail, /does not want any more/);
  assert.match(received('webhook', 302).detail, /Redirects are not followed/);
  assert.match(received('telegram', 401).detail, /bot token/);
  assert.match(received('discord', 404).detail, /webhook/);
});

const PAUSES: readonly (readonly [
  Kind,
  status: number,
  body: string,
  header: string | null,
  ms: number | null,
])[] = [
  ['webhook', 503, '', '7', 7_000],
  ['webhook', 503, '', 'Mon, 23 Nov 2026 09:01:00 GMT', 60_000],
  ['webhook', 503, '', 'soon', null],
  ['webhook', 503, '', '99999999', 86_400_000],
  ['webhook', 429, '{"retry_after": 5}', null, null],
  ['webhook', 200, '', '7', null],
  ['webhook', 410, '', '7', null],
  ['discord', 429, '{"message":"slow","retry_after":0.35,"global":false}', null, 350],
  ['discord', 429, '{"retry_after":6457}', '7', 7_000],
  ['discord', 429, '{"retry_after":"6"}', null, null],
  ['discord', 429, '{"retry_after":-1}', null, null],
  ['discord', 429, '{"retry_after":1e99}', null, 86_400_000],
  ['discord', 429, 'not JSON', null, null],
  ['discord', 429, 'null', null, null],
  ['slack', 429, '', '30', 30_000],
  ['telegram', 429, '{"ok":false,"error_code":429,"parameters":{"retry_after":14}}', null, 14_000],
  ['telegram', 429, '{"ok":false,"parameters":null}', null, null],
  ['ntfy', 429, '{"code":42901,"http":429}', null, null],
];

test('the pause that a receiver asks for is kept, a day at most', () => {
  for (const [kind, status, body, header, ms] of PAUSES) {
    const headers: Record<string, string> = header === null ? {} : { 'retry-after': header };
    assert.equal(
      received(kind, status, body, headers).retryAfterMs,
      ms,
      `${kind} ${body} ${header}`,
    );
  }
});

test('Telegram delivers only what it says it took', () => {
  assert.equal(received('telegram', 200, '{"ok":true,"result":{}}').outcome, 'delivered');
  assert.equal(received('telegram', 200, '{"ok":false}').outcome, 'retry');
  assert.equal(received('telegram', 200, '').outcome, 'delivered');
});

test('an excerpt is the start of the answer, at most 1 KB, and steers nothing', () => {
  assert.equal(received('webhook', 200, '').excerpt, null);
  assert.equal(received('webhook', 200, ' \r\n\u0000 ').excerpt, null);
  assert.equal(received('webhook', 500, 'no\r\n\u001b[31m way\u202e').excerpt, 'no [31m way');
  for (const body of ['x'.repeat(16_384), '漢'.repeat(5_000), '😀'.repeat(4_000)]) {
    const { excerpt } = received('slack', 500, body);
    const size = Buffer.byteLength(excerpt ?? '');
    assert.ok(size <= 1_024 && size > 1_000, `${size}`);
  }
});
