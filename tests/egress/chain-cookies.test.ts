// The cookies of one chain of redirects: which are sent on, to where, and that none outlives the chain.

import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';

import { createChainCookies } from '../../src/egress/chain-cookies.ts';
import { createFetcher } from '../../src/egress/guarded-fetcher.ts';
import { contextOf } from '../support/contexts.ts';
import { openPublicWorld } from '../support/public-world.ts';
import type { PublicWorld } from '../support/public-world.ts';
import { clock, PUBLIC_ADDRESS } from '../support/vector-cases.ts';

const NOW_MS = Date.UTC(2026, 10, 20, 12);
const SHOP = 'https://www.mugs.example/shop/blue';

/** Returns the header for `to` after these fields came from `from`. */
function sent(fields: readonly string[], to = SHOP, from = SHOP): string | null {
  const cookies = createChainCookies();
  cookies.take({ setCookies: fields }, new URL(from), NOW_MS);
  return cookies.headerFor(new URL(to));
}

describe('a cookie', () => {
  const rows: readonly (readonly [string, readonly string[], string | null, string?, string?])[] = [
    ['is sent back as it was written', ['visit="a b,c"'], 'visit="a b,c"'],
    [
      'may have an equals sign in its value and none of its attributes is sent',
      ['a=b=c; HttpOnly; SameSite=Lax'],
      'a=b=c',
    ],
    ['may be empty', ['a='], 'a='],
    ['needs a name', ['=x', 'x', '', '; Path=/'], null],
    ['may not hold control characters', ['a=1\u0001', 'b\u007f=1', 'c=1\u0000'], null],
    ['is replaced by the next one of its name, in its place', ['a=1', 'b=2', 'a=3'], 'a=3; b=2'],
    ['of the longer path comes first', ['a=1; Path=/', 'b=2; Path=/shop/'], 'b=2; a=1'],
    [
      'covers what is below its path',
      ['a=1; path=/shop'],
      'a=1',
      'https://www.mugs.example/shop/red',
    ],
    ['covers no path that only begins alike', ['a=1; Path=/sho'], null],
    [
      'without a path covers the directory of its page',
      ['a=1'],
      'a=1',
      'https://www.mugs.example/shop/red/x',
    ],
    ['without a path covers no other directory', ['a=1'], null, 'https://www.mugs.example/'],
    ['with a path that is none covers the directory', ['a=1; Path=shop'], 'a=1'],
    ['of the front page covers all', ['a=1'], 'a=1', SHOP, 'https://www.mugs.example/x'],
    ['of its domain is sent to its own host', ['a=1; Domain=.Mugs.Example'], 'a=1'],
    [
      'of its domain is sent to no other host of it',
      ['a=1; Domain=mugs.example; Path=/'],
      null,
      'https://mugs.example/',
    ],
    [
      'of another domain is ignored',
      ['a=1; Domain=ugs.example', 'b=1; Domain=a.www.mugs.example'],
      null,
    ],
    ['is sent to no other host', ['a=1; Path=/'], null, 'https://www.mugs.example.evil.example/'],
    ['goes to another scheme of its host', ['a=1'], 'a=1', SHOP, SHOP.replace('https', 'http')],
    [
      'that is secure goes to no page without encryption',
      ['a=1; Secure'],
      null,
      SHOP.replace('https', 'http'),
    ],
    [
      'that is secure is taken from no page without encryption',
      ['a=1; secure'],
      null,
      SHOP,
      SHOP.replace('https', 'http'),
    ],
    ['is deleted by Max-Age', ['a=1', 'b=2', 'a=; Max-Age=0'], 'b=2'],
    ['is deleted by a negative Max-Age', ['a=1', 'a=x; max-age=-1'], null],
    [
      'is deleted by a date in the past',
      ['a=1', 'a=; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      null,
    ],
    [
      'is deleted by an old spelling of the date',
      ['a=1', 'a=; expires=Thu, 01-Jan-70 00:00:01 GMT'],
      null,
    ],
    ['of another path is not deleted', ['a=1', 'a=; Path=/; Max-Age=0'], 'a=1'],
    ['lives until its date', ['a=1; Expires=Fri, 20 Nov 2026 12:00:01 GMT'], 'a=1'],
    [
      'lives by Max-Age whatever its date',
      ['a=1; Max-Age=60; Expires=Thu, 01 Jan 1970 00:00:00 GMT'],
      'a=1',
    ],
    ['lives if its times cannot be read', ['a=1; Max-Age=soon; Expires=0'], 'a=1'],
    ['may have as many bytes as in browsers', [`a=${'x'.repeat(4_095)}`], `a=${'x'.repeat(4_095)}`],
    ['with more bytes is ignored', [`a=${'x'.repeat(4_096)}`, 'b=1'], 'b=1'],
    [
      'beyond what servers read is ignored',
      [`a=${'x'.repeat(4_000)}`, `b=${'x'.repeat(3_990)}`, `c=${'x'.repeat(100)}`, 'd=1'],
      `a=${'x'.repeat(4_000)}; b=${'x'.repeat(3_990)}; d=1`,
    ],
  ];
  for (const [name, fields, header, to, from] of rows) {
    test(name, () => assert.equal(sent(fields, to, from), header));
  }
});

test('at most 32 cookies are held', () => {
  const fields = Array.from({ length: 50 }, (_, index) => `c${index}=1`);
  assert.equal(sent(fields)?.split('; ').length, 32);
});

let world: PublicWorld;
before(async () => {
  world = await openPublicWorld();
});
after(() => world.close());

/** Every request, as `host path cookie`. */
const seen: string[] = [];

type Answer = { readonly cookies?: readonly string[]; readonly location?: string };

/** Answers by host and path, or by what comes with the request. */
let answerOf: (address: string, cookie: string | undefined) => Answer;

beforeEach(() => {
  world.reset();
  seen.length = 0;
  world.answer = ({ url = '', headers }, response) => {
    const address = `${headers.host}${url}`;
    if (url === '/robots.txt') {
      // Fetched before each page: a chain of its own.
      assert.equal(headers.cookie, undefined);
      response.writeHead(404, { 'Set-Cookie': 'robots=1; Path=/' }).end();
      return;
    }
    seen.push(`${address} ${headers.cookie ?? '-'}`);
    const { cookies = [], location } = answerOf(address, headers.cookie);
    response.setHeader('Set-Cookie', [...cookies]);
    if (location === undefined) response.setHeader('Content-Type', 'text/html').end('<p>page</p>');
    else response.writeHead(302, { Location: location }).end();
  };
});

const fetcher = () =>
  createFetcher({
    clock,
    version: '1',
    hostIntervalMs: 0,
    extraCertificates: [world.certificate],
    localAddresses: () => [],
    resolve: () => Promise.resolve([PUBLIC_ADDRESS]),
  });

async function fetched(url: string, fetch = fetcher()): Promise<string> {
  const outcome = await fetch({ url, accept: 'html' }, contextOf(AbortSignal.timeout(15_000)));
  return outcome.ok ? outcome.page.url : outcome.failure.kind;
}

test('a page that redirects to itself until its cookie comes back is fetched, each time anew', async () => {
  answerOf = (_, cookie) =>
    cookie === undefined ? { cookies: ['visit=1; Path=/'], location: '/p' } : {};
  const fetch = fetcher();
  for (const _ of [1, 2]) {
    assert.equal(await fetched('https://mugs.example.com/p', fetch), 'https://mugs.example.com/p');
  }
  const once = ['mugs.example.com/p -', 'mugs.example.com/p visit=1'];
  assert.deepEqual(seen, [...once, ...once]);
});

test('on the way to another host and back no cookie goes to the other one', async () => {
  answerOf = (address, cookie) => {
    const elsewhere = 'https://other.example.com/back';
    if (address.startsWith('other')) {
      return { cookies: ['theirs=1'], location: 'https://mugs.example.com/p' };
    }
    return cookie === undefined ? { cookies: ['ours=1'], location: elsewhere } : {};
  };
  assert.equal(await fetched('https://mugs.example.com/p'), 'https://mugs.example.com/p');
  assert.deepEqual(seen, [
    'mugs.example.com/p -',
    'other.example.com/back -',
    'mugs.example.com/p ours=1',
  ]);
});

test('cookies open no endless way', async () => {
  const rows: readonly (readonly [string, (count: number) => string, number])[] = [
    ['the same cookie again and again', () => 'a=1', 2],
    ['another cookie each time', (count) => `a=${count}`, 6],
    ['a cookie that is deleted at once', () => 'a=1; Max-Age=0', 1],
  ];
  for (const [name, cookieOf, requests] of rows) {
    seen.length = 0;
    answerOf = () => ({ cookies: [cookieOf(seen.length)], location: '/p' });
    assert.equal(await fetched('https://mugs.example.com/p'), 'redirect_loop', name);
    assert.equal(seen.length, requests, name);
  }
});

test('a cookie of robots.txt goes to no page', async () => {
  answerOf = () => ({});
  await fetched('https://mugs.example.com/p');
  assert.deepEqual(seen, ['mugs.example.com/p -']);
});
