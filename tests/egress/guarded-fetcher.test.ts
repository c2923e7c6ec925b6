// The fetcher as a whole: what it sends, where it connects, what it refuses, how it waits. Public addresses lead
// to loopback servers; every opened socket is recorded.

import assert from 'node:assert/strict';
import { createServer as createHttpServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { after, before, beforeEach, test } from 'node:test';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls';

import { failedFetch } from '../../src/answer/collect/asking/failed-fetch.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import type { FetchLimits } from '../../src/egress/limits.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { createTestAuthority } from '../support/certificates.ts';
import { randomFrom } from '../support/random.ts';
import { openPublicWorld } from '../support/public-world.ts';
import type { PublicWorld } from '../support/public-world.ts';
import { clock, PUBLIC_ADDRESS } from '../support/vector-cases.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';
import { CALLER, contextOf } from '../support/contexts.ts';

let world: PublicWorld;
before(async () => {
  world = await openPublicWorld();
});
beforeEach(() => {
  world.reset();
});
after(() => world.close());

function publicFetcher(options: Partial<Parameters<typeof createFetcher>[0]> = {}) {
  return createFetcher({
    clock,
    version: '1.2.3',
    hostIntervalMs: 0,
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    ...options,
  });
}

/** Longer than any test: such a limit never expires. */
const NEVER_MS = 600_000;
const soon = () => AbortSignal.timeout(15_000);
const html = (url: string) => ({ url, accept: 'html' as const });

async function listening(server: Server): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<void>();
  server.listen(0, '127.0.0.1', resolve);
  await promise;
  return (server.address() as AddressInfo).port;
}

test('a page comes back with its address, status, headers and bytes, and without cookies', async () => {
  world.answer = (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else {
      response.setHeader('Set-Cookie', ['a=1', 'b=2']);
      response.setHeader('X-Two', ['1', '2']);
      response.writeHead(418, { 'Content-Type': 'text/html' }).end('<p>é</p>');
    }
  };
  const outcome = await publicFetcher()(
    html('https://shop.example.com/p?q=1#part'),
    contextOf(soon()),
  );
  assert.ok(outcome.ok);
  const { page } = outcome;
  assert.equal(page.requestedUrl, 'https://shop.example.com/p?q=1#part');
  assert.equal(page.url, 'https://shop.example.com/p?q=1');
  assert.equal(page.status, 418);
  assert.equal(page.headers['x-two'], '1, 2');
  assert.equal(page.headers['set-cookie'], undefined);
  assert.equal(new TextDecoder().decode(page.body), '<p>é</p>');
});

test('requests name the service honestly and carry nothing of the caller', async () => {
  const seen: IncomingHttpHeaders[] = [];
  world.answer = (request, response) => {
    seen.push(request.headers);
    if (request.url === '/a') response.writeHead(302, { Location: '/b' });
    response.end();
  };
  const fetcher = publicFetcher({ contact: 'https://operator.example/contact' });
  await fetcher({ url: 'https://shop.example.com/a', accept: 'json' }, contextOf(soon()));
  assert.equal(seen.length, 3);
  for (const headers of seen) {
    assert.equal(headers['user-agent'], 'openshelf/1.2.3 (+https://operator.example/contact)');
    for (const name of [
      'cookie',
      'authorization',
      'referer',
      'x-requested-with',
      'x-forwarded-for',
    ]) {
      assert.equal(headers[name], undefined, name);
    }
    assert.equal(headers.host, 'shop.example.com');
  }
  assert.match(seen[1]?.accept ?? '', /^application\/json/);
});

test('a socket that reached another address is destroyed before a byte is written', async () => {
  world.lyingAbout.set(PUBLIC_ADDRESS, '127.0.0.1');
  const outcome = await publicFetcher()(html('http://shop.example.com/'), contextOf(soon()));
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'refused');
  assert.equal(world.requests.length, 0);
});

