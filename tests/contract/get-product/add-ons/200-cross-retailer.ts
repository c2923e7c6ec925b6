import assert from 'node:assert/strict';

import { DAY_MS } from '../../../../src/base/clock.ts';
import { KNOWN_SLUGS, type KnownSlug } from '../../../../src/base/retailer.ts';
import type { MarketListing } from '../../../../sandbox/market/market.ts';
import { listingIdOf } from '../../../../src/data/answers/listings.ts';
import { at, contractService, refused } from '../../support/contract-service.ts';
import { storeItem } from '../../support/store-item.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService({ isAlone: true });

type Cell = Record<string, unknown>;
type Cells = Readonly<Record<string, Cell>>;

async function cellsOf(id: string, query = ''): Promise<Cells> {
  const record = await contract.record(id, `?include_cross_retailer=true${query}`);
  assert.equal(record['tokens_consumed'], 3);
  return record['cross_retailer'] as Cells;
}

/** Queries every retailer for the barcode, as far as possible. */
async function askEach(gtin: string): Promise<void> {
  for (const slug of KNOWN_SLUGS) await contract.lookup(gtin, `?retailer=${slug}`);
}

const CONFIRMABLE = {
  retailer_w: 'catalog_key',
  retailer_e: 'catalog_key',
  retailer_l: 'page_barcode',
  retailer_b: 'page_barcode',
  retailer_h: 'page_barcode',
} as const;

const FACTS = [
  'price',
  'url',
  'in_stock',
  'unavailable',
  'sold_tag',
  'estimated_sales',
  'is_best_seller',
  'pack_count',
  'hazmat',
  'seller_context',
] as const;

proves(
  'PR-42 PA-06 CO-02 PA-15 PA-18 D34a CF-08 D3a',
  'cells stand where they were asked for, for two tokens; by default only confirmed ones',
  async () => {
    const { gtin } = contract.world;
    await askEach(gtin);
    for (const query of ['', '?identifier_match=any', '?include_cross_retailer=false']) {
      const record = await contract.record(gtin, query);
      assert.ok(!('cross_retailer' in record));
      assert.equal(record['tokens_consumed'], 1);
    }
    const shown = await cellsOf(gtin);
    assert.deepEqual(Object.keys(shown).toSorted(), Object.keys(CONFIRMABLE).toSorted());
    assert.deepEqual(await cellsOf(gtin, '&identifier_match=confirmed'), shown);
  },
);

proves(
  'PA-14 D34b CL-01 CF-01 CF-02 CF-03 CF-04 CF-05 CF-06 CF-07 ID-01 ID-02 ID-04 ID-05 ID-06 D35a ST-02',
  'any shows all seven, each with how it is tied: by the method of its retailer, or not at all',
  async () => {
    const { gtin } = contract.world;
    await askEach(gtin);
    const cells = await cellsOf(gtin, '&identifier_match=any');
    assert.deepEqual(Object.keys(cells).toSorted(), [...KNOWN_SLUGS].toSorted());
    for (const slug of KNOWN_SLUGS) {
      const cell = cells[slug];
      const method = slug in CONFIRMABLE ? CONFIRMABLE[slug as keyof typeof CONFIRMABLE] : null;
      assert.equal(cell?.['retailer'], slug);
      assert.equal(at(cell, 'identity.method'), method, slug);
      assert.equal(at(cell, 'identity.state'), method === null ? 'unconfirmed' : 'confirmed', slug);
      if (method !== null) assert.equal(at(cell, 'identity.page_barcode'), gtin);
      if (method !== null) assert.match(String(at(cell, 'identity.checked_at')), /Z$/);
    }
  },
);

proves(
  'CL-02 CL-06 CL-07 CL-08 CL-09 CL-10 CL-11 CL-14 CL-15 ST-01 CL-12 PA-09',
  'a cell has the facts of its own listing, when they were read, and by which kind of source',
  async () => {
    const { gtin } = contract.world;
    await askEach(gtin);
    const cells = await cellsOf(gtin, '&identifier_match=any');
    for (const slug of KNOWN_SLUGS) {
      const cell = cells[slug] ?? {};
      for (const name of FACTS) assert.ok(name in cell, `${slug} ${name}`);
      if (slug === 'retailer_t') continue;
      const own = await contract.record(gtin, `?retailer=${slug}`);
      assert.equal(cell['status'], 'ok', slug);
      assert.equal(cell['price'], own['current_price'], slug);
      for (const name of [
        'sold_tag',
        'estimated_sales',
        'is_best_seller',
        'pack_count',
        'hazmat',
      ]) {
        assert.equal(cell[name], own[name], `${slug} ${name}`);
      }
      assert.equal(cell['in_stock'], true);
      assert.deepEqual(cell['_freshness'], own['_freshness']);
      assert.ok(['primary', 'secondary'].includes(String(cell['_source'])), slug);
      const hasMarketplace = ['retailer_w', 'retailer_a', 'retailer_e'].includes(slug);
      assert.equal(cell['seller_context'] === null, !hasMarketplace, slug);
    }
  },
);

