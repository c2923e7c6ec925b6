import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { existsSync } from 'node:fs';
import { test } from 'node:test';

import { toGtin14 } from '../../../src/base/identifiers/gtin.ts';
import type { Page } from '../../../src/base/listing/page.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import type { Access, RetailerQuestion } from '../../../src/read/retailers/adapter.ts';
import { ADAPTERS } from '../../../src/read/retailers/adapters.ts';
import { READERS } from '../../../src/read/retailers/registry.ts';
import { CREDENTIAL_NAMES, settingOf } from '../../../src/read/retailers/credentials.ts';
import { SANDBOX_CREDENTIALS } from '../../../sandbox/tokens.ts';

const GTIN = toGtin14('4006381333931');
const PRIVATE_KEY = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
});

/** Addresses of one product page each, from the books themselves. */
const EXAMPLES = {
  retailer_w: { kind: 'item_id', value: '123456789', retailer: 'retailer_w' },
  retailer_a: { kind: 'asin', value: 'B0ABCDEFGH', retailer: 'retailer_a' },
  retailer_e: { kind: 'retailer_item', value: '123456789012', retailer: 'retailer_e' },
  retailer_l: { kind: 'retailer_item', value: '5001234567', retailer: 'retailer_l' },
  retailer_t: { kind: 'retailer_item', value: '12345678', retailer: 'retailer_t' },
  retailer_b: { kind: 'retailer_b_sku', value: '6543210', retailer: 'retailer_b' },
  retailer_h: { kind: 'retailer_item', value: '312345678', retailer: 'retailer_h' },
} as const;

const RUBBISH: readonly string[] = [
  '',
  'null',
  '[]',
  '{"errors":[{}]}',
  '<html>',
  '<!doctype html><title>x</title><p>nothing',
  '\u0000\ufffe',
];

function pageOf(body: string, url: string): Page {
  return {
    requestedUrl: url,
    url,
    status: 200,
    headers: { 'content-type': 'text/html' },
    body: Buffer.from(body),
    fetchedAtMs: 0,
  };
}

for (const slug of KNOWN_SLUGS) {
  const { book, sources } = ADAPTERS[slug];
  const readers = READERS[slug];
  const identifier = EXAMPLES[slug];
  const credentials = Object.fromEntries(
    sources
      .flatMap((source) => source.needs)
      .map((name) => [name, SANDBOX_CREDENTIALS[settingOf(slug, name)] ?? 'abcdefgh']),
  );
  const access: Access = {
    credentials: { ...credentials, ...('PRIVATE_KEY' in credentials ? { PRIVATE_KEY } : {}) },
    token: 'token',
    nowMs: 1_700_000_000_000,
    newId: () => '00000000-0000-4000-8000-000000000000',
  };
  const questions: readonly RetailerQuestion[] = [
    { kind: 'product', identifier },
    ...(GTIN === null ? [] : [{ kind: 'barcode' as const, gtin: GTIN }]),
    { kind: 'offers', identifier },
    { kind: 'reviews', identifier, page: 1 },
    { kind: 'seller', catalogSellerId: '101000001' },
    { kind: 'restriction', identifier },
    { kind: 'fulfillment_eligibility', identifier },
  ];

  test(`${slug}: it has a reader of product pages, as the counts of readings take for granted`, () => {
    assert.equal(typeof readers['product'], 'function');
  });

  test(`${slug}: slug, folder and address book are the same retailer's, and its address is its own`, () => {
    assert.equal(ADAPTERS[slug].slug, slug);
    assert.equal(book.slug, slug);
    const folder = new URL(
      `../../../src/read/retailers/${slug.replace('_', '-')}/adapter.ts`,
      import.meta.url,
    );
    assert.ok(existsSync(folder));
    const url = book.productUrl(identifier);
    assert.ok(url !== null);
    assert.deepEqual(book.reduce(new URL(url)), identifier);
  });

  test(`${slug}: every source that can be asked names a reader that exists, and asks the same twice`, () => {
    assert.equal(new Set(sources.map(({ name }) => name)).size, sources.length);
    let asked = 0;
    for (const source of sources) {
      for (const question of questions) {
        const request = source.request(question, access);
        if (request === null) continue;
        asked += 1;
        assert.ok(source.takes?.includes(question.kind) !== false, `${source.name} takes it`);
        const reader = source.readerOf(question.kind);
        assert.ok(readers[reader] !== undefined, `${source.name} ${question.kind}: ${reader}`);
        assert.deepEqual(source.request(question, access), request, 'requests are pure');
        assert.match(request.url, /^https:\/\//);
        assert.ok(request.isOfficial !== true || source.isOfficial === true, source.name);
      }
    }
    assert.ok(asked > 0);
  });

  test(`${slug}: a source that is asked with a token says beforehand which questions it takes`, () => {
    for (const { name, token, takes } of sources) {
      assert.ok(token === undefined || takes !== undefined, name);
    }
  });

  test(`${slug}: no source is asked with credentials that it does not name, or without its own`, () => {
    for (const source of sources.filter(({ needs }) => needs.length > 0)) {
      for (const name of source.needs) {
        assert.ok(CREDENTIAL_NAMES.includes(settingOf(slug, name)), name);
        assert.match(name, /^[A-Z][A-Z_]*[A-Z]$/);
      }
    }
  });

  test(`${slug}: its readers give a verdict on rubbish`, () => {
    const url = book.productUrl(identifier) ?? '';
    for (const [name, read] of Object.entries(readers)) {
      for (const body of RUBBISH) {
        const verdict = read(pageOf(body, url), new UnknownWords());
        assert.notEqual(verdict.kind, 'read', `${name} on ${JSON.stringify(body)}`);
      }
    }
  });
}

test('a host belongs to one retailer', () => {
  const hosts = KNOWN_SLUGS.flatMap((slug) => ADAPTERS[slug].book.hosts);
  assert.equal(new Set(hosts).size, hosts.length);
});