test('the certificate must be that of the shop at each of its addresses', async () => {
  const outcome = await publicFetcher({ extraCertificates: [] })(
    html('https://shop.example.com/'),
    contextOf(soon()),
  );
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'untrusted');
  assert.equal(world.requests.length, 0);
});

test('a black hole costs the connect time only, and its neighbour is tried', async () => {
  world.silent.add('23.1.2.3');
  const resolve = () => Promise.resolve(['23.1.2.3', PUBLIC_ADDRESS]);
  // Two addresses share the time: the second one gets half, which must suffice even on a loaded machine.
  const outcome = await publicFetcher({ resolve, limits: { connectMs: 2_000 } })(
    html('http://shop.example.com/'),
    contextOf(soon()),
  );
  assert.ok(outcome.ok);
  const limits = { connectMs: 200 };
  const alone = publicFetcher({ resolve: () => Promise.resolve(['23.1.2.3']), limits });
  const refused = await alone(html('http://shop.example.com/'), contextOf(soon()));
  assert.ok(!refused.ok);
  assert.equal(refused.failure.kind, 'timeout');
});

test('robots.txt is obeyed, fetched once, and needs no second lookup', async () => {
  let lookups = 0;
  const resolve = () => {
    lookups += 1;
    return Promise.resolve([PUBLIC_ADDRESS]);
  };
  world.answer = (request, response) => {
    response.end(request.url === '/robots.txt' ? 'User-agent: openshelf\nDisallow: /no' : 'page');
  };
  const fetcher = publicFetcher({ resolve });
  const no = await fetcher(html('https://shop.example.com/no/1'), contextOf(soon()));
  assert.ok(!no.ok);
  assert.equal(no.failure.kind, 'robots');
  assert.equal(lookups, 1);
  assert.equal((await fetcher(html('https://shop.example.com/yes'), contextOf(soon()))).ok, true);
  assert.deepEqual(
    world.requests.map((each) => each.path),
    ['/robots.txt', '/yes'],
  );
  assert.equal(lookups, 2);
});

test('a robots.txt whose redirect is refused cannot be read; the address of the page stays allowed', async () => {
  for (const location of ['http://10.0.0.1/', 'http://shop.example.com/r', 'https://no.example/']) {
    world.reset();
    world.answer = (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(301, { Location: location });
      response.end();
    };
    const resolve = (host: string) =>
      Promise.resolve(host === 'no.example' ? ['10.0.0.1'] : [PUBLIC_ADDRESS]);
    const fetcher = publicFetcher({ resolve });
    for (let page = 0; page < 2; page += 1) {
      const outcome = await fetcher(html('https://shop.example.com/p'), contextOf(soon()));
      assert.ok(!outcome.ok, location);
      assert.equal(outcome.failure.kind, 'busy', location);
      assert.equal(failedFetch(outcome.failure).fault.retryAfterSeconds, 3_600);
    }
    assert.deepEqual(world.requests, [{ host: 'shop.example.com', path: '/robots.txt' }]);
  }
});

test('each origin of a chain of redirects has its own robots.txt fetched', async () => {
  world.answer = (request, response) => {
    const host = request.headers.host ?? '';
    if (request.url === '/robots.txt') {
      response.end(host === 'b.example.com' ? 'User-agent: *\nDisallow: /' : '');
    } else response.writeHead(302, { Location: 'https://b.example.com/x' }).end();
  };
  const outcome = await publicFetcher()(html('https://a.example.com/x'), contextOf(soon()));
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'robots');
  assert.deepEqual(world.requests.at(-1), { host: 'b.example.com', path: '/robots.txt' });
});

