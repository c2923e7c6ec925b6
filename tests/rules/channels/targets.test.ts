// What a person may send to set up a channel, the error for anything else, and what may be shown of it later.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  CHANNEL_KINDS,
  type ChannelKind,
  type Target,
} from '../../../src/rules/channels/channel.ts';
import { parseTarget } from '../../../src/rules/channels/parse-target.ts';
import { hintOf, withoutSecrets } from '../../../src/rules/channels/target-secrets.ts';
import { TARGETS } from '../../support/channel-messages.ts';

const MADE = 'whsec_made';
const parse = (kind: ChannelKind, input: Record<string, unknown>) =>
  parseTarget(kind, input, () => MADE);
const SECRET = TARGETS.webhook.signingSecret;
const BOT = TARGETS.telegram.botToken;
const DISCORD = TARGETS.discord.url;

const TAKEN: readonly (readonly [input: Record<string, unknown>, target: Target])[] = [
  [
    { url: 'https://h.example/x' },
    { kind: 'webhook', url: 'https://h.example/x', signingSecret: MADE },
  ],
  [
    { url: 'HTTP://H.example:8080/x?y#z', secret: SECRET },
    { kind: 'webhook', url: 'http://h.example:8080/x?y', signingSecret: SECRET },
  ],
  [
    { url: 'https://ntfy.sh/t-1' },
    { kind: 'ntfy', server: 'https://ntfy.sh', topic: 't-1', token: null },
  ],
  [
    { server: 'http://127.0.0.1:2586/', topic: 't_1', token: 'tk_1' },
    { kind: 'ntfy', server: 'http://127.0.0.1:2586', topic: 't_1', token: 'tk_1' },
  ],
  [{ url: DISCORD }, { kind: 'discord', url: DISCORD }],
  [
    { url: 'https://play.example/api/v10/webhooks/1/a_b-C?thread_id=2' },
    { kind: 'discord', url: 'https://play.example/api/v10/webhooks/1/a_b-C?thread_id=2' },
  ],
  [{ url: TARGETS.slack.url }, TARGETS.slack],
  [
    { bot_token: BOT, chat_id: -100 },
    { kind: 'telegram', botToken: BOT, chatId: '-100' },
  ],
  [
    { bot_token: BOT, chat_id: '@deals_1' },
    { kind: 'telegram', botToken: BOT, chatId: '@deals_1' },
  ],
  [{ url: TARGETS.apprise.url }, TARGETS.apprise],
  [
    { url: 'MQTT://Broker:1884/' },
    { kind: 'mqtt', url: 'mqtt://broker:1884', login: null, topic: 'openshelf' },
  ],
  [
    { url: 'mqtts://broker', username: 'u', password: 'p', topic: 'home/shelf' },
    {
      kind: 'mqtt',
      url: 'mqtts://broker:8883',
      login: { user: 'u', password: 'p' },
      topic: 'home/shelf',
    },
  ],
  [{}, { kind: 'feed', token: 'made' }],
  [{ to: "o'neil+x@mail.shop.example" }, { kind: 'email', to: "o'neil+x@mail.shop.example" }],
];

test('the fields of each kind become its target', () => {
  for (const [input, target] of TAKEN) assert.deepEqual(parse(target.kind, input), { target });
  assert.deepEqual(new Set(TAKEN.map(([, { kind }]) => kind)), new Set(CHANNEL_KINDS));
});

