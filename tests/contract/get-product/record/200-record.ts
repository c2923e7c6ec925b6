import assert from 'node:assert/strict';

import { differencesOf } from '../../../../lab/eval/market/facts.ts';
import { isbn10FromIsbn13 } from '../../support/codes.ts';
import { KNOWN_SLUGS } from '../../../../src/base/retailer.ts';
import { at, contractService } from '../../support/contract-service.ts';
import { addressOf, one, ordinary, truthAt } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

proves(
  'OV-01 GP-01 CO-01 D6a D6b D6d D6f',
  'every form of identifier leads to its product for one token',
  async () => {
    const { world } = contract;
    const market = contract.sandbox.market();
    const titleOf = (gtin: string) => market.productOf(gtin.padStart(14, '0'))?.title;
    const shown = titleOf(world.upc);
    const book = titleOf(world.isbn ?? '');
    const cases: readonly (readonly [string, string | undefined])[] = [
      [world.upc, shown],
      [world.gtin, shown],
      [world.item_id, shown],
      [world.asin, shown],
      [world.retailer_b_product_id, shown],
      [world.retailer_b_sku, shown],
      [world.ean ?? '', titleOf(world.ean ?? '')],
      [world.isbn ?? '', book],
      [isbn10FromIsbn13(world.isbn ?? ''), book],
      [world.url.retailer_w ?? '', shown],
    ];
    for (const [id, title] of cases) {
      const record = await contract.record(id);
      assert.ok(title !== undefined);
      assert.equal(record['title'], title, id);
      assert.equal(record['tokens_consumed'], 1, id);
    }
  },
);

/** Returns the record under the names that the market's truth uses for the same facts. */
function asTruth(record: Record<string, unknown>): Record<string, unknown> {
  const types: Record<string, string> = { first_party: '1p', third_party: '3p' };
  return {
    ...record,
    price: record['current_price'],
    list_price: record['msrp'],
    rating: record['average_rating'],
    seller_type: types[String(record['seller_type'])] ?? null,
    offers_count: record['total_offers'],
  };
}

/** Facts without a place in the record, or stated elsewhere. */
const NOT_IN_RECORD = new Set([
  'url',
  'currency',
  'variant_id',
  'product_id',
  'catalog_seller_id',
  'seller_review_count',
  'rating_distribution',
  'unavailable',
  'gtin',
  'item_id',
  'asin',
]);

for (const slug of KNOWN_SLUGS) {
  proves(
    'OV-02 OV-07 PR-06 PR-07 PR-09 PR-18 PR-20 PR-21 PR-22 PR-24 PR-17 PR-16 D24a D24b D18a',
    `${slug}: the record states what the page states, and nothing from elsewhere`,
    async () => {
      const listings = ordinary(contract, slug, ({ inStock }) => inStock).slice(0, 6);
      for (const listing of listings) {
        const record = await contract.record(addressOf(contract, listing), `?retailer=${slug}`);
        const truth = truthAt(contract, listing, record);
        const page = (truth.exposes['page'] ?? []).filter((name) => !NOT_IN_RECORD.has(name));
        const { differences, compared } = differencesOf(
          { ...truth, exposes: { page } },
          asTruth(record),
          'page',
          ['page'],
        );
        assert.deepEqual(differences, []);
        assert.ok(compared > 8, `${compared} facts`);
        assert.equal(at(record, '_meta.price_source'), slug);
      }
    },
  );
}

proves(
  'OV-08 OV-09 D10a D25a ME-02',
  'a hosted store, a page with JSON-LD and one with OpenGraph are read',
  async () => {
    const { url } = contract.world;
    for (const page of [url.hosted, url.json_ld, url.open_graph]) {
      const record = await contract.record(page);
      const label = new URL(page).hostname.split('.').at(-2);
      for (const name of ['price_source', 'title_source']) {
        assert.equal(at(record, `_meta.${name}`), label);
      }
      const truth = (await (
        await fetch(
          `${contract.sandbox.origins[new URL(page).origin]}/__truth/product?url=${encodeURIComponent(page)}`,
        )
      ).json()) as Record<string, unknown>;
      assert.ok(JSON.stringify(truth).includes(JSON.stringify(record['title'])), page);
      assert.ok(typeof record['current_price'] === 'number');
    }
  },
);

