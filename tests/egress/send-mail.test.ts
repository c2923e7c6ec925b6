// Mail through a real mail server on loopback: what arrives, over which connection, and what its refusals mean.

import assert from 'node:assert/strict';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';

import { mailFor } from '../../src/rules/channels/email.ts';
import type { Mail } from '../../src/rules/channels/receiver.ts';
import { createSendMail, type MailOptions } from '../../src/egress/send-mail.ts';
import { parseMailServer, senderDomain } from '../../src/egress/smtp-url.ts';
import { createTestAuthority } from '../support/certificates.ts';
import {
  HOSTILE_TITLES,
  channelMessageOf,
  NOTICE_ID,
  TARGETS,
} from '../support/channel-messages.ts';
import { MAIL_HOST, startMailServer, type MailServer } from '../support/mail-server.ts';

const authority = createTestAuthority();
const LOGIN = { user: 'shelf@example.com', password: 'p@ss:w/rd%' };
const FROM = 'Shelf watch <shelf@example.com>';
const MAIL: Mail = mailFor(TARGETS.email, channelMessageOf());

/** Sends to a server by its name, which resolves to this machine. `address` is in the form of the setting. */
function sendTo(address: string, options: Partial<MailOptions> = {}) {
  const parsed = parseMailServer(address);
  assert.ok('server' in parsed, 'problem' in parsed ? parsed.problem : '');
  return createSendMail({
    server: parsed.server,
    from: FROM,
    extraCertificates: [authority.certificate],
    resolve: () => Promise.resolve(['127.0.0.1']),
    ...options,
  });
}

