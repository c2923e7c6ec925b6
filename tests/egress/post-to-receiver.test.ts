// Posting to receivers: which addresses are reached, and the maximum cost of an answer. Receivers are servers on loopback;
// every opened socket of the public ones is recorded.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createRawServer, type AddressInfo, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, before, beforeEach, test } from 'node:test';

import type { PostOutcome, ReceiverRequest } from '../../src/rules/channels/receiver.ts';
import { createDenials } from '../../src/egress/guard/denials.ts';
import {
  allowedReceiverProblem,
  parseAllowedReceivers,
} from '../../src/egress/guard/receiver-guard.ts';
import { onlyOrigins, parseOrigins } from '../../src/egress/origins.ts';
import { createPostToReceiver } from '../../src/egress/post-to-receiver.ts';
import { startDnsServer } from '../support/dns-server.ts';
import { openPublicWorld, type PublicWorld } from '../support/public-world.ts';
import {
  PUBLIC_ADDRESS,
  readJsonLines,
  readUrlTable,
  type DnsCase,
  type UrlCase,
} from '../support/vector-cases.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const VECTORS = join(ROOT, 'tests', 'vectors');
/** More cases of the same form, if available (see shared-vectors.test.ts). */
const FURTHER = process.env['OPENSHELF_VECTORS'] ?? join(ROOT, '../shared/vectors');

// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the file's form is the caller's word
function furtherCases<T>(file: string): readonly T[] {
  const path = join(FURTHER, file);
  return existsSync(path) ? readJsonLines<T>(path) : [];
}
const SECRET_PATH = '/hook/s3cret-t0ken-4f9d';

const requestTo = (url: string): ReceiverRequest => ({
  url,
  method: 'POST',
  headers: { 'content-type': 'application/json', 'webhook-id': '1' },
  body: '{"price":"9,99 €"}',
});

function detailOf(outcome: PostOutcome): string {
  assert.ok(!outcome.ok);
  return outcome.detail;
}

/** Every refusal looks like this. */
const NOT_ALLOWED = detailOf(await createPostToReceiver({ version: '1' })(requestTo('x')));

test('what is refused says neither why nor where', () => {
  assert.match(NOT_ALLOWED, /^This address is not allowed, or its name does not resolve\./);
});

// -- Public receivers, in a world that records every socket.

let world: PublicWorld;
before(async () => {
  world = await openPublicWorld();
});
beforeEach(() => {
  world.reset();
  world.answer = (_request, response) => void response.end('ok');
});
after(() => world.close());

function publicPost(options: Partial<Parameters<typeof createPostToReceiver>[0]> = {}) {
  return createPostToReceiver({
    version: '1.2.3',
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    ...options,
  });
}

test('a public receiver gets the headers and the body as they are, and its answer comes back', async () => {
  const seen: { method?: string | undefined; headers: Record<string, unknown>; body: string }[] =
    [];
  world.answer = (request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const body = Buffer.concat(pieces).toString('utf8');
      seen.push({ method: request.method, headers: request.headers, body });
      response.writeHead(202, { 'Retry-After': '5' }).end('täken');
    });
  };
  const post = publicPost({ contact: 'https://operator.example/c' });
  const outcome = await post(requestTo(`https://hooks.example.com${SECRET_PATH}?a=1#part`));
  assert.ok(outcome.ok);
  const { status, headers, body } = outcome.answer;
  assert.deepEqual([status, headers['retry-after'], body], [202, '5', 'täken']);
  const [first] = seen;
  assert.deepEqual([first?.method, first?.body, seen.length], ['POST', '{"price":"9,99 €"}', 1]);
  assert.equal(first?.headers['webhook-id'], '1');
  assert.equal(first?.headers['host'], 'hooks.example.com');
  assert.equal(first?.headers['user-agent'], 'openshelf/1.2.3 (+https://operator.example/c)');
  assert.deepEqual(world.requests, [{ host: 'hooks.example.com', path: `${SECRET_PATH}?a=1` }]);
});