const S = 'https://s3cret.example/t0ken';
const REFUSED: readonly (readonly [ChannelKind, Record<string, unknown>, field: string])[] = [
  ['webhook', {}, 'url'],
  ['webhook', { url: null }, 'url'],
  ['webhook', { url: ['https://h.example'] }, 'url'],
  ['webhook', { url: 'ftp://s3cret.example/t0ken' }, 'url'],
  ['webhook', { url: 'javascript:s3cret' }, 'url'],
  ['webhook', { url: '//s3cret.example/t0ken' }, 'url'],
  ['webhook', { url: 'https://s3cret:t0ken@h.example/' }, 'url'],
  ['webhook', { url: 'https://s3cret.example/t0ken\r\nX: y' }, 'url'],
  ['webhook', { url: `${S} ` }, 'url'],
  ['webhook', { url: `${S}\u202e` }, 'url'],
  ['webhook', { url: 'https://s3cret.example\\@evil.example' }, 'url'],
  ['webhook', { url: `${S}${'a'.repeat(2_048)}` }, 'url'],
  ['webhook', { url: `https://s3cret.example/${'é'.repeat(1_000)}` }, 'url'],
  ['webhook', { url: S, secret: 's3cret' }, 'secret'],
  ['webhook', { url: S, secret: `${SECRET}\n` }, 'secret'],
  ['webhook', { url: S, secret: 5 }, 'secret'],
  ['webhook', { url: S, topic: 's3cret' }, 'topic'],
  ['mqtt', { url: 'https://s3cret.example' }, 'url'],
  ['mqtt', { url: 'mqtt://s3cret:t0ken@h.example' }, 'url'],
  ['mqtt', { url: 'mqtt://h.example/s3cret' }, 'url'],
  ['mqtt', { url: 'mqtt://h.example', topic: 's3cret/#' }, 'topic'],
  ['mqtt', { url: 'mqtt://h.example', password: 's3cret' }, 'username'],
  ['feed', { url: 'https://s3cret.example' }, 'url'],
  ['ntfy', { url: 'https://s3cret.example/' }, 'url'],
  ['ntfy', { url: 'https://s3cret.example/a/b' }, 'url'],
  ['ntfy', { url: 'https://s3cret.example/a?x' }, 'url'],
  ['ntfy', { url: 'https://s3cret.example/a', topic: 'b' }, 'url'],
  ['ntfy', { server: 'https://s3cret.example' }, 'topic'],
  ['ntfy', { server: 'https://s3cret.example/x', topic: 'b' }, 'server'],
  ['ntfy', { server: 'https://s3cret.example', topic: 'a'.repeat(65) }, 'topic'],
  ['ntfy', { url: 'https://s3cret.example/a', token: 's3cret t' }, 'token'],
  ['ntfy', { url: 'https://s3cret.example/a', token: 's3cret\r\nX: y' }, 'token'],
  ['ntfy', { url: 'https://s3cret.example/a', token: 's'.repeat(257) }, 'token'],
  ['discord', { url: 'http://s3cret.example/api/webhooks/1/t0ken' }, 'url'],
  ['discord', { url: 'https://s3cret.example/api/webhooks/t0ken' }, 'url'],
  ['discord', { url: 'https://s3cret.example/api/webhooks/1/t0ken/slack' }, 'url'],
  ['slack', { url: 's3cret' }, 'url'],
  ['telegram', { chat_id: 1 }, 'bot_token'],
  ['telegram', { bot_token: 's3cret', chat_id: 1 }, 'bot_token'],
  ['telegram', { bot_token: `${BOT}/../x`, chat_id: 1 }, 'bot_token'],
  ['telegram', { bot_token: BOT }, 'chat_id'],
  ['telegram', { bot_token: BOT, chat_id: 's3cret' }, 'chat_id'],
  ['telegram', { bot_token: BOT, chat_id: 1.5 }, 'chat_id'],
  ['email', {}, 'to'],
  ['email', { to: 's3cret' }, 'to'],
  ['email', { to: 's3cret@host' }, 'to'],
  ['email', { to: 's3cret@shop.example, b@shop.example' }, 'to'],
  ['email', { to: 'S <s3cret@shop.example>' }, 'to'],
  ['email', { to: 's3cret@shop.example\r\nBcc: b@shop.example' }, 'to'],
  ['email', { to: '"s3cret x"@shop.example' }, 'to'],
  ['email', { to: `${'s'.repeat(65)}@shop.example` }, 'to'],
  ['email', { to: `s@${'a.'.repeat(130)}example` }, 'to'],
  ['email', { to: 's3cret@shop.example', 'reply\u0000to': 'x' }, 'reply to'],
];

test('everything else is refused in plain words that name the field and repeat nothing', () => {
  for (const [kind, input, field] of REFUSED) {
    const parsed = parse(kind, input);
    const said = `${kind} ${JSON.stringify(input).slice(0, 80)}`;
    assert.ok('problem' in parsed, said);
    assert.equal(parsed.field, field, said);
    assert.match(parsed.problem, /^[A-Z].{10,}\.$/, said);
    const values = Object.values(input).filter((value) => typeof value === 'string');
    for (const value of [...values, 's3cret', 't0ken']) {
      assert.ok(value === '' || !parsed.problem.includes(value), `${said}: ${parsed.problem}`);
    }
  }
});

test('a text as long as a body takes no time to be refused', () => {
  const startedAt = performance.now();
  for (const text of ['a.'.repeat(50_000), `${'a'.repeat(99_999)}@`, `a@${'a-'.repeat(50_000)}`]) {
    for (const kind of CHANNEL_KINDS) parse(kind, { url: text, to: text, bot_token: text });
    assert.ok('problem' in parse('email', { to: text }));
    assert.ok('problem' in parse('webhook', { url: `https://${text}` }));
  }
  assert.ok(performance.now() - startedAt < 1_000);
});

const HINTS: readonly (readonly [Target, string])[] = [
  [TARGETS.webhook, 'webhook at hooks.example.com'],
  [TARGETS.ntfy, 'ntfy at ntfy.example.com'],
  [TARGETS.discord, 'discord at discord.com'],
  [TARGETS.slack, 'slack at hooks.slack.com'],
  [TARGETS.telegram, 'telegram'],
  [TARGETS.email, 'email to j…@shop.example'],
  [TARGETS.apprise, 'apprise at apprise.example.com'],
  [TARGETS.mqtt, 'mqtt at broker.example.com:8883'],
  [TARGETS.feed, 'Atom feed'],
];