test('a 429 with Retry-After comes back as a page and closes the shop for that long', async () => {
  world.answer = (request, response) => {
    if (request.url === '/robots.txt') response.writeHead(404).end();
    else response.writeHead(429, { 'Retry-After': '90' }).end();
  };
  const virtual = createVirtualClock();
  const fetcher = publicFetcher({ clock: virtual });
  const first = await fetcher(html('https://www.example.com/a'), contextOf(soon()));
  assert.ok(first.ok);
  assert.equal(first.page.status, 429);
  const second = await fetcher(html('https://img.example.com/b'), contextOf(soon()));
  assert.ok(!second.ok);
  assert.deepEqual([second.failure.kind, second.failure.retryAfterSeconds], ['busy', 90]);
  const other = await fetcher(html('https://shop.example.net/b'), contextOf(soon()));
  assert.ok(other.ok);
});

test('slow bodies end at the gap, the rate and the whole time', async () => {
  type Pour = (write: (text: string) => void) => NodeJS.Timeout;
  // Only one limit in each run is short, so that a delay of the machine cannot make another one end the body.
  const runs: [keyof FetchLimits, number, Pour, RegExp][] = [
    ['betweenBytesMs', 150, () => setTimeout(() => {}, 0), /no byte/],
    ['minRateWindowMs', 300, (write) => setInterval(() => write('x'), 50), /under 4096 bytes/],
    ['wholeMs', 500, (write) => setInterval(() => write('x'.repeat(2_000)), 50), /aborted|timeout/],
  ];
  const unlimited = {
    betweenBytesMs: NEVER_MS,
    minRateWindowMs: NEVER_MS,
    firstByteMs: NEVER_MS,
    wholeMs: NEVER_MS,
  };
  for (const [name, ms, pour, why] of runs) {
    world.answer = (request, response) => {
      if (request.url === '/robots.txt') response.writeHead(404).end();
      else {
        response.writeHead(200, { 'Content-Type': 'text/html' }).write('<html>');
        const timer = pour((text) => response.write(text));
        response.on('close', () => clearInterval(timer));
      }
    };
    const outcome = await publicFetcher({ limits: { ...unlimited, [name]: ms } })(
      html('http://shop.example.com/'),
      contextOf(soon()),
    );
    assert.ok(!outcome.ok, name);
    assert.equal(outcome.failure.kind, 'timeout', name);
    assert.match(outcome.failure.detail, why, name);
  }
});

test('a caller that gives up ends the fetch', async () => {
  const caller = new AbortController();
  // The shop never answers, and no limit of the fetcher ends the wait: only the caller can.
  world.answer = () => caller.abort();
  const limits = { firstByteMs: NEVER_MS, wholeMs: NEVER_MS };
  const outcome = await publicFetcher({ limits })(
    html('http://shop.example.com/'),
    contextOf(caller.signal),
  );
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'timeout');
});

test('the log names the reason that callers never see', async () => {
  const lines: string[] = [];
  const fetcher = publicFetcher({
    resolve: () => Promise.resolve(['10.0.0.1']),
    log: (line) => lines.push(JSON.stringify(line)),
  });
  await fetcher(html('https://shop.example.com/secret?token=1'), contextOf(soon()));
  assert.equal(lines.length, 1);
  assert.match(
    lines[0] ?? '',
    /"event":"fetch_refused","host":"shop.example.com".*10\.0\.0\.1.*RFC 1918/,
  );
  assert.doesNotMatch(lines[0] ?? '', /secret|token/);
});