test('a redirect is an answer and is followed by nothing', async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    world.reset();
    world.answer = (_request, response) =>
      void response.writeHead(status, { Location: 'http://127.0.0.1/' }).end();
    const outcome = await publicPost()(requestTo('https://hooks.example.com/'));
    assert.ok(outcome.ok && outcome.answer.status === status);
    assert.equal(world.attempts.length, 1);
  }
});

test('what may not be fetched as a page may not be posted to, and opens no socket', async (t) => {
  const cases = [
    ...readUrlTable(join(VECTORS, 'ssrf.tsv')),
    ...furtherCases<UrlCase>('ssrf-cases.jsonl'),
  ].filter((one) => one.redirects === undefined);
  const wrong: string[] = [];
  for (const { id, url, must, needs } of cases) {
    world.reset();
    const outcome = await publicPost()(requestTo(url));
    const mustAllow = must === 'allow' && needs === undefined;
    if (outcome.ok !== mustAllow) wrong.push(`${id}: ${url}`);
    if (outcome.ok) continue;
    if (outcome.detail !== NOT_ALLOWED || world.attempts.length > 0) wrong.push(`${id}: ${url}`);
  }
  t.diagnostic(`${cases.length} addresses`);
  assert.ok(cases.length > 100);
  assert.deepEqual(wrong, []);
});

test('names that lead to private, mixed and rebinding addresses are refused, and open no socket', async (t) => {
  const cases = [
    ...readJsonLines<DnsCase>(join(VECTORS, 'dns.jsonl')),
    ...furtherCases<DnsCase>('dns-cases.jsonl'),
  ];
  const usable = cases.filter(
    (one) => one.redirects === undefined && one.allow === undefined && one.hosts === undefined,
  );
  const wrong: string[] = [];
  for (const one of usable) {
    world.reset();
    let lookups = 0;
    const resolve = (): Promise<readonly string[]> => {
      const answer = one.answers[Math.min(lookups, one.answers.length - 1)] ?? {
        error: 'ENOTFOUND',
      };
      lookups += 1;
      if ('error' in answer) return Promise.reject(new Error(answer.error));
      return 'delay_ms' in answer ? new Promise(() => {}) : Promise.resolve(answer);
    };
    const localAddresses = () => one.local_addresses ?? [];
    const post = publicPost({ resolve, localAddresses, limits: { dnsMs: 100, connectMs: 500 } });
    for (const address of one.fail_connect ?? []) world.refusing.add(address);
    const outcome = await post(requestTo(one.url));
    // A public address that does not answer may be tried; it causes no second lookup.
    const tried = one.must === 'allow' ? one.connect : one.fail_connect;
    const strays = world.attempts.filter(({ address }) => tried?.includes(address) !== true);
    const isRefused = !outcome.ok && (tried !== undefined || outcome.detail === NOT_ALLOWED);
    const isRight = one.must === 'allow' ? outcome.ok : isRefused;
    if (!isRight || strays.length > 0 || lookups > 1) wrong.push(`${one.id} ${one.class}`);
  }
  t.diagnostic(`${usable.length} names`);
  assert.ok(usable.length > 20);
  assert.deepEqual(wrong, []);
});

test('an address that its text forbids is refused for good, a name may change what it leads to', async () => {
  const literal = await publicPost()(requestTo('http://169.254.169.254/latest'));
  assert.ok(!literal.ok && !literal.mayChange);
  for (const answers of [[], ['10.0.0.1'], ['169.254.169.254'], ['93.184.215.14', '127.0.0.1']]) {
    const resolve = () => Promise.resolve(answers);
    const named = await publicPost({ resolve })(requestTo('https://hooks.example.com/'));
    assert.ok(!named.ok && named.mayChange);
    assert.equal(named.detail, NOT_ALLOWED);
  }
});