async function using(
  options: Parameters<typeof startMailServer>[0],
  work: (server: MailServer) => Promise<void>,
): Promise<void> {
  const server = await startMailServer(options);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const credentials = `${encodeURIComponent(LOGIN.user)}:${encodeURIComponent(LOGIN.password)}`;

test('a mail arrives once, with its sender, its one recipient, both texts and the id of the notice', async () => {
  await using({ authority, hasStartTls: false }, async (server) => {
    const deliveryResult = await sendTo(`smtp://127.0.0.1:${server.port}`)(MAIL);
    assert.equal(deliveryResult.outcome, 'delivered');
    const [received] = server.received;
    assert.deepEqual([received?.from, received?.to], ['shelf@example.com', [TARGETS.email.to]]);
    assert.equal(server.received.length, 1);
    const { raw = '' } = received ?? {};
    assert.match(raw, /^From: Shelf watch <shelf@example\.com>\r$/m);
    assert.match(raw, /^To: jane\.doe@shop\.example\r$/m);
    assert.match(raw, /^Subject: Widget, 12 pack: \$9\.99 \(was \$12\.49\)\r$/m);
    assert.ok(raw.includes(`Message-ID: <${NOTICE_ID}@example.com>\r\n`));
    assert.match(raw, /^Auto-Submitted: auto-generated\r$/m);
    assert.match(raw, /^Content-Type: multipart\/alternative;/m);
    assert.match(raw, /Price: \$9\.99\r\nBefore: \$12\.49\r\nTarget: \$10\.00/);
    assert.match(raw, /<!doctype html>/);
  });
});

/** Returns the field names of a message, without continuation lines. */
function fieldsOf(raw: string): readonly string[] {
  const [head = ''] = raw.split('\r\n\r\n');
  return head
    .split('\r\n')
    .filter((line) => !/^\s/.test(line))
    .map((line) => line.split(':')[0]?.toLowerCase() ?? '');
}

test('nothing that a shop wrote becomes a header, a recipient or an end of the message', async () => {
  await using({ authority, hasStartTls: false }, async (server) => {
    const send = sendTo(`smtp://127.0.0.1:${server.port}`);
    await send(MAIL);
    const usual = new Set(fieldsOf(server.received[0]?.raw ?? ''));
    const hostile = [
      ...HOSTILE_TITLES,
      'x\r\nBcc: evil@evil.example',
      'x\r\n.\r\nMAIL FROM:<evil@evil.example>\r\n',
      '=?utf-8?q?x=0D=0ABcc:_evil=40evil.example?=',
      '\n.\n',
    ];
    for (const title of hostile) {
      const mail = mailFor(
        TARGETS.email,
        channelMessageOf({ title, text: title, retailer: title }),
      );
      server.received.length = 0;
      const said = JSON.stringify(title.slice(0, 60));
      assert.equal((await send(mail)).outcome, 'delivered', said);
      const [received] = server.received;
      assert.deepEqual(received?.to, [TARGETS.email.to], said);
      assert.equal(server.received.length, 1, said);
      const fields = fieldsOf(received?.raw ?? '');
      assert.deepEqual(
        fields.filter((name) => !usual.has(name)),
        [],
        said,
      );
      assert.equal(new Set(fields).size, fields.length, said);
    }
    // The mailer itself lets no line break through, however the mail was composed.
    server.received.length = 0;
    await send({
      ...MAIL,
      subject: 'x\r\nBcc: evil@evil.example',
      id: 'a\r\nBcc: evil@evil.example',
    });
    assert.deepEqual(server.received[0]?.to, [TARGETS.email.to]);
    assert.ok(!fieldsOf(server.received[0]?.raw ?? '').includes('bcc'));
  });
});

test('files and addresses are never opened for a mail', async () => {
  await using({ authority, hasStartTls: false }, async (server) => {
    const opening = { path: '/etc/hostname' } as unknown as string;
    const fetching = { href: `http://127.0.0.1:${server.port}/` } as unknown as string;
    for (const html of [opening, fetching]) {
      const { outcome } = await sendTo(`smtp://127.0.0.1:${server.port}`)({ ...MAIL, html });
      assert.equal(outcome, 'retry');
    }
    assert.equal(server.received.length, 0);
  });
});

test('a password travels over TLS: by STARTTLS, or from the first byte', async () => {
  for (const isTls of [false, true]) {
    await using({ authority, isTls, login: LOGIN }, async (server) => {
      const scheme = isTls ? 'smtps' : 'smtp';
      const send = sendTo(`${scheme}://${credentials}@${MAIL_HOST}:${server.port}`);
      assert.equal((await send(MAIL)).outcome, 'delivered', scheme);
      const [received] = server.received;
      assert.deepEqual([received?.isTls, received?.user], [true, LOGIN.user]);
    });
  }
});

test('a password is not sent to a server without TLS, unless the address says so', async () => {
  await using({ authority, hasStartTls: false, login: LOGIN }, async (server) => {
    const address = `smtp://${credentials}@${MAIL_HOST}:${server.port}`;
    const deliveryResult = await sendTo(address)(MAIL);
    assert.equal(deliveryResult.outcome, 'retry');
    assert.match(deliveryResult.detail, /TLS .* failed/);
    assert.equal(server.received.length, 0);
    assert.equal((await sendTo(`${address}?starttls=offered`)(MAIL)).outcome, 'delivered');
  });
});

test('without a password the connection is upgraded where that is offered, or not at all', async () => {
  await using({ authority }, async (server) => {
    const address = `smtp://${MAIL_HOST}:${server.port}`;
    await sendTo(address)(MAIL);
    await sendTo(`${address}?starttls=off`)(MAIL);
    assert.deepEqual(
      server.received.map(({ isTls }) => isTls),
      [true, false],
    );
  });
});

test('a certificate of nobody, or of somebody else, is not taken, whatever NODE_TLS_REJECT_UNAUTHORIZED says', async (t) => {
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  t.after(() => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
  });
  for (const isTls of [false, true]) {
    await using({ authority, isTls }, async (server) => {
      const scheme = isTls ? 'smtps' : 'smtp';
      const unknown = sendTo(`${scheme}://${MAIL_HOST}:${server.port}`, { extraCertificates: [] });
      const another = sendTo(`${scheme}://other.example.com:${server.port}`);
      for (const send of [unknown, another]) {
        const { outcome, detail } = await send(MAIL);
        assert.equal(outcome, 'retry');
        assert.match(detail, /OPENSHELF_SMTP_URL/);
        assert.doesNotMatch(detail, /example|127/);
      }
      assert.equal(server.received.length, 0);
    });
  }
});