test('requests for a mapped origin go to its target with its own name, and redirects stay mapped', async () => {
  const seen: string[] = [];
  const server = createHttpServer((request, response) => {
    seen.push(`${request.headers.host} ${request.url}`);
    const { port } = server.address() as AddressInfo;
    const next: Record<string, string> = {
      '/1': `http://127.0.0.1:${port}/2`,
      '/2': 'https://www.example.com/3',
      '/3': '/4',
      '/out': 'http://127.0.0.1:1/',
      '/down': 'http://www.example.com/4',
    };
    const location = next[request.url ?? ''];
    if (location !== undefined) response.writeHead(302, { Location: location }).end();
    else response.end('end');
  });
  world.reset();
  await world.close();
  const port = await listening(server);
  const { origins } = parseOrigins(`https://www.example.com=http://127.0.0.1:${port}`);
  const fetcher = createFetcher({ clock, version: '1', origins, resolve: () => Promise.reject() });
  const outcome = await fetcher(html('https://www.example.com/1'), contextOf(soon()));
  assert.ok(outcome.ok);
  assert.equal(outcome.page.url, 'https://www.example.com/4');
  assert.deepEqual(
    seen,
    ['/robots.txt', '/1', '/2', '/3', '/4'].map((path) => `www.example.com ${path}`),
  );
  for (const path of ['/out', '/down']) {
    const refused = await fetcher(html(`https://www.example.com${path}`), contextOf(soon()));
    assert.ok(!refused.ok);
    assert.equal(refused.failure.kind, 'refused');
  }
  const direct = await fetcher(html(`http://127.0.0.1:${port}/4`), contextOf(soon()));
  assert.ok(!direct.ok);
  server.close();
  world = await openPublicWorld();
});

test('an egress proxy is given the name after our own checks have passed', async () => {
  await world.close();
  const connects: string[] = [];
  const shop = createHttpServer((_request, response) => response.end('through the tunnel'));
  const shopPort = await listening(shop);
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (head) => {
      connects.push(head.toString('latin1').split('\r\n\r\n')[0] ?? '');
      if (/denied/.test(connects.at(-1) ?? '')) {
        socket.end('HTTP/1.1 403 No\r\n\r\n');
        return;
      }
      const behind = connect(shopPort, '127.0.0.1');
      behind.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(behind).pipe(socket);
    });
  });
  const port = await listening(proxy);
  const answers: Record<string, string> = { 'inner.example.com': '10.0.0.1' };
  const fetcher = createFetcher({
    clock,
    version: '1',
    hostIntervalMs: 0,
    egressProxy: `http://user:pass@127.0.0.1:${port}`,
    resolve: (host) => Promise.resolve([answers[host] ?? PUBLIC_ADDRESS]),
  });
  const outcome = await fetcher(html('http://shop.example.com/p'), contextOf(soon()));
  assert.ok(outcome.ok);
  assert.equal(new TextDecoder().decode(outcome.page.body), 'through the tunnel');
  assert.match(
    connects[0] ?? '',
    /^CONNECT shop\.example\.com:80 HTTP\/1\.1\r\nHost: shop\.example\.com:80/,
  );
  assert.match(connects[0] ?? '', /Proxy-Authorization: Basic dXNlcjpwYXNz/);
  const before = connects.length;
  const inner = await fetcher(html('http://inner.example.com/'), contextOf(soon()));
  assert.ok(!inner.ok);
  assert.equal(connects.length, before);
  const denied = await fetcher(html('http://denied.example.com/'), contextOf(soon()));
  assert.ok(!denied.ok);
  assert.equal(denied.failure.kind, 'refused');
  shop.close();
  proxy.close();
  world = await openPublicWorld();
});

test('an egress proxy with TLS may be named by its address, and shows a certificate for it', async (t) => {
  await world.close();
  const authority = createTestAuthority();
  const trusted = getCACertificates('default');
  t.after(async () => {
    for (const server of [shop, ...proxies]) server.close();
    setDefaultCACertificates(trusted);
    world = await openPublicWorld();
  });
  setDefaultCACertificates([...trusted, authority.certificate]);
  const shop = createHttpServer((_request, response) => response.end('through the tunnel'));
  const shopPort = await listening(shop);
  const proxies = ['127.0.0.1', '127.0.0.2'].map((named) =>
    createTlsServer(authority.leafFor(named), (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => {
        const behind = connect(shopPort, '127.0.0.1');
        behind.on('error', () => {});
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.pipe(behind).pipe(socket);
      });
    }).on('tlsClientError', () => {}),
  );
  const answers: string[] = [];
  for (const proxy of proxies) {
    const fetcher = createFetcher({
      clock,
      version: '1',
      hostIntervalMs: 0,
      egressProxy: `https://127.0.0.1:${await listening(proxy)}`,
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    });
    const outcome = await fetcher(html('http://shop.example.com/p'), contextOf(soon()));
    answers.push(outcome.ok ? new TextDecoder().decode(outcome.page.body) : outcome.failure.kind);
  }
  assert.deepEqual(answers, ['through the tunnel', 'egress']);
});

