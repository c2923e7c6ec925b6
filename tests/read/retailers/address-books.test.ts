// Addresses of the known retailers: what they denote, both ways. Host names come from the books.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { KNOWN_SLUGS } from '../../../src/base/retailer.ts';
import {
  bookForHost,
  bookOf,
  reduceUrl,
} from '../../../src/read/retailers/addresses/address-books.ts';
import { hostOf, retailerUrlRows } from '../../support/retailer-urls.ts';

const ROWS = retailerUrlRows();

test('every product address stands for its identifier, and no other page does', () => {
  for (const [text = '', kind, value] of ROWS) {
    const identifier = reduceUrl(new URL(text));
    assert.equal(identifier?.kind ?? '-', kind, text);
    assert.equal(identifier?.value ?? '-', value, text);
  }
});

test('an identifier has one canonical address, which stands for the same identifier', () => {
  for (const [text = '', , , canonical = ''] of ROWS) {
    const identifier = reduceUrl(new URL(text));
    if (identifier === null) continue;
    assert.ok('retailer' in identifier);
    assert.equal(bookOf(identifier.retailer).productUrl(identifier), canonical, text);
    assert.deepEqual(reduceUrl(new URL(canonical)), identifier, text);
  }
});

test('a book has no address for identifiers of others, or for values that are none', () => {
  const values = ['', '1', '../../x', '1?var=2', 'A-1', '184195173/x', 'B0TEST000', '1'.repeat(40)];
  for (const slug of KNOWN_SLUGS) {
    const book = bookOf(slug);
    assert.equal(book.slug, slug);
    for (const value of values) {
      assert.equal(book.productUrl({ kind: 'item_id', value, retailer: 'retailer_w' }), null);
      assert.equal(book.productUrl({ kind: 'asin', value, retailer: 'retailer_a' }), null);
      const sku = { kind: 'retailer_b_sku', value, retailer: 'retailer_b' } as const;
      assert.equal(book.productUrl(sku), null);
      const item = { kind: 'retailer_item', value, retailer: slug } as const;
      assert.equal(book.productUrl(item), null);
    }
    assert.equal(book.productUrl({ kind: 'url', value: 'https://shop.example/' }), null);
    const other = slug === 'retailer_h' ? 'retailer_l' : 'retailer_h';
    const item = { kind: 'retailer_item', value: '323373000', retailer: other } as const;
    assert.equal(book.productUrl(item), null, slug);
  }
});

test('hosts are compared as whole names', () => {
  for (const slug of KNOWN_SLUGS) {
    const host = hostOf(slug);
    for (const own of [host, `www.${host}`, `m.${host}`, `${host}.`, host.toUpperCase()]) {
      assert.equal(bookForHost(own)?.slug, slug, own);
    }
    const others = [
      `not${host}`,
      `${host}.evil.example`,
      `shop.${host}`,
      `wwww.${host}`,
      `.${host}`,
    ];
    others.push(`www.www.${host}`, host.replace(/\.com$/, '.ca'), host.replace(/\.com$/, '.co.uk'));
    others.push(host.replace(/\.com$/, ''), `${host}..`, '');
    for (const other of others) assert.equal(bookForHost(other), null, other);
  }
});

test('short-link hosts belong to their retailer and stand for nothing by themselves', () => {
  let met = 0;
  for (const slug of KNOWN_SLUGS) {
    for (const host of bookOf(slug).shortLinkHosts) {
      met += 1;
      assert.equal(bookForHost(host)?.slug, slug);
      assert.equal(reduceUrl(new URL(`https://${host}/d/3xYz12A`)), null);
    }
  }
  assert.equal(met, 12);
});

test('a link of a partner stands for the product whose address it carries, where that is the same retailer', () => {
  const goal = `https://www.${hostOf('retailer_w')}/ip/Some-Name/184195173?athcpid=1`;
  const other = `https://www.${hostOf('retailer_h')}/p/323373000`;
  const search = `https://www.${hostOf('retailer_w')}/search?q=184195173`;
  const [partners = ''] = bookOf('retailer_w').shortLinkHosts;
  const valueOf = (query: Record<string, string>) =>
    reduceUrl(new URL(`https://${partners}/c/1/2/3?${new URLSearchParams(query).toString()}`))
      ?.value ?? null;
  assert.equal(valueOf({ veh: 'aff', u: goal }), '184195173');
  assert.equal(valueOf({ mpre: goal }), '184195173');
  assert.equal(valueOf({ u: search }), null);
  assert.equal(valueOf({ u: other }), null);
  assert.equal(valueOf({ u: goal.replace('https', 'ftp') }), null);
  assert.equal(valueOf({ u: 'https://[' }), null);
  assert.equal(valueOf({ referrer: goal }), null);
  // A link within a link leads to a click counter.
  assert.equal(valueOf({ u: `https://${partners}/c/1?u=${encodeURIComponent(goal)}` }), null);
});

test('a short link that is an ASIN stands for it', () => {
  const [, , host = ''] = bookOf('retailer_a').shortLinkHosts;
  for (const path of ['B0TEST0001', 'dp/B0TEST0001', '043942089x']) {
    assert.equal(reduceUrl(new URL(`https://${host}/${path}`))?.kind, 'asin', path);
  }
  for (const path of ['3xYz12A', 'B0TEST0001/x', 'shop/B0TEST0001']) {
    assert.equal(reduceUrl(new URL(`https://${host}/${path}`)), null, path);
  }
});

test('only http and https addresses are reduced', () => {
  assert.equal(reduceUrl(new URL(`ftp://www.${hostOf('retailer_w')}/ip/184195173`)), null);
});