/** Who or what is refused, the code, and its meaning. */
const REFUSALS: readonly (readonly [what: string, code: number, outcome: string, said: RegExp])[] =
  [
    [TARGETS.email.to, 550, 'refused', /refuses mail for this address \(550\)/],
    [TARGETS.email.to, 553, 'refused', /\(553\)/],
    [TARGETS.email.to, 450, 'retry', /\(450\)/],
    ['data', 554, 'refused', /\(554\)/],
    ['data', 451, 'retry', /\(451\)/],
    ['shelf@example.com', 550, 'retry', /OPENSHELF_SMTP_FROM \(550\)/],
  ];

test('a refusal of the recipient or the message is final, of the sender it is the operator’s to mend', async () => {
  await using({ authority, hasStartTls: false }, async (server) => {
    for (const [what, code, outcome, said] of REFUSALS) {
      server.refusing.clear();
      server.refusing.set(what, code);
      const deliveryResult = await sendTo(`smtp://127.0.0.1:${server.port}`)(MAIL);
      assert.equal(deliveryResult.outcome, outcome, `${what} ${code}: ${deliveryResult.detail}`);
      assert.match(deliveryResult.detail, said);
      // The server's own text may name people and machines.
      assert.doesNotMatch(deliveryResult.detail, /jane|wanted|127\.0/);
      assert.equal(deliveryResult.excerpt, null);
    }
  });
});

test('a wrong password names the setting and nothing of it', async () => {
  await using({ authority, login: LOGIN }, async (server) => {
    const deliveryResult = await sendTo(`smtp://s3cret:wr0ng@${MAIL_HOST}:${server.port}`)(MAIL);
    assert.equal(deliveryResult.outcome, 'retry');
    assert.match(deliveryResult.detail, /OPENSHELF_SMTP_URL/);
    assert.doesNotMatch(deliveryResult.detail, /s3cret|wr0ng|example|535/);
  });
});

