// What the operator denies is never contacted: hosts with their subdomains, networks by resolved address, also through
// redirects and mapped origins, and the refusal is the same as for any other address.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { createDenials, denialProblem } from '../../src/egress/guard/denials.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { guardUrl } from '../../src/egress/guard/url-guard.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { contextOf } from '../support/contexts.ts';
import { clock } from '../support/vector-cases.ts';

test('a host stands for itself and every host below it, in any spelling', () => {
  const { isDeniedHost } = createDenials(['Shop.Example', 'münchen.example', 'last.example.']);
  const allowed = (url: string) => guardUrl(url, { isDeniedHost }).ok;
  const denied = [
    'https://shop.example.com.shop.example/p',
    'https://SHOP.example/p',
    'https://a.b.shop.example./p',
    'https://xn--mnchen-3ya.example/',
    'https://münchen.example/',
    'https://last.example/',
  ];
  for (const url of denied) assert.equal(allowed(url), false, url);
  for (const url of [
    'https://myshop.example/',
    'https://shop.example.com/',
    'https://example.org/',
  ])
    assert.equal(allowed(url), true, url);
});

test('entries that are not a host, address or network are named', () => {
  for (const entry of ['shop.example', '198.51.100.0/24', '2001:db8::/32', '8.8.8.8', '2606::1']) {
    assert.equal(denialProblem(entry), null, entry);
  }
  const patterns = ['*', '*.shop.example', '.shop.example', 'shop.*'];
  const others = ['https://shop.example', 'shop.example/path', '8.8.8.8/33', 'a b', 'x@y'];
  for (const entry of [...patterns, ...others]) {
    assert.match(denialProblem(entry) ?? '', /is not a host/, entry);
  }
});

test('no request reaches a denied host or network, by name, redirect or mapping', async () => {
  let requests = 0;
  const server = createServer((request, response) => {
    if (request.url === '/robots.txt') {
      response.writeHead(404).end();
      return;
    }
    requests += 1;
    const to = request.url === '/go' ? 'https://b.denied.example/p' : null;
    response.writeHead(to === null ? 200 : 302, to === null ? {} : { location: to }).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { origins } = parseOrigins(
    `https://open.example=${target},https://b.denied.example=${target}`,
  );
  const resolve = async (host: string) => [host.startsWith('net') ? '9.9.9.9' : '8.8.4.4'];
  const denials = createDenials(['denied.example', '9.9.9.0/24']);
  const fetcher = createFetcher({ clock, version: '0', origins, resolve, denials });
  const kindOf = async (url: string) => {
    const outcome = await fetcher({ url, accept: 'html' }, contextOf());
    return outcome.ok ? 'page' : outcome.failure.kind;
  };
  assert.equal(await kindOf('https://b.denied.example/p'), 'refused');
  assert.equal(await kindOf('https://net.shop.com/p'), 'refused');
  assert.equal(requests, 0);
  assert.equal(await kindOf('https://open.example/p'), 'page');
  assert.equal(await kindOf('https://open.example/go'), 'refused');
  assert.equal(requests, 2);
  const networks = createDenials(['127.0.0.0/8']);
  const mapped = createFetcher({ clock, version: '0', origins, resolve, denials: networks });
  const outcome = await mapped({ url: 'https://open.example/p', accept: 'html' }, contextOf());
  assert.equal(outcome.ok ? 'page' : outcome.failure.kind, 'refused');
  server.close();
});
