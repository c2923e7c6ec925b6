// Search engines as providers: how they are queried, how their answers are read, which hits count.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../../src/base/listing/page.ts';
import { bookOf } from '../../../src/read/retailers/addresses/address-books.ts';
import {
  readSearch,
  retailerHits,
  shopHits,
  type SearchHit,
} from '../../../src/read/retailers/search/search-answers.ts';
import { searchProviderOf } from '../../../src/read/retailers/search/search-providers.ts';
import {
  barcodeQuery,
  requestSearch,
  searchHostOf,
} from '../../../src/read/retailers/search/search-requests.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { mutated } from '../../support/text-mutations.ts';
import { pageOf } from './page-fixtures.ts';

const SEARXNG = { kind: 'searxng', base: 'http://127.0.0.1:8888/searx/' } as const;
const BRAVE = { kind: 'brave', apiKey: 'key-of-the-operator' } as const;

function answer(value: unknown, more: { status?: number; headers?: Record<string, string> } = {}) {
  const headers = { 'content-type': 'application/json', ...more.headers };
  const body = typeof value === 'string' ? value : JSON.stringify(value);
  return pageOf(body, { url: 'https://search.example/search', ...more, headers });
}

function hitsIn(page: Page): readonly SearchHit[] {
  const verdict = readSearch(page);
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  return verdict.kind === 'read' ? verdict.value : [];
}

test('SearXNG is asked for JSON at its own path', () => {
  const request = requestSearch(SEARXNG, '  "099900000012"  site:shop.example ');
  const url = new URL(request.url);
  assert.equal(`${url.origin}${url.pathname}`, 'http://127.0.0.1:8888/searx/search');
  assert.equal(url.searchParams.get('q'), '"099900000012" site:shop.example');
  assert.equal(url.searchParams.get('format'), 'json');
  assert.equal(url.searchParams.get('pageno'), '1');
  assert.equal(request.accept, 'json');
  assert.equal(request.headers, undefined);
});

test('Brave is asked with the key in a header and never in the address', () => {
  const request = requestSearch(BRAVE, 'x'.repeat(900));
  const url = new URL(request.url);
  assert.equal(request.headers?.['x-subscription-token'], BRAVE.apiKey);
  assert.ok(!request.url.includes(BRAVE.apiKey));
  assert.equal(url.searchParams.get('q')?.length, 400);
  assert.equal(url.searchParams.get('offset'), '0');
  assert.equal(url.searchParams.get('count'), '20');
});

test('a query names the code and one host', () => {
  assert.equal(barcodeQuery('099900000012', 'shop.example'), '"099900000012" site:shop.example');
  assert.equal(searchHostOf('retailer_t'), bookOf('retailer_t').hosts[0]);
});

test('a provider comes out of its settings, or a sentence that says what is wrong', () => {
  const from = (searxngUrl: string | undefined, braveApiKey?: string) =>
    searchProviderOf({ searxngUrl, braveApiKey });
  assert.equal(from(undefined), null);
  assert.equal(from(' ', ''), null);
  const base = 'http://127.0.0.1:8888/';
  for (const text of ['http://127.0.0.1:8888', 'http://127.0.0.1:8888/search', `${base}search/`]) {
    assert.deepEqual(from(text, 'key-of-the-operator'), { kind: 'searxng', base });
  }
  assert.deepEqual(from('https://searx.example/s'), {
    kind: 'searxng',
    base: 'https://searx.example/s/',
  });
  assert.deepEqual(from(undefined, BRAVE.apiKey), BRAVE);
  for (const bad of [
    'searx',
    'ftp://searx.example',
    'http://u:p@searx.example',
    'http://x.example/?q=1',
  ]) {
    assert.ok('problem' in (from(bad) ?? {}), bad);
  }
  for (const bad of ['short', 'with blank inside', 'ümlaut-key-123']) {
    assert.ok('problem' in (from(undefined, bad) ?? {}), bad);
  }
});

const RESULTS = [
  { url: 'https://shop.example/p/blue-mug#reviews', title: '<b>Blue</b> Mug &amp; more' },
  { url: 'https://shop.example/p/blue-mug', title: 'Again' },
  { url: 'javascript:alert(1)', title: 'No address' },
  { url: `https://shop.example/${'x'.repeat(3000)}`, title: 'Too long' },
  { title: 'None' },
  'nonsense',
];

