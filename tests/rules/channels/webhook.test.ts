// Signed webhooks, checked with the package that receivers use.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { Webhook } from 'standardwebhooks';

import { requestFor } from '../../../src/rules/channels/request-for.ts';
import { isSigningSecret, signingSecretOf } from '../../../src/rules/channels/webhook.ts';
import { presentNotice } from '../../../src/answer/wire/watches/present-notice.ts';
import {
  HOSTILE_TITLES,
  channelMessageOf,
  NOTICE_ID,
  TARGETS,
} from '../../support/channel-messages.ts';

test('the public package verifies every signature, whatever the notice says and however long the key', () => {
  for (const size of [24, 32, 33, 64]) {
    const signingSecret = signingSecretOf(randomBytes(size));
    const receiver = new Webhook(signingSecret);
    for (const title of ['plain', ...HOSTILE_TITLES]) {
      const plain = channelMessageOf({ title });
      const data = presentNotice(plain.notice);
      const target = { ...TARGETS.webhook, signingSecret };
      const { headers, body } = requestFor(target, { ...plain, data }, { nowMs: Date.now() });
      const said = receiver.verify(Buffer.from(body), headers) as Record<string, unknown>;
      assert.equal(said['type'], 'notice.fired');
      assert.equal(said['timestamp'], '2026-11-23T09:00:00.000Z');
      const answered = JSON.parse(JSON.stringify(data)) as { title: string };
      assert.deepEqual(said['data'], answered);
      assert.equal(headers['webhook-id'], NOTICE_ID);
    }
  }
});

test('the package refuses another secret, another body, another id and an old attempt', () => {
  const nowMs = Date.now();
  const { headers, body } = requestFor(TARGETS.webhook, channelMessageOf(), { nowMs });
  const receiver = new Webhook(TARGETS.webhook.signingSecret);
  receiver.verify(body, headers);
  const old = requestFor(TARGETS.webhook, channelMessageOf(), { nowMs: nowMs - 600_000 });
  assert.throws(() => new Webhook(signingSecretOf(randomBytes(32))).verify(body, headers));
  assert.throws(() => receiver.verify(`${body} `, headers));
  assert.throws(() => receiver.verify(body, { ...headers, 'webhook-id': 'another' }));
  assert.throws(() => receiver.verify(old.body, old.headers));
});

test('another attempt has the id and the body of the first, and a time stamp of its own', () => {
  const [first, second] = [1_000_000, 2_000_999].map((nowMs) =>
    requestFor(TARGETS.webhook, channelMessageOf(), { nowMs }),
  );
  assert.equal(first?.body, second?.body);
  assert.equal(first?.headers['webhook-id'], second?.headers['webhook-id']);
  assert.deepEqual(
    [first?.headers['webhook-timestamp'], second?.headers['webhook-timestamp']],
    ['1000', '2000'],
  );
  assert.notEqual(first?.headers['webhook-signature'], second?.headers['webhook-signature']);
});

test('a signing secret is whsec_ and the base64 of 24 to 64 bytes, in its one spelling', () => {
  for (const size of [24, 25, 63, 64])
    assert.ok(isSigningSecret(signingSecretOf(randomBytes(size))));
  for (const size of [0, 23, 65])
    assert.throws(() => signingSecretOf(randomBytes(size)), RangeError);
  const good = signingSecretOf(Buffer.alloc(32, 7));
  const others = [
    '',
    'whsec_',
    good.slice('whsec_'.length),
    good.slice(0, -1),
    `${good}=`,
    `${good}\n`,
    good.replace('whsec_', 'WHSEC_'),
    signingSecretOf(Buffer.alloc(33, 255)).replaceAll('/', '_'),
    `whsec_${'A'.repeat(400)}`,
  ];
  for (const other of others) assert.equal(isSigningSecret(other), false, other);
});