test('a socket that reached another address carries nothing', async () => {
  world.lyingAbout.set(PUBLIC_ADDRESS, '127.0.0.1');
  const outcome = await publicPost()(requestTo('http://hooks.example.com/'));
  assert.ok(!outcome.ok);
  assert.equal(world.requests.length, 0);
});

test('the certificate must be that of the receiver', async () => {
  const outcome = await publicPost({ extraCertificates: [] })(requestTo('https://h.example.com/'));
  assert.match(detailOf(outcome), /certificate/);
  assert.equal(world.requests.length, 0);
});

test('what the operator denies is not a receiver, listed or not, and looks like any other', async () => {
  const denials = createDenials(['hooks.example.com', '93.184.215.0/24']);
  const allowed = parseAllowedReceivers(['hooks.example.com:8080', 'other.example.com:8080']);
  const post = publicPost({ denials, allowed });
  for (const host of ['hooks.example.com', 'a.hooks.example.com', 'other.example.com']) {
    for (const port of ['', ':8080']) {
      const outcome = await post(requestTo(`http://${host}${port}/`));
      if (outcome.ok) assert.fail(host + port);
      assert.equal(outcome.detail, NOT_ALLOWED);
    }
  }
  assert.equal(world.attempts.length, 0);
});

test('only the origins of services are mapped: nothing posts to what stands in for a shop', async () => {
  const mapped = 'https://shop.example.com=http://127.0.0.1:9,https://ntfy.sh=http://10.0.0.9:9';
  const { origins } = parseOrigins(mapped);
  const part = onlyOrigins(origins, ['https://ntfy.sh', 'https://discord.com']);
  assert.equal(part.size, 1);
  const post = publicPost({ origins: part });
  assert.ok((await post(requestTo('https://ntfy.sh/'))).ok);
  assert.ok((await post(requestTo('https://shop.example.com/'))).ok);
  assert.deepEqual(world.attempts, [
    { address: '10.0.0.9', port: 9 },
    { address: PUBLIC_ADDRESS, port: 443 },
  ]);
});

test('public receivers are reached through the egress proxy, private ones that are listed directly', async () => {
  const allowed = parseAllowedReceivers(['hooks.internal:8080', 'hooks.example.com:8080']);
  const egressProxy = 'http://proxy.example:3128';
  for (const [url, address, attempt] of [
    ['https://hooks.example.com/', PUBLIC_ADDRESS, 'proxy.example:3128'],
    ['http://hooks.example.com:8080/', PUBLIC_ADDRESS, 'proxy.example:3128'],
    ['http://hooks.internal:8080/', '10.0.0.1', '10.0.0.1:8080'],
  ] as const) {
    world.reset();
    const post = publicPost({ allowed, egressProxy, resolve: () => Promise.resolve([address]) });
    const outcome = await post(requestTo(url));
    assert.deepEqual(
      world.attempts.map((each) => `${each.address}:${each.port}`),
      [attempt],
    );
    // The world's server opens no tunnel.
    if (attempt.startsWith('proxy')) assert.match(detailOf(outcome), /OPENSHELF_EGRESS_PROXY/);
    else assert.ok(outcome.ok);
  }
});

test('a listed name may be private, but never link-local, of a cloud or reserved', async () => {
  const allowed = parseAllowedReceivers(['hooks.internal:8080']);
  const reach = async (answers: readonly string[]) => {
    const resolve = () => Promise.resolve(answers);
    return (await publicPost({ allowed, resolve })(requestTo('http://hooks.internal:8080/'))).ok;
  };
  for (const address of ['10.1.2.3', '192.168.0.7', '127.0.0.5', '::1', 'fd12::1', '8.8.8.8']) {
    assert.equal(await reach([address]), true, address);
  }
  for (const address of [
    '169.254.169.254',
    '168.63.129.16',
    '100.100.100.200',
    'fd00:ec2::254',
    'fe80::1',
    '0.0.0.0',
    '224.0.0.1',
    '::ffff:127.0.0.1',
    '64:ff9b::7f00:1',
  ]) {
    world.reset();
    assert.equal(await reach([address]), false, address);
    assert.equal(await reach(['10.1.2.3', address]), false, address);
    assert.equal(world.attempts.length, 0);
  }
});