proves(
  'CV-01 PR-01 PR-02 PR-03 PR-05 D8a PR-23',
  'identifiers are texts that follow from the code, however it was typed',
  async () => {
    const { upc, gtin, ean, isbn, item_id: itemId } = contract.world;
    for (const typed of [upc, gtin, `0${upc}`, upc.replace(/^(\d{3})(\d+)$/, '$1 $2')]) {
      const record = await contract.record(typed);
      assert.deepEqual(
        ['upc', 'ean', 'isbn', 'gtin'].map((name) => record[name]),
        [upc, `0${upc}`, null, gtin],
      );
      assert.equal(record['item_id'], itemId);
      assert.equal(record['retailer_w_url'], contract.world.retailers.retailer_w.url);
    }
    const foreign = await contract.record(ean ?? '');
    assert.deepEqual([foreign['upc'], foreign['ean'], foreign['isbn']], [null, ean, null]);
    assert.equal(foreign['gtin'], `0${ean}`);
    const book = await contract.record(isbn ?? '');
    assert.deepEqual([book['upc'], book['ean'], book['isbn']], [null, isbn, isbn]);
  },
);

proves(
  'CV-02 CV-04 D26d OV-06 D16c PR-50',
  'money has at most two decimals, instants are UTC, tokens are whole numbers',
  async () => {
    const left = await contract.left();
    const record = await contract.record(contract.world.upc);
    for (const name of ['current_price', 'buybox_price', 'secondary_offer_price']) {
      const value = record[name];
      assert.ok(typeof value === 'number' && Number(value.toFixed(2)) === value, name);
    }
    assert.match(
      String(at(record, '_freshness.refreshed_at')),
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
    );
    assert.equal(record['tokens_consumed'], 1);
    assert.equal(record['tokens_remaining'], left - 1);
  },
);

proves(
  'PR-08',
  'the second price is that of the next offer, or null without another seller',
  async () => {
    const alone = one(contract, 'retailer_w', ({ offers }) => offers.length === 1);
    assert.equal((await contract.record(alone.id))['secondary_offer_price'], null);
    const many = one(contract, 'retailer_w', ({ offers }) => offers.length > 3);
    const record = await contract.record(many.id);
    const truth = truthAt(contract, many, record);
    assert.equal(record['secondary_offer_price'], truth.facts['secondary_offer_price']);
  },
);

proves(
  'PR-10 PR-12 PR-13',
  'the assembled measure is the best one; both stand only where they are distinguished',
  async () => {
    const single = await contract.record(
      addressOf(contract, one(contract, 'retailer_w')),
      '?retailer=retailer_w',
    );
    assert.equal(single['weight_lbs'], single['weight_assembled_lbs']);
    const shop = await contract.record(
      contract.world.url.hosted,
      `?retailer=${new URL(contract.world.url.hosted).hostname.split('.').at(-2)}`,
    );
    assert.ok(typeof shop['weight_lbs'] === 'number');
    assert.deepEqual([shop['weight_assembled_lbs'], shop['weight_package_lbs']], [null, null]);
    for (const slug of KNOWN_SLUGS) {
      const listing = one(contract, slug, ({ inStock }) => inStock);
      const record = await contract.record(addressOf(contract, listing), `?retailer=${slug}`);
      const { weight_lbs: best, weight_assembled_lbs: own } = record;
      if (own !== null) assert.equal(best, own, slug);
      const { dimensions, dimensions_assembled: sides } = record;
      if (sides !== null) assert.deepEqual(dimensions, sides, slug);
      for (const side of ['height_in', 'width_in', 'length_in']) {
        if (dimensions !== null) assert.equal(typeof at(dimensions, side), 'number');
      }
    }
  },
);