proves(
  'D34c',
  'a row without a listing has no facts, no tie, and no stamp until it was tried',
  async () => {
    const { isbn } = contract.world;
    await contract.record(isbn ?? '');
    const cells = await cellsOf(isbn ?? '', '&identifier_match=any');
    const { retailer_t: cell } = cells;
    assert.ok(cell !== undefined);
    assert.equal(cell['status'], 'error', 'there is no way to ask');
    for (const name of FACTS) assert.equal(cell[name], null, name);
    assert.deepEqual(cell['identity'], {
      state: 'unconfirmed',
      method: null,
      page_barcode: null,
      checked_at: null,
      disputed: null,
      note: 'The retailer did not respond, or this installation cannot search it by barcode.',
    });
    assert.deepEqual(cell['_freshness'], { refreshed_at: null });
  },
);

proves(
  'D34e',
  'an absent listing is not_found, a wall in front of everything blocked',
  async () => {
    const market = contract.sandbox.market();
    const product = market
      .listings('retailer_w')
      .find(
        (each) =>
          each.product.trouble === null &&
          each.publishedGtin === each.product.gtin14 &&
          market.listingsOf('retailer_b', each.product).length === 0,
      )?.product;
    assert.ok(product !== undefined);
    contract.sandbox.disturb('retailer_h', 'blocked');
    try {
      await contract.record(product.gtin14);
      refused(await contract.lookup(product.gtin14, '?retailer=retailer_b'), 404, 'not_found');
      const answer = await contract.lookup(product.gtin14, '?retailer=retailer_h');
      refused(answer, 503, 'upstream_unavailable');
      await contract.untilQueueIdle();
    } finally {
      contract.sandbox.disturb('retailer_h', null);
    }
    const cells = await cellsOf(product.gtin14, '&identifier_match=any');
    assert.equal(cells['retailer_b']?.['status'], 'not_found');
    assert.equal(cells['retailer_h']?.['status'], 'blocked');
    for (const slug of ['retailer_b', 'retailer_h']) {
      assert.deepEqual([cells[slug]?.['price'], cells[slug]?.['url']], [null, null]);
    }
  },
);

proves('D34e D36a', 'a wall in front of what the search found is blocked, not absent', async () => {
  const { blocked } = contract.world.retailers.retailer_b.trouble;
  assert.ok(blocked !== undefined);
  await contract.record(blocked.gtin);
  const answer = await contract.lookup(blocked.gtin, '?retailer=retailer_b');
  refused(answer, 503, 'upstream_unavailable');
  const { retailer_b: cell } = await cellsOf(blocked.gtin, '&identifier_match=any');
  assert.equal(cell?.['status'], 'blocked');
});

proves('PA-07', 'asking for cells fetches nothing', async () => {
  const { gtin } = contract.world;
  await askEach(gtin);
  await contract.untilQueueIdle();
  const asked = contract.sandbox.requestCount();
  await cellsOf(gtin);
  await cellsOf(gtin, '&identifier_match=any');
  assert.equal(contract.sandbox.requestCount(), asked);
});

/** A listing that publishes another product's barcode, requested by the code on its box. */
async function aMismatch(): Promise<{ readonly listing: MarketListing; readonly slug: KnownSlug }> {
  const market = contract.sandbox.market();
  for (const slug of ['retailer_b', 'retailer_h', 'retailer_l'] as const) {
    for (const listing of market.listings(slug).filter((each) => each.hasWrongBarcode)) {
      const { gtin14 } = listing.product;
      const others = market.listingsOf('retailer_w', listing.product);
      if (!others.some((each) => each.publishedGtin === gtin14)) continue;
      if ((await contract.lookup(gtin14)).status !== 200) continue;
      await contract.lookup(gtin14, `?retailer=${slug}`);
      return { listing, slug };
    }
  }
  return assert.fail('the market has a wrong barcode');
}