test('a listed name opens one port and one host', async () => {
  const allowed = parseAllowedReceivers(['Hooks.Internal.:8080', '[::1]:8080', '127.0.0.1:80']);
  const post = publicPost({ allowed, resolve: () => Promise.resolve(['10.0.0.1']) });
  const reached = async (url: string) => (await post(requestTo(url))).ok;
  for (const url of [
    'http://hooks.internal:8080/',
    'http://HOOKS.internal.:8080/',
    'http://[::1]:8080/',
    'http://[0:0::1]:8080/',
    'http://127.0.0.1/',
    'http://0x7f.1/',
  ]) {
    assert.equal(await reached(url), true, url);
  }
  for (const url of [
    'http://hooks.internal/',
    'http://hooks.internal:8081/',
    'https://hooks.internal/',
    'http://a.hooks.internal:8080/',
    'http://hooks.internal.example.com/',
    'http://x@hooks.internal:8080/',
    'http://hooks.internal:8080\\@evil.example/',
    'http://[::2]:8080/',
    'http://127.0.0.1:8080/',
    'https://127.0.0.1/',
    'ftp://hooks.internal:8080/',
  ]) {
    assert.equal(await reached(url), false, url);
  }
});

test('an entry with a path allows what is at or below it, one with an organization only that one', async () => {
  const allowed = parseAllowedReceivers([
    'hooks.internal:8080/shelf/',
    'acme=hooks.internal:8080/acme',
    'acme = b=hooks.internal:9',
    'all.internal:80',
  ]);
  const names: Readonly<Record<string, string>> = { org_1: 'acme', org_2: 'acme = b' };
  const post = publicPost({
    allowed,
    organizationName: async (id) => names[id] ?? null,
    resolve: () => Promise.resolve(['10.0.0.1']),
  });
  for (const [url, organizations] of [
    ['http://hooks.internal:8080/shelf', 'org_1 org_2 org_3'],
    ['http://hooks.internal:8080/shelf/a/b?c=/..', 'org_1 org_2 org_3'],
    ['http://hooks.internal:8080/a/../shelf/x', 'org_1 org_2 org_3'],
    ['http://all.internal/any', 'org_1 org_2 org_3'],
    ['http://hooks.internal:8080/acme/x', 'org_1'],
    ['http://hooks.internal:9/', 'org_2'],
    ['http://hooks.internal:8080/', ''],
    ['http://hooks.internal:8080/shelves', ''],
    ['http://hooks.internal:8080/Shelf', ''],
    ['http://hooks.internal:8080/shelf/../admin', ''],
    ['http://hooks.internal:8080/shelf/%2e%2e/admin', ''],
    ['http://hooks.internal:8080/shelf/..%2fadmin', ''],
    ['http://hooks.internal:8080/shelf/%252e%252e%252fadmin', ''],
    ['http://hooks.internal:8080/shelf/..%5Cadmin', ''],
    ['http://hooks.internal:8080//shelf', ''],
    ['http://hooks.internal:8081/shelf', ''],
  ] as const) {
    const may: string[] = [];
    for (const id of ['org_1', 'org_2', 'org_3']) {
      if ((await post(requestTo(url), id)).ok) may.push(id);
    }
    assert.equal(may.join(' '), organizations, url);
  }
  assert.equal((await post(requestTo('http://hooks.internal:8080/acme'))).ok, false);
});

