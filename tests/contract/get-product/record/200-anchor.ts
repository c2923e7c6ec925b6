import assert from 'node:assert/strict';

import { KNOWN_SLUGS, type KnownSlug } from '../../../../src/base/retailer.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { addressOf, askedSince, ordinary, readAt, truthAt } from '../../support/market.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const anchorOf = (record: Record<string, unknown>) => at(record, '_meta.price_source');

/** Products that exactly these retailers list, with their right barcode and in stock. */
function soldOnlyAt(...slugs: readonly KnownSlug[]) {
  const market = contract.sandbox.market();
  const [first] = slugs;
  assert.ok(first !== undefined);
  return ordinary(contract, first, ({ inStock }) => inStock).filter(
    ({ product, publishedGtin }) =>
      publishedGtin === product.gtin14 &&
      (
        [
          'retailer_w',
          'retailer_a',
          'retailer_e',
          'retailer_l',
          'retailer_b',
          'retailer_h',
        ] as const
      )
        .filter((slug) => market.listingsOf(slug, product).length > 0)
        .every((slug) => slugs.includes(slug)),
  );
}

proves(
  'D27a D27b D27c D27d D27e PA-19 CO-08 D18b D9b D9c D27h',
  'the anchor is who was named, else follows from the kind of identifier, and it alone supplies the offer',
  async () => {
    const { gtin, asin, item_id: itemId, retailers } = contract.world;
    const market = contract.sandbox.market();
    const cases: readonly (readonly [string, string, KnownSlug])[] = [
      [gtin, '', 'retailer_w'],
      [asin, '', 'retailer_a'],
      [retailers.retailer_a.url, '', 'retailer_a'],
      [itemId, '', 'retailer_w'],
      [retailers.retailer_h.url, '', 'retailer_h'],
      [gtin, '?retailer=retailer_b', 'retailer_b'],
      [gtin, '?retailer=retailer_e', 'retailer_e'],
      [gtin, '?retailer=retailer_l', 'retailer_l'],
    ];
    for (const [id, query, slug] of cases) {
      const record = await contract.record(id, query);
      assert.equal(anchorOf(record), slug, `${id}${query}`);
      assert.equal(record['tokens_consumed'], 1);
      const product = market.productOf(gtin);
      assert.ok(product !== null);
      const truths = market
        .listingsOf(slug, product)
        .map((listing) => truthAt(contract, listing, record).facts);
      const facts = truths.find(({ price }) => price === record['current_price']);
      assert.ok(facts !== undefined, `${slug} asks ${String(record['current_price'])}`);
      assert.deepEqual(record['average_rating'] ?? null, facts['rating'] ?? null, slug);
      assert.equal(record['sold_tag'], facts['sold_tag'], slug);
    }
  },
);

proves(
  'D27f D37c',
  'what retailer_w does not list is asked for elsewhere, and the first in the order is the anchor',
  async () => {
    for (const [slugs, anchor] of [
      [['retailer_b', 'retailer_h'], 'retailer_b'],
      [['retailer_h', 'retailer_l'], 'retailer_h'],
      [['retailer_l', 'retailer_e'], 'retailer_l'],
    ] as const) {
      const [listing] = soldOnlyAt(...slugs).filter(({ product }) =>
        slugs.every((slug) =>
          contract.sandbox
            .market()
            .listingsOf(slug, product)
            .some(({ publishedGtin }) => publishedGtin === product.gtin14),
        ),
      );
      if (listing === undefined) assert.fail(`something is sold at ${slugs.join(' and ')} only`);
      const record = await contract.record(listing.product.gtin14);
      assert.equal(anchorOf(record), anchor, listing.product.gtin14);
    }
  },
);

proves('D37a', 'a barcode of which nothing is stored is asked for at retailer_w', async () => {
  const [listing] = ordinary(contract, 'retailer_w', ({ inStock }) => inStock).slice(40);
  assert.ok(listing !== undefined);
  await contract.untilQueueIdle();
  const from = contract.sandbox.requests().length;
  const record = await contract.record(listing.product.gtin14);
  assert.equal(anchorOf(record), 'retailer_w');
  assert.equal(askedSince(contract, from)[0], 'retailer_w');
});

proves(
  'PR-53 D27g PR-54',
  'identity and measures come from the best source, retailer_a first for measures, and _meta says which',
  async () => {
    const { gtin, asin, retailers } = contract.world;
    const alone = await contract.record(retailers.retailer_h.url, '?retailer=retailer_h');
    assert.equal(at(alone, '_meta.weight_lbs_source') ?? 'retailer_h', 'retailer_h');
    await contract.record(asin);
    const both = await contract.record(gtin);
    assert.equal(anchorOf(both), 'retailer_w');
    assert.equal(at(both, '_meta.weight_lbs_source'), 'retailer_a');
    assert.equal(at(both, '_meta.dimensions_source'), 'retailer_a');
    const own = await contract.record(gtin, '?retailer=retailer_w');
    assert.equal(at(own, '_meta.weight_lbs_source'), 'retailer_w');
    const market = contract.sandbox.market();
    const product = market.productOf(gtin);
    assert.ok(product !== null);
    const [ofA] = market.listingsOf('retailer_a', product);
    assert.ok(ofA !== undefined);
    assert.equal(both['weight_lbs'], truthAt(contract, ofA, both).facts['weight_lbs']);
  },
);