/** Servers that do not act as mail servers. */
const STRANGE: readonly (readonly [what: string, greet: (socket: Socket) => void])[] = [
  ['says nothing', () => {}],
  ['closes at once', (socket) => socket.end()],
  ['is not a mail server', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
  [
    'greets without end',
    (socket) => socket.write('220-'.padEnd(60, 'x').concat('\r\n').repeat(2_000)),
  ],
  ['greets and stays silent', (socket) => socket.write('220 hello\r\n')],
  ['is busy', (socket) => socket.end('421 too many connections\r\n')],
];

/** Accepts messages, and answers after processing each for this long; null: never. Returns how many it was sent. */
async function startSlowServer(looksMs: number | null) {
  let messages = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    let held = '';
    const take = (piece: Buffer): void => {
      held += piece.toString('latin1');
      if (!held.endsWith('\r\n')) return;
      const isMessage = /^DATA/m.test(held);
      if (isMessage && !held.endsWith('\r\n.\r\n')) {
        if (held.endsWith('DATA\r\n')) socket.write('354 go on\r\n');
        return;
      }
      held = '';
      if (isMessage) messages += 1;
      const waitMs = isMessage ? looksMs : 0;
      if (waitMs !== null) setTimeout(() => socket.write('250 yes\r\n'), waitMs);
    };
    sockets.add(socket.on('error', () => {}).on('data', take));
    socket.write('220 mail.example.com\r\n');
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return {
    port: (server.address() as AddressInfo).port,
    messages: () => messages,
    [Symbol.dispose]: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

test('a mail server may look at a mail for longer than it may take for everything before, or the mail would be sent again', async () => {
  using server = await startSlowServer(3_500);
  const within = { limits: { wholeMs: 3_000, firstByteMs: 2_500 } };
  const send = sendTo(`smtp://127.0.0.1:${server.port}?starttls=off`, within);
  assert.equal((await send(MAIL)).outcome, 'delivered');
  assert.equal(server.messages(), 1);
});

test('a mail server that never says what became of a mail costs a bounded time', async () => {
  using server = await startSlowServer(null);
  const within = { answerMs: 300 };
  const send = sendTo(`smtp://127.0.0.1:${server.port}?starttls=off`, within);
  const startedAt = performance.now();
  assert.equal((await send(MAIL)).outcome, 'retry');
  assert.ok(performance.now() - startedAt < 20_000);
  assert.equal(server.messages(), 1, 'the message was handed over');
});

test('a mail server that cannot be reached or is not one costs a bounded time, and is tried again', async () => {
  for (const [what, greet] of STRANGE) {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      greet(socket);
    });
    const { promise, resolve } = Promise.withResolvers<void>();
    server.listen(0, '127.0.0.1', resolve);
    await promise;
    const { port } = server.address() as AddressInfo;
    const startedAt = performance.now();
    const send = sendTo(`smtp://127.0.0.1:${port}`, { limits: { wholeMs: 500 } });
    const deliveryResult = await send(MAIL);
    assert.ok(performance.now() - startedAt < 3_000, what);
    assert.equal(deliveryResult.outcome, 'retry', what);
    assert.match(deliveryResult.detail, /OPENSHELF_SMTP_URL/, `${what}: ${deliveryResult.detail}`);
    for (const socket of sockets) socket.destroy();
    const { promise: closed, resolve: done } = Promise.withResolvers<void>();
    server.close(() => done());
    await closed;
    assert.equal((await send(MAIL)).outcome, 'retry', `${what}, then gone`);
  }
  const unknown = sendTo('smtp://nowhere.example', {
    resolve: () => Promise.reject(new Error('x')),
  });
  assert.match((await unknown(MAIL)).detail, /cannot be reached/);
});

const SERVERS: readonly (readonly [text: string, server: object])[] = [
  [
    'smtp://mail.example',
    { host: 'mail.example', port: 587, isTls: false, startTls: 'offered', login: null },
  ],
  [
    'smtps://Mail.Example',
    { host: 'mail.example', port: 465, isTls: true, startTls: 'offered', login: null },
  ],
  [
    'SMTP://localhost:25/?starttls=off',
    { host: 'localhost', port: 25, isTls: false, startTls: 'off', login: null },
  ],
  [
    'smtp://u%40x:p%3Aw@[::1]:2525',
    {
      host: '::1',
      port: 2_525,
      isTls: false,
      startTls: 'required',
      login: { user: 'u@x', password: 'p:w' },
    },
  ],
];

test('the address of a mail server says how to reach it; a problem with it never repeats it', () => {
  for (const [text, server] of SERVERS) assert.deepEqual(parseMailServer(text), { server }, text);
  for (const text of [
    'mail.s3cret.example',
    'http://mail.s3cret.example',
    'smtp://',
    'smtp://s3cret:pw@/x',
    'smtp://mail.example/s3cret',
    'smtp://mail.example:99999',
    'smtp://s3cret%:pw@mail.example',
    'smtp://mail.example?tls=s3cret',
    'smtp://mail.example?starttls=s3cret',
    'smtps://mail.example?starttls=off',
  ]) {
    const parsed = parseMailServer(text);
    assert.ok('problem' in parsed, text);
    assert.doesNotMatch(parsed.problem, /s3cret|pw/);
  }
});

test('a sender is one address, with or without a name', () => {
  for (const text of [
    'a@mail.example',
    'Shelf watch <a.b+c@mail.example>',
    'Läden <a@mail.example>',
    'root@localhost',
  ]) {
    assert.match(senderDomain(text) ?? '', /^(?:mail\.example|localhost)$/, text);
  }
  for (const text of [
    '',
    'a',
    'a@',
    '@b',
    'a@b, c@d',
    'a@b\r\nBcc: c@d',
    '<a@b',
    'a@b>',
    '"x" <a@b>',
    'a b@c',
    'a@b@c',
  ]) {
    assert.equal(senderDomain(text), null, text);
  }
});