proves(
  'D23a D23b D23c D23d PR-43 PR-45 PR-46 PR-42 PR-29 PR-32 D30b',
  'unknown fields are null or [], and fields that were not requested are absent',
  async () => {
    const page = contract.world.url.open_graph;
    const slug = new URL(page).hostname.split('.').at(-2);
    const record = await contract.record(page, `?retailer=${slug}`);
    for (const name of ['weight_package_lbs', 'seller_id', 'hazmat', 'pack_count', 'asin']) {
      assert.equal(record[name], null, name);
    }
    for (const name of ['restriction', 'fulfillment_eligibility', 'dimensions_package']) {
      assert.equal(record[name], null, name);
    }
    assert.ok(Array.isArray(record['specs']) && Array.isArray(record['categories']));
    const full = await contract.record(contract.world.item_id);
    for (const name of [
      'offers',
      'reviews',
      'review_summary',
      'offers_history',
      'offers_history_count',
      'cross_retailer',
      'seller_context',
    ]) {
      assert.ok(!(name in full), `${name} was not asked for`);
    }
    assert.equal(at(full, 'price_history.series'), undefined);
    assert.ok('price_history' in full && 'stats' in full);
  },
);

proves(
  'CV-09 D24c PR-15',
  'a market fact that a retailer does not publish is null; a monthly tag is a number of sales',
  async () => {
    const monthly = one(contract, 'retailer_a', ({ soldAMonth }) => soldAMonth === 1_000);
    const sold = await contract.record(monthly.id);
    assert.deepEqual(
      [sold['sold_tag'], sold['estimated_sales']],
      ['1K+ bought in past month', 1_000],
    );
    const daily = one(contract, 'retailer_w', ({ soldTag }) => soldTag !== null);
    const tagged = await contract.record(daily.id);
    assert.match(String(tagged['sold_tag']), /bought since yesterday/);
    assert.equal(tagged['estimated_sales'], null);
    assert.ok(Number.isInteger(tagged['total_offers']));
    const plain = await contract.record(contract.world.retailers.retailer_l.url);
    assert.deepEqual([plain['sold_tag'], plain['estimated_sales']], [null, null]);
  },
);

proves('D41a', 'the pack count is the multiplier that the title states', async () => {
  for (const slug of ['retailer_w', 'retailer_b'] as const) {
    for (const count of [6, null]) {
      const listing = one(contract, slug, ({ product }) => product.packCount === count);
      const query = '?include_cross_retailer=true&identifier_match=any';
      const record = await contract.record(addressOf(contract, listing), query);
      assert.equal(record['pack_count'], count, `${slug} ${listing.id}`);
      assert.equal(at(record, `cross_retailer.${slug}.pack_count`), count);
    }
  }
});

proves(
  'ME-01 PR-49 D25c D40b PR-54 D27h D27i D3a',
  '_meta stands on every record and names its sources by slug',
  async () => {
    for (const id of [contract.world.upc, contract.world.url.json_ld, contract.world.asin]) {
      const meta = (await contract.record(id, '?include_history=0'))['_meta'];
      assert.ok(typeof meta === 'object' && meta !== null);
      for (const name of ['title_source', 'brand_source', 'price_source']) {
        assert.match(String(at(meta, name)), /^(retailer_[a-z]|[a-z0-9]{2,30})$/);
      }
      assert.ok('weight_lbs_source' in meta && 'dimensions_source' in meta);
      assert.ok(!('source' in meta));
      assert.deepEqual(at(meta, 'disagreements'), []);
    }
    const single = await contract.record(contract.world.upc, '?retailer=retailer_w');
    assert.equal(at(single, '_meta.data_quality_score'), null);
    assert.deepEqual(at(single, '_meta.disagreements'), []);
  },
);

proves('RR-01 RR-03 ME-05', 'what a retailer_b identifier resolved to is marked', async () => {
  for (const id of [contract.world.retailer_b_product_id, contract.world.retailer_b_sku]) {
    const record = await contract.record(id);
    assert.equal(at(record, '_meta.source'), 'retailer_b');
    assert.equal(at(record, '_meta.price_source'), 'retailer_b');
  }
});