proves(
  'ID-03 CL-04 CL-05 D35b D35c D35d D39b PA-15',
  'a listing with another barcode is ok without a fact, links nowhere, and is filed under its own code',
  async () => {
    const { listing, slug } = await aMismatch();
    const { gtin14 } = listing.product;
    const cell = (await cellsOf(gtin14, '&identifier_match=any'))[slug];
    assert.equal(cell?.['status'], 'ok');
    assert.equal(at(cell, 'identity.state'), 'mismatch');
    assert.equal(at(cell, 'identity.page_barcode'), listing.publishedGtin);
    for (const name of FACTS) assert.equal(cell?.[name], null, name);
    assert.ok(!(slug in (await cellsOf(gtin14))), 'not among the confirmed');
    const record = await contract.record(gtin14);
    const links = record['retailer_links'] as readonly Record<string, unknown>[];
    assert.ok(links.every((link) => link['retailer'] !== slug));
    const own = await cellsOf(
      listing.publishedGtin ?? '',
      `&identifier_match=any&retailer=${slug}`,
    );
    assert.notEqual(at(own, `${slug}.identity.state`), 'mismatch');
  },
);

proves('PA-16', 'no confirmed cell is an empty object', async () => {
  const market = contract.sandbox.market();
  const bare = market
    .listings('retailer_w')
    .find((each) => each.publishedGtin === null && each.product.trouble === null);
  assert.ok(bare !== undefined);
  const record = await contract.record(bare.id);
  assert.equal(record['gtin'], null);
  assert.deepEqual(await cellsOf(bare.id), {});
  const { retailer_w: cell, ...others } = await cellsOf(bare.id, '&identifier_match=any');
  assert.deepEqual(others, {}, 'the row of its anchor alone');
  assert.equal(at(cell, 'identity.state'), 'unconfirmed');
  assert.ok(cell?.['price'] !== null || cell['in_stock'] === false);
});

proves(
  'PR-42 CL-01',
  'the cells of an item id, an ASIN and an address are those of the product’s own barcode',
  async () => {
    const { gtin, asin, item_id: itemId, retailers } = contract.world;
    await askEach(gtin);
    const byCode = await cellsOf(gtin);
    for (const id of [itemId, asin, retailers.retailer_h.url]) {
      assert.deepEqual(await cellsOf(id), byCode, id);
    }
    assert.deepEqual(await cellsOf(gtin, '&retailer=retailer_b'), byCode);
  },
);

proves('PA-17 EE-03', 'another word for identifier_match is a 400 that names the two', async () => {
  for (const word of ['all', 'CONFIRMED', '']) {
    const target = `?include_cross_retailer=1&identifier_match=${word}`;
    const body = refused(
      await contract.lookup(contract.world.gtin, target),
      400,
      'invalid_parameter',
    );
    assert.equal(body['parameter'], 'identifier_match');
    assert.deepEqual(body['allowed'], ['any', 'confirmed']);
  }
});

proves('CL-02 D38a', 'a cell is stale a day after it was read', async () => {
  const { gtin } = contract.world;
  await askEach(gtin);
  contract.clock.advance(DAY_MS + 60_000);
  for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, 'down');
  try {
    const { retailer_w: cell } = await cellsOf(gtin);
    assert.equal(cell?.['status'], 'stale');
    assert.ok(cell['price'] !== null, 'what is held is shown');
  } finally {
    for (const slug of KNOWN_SLUGS) contract.sandbox.disturb(slug, null);
  }
});

proves(
  'D35f ID-02',
  'the same item in another packaging is neither confirmed nor contradicted',
  async () => {
    const [each, packed] = ['00614141999996', '10614141999993'];
    const id = await storeItem(contract, '910000077', { price: null, inStock: true }, packed);
    const written = await contract.app.store.sql.write([
      {
        text: `insert into cells (gtin14, retailer, status, listing_id, identity_state,
          identity_method, page_barcode, source, checked_at_ms, asked_at_ms)
        values ($1, 'retailer_w', 'ok', $2, 'unconfirmed', null, $3, 'primary', 1, 1)`,
        params: [each, listingIdOf('retailer_w', id), packed],
      },
    ]);
    assert.ok(written.done);
    const { retailer_w: cell } = await cellsOf(each, '&identifier_match=any');
    assert.deepEqual(
      [at(cell, 'identity.state'), at(cell, 'identity.method')],
      ['unconfirmed', null],
    );
    assert.equal(at(cell, 'identity.page_barcode'), packed);
    assert.ok(!('retailer_w' in (await cellsOf(each))));
  },
);
