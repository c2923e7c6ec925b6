// Records from official APIs (D78): what an API states with an identifier is the listing, and pages only add to it.

import assert from 'node:assert/strict';

import { HOUR_MS } from '../../src/base/clock.ts';
import type { Env } from '../../src/edge/settings/read-settings.ts';
import { SANDBOX_CREDENTIALS } from '../../sandbox/tokens.ts';
import type { MarketListing } from '../../sandbox/market/market.ts';
import type { RetailerTrouble } from '../../sandbox/market/trouble-kinds.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { at, contractService, refused, type Contract } from './support/contract-service.ts';
import { one, truthAt } from './support/market.ts';
import { proves } from './support/proves.ts';

const settingsOf = (pattern: RegExp): Env =>
  Object.fromEntries(Object.entries(SANDBOX_CREDENTIALS).filter(([name]) => pattern.test(name)));

const KEYS = settingsOf(/RETAILER_(?:A_SP_|W_CLIENT_|E_|B_)/);
const PAGES_OFF = Object.fromEntries(
  ['W', 'A', 'E', 'B', 'H', 'L', 'T'].map((letter) => [
    `OPENSHELF_RETAILER_${letter}_PAGES`,
    'off',
  ]),
);

/** The market's pages answer, except those of listings with trouble. */
const contract = contractService({ env: KEYS, isAlone: true });
const pageless = contractService({ env: { ...KEYS, ...PAGES_OFF }, isAlone: true });
const withTerms = contractService({
  env: { ...KEYS, ...settingsOf(/RETAILER_A_(?:CREATORS|PARTNER)/), ...PAGES_OFF },
  hasTerms: true,
  isAlone: true,
  isStill: true,
});

/** A listing whose page fails in one way, and whose APIs do not. */
function troubled(of: Contract, slug: KnownSlug, kind: RetailerTrouble): MarketListing {
  const id = of.world.retailers[slug].trouble[kind]?.id ?? '';
  return of.sandbox.market().find(slug, id) ?? assert.fail(`${slug} has a listing with ${kind}`);
}

/** Requests since then to addresses whose host and path match, without tokens and robots.txt. */
function requestsTo(of: Contract, from: number, address: RegExp): readonly string[] {
  return of.sandbox
    .requests()
    .slice(from)
    .map(({ origin, path }) => `${origin}${path}`)
    .filter((each) => address.test(each) && !/\/token|robots\.txt/.test(each));
}

const SELLING = /sellingpartnerapi/;

proves('D78f', 'with a seller’s key alone an ASIN is a record from two requests', async () => {
  const listing = one(pageless, 'retailer_a', ({ buyBox }) => buyBox !== null);
  const from = pageless.sandbox.requests().length;
  const record = await pageless.record(listing.id, '?retailer=retailer_a');
  const { facts } = truthAt(pageless, listing, record);
  assert.deepEqual(
    [record['title'], record['brand'], record['current_price'], record['in_stock']],
    [facts['title'], facts['brand'], facts['price'], true],
  );
  assert.deepEqual(
    [record['weight_package_lbs'], at(record, '_meta.via')],
    [facts['weight_package_lbs'], 'official_api'],
  );
  const asked = requestsTo(pageless, from, SELLING).slice(0, 2);
  assert.match(asked[0] ?? '', /\/catalog\/2022-04-01\/items\?.*identifiersType=ASIN/);
  assert.match(asked[1] ?? '', /\/products\/pricing\/v0\/items\/.*\/offers/);
});

proves(
  'D78f D35a',
  'a barcode is a record from what its search stated, and its page is not read',
  async () => {
    const seen = new Set<string>();
    for (const [slug, address, count] of [
      ['retailer_a', /amazon/, 2],
      ['retailer_e', /ebay/, 2],
      ['retailer_b', /bestbuy/, 1],
    ] as const) {
      const listing = one(
        contract,
        slug,
        (view) => view.cents !== null && view.inStock && !seen.has(view.product.gtin14),
      );
      seen.add(listing.product.gtin14);
      await contract.untilQueueIdle();
      const from = contract.sandbox.requests().length;
      const record = await contract.record(listing.product.gtin14, `?retailer=${slug}`);
      assert.equal(at(record, '_meta.via'), 'official_api', slug);
      assert.ok(record['current_price'] !== null, slug);
      const asked = requestsTo(contract, from, address);
      assert.equal(asked.length, count, asked.join(' '));
      assert.deepEqual(
        asked.filter((each) => each.startsWith('https://www.')),
        [],
      );
    }
  },
);

