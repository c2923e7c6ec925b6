import assert from 'node:assert/strict';

import { contractService, refused } from '../../support/contract-service.ts';
import { OWN_SHOP, OWN_SLUG } from '../../support/own-shop.ts';
import { proves } from '../../support/proves.ts';

const HEAD =
  '<!doctype html><html lang="en-US"><head><title>Walnut tray – Own Shop</title></head><body>';
/** A product page before and after a redesign that leaves everything to a script. */
const PAGES: Record<string, string> = {
  '/tray': `${HEAD}<h1>Walnut tray</h1><p>From one plank.</p><b class="x7">24.00</b><button class="x8">Add to cart</button></body></html>`,
  '/about-trays': `${HEAD}<h1>How we make trays</h1><p>${'A tray begins as a plank. '.repeat(20)}</p></body></html>`,
};
const contract = contractService({ pages: PAGES });

proves(
  'D49e D54a D48d',
  'a page that is closed to robots, or too large, is 422 and not worth another try',
  async () => {
    const { trouble } = contract.world;
    for (const [page, upstream] of [
      [trouble.disallowed, 'robots_disallowed'],
      [trouble.too_large, 'upstream_too_large'],
    ] as const) {
      const answer = await contract.lookup(page);
      const body = refused(answer, 422, 'source_unusable');
      assert.equal(body['upstream'], upstream);
      assert.equal(answer.headers.get('retry-after'), null);
      assert.equal(body['tokens_remaining'], 1_000_000);
    }
    const asked = contract.sandbox.requests().map(({ path }) => path);
    assert.ok(asked.includes('/robots.txt'));
    assert.ok(!asked.some((path) => path.includes('trouble-disallowed')), 'never fetched');
  },
);

proves(
  'D49g D48d',
  'a product page that cannot be read is 422 at a known retailer and at any other shop, and is not remembered as missing',
  async () => {
    const { trouble, retailers } = contract.world;
    const known = Object.values(retailers).map((each) => each.trouble.redesigned?.url ?? '');
    for (const page of [...known, trouble.redesigned, `${OWN_SHOP}/tray`]) {
      for (const time of ['once', 'again']) {
        const answer = await contract.lookup(page);
        const body = refused(answer, 422, 'source_unusable');
        assert.equal(body['upstream'], 'upstream_bad_response', `${page} ${time}`);
        assert.equal(answer.headers.get('retry-after'), null);
      }
    }
    const other = refused(await contract.lookup(`${OWN_SHOP}/about-trays`), 404, 'not_found');
    assert.equal(other['upstream'], 'not_a_product');
  },
);

proves(
  'D49g',
  'a page that was a product when it was read last has changed, and is not missing',
  async () => {
    const page = `${OWN_SHOP}/bowl`;
    const text = PAGES['/about-trays'] ?? '';
    const data = JSON.stringify({
      '@context': 'https://schema.org',
      '@type': 'Product',
      name: 'Walnut bowl',
      offers: { '@type': 'Offer', price: '12.00', priceCurrency: 'USD' },
    });
    PAGES['/bowl'] =
      `<title>Walnut bowl</title><h1>Walnut bowl</h1><script type="application/ld+json">${data}</script>`;
    await contract.record(page);
    PAGES['/bowl'] = text;
    const answer = await contract.lookup(page, `?retailer=${OWN_SLUG}&force_refresh=true`);
    refused(answer, 422, 'source_unusable');
    const { status, body } = await contract.lookup(page);
    assert.deepEqual([status, body['current_price']], [200, 12], 'what is held is answered');
  },
);