test('the password of an egress proxy is never sent to a proxy without a trusted certificate', async (t) => {
  await world.close();
  const before = process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
  process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
  let answered = '';
  const proxy = createTlsServer(createTestAuthority().leafFor('127.0.0.1'), (socket) => {
    socket
      .on('error', () => {})
      .on('data', (bytes) => {
        answered += bytes.toString('latin1');
        socket.destroy();
      });
  }).on('tlsClientError', () => {});
  t.after(async () => {
    if (before === undefined) delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    else process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = before;
    proxy.close();
    world = await openPublicWorld();
  });
  const fetcher = createFetcher({
    clock,
    version: '1',
    hostIntervalMs: 0,
    egressProxy: `https://user:secret@127.0.0.1:${await listening(proxy)}`,
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
  });
  const outcome = await fetcher(html('http://shop.example.com/p'), contextOf(soon()));
  assert.equal(outcome.ok ? 'ok' : outcome.failure.kind, 'egress');
  assert.equal(answered, '');
});

test('what could not leave this machine is its own failure, and no shop is held back for it', async () => {
  world.roadless.add(PUBLIC_ADDRESS);
  const fetcher = publicFetcher();
  const url = html('https://shop.example.com/p');
  for (const organization of ['one', 'one', 'one', 'one', 'one', 'two', 'two', 'two']) {
    const outcome = await fetcher(url, contextOf(soon(), { kind: 'caller', organization }));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'unsent', outcome.failure.detail);
    const { code, upstream, detail } = failedFetch(outcome.failure).fault;
    assert.deepEqual([code, upstream], ['upstream_unavailable', 'upstream_error']);
    assert.match(detail ?? '', /^This installation could not open a connection/);
  }
  world.roadless.clear();
  assert.equal((await fetcher(url, contextOf(soon()))).ok, true);
});

test('where there is no way to one address of a shop, the failure is that of the other', async () => {
  const other = '93.184.215.15';
  world.roadless.add(PUBLIC_ADDRESS);
  world.refusing.add(other);
  const fetcher = publicFetcher({ resolve: () => Promise.resolve([PUBLIC_ADDRESS, other]) });
  const outcome = await fetcher(html('https://shop.example.com/p'), contextOf(soon()));
  assert.ok(!outcome.ok);
  assert.equal(outcome.failure.kind, 'reset', outcome.failure.detail);
});

test('a proxy that is not there or serves nobody is the failure, and no shop is held back for it', async () => {
  await world.close();
  const answers = [
    'HTTP/1.1 407 Proxy Authentication Required',
    'HTTP/1.1 400 Bad',
    'SSH-2.0-x',
    null,
  ];
  let count = 0;
  const proxy = createServer((socket) => {
    socket.on('error', () => {});
    const answer = answers[count++ % answers.length] ?? null;
    socket.once('data', () => socket.end(answer === null ? '' : `${answer}\r\n\r\n`));
  });
  const port = await listening(proxy);
  const through = (proxyPort: number) =>
    createFetcher({
      clock,
      version: '1',
      hostIntervalMs: 0,
      egressProxy: `http://127.0.0.1:${proxyPort}`,
      resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
    });
  const fetcher = through(port);
  for (let each = 0; each < 3 * answers.length; each += 1) {
    const outcome = await fetcher(html('http://shop.example.com/p'), contextOf(soon()));
    assert.ok(!outcome.ok);
    assert.equal(outcome.failure.kind, 'egress', outcome.failure.detail);
  }
  await new Promise((resolve) => proxy.close(resolve));
  const gone = await through(port)(html('http://shop.example.com/p'), contextOf(soon()));
  assert.ok(!gone.ok);
  assert.equal(gone.failure.kind, 'egress', gone.failure.detail);
  const { fault } = failedFetch(gone.failure);
  assert.deepEqual([fault.code, fault.retryAfterSeconds], ['upstream_unavailable', 3_600]);
  assert.match(fault.detail ?? '', /OPENSHELF_EGRESS_PROXY/);
  assert.doesNotMatch(fault.detail ?? '', /127\.0\.0\.1/);
  world = await openPublicWorld();
});