proves(
  'PR-53',
  'a measure that the anchor lacks is filled in by another retailer that lists the same barcode',
  async () => {
    const market = contract.sandbox.market();
    const shop = contract.world.url.open_graph;
    const bare = await contract.record(
      shop,
      `?retailer=${new URL(shop).hostname.split('.').at(-2)}`,
    );
    assert.equal(bare['weight_lbs'], null, 'OpenGraph has no weight');
    assert.ok(typeof bare['gtin'] === 'string');
    const product = market.productOf(bare['gtin']);
    assert.ok(product !== null);
    const [elsewhere] = (['retailer_a', 'retailer_w', 'retailer_h'] as const).flatMap((slug) =>
      market.listingsOf(slug, product).filter(({ publishedGtin }) => publishedGtin !== null),
    );
    assert.ok(elsewhere !== undefined);
    await contract.record(addressOf(contract, elsewhere));
    const filled = await contract.record(shop);
    assert.equal(at(filled, '_meta.price_source'), at(bare, '_meta.price_source'));
    assert.ok(typeof filled['weight_lbs'] === 'number');
    assert.notEqual(at(filled, '_meta.weight_lbs_source'), at(bare, '_meta.price_source'));
  },
);

proves(
  'PR-04 D45a AM-01 AM-02 AM-05',
  'an ASIN is echoed, and asin_match says that it was read',
  async () => {
    const { asin, retailers, gtin, item_id: itemId } = contract.world;
    for (const id of [asin, asin.toLowerCase(), retailers.retailer_a.url]) {
      const record = await contract.record(id);
      assert.equal(record['asin'], asin);
      assert.deepEqual(record['asin_match'], { state: 'exact', matched_asin: asin });
    }
    for (const id of [gtin, itemId, retailers.retailer_b.url, contract.world.url.hosted]) {
      assert.ok(!('asin_match' in (await contract.record(id))), id);
    }
  },
);

proves('PR-18 D32b', 'the seller of the record is named with its 32 characters', async () => {
  const { seller_item_id: item, seller_id: seller } = contract.world;
  const record = await contract.record(item ?? '');
  assert.equal(record['seller_type'], 'third_party');
  assert.match(String(record['seller_id']), /^[0-9A-F]{32}$/);
  assert.equal(record['seller_id'], seller);
  const [direct] = ordinary(contract, 'retailer_w', ({ buyBox }) => buyBox?.isFirstParty === true);
  assert.ok(direct !== undefined);
  const own = await contract.record(direct.id);
  assert.equal(own['seller_type'], 'first_party');
});

proves(
  'PR-19',
  'the rating of the seller is a number, or null where the page has none',
  async () => {
    const { seller_item_id: item, retailers } = contract.world;
    assert.equal(typeof (await contract.record(item ?? ''))['seller_rating'], 'number');
    assert.equal((await contract.record(retailers.retailer_h.url))['seller_rating'], null);
  },
);

proves(
  'D9d PA-20',
  'another shop is anchored by its own slug, and keeps its query but tracking',
  async () => {
    const { variant_url: variant } = contract.world;
    const record = await contract.record(variant);
    const slug = String(anchorOf(record));
    const named = await contract.record(variant, `?retailer=${slug}`);
    assert.equal(anchorOf(named), slug);
    await contract.untilQueueIdle();
    const from = contract.sandbox.requestCount();
    await contract.record(`${variant}&utm_source=mail#top`);
    assert.equal(contract.sandbox.requestCount(), from, 'tracking is not part of the address');
    const whole = await contract.record(variant.split('?')[0] ?? '');
    assert.notEqual(whole['gtin'], record['gtin'], 'the colour is part of the address');
  },
);

proves(
  'D9a',
  'fragment, query and spelling of a known retailer’s address do not count',
  async () => {
    const { url } = contract.world.retailers.retailer_b;
    await contract.record(url);
    await contract.untilQueueIdle();
    const from = contract.sandbox.requestCount();
    const record = await contract.record(`${url}?skuId=1&ref=home#reviews`);
    assert.equal(contract.sandbox.requestCount(), from);
    assert.equal(anchorOf(record), 'retailer_b');
  },
);

proves(
  'AM-04 AM-05 ST-03',
  'where the source names no ASIN the match is unknown, which is not a pass',
  async () => {
    const { asin } = contract.world;
    await contract.record(asin);
    const record = await contract.record(asin, '?retailer=retailer_w');
    assert.equal(anchorOf(record), 'retailer_w');
    assert.deepEqual(record['asin_match'], { state: 'unknown', matched_asin: null });
  },
);

proves(
  'D18a D27a PA-19',
  'an item id and an ASIN are found at every retailer that is named, through the product’s barcode',
  async () => {
    const { item_id: itemId, asin, upc } = contract.world;
    for (const slug of KNOWN_SLUGS.filter((each) => each !== 'retailer_t')) {
      for (const id of [itemId, asin]) {
        const record = await contract.record(id, `?retailer=${slug}`);
        assert.deepEqual([anchorOf(record), record['upc']], [slug, upc], id);
        assert.equal('asin_match' in record, id === asin, `${id} ${slug}`);
      }
    }
    const query = '?retailer=retailer_h';
    const first = await contract.record(itemId, query);
    const forced = await contract.record(itemId, `${query}&force_refresh=true`);
    assert.equal(anchorOf(forced), 'retailer_h');
    assert.ok(readAt(forced) > readAt(first), 'a forced fetch asks the one that is named');
  },
);

proves(
  'D18a D46b',
  'an item without a barcode cannot be found elsewhere, and an address is of its own retailer only',
  async () => {
    const bare = contract.sandbox
      .market()
      .listings('retailer_w')
      .find(({ publishedGtin, product }) => publishedGtin === null && product.trouble === null);
    const answer = await contract.lookup(bare?.id ?? '', '?retailer=retailer_h');
    assert.match(String(refused(answer, 404, 'not_found')['detail']), /no barcode/);
    const { url } = contract.world.retailers.retailer_w;
    refused(await contract.lookup(url, '?retailer=retailer_h'), 400, 'retailer_mismatch');
  },
);