test('an entry of the list is a host and a port', () => {
  for (const entry of [
    'a:1',
    'hooks.internal:65535',
    '127.0.0.1:80',
    '[fd00::1]:8080',
    'é.example:9',
    'a:80/x',
    'acme=a:80',
    'Ärzte & Co. = 2=a:80/x=1',
  ]) {
    assert.equal(allowedReceiverProblem(entry), null, entry);
  }
  for (const entry of [
    '',
    'a',
    'a:',
    'a:0',
    'a:65536',
    ':80',
    'http://a:80',
    'a:80/x?y',
    'a:80/x#y',
    'acme=a',
    '=a:80',
    'u@a:80',
    'fd00::1:80',
    '10.0.0.0/8:80',
    '*:80',
    'a b:80',
  ]) {
    assert.match(allowedReceiverProblem(entry) ?? '', /is not a host and a port/, entry);
  }
  assert.equal(parseAllowedReceivers(['a', 'b:1']).size, 1);
});

// -- Receivers on loopback, which the operator lists.

type Receiver = { readonly url: string; readonly allowed: string; close(): Promise<void> };

/** Its port is reached without the world, which takes over sockets. */
async function withWorldClosed<T>(work: () => Promise<T>): Promise<T> {
  await world.close();
  try {
    return await work();
  } finally {
    world = await openPublicWorld();
  }
}

async function receiver(
  listener: RequestListener | ((socket: Socket) => void),
  raw = false,
): Promise<Receiver> {
  const server = raw
    ? createRawServer(listener as (socket: Socket) => void)
    : createServer(listener as RequestListener);
  const open = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => {});
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}${SECRET_PATH}`,
    allowed: `127.0.0.1:${port}`,
    async close() {
      const { promise: closed, resolve: done } = Promise.withResolvers<void>();
      server.close(() => done());
      for (const socket of open) socket.destroy();
      await closed;
    },
  };
}

const listedPost = (
  { allowed }: Receiver,
  options: Partial<Parameters<typeof createPostToReceiver>[0]> = {},
) => createPostToReceiver({ version: '1', allowed: parseAllowedReceivers([allowed]), ...options });

test('a receiver on this machine is refused, and reached once it is listed', async () => {
  await withWorldClosed(async () => {
    let calls = 0;
    const own = await receiver((_request, response) => {
      calls += 1;
      response.end('ok');
    });
    const dns = await startDnsServer();
    try {
      const { port } = new URL(own.url);
      dns.answers.set('rebind.example.com', [['93.184.215.14'], ['127.0.0.1']]);
      dns.answers.set('home.example.com', [['127.0.0.1']]);
      const unlisted = createPostToReceiver({ version: '1', dnsServers: [dns.address] });
      for (const url of [
        own.url,
        `http://localhost:${port}/`,
        `http://[::1]:${port}/`,
        `http://home.example.com:${port}/`,
        'http://home.example.com/',
      ]) {
        assert.equal(detailOf(await unlisted(requestTo(url))), NOT_ALLOWED, url);
      }
      assert.equal(calls, 0);
      const outcome = await listedPost(own)(requestTo(own.url));
      assert.ok(outcome.ok && outcome.answer.status === 200);
      assert.equal(calls, 1);
    } finally {
      await dns.close();
      await own.close();
    }
  });
});