test('a hint has the kind and the host, and of a mail address a letter and the domain', () => {
  for (const [target, hint] of HINTS) assert.equal(hintOf(target), hint);
});

/** The parts of each target that no answer may reveal. */
const SECRETS: Readonly<Record<ChannelKind, readonly string[]>> = {
  webhook: ['4f9d81c2', 'a8d7c6b5', SECRET, SECRET.slice(6)],
  ntfy: ['prices-k3v9q2', 'tk_d8a7c6b5e4f3'],
  discord: ['Tok-en_9f8e7d6c', '123456789'],
  slack: ['T0A1B2C3', 'Zx9Yw8Vu7'],
  telegram: [BOT, BOT.slice(10)],
  email: ['jane.doe@shop.example'],
  apprise: ['k3yk3yk3y'],
  mqtt: ['shelf-user', 'shelf-pass-9f3'],
  feed: ['f33df33df33df33d'],
};

test('what a receiver repeats of the address and the secrets is taken out, however it spells it', () => {
  for (const target of Object.values(TARGETS)) {
    const secrets = SECRETS[target.kind];
    const whole = 'url' in target && target.kind !== 'mqtt' ? target.url : secrets.join(' ');
    const echoes = [
      whole,
      encodeURIComponent(whole),
      JSON.stringify(whole),
      whole.replaceAll('/', '\\/'),
      ...secrets,
    ];
    const clean = withoutSecrets(`Cannot POST ${echoes.join(' | ')} today`, target);
    for (const secret of secrets) assert.ok(!clean.includes(secret), `${target.kind}: ${clean}`);
    assert.match(clean, /^Cannot POST .* today$/);
    assert.equal(withoutSecrets('{"message":"no"}', target), '{"message":"no"}');
  }
});

test('what is too short to be a secret leaves an answer readable', () => {
  const short: readonly Target[] = [
    { ...TARGETS.telegram, chatId: '1' },
    { ...TARGETS.ntfy, topic: 'e' },
    { ...TARGETS.webhook, url: 'https://h.example/' },
    { ...TARGETS.webhook, url: 'https://h.example/a?b=1' },
  ];
  for (const target of short)
    assert.equal(withoutSecrets('11 errors / a', target), '11 errors / a');
});

/** A secret, and how a receiver may write it. */
const SPELLINGS: readonly (readonly [Target, string, readonly string[]])[] = [
  [
    { ...TARGETS.ntfy, token: 'tk/9&"x\'<y+z' },
    'tk/9&"x\'<y+z',
    [
      "tk%2F9%26%22x'%3Cy%2Bz",
      'tk/9&\\"x\'<y+z',
      'tk\\/9&\\"x\'<y+z',
      'tk/9&amp;&quot;x&#39;&lt;y+z',
    ],
  ],
  [
    { ...TARGETS.slack, url: 'https://hooks.example.com/in/a%2Bb%20c%22d' },
    'a%2Bb%20c%22d',
    ['a+b c"d', 'a+b c\\"d', 'a+b c&quot;d', 'a%252Bb%2520c%2522d'],
  ],
];

test('a secret is taken out in each spelling that an answer may have it in', () => {
  for (const [target, secret, spellings] of SPELLINGS) {
    for (const spelling of [secret, ...spellings]) {
      assert.equal(withoutSecrets(`no: ${spelling}!`, target), 'no: [hidden]!');
    }
  }
});

test('a secret that begins with another is taken out whole', () => {
  const target: Target = { ...TARGETS.ntfy, topic: 'tk_d8a', token: 'tk_d8a7c6b5' };
  assert.equal(withoutSecrets('tk_d8a7c6b5 tk_d8a', target), '[hidden] [hidden]');
});

test('what a receiver shows of its own path and query, in pieces and as they were sent, is taken out', () => {
  const target = {
    kind: 'webhook',
    url: 'https://hooks.example.com/h/tok%C3%A9n/a1b2c?key=abc+def/ghi9==&t=a%2Bb%2Bcc9d',
    signingSecret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
  } as const;
  for (const shown of [
    'h/tok%C3%A9n/a1b2c',
    '/h/tok%c3%a9n/a1b2c',
    'key=abc+def/ghi9==&t=a%2Bb%2Bcc9d',
    'abc+def/ghi9==',
    'a%2Bb%2Bcc9d',
    'a+b+cc9d',
  ]) {
    assert.equal(withoutSecrets(`no route ${shown}!`, target), 'no route [hidden]!', shown);
  }
});