test('both answers are read into addresses and plain titles, each address once', () => {
  const expected = [{ url: 'https://shop.example/p/blue-mug', title: 'Blue Mug & more' }];
  assert.deepEqual(hitsIn(answer({ query: 'x', results: RESULTS })), expected);
  assert.deepEqual(hitsIn(answer({ type: 'search', web: { results: RESULTS } })), expected);
  assert.deepEqual(hitsIn(answer({ type: 'search', query: {} })), []);
  assert.deepEqual(hitsIn(answer({ results: [] })), []);
});

test('answers are bounded', () => {
  const many = Array.from({ length: 5000 }, (_, at) => ({ url: `https://shop.example/p/${at}` }));
  assert.equal(hitsIn(answer({ results: many })).length, 50);
});

const reset = { 'x-ratelimit-remaining': '0, 12', 'x-ratelimit-reset': '1, 419704' };
const spent = { 'x-ratelimit-remaining': '0, 0', 'x-ratelimit-reset': '1, 4000' };
const VERDICTS: readonly (readonly [string, Page, string, number | undefined])[] = [
  ['JSON is switched off', answer('', { status: 403 }), 'blocked', undefined],
  ['the key is wrong', answer('{}', { status: 401 }), 'blocked', undefined],
  ['too fast', answer('{}', { status: 429, headers: reset }), 'blocked', 1],
  ['the month is used up', answer('{}', { status: 429, headers: spent }), 'blocked', 4000],
  ['told to wait', answer('{}', { status: 429, headers: { 'retry-after': '7' } }), 'blocked', 7],
  ['down', answer('', { status: 502 }), 'retry', undefined],
  ['another address', answer('', { status: 404 }), 'unreadable', undefined],
  ['no JSON', answer('<html></html>'), 'unreadable', undefined],
  ['other JSON', answer({ items: [] }), 'unreadable', undefined],
  [
    'every engine silent',
    answer({ results: [], unresponsive_engines: [['a', 'timeout']] }),
    'retry',
    undefined,
  ],
];
for (const [name, page, kind, seconds] of VERDICTS) {
  test(`an engine that cannot answer says nothing of the product: ${name}`, () => {
    const verdict = readSearch(page);
    assert.equal(verdict.kind, kind);
    assert.equal('retryAfterSeconds' in verdict ? verdict.retryAfterSeconds : undefined, seconds);
  });
}

test('only product pages of the retailer count, under their canonical address', () => {
  const host = searchHostOf('retailer_t');
  const hits = [
    `https://www.${host}/s?searchTerm=mug`,
    `https://www.${host}/p/blue-mug/-/A-10000017?ref=tgt`,
    `https://${host}/p/-/A-10000017`,
    `https://www.${host}.evil.example/p/-/A-10000018`,
    `https://not${host}/p/-/A-10000019`,
    `https://www.${searchHostOf('retailer_h')}/p/300000017`,
    'https://shop.example/p/-/A-10000020',
  ].map((url) => ({ url, title: 'Mug' }));
  const found = retailerHits(hits, 'retailer_t');
  assert.deepEqual(
    found.map((hit) => [hit.url, 'value' in hit.identifier ? hit.identifier.value : null]),
    [[`https://www.${host}/p/-/A-10000017`, '10000017']],
  );
  const many = Array.from({ length: 40 }, (_, at) => ({
    url: `https://www.${host}/p/-/A-${10_000_100 + at}`,
    title: null,
  }));
  assert.equal(retailerHits(many, 'retailer_t').length, 5);
});

test('hits on an unknown shop are identified by its slug', () => {
  const hits = [
    'https://www.acmeshop.com/products/blue-mug?utm_source=x',
    'https://acmeshop.com/',
    'https://acmeshop.de/products/blue-mug',
    'https://acmeshop.com.evil.example/p/1',
    'https://other.example/acmeshop',
    `https://www.${searchHostOf('retailer_t')}/p/-/A-10000017`,
  ].map((url) => ({ url, title: null }));
  assert.deepEqual(
    shopHits(hits, 'acmeshop').map((hit) => new URL(hit.url).hostname),
    ['www.acmeshop.com', 'acmeshop.de'],
  );
  assert.deepEqual(
    shopHits(hits, 'acmeshopde').map((hit) => new URL(hit.url).hostname),
    ['acmeshop.de'],
  );
  assert.deepEqual(shopHits(hits, 'nobody'), []);
});

test('damaged answers give a verdict, never a throw', () => {
  const seed = seedOf(20_261_122);
  const random = randomFrom(seed);
  const texts = [{ results: RESULTS }, { web: { results: RESULTS } }].map((value) =>
    JSON.stringify(value),
  );
  for (const text of texts) {
    for (let round = 0; round < 2_000; round += 1) {
      assert.doesNotThrow(() => readSearch(answer(mutated(text, random))), `seed ${seed}`);
    }
  }
});
