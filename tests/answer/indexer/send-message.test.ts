// One notice to one receiver of each kind, over real sockets, with the services simulated on loopback.

import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';

import { Webhook } from 'standardwebhooks';

import { SERVICE_ORIGINS, type Target } from '../../../src/rules/channels/channel.ts';
import { parseAllowedReceivers } from '../../../src/egress/guard/receiver-guard.ts';
import { parseOrigins } from '../../../src/egress/origins.ts';
import { createPostToReceiver } from '../../../src/egress/post-to-receiver.ts';
import { createSendMail } from '../../../src/egress/send-mail.ts';
import { parseMailServer } from '../../../src/egress/smtp-url.ts';
import { createSendMessage } from '../../../src/answer/indexer/send-message.ts';
import { systemClock as clock } from '../../../src/edge/wiring/clocks.ts';
import { createTestAuthority } from '../../support/certificates.ts';
import { channelMessageOf, NOTICE_ID, TARGETS } from '../../support/channel-messages.ts';
import { startMailServer } from '../../support/mail-server.ts';

type Seen = {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
};

const seen: Seen[] = [];
let answer: (request: IncomingMessage, response: ServerResponse, body: string) => void;
const server = createServer((request, response) => {
  const pieces: Buffer[] = [];
  request.on('data', (piece: Buffer) => pieces.push(piece));
  request.on('end', () => {
    const body = Buffer.concat(pieces).toString('utf8');
    seen.push({
      path: request.url ?? '',
      headers: request.headers as Record<string, string>,
      body,
    });
    answer(request, response, body);
  });
});
let own = '';
before(async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  own = `127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  seen.length = 0;
  answer = (_request, response) => void response.end('{"ok":true}');
});
after(() => server.close());

/** The services run on loopback, as does a webhook that the operator lists. */
function sender() {
  const mapping = SERVICE_ORIGINS.map((origin) => `${origin}=http://${own}`).join(',');
  const { origins, problems } = parseOrigins(mapping);
  assert.deepEqual(problems, []);
  const allowed = parseAllowedReceivers([own]);
  const postToReceiver = createPostToReceiver({ version: '1', origins, allowed });
  return createSendMessage({ postToReceiver, sendMail: null, clock });
}

const targets = (): readonly Exclude<Target, { kind: 'email' }>[] => [
  { ...TARGETS.webhook, url: `http://${own}/in/4f9d81c2?key=a8d7c6b5` },
  { ...TARGETS.ntfy, server: 'https://ntfy.sh' },
  TARGETS.discord,
  TARGETS.slack,
  TARGETS.telegram,
];

test('each kind posts to its own path and is delivered', async () => {
  const paths = [
    '/in/4f9d81c2?key=a8d7c6b5',
    '/',
    '/api/webhooks/123456789/Tok-en_9f8e7d6c?wait=true',
    '/services/T0A1B2C3/B0A1B2C3/Zx9Yw8Vu7',
    `/bot${TARGETS.telegram.botToken}/sendMessage`,
  ];
  for (const target of targets()) {
    const deliveryResult = await sender()(target, channelMessageOf());
    assert.deepEqual(
      [deliveryResult.outcome, deliveryResult.status],
      ['delivered', 200],
      target.kind,
    );
    assert.equal(deliveryResult.excerpt, '{"ok":true}');
  }
  assert.deepEqual(
    seen.map(({ path }) => path),
    paths,
  );
});

test('what arrives at a webhook has a signature that the public package verifies', async () => {
  const [target] = targets();
  assert.ok(target?.kind === 'webhook');
  await sender()(
    target,
    channelMessageOf({ title: 'Größe „38“ 😀' }, 'fired', { id: NOTICE_ID, title: 'Größe' }),
  );
  const [arrived] = seen;
  assert.ok(arrived !== undefined);
  const said = new Webhook(target.signingSecret).verify(arrived.body, arrived.headers);
  assert.deepEqual((said as { data: unknown }).data, { id: NOTICE_ID, title: 'Größe' });
});

test('a receiver that sends everything back reveals no secret in the outcome', async () => {
  answer = (request, response, body) => {
    const all = JSON.stringify({ url: request.url, headers: request.headers, body });
    response.writeHead(500).end(`Cannot POST ${request.url} ${all}`.slice(0, 900));
  };
  for (const target of targets()) {
    const deliveryResult = await sender()(target, channelMessageOf());
    assert.equal(deliveryResult.outcome, 'retry');
    assert.match(deliveryResult.excerpt ?? '', /^Cannot POST/);
    const stated = JSON.stringify(deliveryResult);
    for (const secret of [
      'a8d7c6b5',
      '4f9d81c2',
      TARGETS.ntfy.topic,
      TARGETS.ntfy.token,
      'Tok-en_9f8e7d6c',
      'Zx9Yw8Vu7',
      TARGETS.telegram.botToken,
      TARGETS.telegram.chatId,
    ]) {
      assert.ok(!stated.includes(secret), `${target.kind}: ${stated}`);
    }
  }
});

test('the pause that a service asks for comes back', async () => {
  answer = (_request, response) =>
    void response
      .writeHead(429)
      .end('{"ok":false,"retry_after":1.5,"parameters":{"retry_after":3}}');
  const pauses = [];
  for (const target of targets())
    pauses.push((await sender()(target, channelMessageOf())).retryAfterMs);
  assert.deepEqual(pauses, [null, null, 1_500, null, 3_000]);
});

test('an address that may not be reached is an outcome and no error', async () => {
  const send = createSendMessage({
    postToReceiver: createPostToReceiver({ version: '1' }),
    sendMail: null,
    clock,
  });
  for (const url of [
    `http://${own}/`,
    'http://169.254.169.254/',
    'http://localhost/',
    'nonsense',
  ]) {
    const deliveryResult = await send({ ...TARGETS.webhook, url }, channelMessageOf());
    assert.deepEqual(
      [deliveryResult.outcome, deliveryResult.status, deliveryResult.excerpt],
      ['refused', null, null],
    );
    assert.match(
      deliveryResult.detail,
      /^This address is not allowed, or its name does not resolve\./,
    );
  }
  assert.equal(seen.length, 0);
});

test('a mail without a mail server waits for the operator; with one it is delivered', async () => {
  const without = await sender()(TARGETS.email, channelMessageOf());
  assert.equal(without.outcome, 'retry');
  assert.match(without.detail, /OPENSHELF_SMTP_URL/);
  const mail = await startMailServer({ authority: createTestAuthority(), hasStartTls: false });
  const parsed = parseMailServer(`smtp://127.0.0.1:${mail.port}`);
  assert.ok('server' in parsed);
  const sendMail = createSendMail({ server: parsed.server, from: 'shelf@example.com' });
  const postToReceiver = createPostToReceiver({ version: '1' });
  const deliveryResult = await createSendMessage({ postToReceiver, sendMail, clock })(
    TARGETS.email,
    channelMessageOf(),
  );
  await mail.close();
  assert.equal(deliveryResult.outcome, 'delivered');
  assert.equal(mail.received.length, 1);
});

test('a fault of our own is an outcome that quotes nothing', async () => {
  const postToReceiver = () => Promise.reject(new TypeError('Invalid URL https://s3cret.example/'));
  const send = createSendMessage({ postToReceiver, sendMail: null, clock });
  const deliveryResult = await send(TARGETS.discord, channelMessageOf());
  assert.equal(deliveryResult.outcome, 'retry');
  assert.match(deliveryResult.detail, /TypeError/);
  assert.doesNotMatch(JSON.stringify(deliveryResult), /s3cret/);
});