test('a shop that closes at once, a little later or in the middle is a reset, never a timeout', async () => {
  await world.close();
  let count = 0;
  const server = createServer((socket) => {
    count += 1;
    socket.on('error', () => {});
    if (count % 3 === 0) socket.destroy();
    else if (count % 3 === 1) socket.resetAndDestroy();
    else socket.once('data', () => socket.resetAndDestroy());
  });
  const port = await listening(server);
  const { origins } = parseOrigins(`https://www.example.com=http://127.0.0.1:${port}`);
  const fetcher = createFetcher({ clock, version: '1', origins });
  for (let round = 0; round < 300; round += 1) {
    const outcome = await fetcher(html('https://www.example.com/p'), contextOf(soon()));
    assert.ok(!outcome.ok);
    // A fetch that waits ends at a limit and would be a timeout.
    assert.equal(outcome.failure.kind, 'reset');
  }
  server.close();
  world = await openPublicWorld();
});

test('2,000 random answers never crash the fetcher', async (t) => {
  const seed = 99;
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await world.close();
  const good = 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello';
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      const bytes = Buffer.from(good, 'latin1');
      const changes = 1 + Math.floor(random() * 4);
      for (let change = 0; change < changes; change += 1) {
        bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256);
      }
      socket.end(bytes.subarray(0, Math.ceil(random() * bytes.length * 1.5)));
    });
  });
  const port = await listening(server);
  const { origins } = parseOrigins(`https://www.example.com=http://127.0.0.1:${port}`);
  const limits = { firstByteMs: 200, betweenBytesMs: 200, wholeMs: 500 };
  const fetcher = createFetcher({ clock, version: '1', origins, limits });
  const kinds = new Map<string, number>();
  for (let count = 0; count < 2_000; count += 1) {
    const outcome = await fetcher(html('https://www.example.com/p'), contextOf(soon()));
    const kind = outcome.ok ? 'page' : outcome.failure.kind;
    kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  }
  t.diagnostic(JSON.stringify(Object.fromEntries(kinds)));
  assert.ok((kinds.get('page') ?? 0) > 50);
  server.close();
  world = await openPublicWorld();
});

test('a request whose time its operation has chosen waits for no other to its host, and closes the host for none', async () => {
  world.answer = (request, response) => {
    response.writeHead(request.headers.host?.startsWith('api.') ? 500 : 200).end('{}');
  };
  const fetcher = publicFetcher({ hostIntervalMs: NEVER_MS });
  const context = () => contextOf(soon(), CALLER, clock.now() + 15_000);
  const ask = async (url: string, isPaced: boolean) => {
    const request = { url, accept: 'json', isOfficial: true, isPaced } as const;
    const outcome = await fetcher(request, context());
    return outcome.ok ? outcome.page.status : outcome.failure.kind;
  };
  for (let time = 0; time < 6; time += 1) {
    assert.equal(await ask('https://api.example.com/list', true), 500);
  }
  assert.equal(await ask('https://www.example.com/p', false), 200);
  assert.equal(await ask('https://www.example.com/p', false), 'busy');
  assert.equal(await ask('https://api.example.com/list', true), 500);
});