test('informational answers before the final one are passed over, asked for or not (RFC 9110 15.2)', async () => {
  const FINAL = 'HTTP/1.1 202 Accepted\r\nContent-Length: 5\r\n\r\ntaken';
  const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';
  const HINTS = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
  const passed: readonly (readonly [before: string, pieceBytes: number])[] = [
    ['', 1],
    [CONTINUE, 1_000],
    [CONTINUE, 1],
    [CONTINUE, 11],
    [CONTINUE, 12],
    [CONTINUE.repeat(2), 7],
    ['HTTP/1.1 100\r\n\r\n', 1_000],
    ['HTTP/1.1 100 Continue\r\nServer: x\r\nX: HTTP/1.1 100\r\n\r\n', 1_000],
    [`\r\n${CONTINUE}`, 5],
    ['HTTP/1.1 102 Processing\r\n\r\n', 1_000],
    [HINTS, 3],
    [`${CONTINUE}${HINTS}HTTP/1.1 102 Processing\r\n\r\n`, 13],
    ['HTTP/1.1 199 Later\r\n\r\n', 1_000],
  ];
  const refused: readonly (readonly [before: string, pieceBytes: number])[] = [
    [CONTINUE.repeat(9), 1_000],
    ['HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n', 1_000],
    ['HTTP/1.1 100 Continue\r\n', 1_000],
  ];
  let now: readonly [before: string, pieceBytes: number] = ['', 1];
  await withWorldClosed(async () => {
    const own = await receiver(async (socket: Socket) => {
      const [before, pieceBytes] = now;
      const text = `${before}${FINAL}`;
      for (let at = 0; at < text.length; at += pieceBytes) {
        await new Promise((sent) => socket.write(text.slice(at, at + pieceBytes), sent));
      }
      socket.end();
    }, true);
    try {
      const post = async (answer: typeof now) => {
        now = answer;
        return await listedPost(own)(requestTo(own.url));
      };
      for (const answer of passed) {
        const outcome = await post(answer);
        const what = JSON.stringify([answer, outcome]);
        assert.ok(outcome.ok && outcome.answer.status === 202, what);
        assert.equal(outcome.answer.body, 'taken', what);
      }
      for (const answer of refused) {
        const outcome = await post(answer);
        assert.ok(!outcome.ok || outcome.answer.status !== 202, JSON.stringify([answer, outcome]));
      }
    } finally {
      await own.close();
    }
  });
});

test('an answer of 100 MB costs 16 KB, and its receiver is left at once', async () => {
  await withWorldClosed(async () => {
    const { promise: left, resolve: leave } = Promise.withResolvers<number>();
    const piece = Buffer.alloc(64 * 1024, 'x');
    const size = 100 * 1024 * 1024;
    const endless = await receiver((request, response) => {
      request.resume();
      let written = 0;
      response.writeHead(200, { 'Content-Length': String(size) });
      const more = () => {
        while (written < size && !response.destroyed) {
          written += piece.length;
          if (!response.write(piece)) return void response.once('drain', more);
        }
      };
      response.once('close', () => leave(written));
      more();
    });
    try {
      const outcome = await listedPost(endless)(requestTo(endless.url));
      assert.ok(outcome.ok);
      assert.equal(outcome.answer.status, 200);
      assert.equal(outcome.answer.body.length, 16_384);
      // The machine's own buffers also took some.
      assert.ok((await left) < 20 * 1024 * 1024);
    } finally {
      await endless.close();
    }
  });
});

/** How a receiver delays its answer, and the status known by then; null: none. */
const SLOW: readonly (readonly [
  what: string,
  answer: (socket: Socket) => void,
  status: number | null,
])[] = [
  ['says nothing', () => {}, null],
  ['begins a status line', (socket) => socket.write('HTTP/1.1 20'), null],
  ['never ends its headers', (socket) => socket.write('HTTP/1.1 200 OK\r\nA: b\r\n'), null],
  [
    'never ends its body',
    (socket) => socket.write('HTTP/1.1 503 no\r\nContent-Length: 9\r\n\r\nx'),
    503,
  ],
  [
    'never begins its body',
    (socket) => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n'),
    200,
  ],
  ['sends informational answers', (socket) => socket.write('HTTP/1.1 102 x\r\n\r\n'), null],
];

test('a receiver that never ends its answer costs the whole time, and what it said by then counts', async () => {
  await withWorldClosed(async () => {
    for (const [what, answer, status] of SLOW) {
      const slow = await receiver(
        (socket: Socket) => void socket.once('data', () => answer(socket)),
        true,
      );
      try {
        const startedAt = performance.now();
        const outcome = await listedPost(slow, { limits: { wholeMs: 300 } })(requestTo(slow.url));
        const ms = performance.now() - startedAt;
        assert.ok(ms >= 290 && ms < 3_000, `${what}: ${ms} ms`);
        if (status === null) assert.match(detailOf(outcome), /did not answer in time/, what);
        else assert.equal(outcome.ok ? outcome.answer.status : null, status, what);
      } finally {
        await slow.close();
      }
    }
  });
});

