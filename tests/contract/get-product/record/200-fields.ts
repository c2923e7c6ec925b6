import assert from 'node:assert/strict';

import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import { SANDBOX_CREDENTIALS } from '../../../../sandbox/tokens.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { addressOf, one, ordinary } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const env = Object.fromEntries(
  Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => /RETAILER_(?:A_SP|E)_/.test(name)),
);
const contract = contractService({ env });
/** Some facts are only on pages. */
const pages = contractService();

const ALL =
  'include_offers_reviews=true&include_cross_retailer=true&identifier_match=any' +
  '&include_seller_context=true&include_offers_history=true&include_price_series=true' +
  '&include_fee_breakdown=true';

proves(
  'OV-02 OV-03 D23b PR-29 PR-42 PR-43 PR-45 PR-46 CL-08 CL-10',
  'everything at once, of products that differ, is as the document says',
  async () => {
    const listings = [
      one(contract, 'retailer_a', ({ soldAMonth }) => soldAMonth !== null),
      one(contract, 'retailer_a', ({ product }) => product.hazmat !== null),
      one(contract, 'retailer_w', ({ product }) => product.packCount === 6),
      one(contract, 'retailer_a', ({ offers }) =>
        offers.some(({ quantityLeft, inStock }) => quantityLeft !== null && inStock),
      ),
      ...ordinary(contract, 'retailer_e').slice(10, 12),
      ...ordinary(contract, 'retailer_w').slice(10, 14),
      ...ordinary(contract, 'retailer_a').slice(10, 14),
    ];
    const names = [
      'offers',
      'reviews',
      'review_summary',
      'cross_retailer',
      'seller_context',
      'offers_history',
      'offers_history_count',
      'fee_breakdown',
    ];
    for (const listing of listings) {
      const { product, slug } = listing;
      const id = slug === 'retailer_e' ? addressOf(contract, listing) : listing.id;
      await contract.record(id, '?include_offers=true');
      for (const each of KNOWN_SLUGS) {
        await contract.lookup(product.gtin14, `?retailer=${each}`);
      }
      const record = await contract.record(id, `?${ALL}`);
      for (const name of names) assert.ok(name in record, name);
      const series = record['price_history'] as Readonly<Record<string, unknown>>;
      const price = (series['series'] as readonly unknown[]).length > 0 ? 10 : 0;
      assert.equal(record['tokens_consumed'], 1 + 5 + 2 + 3 + 5 + price, `${slug} ${id}`);
    }
  },
);

proves('RF-03 OV-03', 'the same of a refresh', async () => {
  for (const id of [contract.world.upc, contract.world.asin]) {
    const answer = await contract.refresh(id, `?${ALL}`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.ok('fee_breakdown' in answer.body && 'cross_retailer' in answer.body);
  }
  const foreign = contract.world.retailers.retailer_e.trouble.foreign_currency;
  assert.equal((await contract.refresh(foreign?.url ?? '')).status, 200);
});

proves('CL-08', 'a cell that was read from a page says what was sold in a month', async () => {
  const { id, product } = one(pages, 'retailer_a', ({ soldAMonth }) => soldAMonth !== null);
  await pages.lookup(product.gtin14, '?retailer=retailer_a');
  const cells = '?include_cross_retailer=true&identifier_match=any';
  const record = await pages.record(id, cells);
  const refreshed = await pages.refresh(id, cells);
  for (const { cross_retailer: each } of [record, refreshed.body]) {
    assert.ok(Number(at(each, 'retailer_a.estimated_sales')) > 0);
  }
});
