import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { systemClock } from '../../src/edge/wiring/clocks.ts';
import type { Fetcher } from '../../src/base/listing/page.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { parseOrigins } from '../../src/egress/origins.ts';
import { contextOf } from '../support/contexts.ts';

type Seen = { readonly request: IncomingMessage; readonly body: string };

const seen: Seen[] = [];
let server: Server;
let fetcher: Fetcher;

before(async () => {
  server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => (body += String(piece)));
    request.on('end', () => {
      seen.push({ request, body });
      if (request.url?.startsWith('/moved') === true)
        response.writeHead(302, { location: '/elsewhere' }).end();
      else if (request.url === '/robots.txt') response.end('User-agent: *\nDisallow: /private');
      else response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const target = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { origins } = parseOrigins(`https://api.example.com=${target}`);
  fetcher = createFetcher({ clock: systemClock, version: '1', origins });
});

after(() => server.close());

const ORIGIN = 'https://api.example.com';
const signal = () => AbortSignal.timeout(5_000);

test('a POST carries its body and headers; those that the fetcher sets itself cannot be replaced', async () => {
  const outcome = await fetcher(
    {
      url: `${ORIGIN}/token`,
      accept: 'json',
      method: 'POST',
      headers: {
        Authorization: 'Basic eDp5',
        'Content-Type': 'application/x-www-form-urlencoded',
        'User-Agent': 'another client',
        Host: 'elsewhere.example.com',
      },
      body: 'grant_type=client_credentials',
    },
    contextOf(signal()),
  );
  assert.ok(outcome.ok);
  const last = seen.at(-1);
  assert.equal(last?.request.method, 'POST');
  assert.equal(last?.body, 'grant_type=client_credentials');
  assert.equal(last?.request.headers.authorization, 'Basic eDp5');
  assert.equal(last?.request.headers['user-agent'], 'openshelf/1');
  assert.equal(last?.request.headers.host, 'api.example.com');
});

test('a redirect of an official API is its answer, and nothing is sent to the target', async () => {
  const url = `${ORIGIN}/moved?apiKey=secret`;
  const outcome = await fetcher({ url, accept: 'json', isOfficial: true }, contextOf(signal()));
  assert.ok(outcome.ok);
  assert.deepEqual([outcome.page.status, outcome.page.url], [302, url]);
  assert.equal(seen.at(-1)?.request.url, '/moved?apiKey=secret');
});

test('credentials, method and body follow no redirect', async () => {
  await fetcher(
    {
      url: `${ORIGIN}/moved`,
      accept: 'json',
      method: 'POST',
      headers: { authorization: 'Bearer secret' },
      body: 'x',
    },
    contextOf(signal()),
  );
  const last = seen.at(-1);
  assert.equal(last?.request.url, '/elsewhere');
  assert.equal(last?.request.method, 'GET');
  assert.equal(last?.request.headers.authorization, undefined);
  assert.equal(last?.body, '');
});

test('robots.txt binds a page and not an API that the operator has an account for', async () => {
  const page = await fetcher({ url: `${ORIGIN}/private/x`, accept: 'json' }, contextOf(signal()));
  assert.deepEqual(page.ok ? null : page.failure.kind, 'robots');
  const api = await fetcher(
    { url: `${ORIGIN}/private/x`, accept: 'json', isOfficial: true },
    contextOf(signal()),
  );
  assert.ok(api.ok);
});