/** Answers that are invalid or break off. */
const BROKEN: readonly (readonly [what: string, text: string])[] = [
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n'],
  ['nothing', ''],
  ['half a header', 'HTTP/1.1 200 OK\r\nContent'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx'],
  ['headers without end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(40_000)}\r\n\r\n`],
];

test('an answer that is not one is an outcome, and no outcome names the address', async () => {
  await withWorldClosed(async () => {
    for (const [what, text] of BROKEN) {
      const broken = await receiver(
        (socket: Socket) => void socket.once('data', () => socket.end(text)),
        true,
      );
      const outcome = await listedPost(broken)(requestTo(broken.url));
      await broken.close();
      assert.ok(!outcome.ok && outcome.mayChange, what);
      assert.doesNotMatch(outcome.detail, /127\.0\.0\.1|s3cret|t0ken|hook/, what);
      const gone = await listedPost(broken)(requestTo(broken.url));
      assert.match(detailOf(gone), /could not be opened/);
      assert.doesNotMatch(detailOf(gone), /127\.0\.0\.1|s3cret|t0ken|ECONN/);
    }
  });
});

const CONNACK = Buffer.from([0x20, 2, 0, 0]);
/** What brokers send instead of what they should: at once, and after the first message. */
const BROKERS: readonly (readonly [what: string, sent: readonly Buffer[], said: RegExp])[] = [
  ['nothing', [], /did not answer in time/],
  ['no confirmation', [CONNACK], /did not answer in time/],
  ['HTTP', [Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')], /not valid MQTT/],
  ['a huge packet', [Buffer.from([0x20, 0xff, 0xff, 0xff, 0x7f])], /not valid MQTT/],
  ['packets without end', [Buffer.alloc(100_000, CONNACK)], /not valid MQTT/],
  ['an empty acceptance', [Buffer.from([0x20, 0])], /not valid MQTT/],
  ['another confirmation', [CONNACK, Buffer.from([0x40, 2, 0, 9])], /not valid MQTT/],
];

test('a broker that does not speak its protocol costs no more than the whole time, and its login goes nowhere else', async () => {
  await withWorldClosed(async () => {
    for (const [what, sent, said] of BROKERS) {
      const broker = await receiver((socket: Socket) => {
        let at = 0;
        socket.on('data', () => sent[at] !== undefined && socket.write(sent[at++] ?? ''));
      }, true);
      try {
        const url = broker.url.replace(/^http/, 'mqtt').replace(/(:\d+).*$/, '$1');
        const outcome = await listedPost(broker, { limits: { wholeMs: 400 } })({
          url,
          login: { user: 'shelf', password: 's3cret' },
          messages: [{ topic: 'a', payload: '{}', isRetained: true }],
        });
        assert.match(detailOf(outcome), said, what);
        assert.doesNotMatch(detailOf(outcome), /127\.0\.0\.1|s3cret|shelf/, what);
        const overTls = await listedPost(broker, { limits: { wholeMs: 400 } })({
          url: url.replace(/^mqtt/, 'mqtts'),
          login: null,
          messages: [],
        });
        assert.ok(!overTls.ok, `${what} over TLS`);
      } finally {
        await broker.close();
      }
    }
  });
});

test('a body that nobody asked to be coded is left out where it cannot be read', async () => {
  await withWorldClosed(async () => {
    const coded = await receiver((request, response) => {
      assert.equal(request.headers['accept-encoding'], 'identity');
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('this is not gzip');
    });
    const outcome = await listedPost(coded)(requestTo(coded.url));
    await coded.close();
    assert.ok(outcome.ok);
    assert.deepEqual([outcome.answer.status, outcome.answer.body], [200, '']);
  });
});
