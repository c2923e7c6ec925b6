// A page that turns out to belong to another listing than the requested one, or to another shop: its facts are not used for
// the request.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { KNOWN_SLUGS, type KnownSlug } from '../../../src/base/retailer.ts';
import { bookOf } from '../../../src/read/retailers/addresses/address-books.ts';
import { openShop, OWN_SHOP, productPage, type OwnShop } from '../../contract/support/own-shop.ts';
import { html, ld, MUG } from '../../read/retailers/page-fixtures.ts';
import { startService, type Service } from '../../support/service.ts';

/** Returns a page whose canonical address is `address` and whose structured data states `sku` as its own number. */
function pageNamed(address: string, sku: string): string {
  const canonical = `<link rel="canonical" href="${address}">`;
  return html(`${canonical}${ld({ ...MUG, sku })}`, '<h1>Blue Mug</h1>');
}

const originOf = (slug: KnownSlug): string => `https://www.${bookOf(slug).hosts[0]}`;
const ITEM = `${originOf('retailer_e')}/itm/`;
const SKU = `${originOf('retailer_b')}/site/-/`;

/** Retailer, requested address, address of the returned page, and the number in it. */
const ROWS: readonly (readonly [KnownSlug, string, string, string])[] = [
  ['retailer_e', `${ITEM}223344556677`, `${ITEM}223344556688`, '223344556688'],
  ['retailer_e', `${ITEM}223344556699?var=12`, `${ITEM}223344556688`, '223344556688'],
  ['retailer_b', `${SKU}6411111.p`, `${SKU}6411122.p`, '6411122'],
];

/** The same for retailers whose numbers may denote product families: one address redirects to another. */
const MOVED: typeof ROWS = (
  [
    ['retailer_h', '/p/', '300000011', '300000022'],
    ['retailer_l', '/pd/', '1000000011', '1000000022'],
    ['retailer_t', '/p/-/A-', '90000011', '90000022'],
  ] as const
).map(([slug, path, asked, served]) => {
  const at = (number: string) => `${originOf(slug)}${path}${number}`;
  return [slug, at(asked), at(served), served];
});

const TRUSTED = 'https://www.trusted.example';

/**
 * Addresses of known retailers and of a trusted shop that redirect to another one whose page prints the barcode of a mug.
 */
const LEADING = KNOWN_SLUGS.map((slug) => `${originOf(slug)}/go?from=${slug}`).concat(
  `${ITEM}223344556600`,
  `${TRUSTED}/go`,
);

const COPIED = '5901234123457';

let shop: OwnShop;
let service: Service;

before(async () => {
  const pages = [...ROWS, ...MOVED].flatMap(([, asked, served, sku]) =>
    [asked, served].map((address) => {
      const { pathname, search } = new URL(address);
      return [pathname + search, pageNamed(served, sku)] as const;
    }),
  );
  const leading = LEADING.map((address) => [address, `${OWN_SHOP}/p/copy`] as const);
  const moved = MOVED.map(([, asked, served]) => [asked, served] as const);
  const redirects = [...leading, ...moved].map(([address, location]) => {
    const { pathname, search } = new URL(address);
    return [pathname + search, { location }] as const;
  });
  const copy = productPage({ ...MUG, gtin13: COPIED });
  shop = await openShop({ ...Object.fromEntries([...pages, ...redirects]), '/p/copy': copy });
  const origins = [OWN_SHOP, TRUSTED, ...KNOWN_SLUGS.map(originOf)].map(
    (one) => `${one}=${shop.url}`,
  );
  service = await startService({
    env: { OPENSHELF_ORIGINS: origins.join(','), OPENSHELF_TRUSTED_SHOPS: 'trusted.example' },
  });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await shop.close();
});

for (const [slug, asked, served] of [...ROWS, ...MOVED]) {
  test(`the page of another listing of ${slug} is not an answer to ${asked}`, async () => {
    const refused = await service.lookup(asked);
    assert.equal(refused.body['code'], 'not_found', JSON.stringify(refused.body));
    assert.match(String(refused.body['detail']), /another product/);
    const answer = await service.lookup(served);
    assert.equal(answer.body['title'], 'Blue Mug', JSON.stringify(answer.body));
  });
}

test('an address of a shop that counts for barcodes and leads to another one says nothing of it', async () => {
  for (const address of LEADING) {
    const refused = await service.lookup(address);
    assert.equal(
      refused.body['code'],
      'source_unusable',
      `${address} ${JSON.stringify(refused.body)}`,
    );
    assert.match(String(refused.body['detail']), /another shop/);
  }
  const byBarcode = await service.lookup(COPIED);
  assert.equal(byBarcode.body['code'], 'not_found', JSON.stringify(byBarcode.body));
});