proves('D78g', 'a page that refuses takes nothing away from what the API stated', async () => {
  for (const kind of ['blocked', 'wall_in_200'] as const) {
    const { id, product } = troubled(contract, 'retailer_a', kind);
    const record = await contract.record(id);
    assert.deepEqual([record['title'], at(record, '_meta.via')], [product.title, 'official_api']);
  }
  const { product } = troubled(contract, 'retailer_w', 'blocked');
  const from = contract.sandbox.requests().length;
  const record = await contract.record(product.gtin14, '?retailer=retailer_w');
  assert.deepEqual([record['title'], record['in_stock']], [product.title, null]);
  assert.ok(record['current_price'] !== null);
  assert.ok(
    requestsTo(contract, from, /www\.walmart/).length > 0,
    'its page was asked for the rest',
  );
});

proves(
  'D78g',
  'facts that the API lacks come from the page, next to those that it stated',
  async () => {
    const listing = one(contract, 'retailer_w', ({ cents, inStock }) => cents !== null && inStock);
    const record = await contract.record(listing.product.gtin14, '?retailer=retailer_w');
    const { facts } = truthAt(contract, listing, record);
    assert.deepEqual(
      [record['current_price'], record['in_stock'], record['seller_name'], at(record, '_meta.via')],
      [facts['price'], true, facts['seller_name'], 'official_api'],
    );
  },
);

proves(
  'D78g D36a',
  'what the API says is not there is not found, whatever its page would say',
  async () => {
    refused(await pageless.lookup('B0NOTHERE9'), 404, 'not_found');
    refused(await contract.lookup('B0NOTHERE9'), 404, 'not_found');
    const code = '614141999996';
    refused(await pageless.lookup(code, '?retailer=retailer_a'), 404, 'not_found');
  },
);

proves(
  'D78h D35a',
  'a listing is confirmed only where the answer repeats the barcode',
  async () => {
    const stateOf = async (of: Contract, slug: KnownSlug): Promise<unknown> => {
      const { product } = one(of, slug, (view) => view.cents !== null && view.inStock);
      const path = `?retailer=${slug}&include_cross_retailer=true&identifier_match=any`;
      await of.record(product.gtin14, `?retailer=${slug}`);
      const record = await of.record(product.gtin14, path);
      return at(record, `cross_retailer.${slug}.identity.state`);
    };
    assert.equal(
      await stateOf(pageless, 'retailer_w'),
      'unconfirmed',
      'its answer repeats no code',
    );
    assert.equal(await stateOf(contract, 'retailer_w'), 'confirmed', 'its page states the code');
    assert.equal(await stateOf(pageless, 'retailer_e'), 'confirmed', 'its item repeats the code');
    assert.equal(
      await stateOf(pageless, 'retailer_b'),
      'confirmed',
      'its product repeats the code',
    );
    assert.equal(await stateOf(pageless, 'retailer_a'), 'unconfirmed', 'whatever it repeats');
  },
);

proves(
  'D78i D81a',
  'what two requests state together is kept as the source’s terms say',
  async () => {
    const listing = one(withTerms, 'retailer_a', ({ buyBox }) => buyBox !== null);
    const fresh = await withTerms.record(listing.id);
    assert.ok(fresh['current_price'] !== null);
    assert.equal(fresh['withheld'], undefined);
    await withTerms.untilQueueIdle();
    withTerms.clock.advance(25 * HOUR_MS);
    const later = await withTerms.record(listing.id);
    assert.deepEqual([later['current_price'], later['title']], [null, fresh['title']]);
    assert.equal(at(later, 'withheld.source'), 'retailer_a.selling_partner');
    await withTerms.untilQueueIdle();
    const again = await withTerms.record(listing.id);
    assert.ok(again['current_price'] !== null, 'it was asked again behind the answer');
  },
);

proves(
  'D78f RF-03',
  'a barcode is refreshed by the API that found it, where nothing takes an item id',
  async () => {
    const listing = one(pageless, 'retailer_w', (view) => view.cents !== null && view.inStock);
    const { gtin14 } = listing.product;
    const first = await pageless.record(gtin14);
    assert.equal(at(first, '_meta.price_source'), 'retailer_w');
    await pageless.untilQueueIdle();
    const from = pageless.sandbox.requests().length;
    const answer = await pageless.refresh(gtin14, '?include_offers_reviews=false');
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(at(answer.body, '_meta.price_source'), 'retailer_w');
    assert.ok(requestsTo(pageless, from, /marketplace/).length > 0);
    const forced = await pageless.lookup(gtin14, '?retailer=retailer_w&force_refresh=true');
    assert.equal(forced.status, 200, JSON.stringify(forced.body));
  },
);
