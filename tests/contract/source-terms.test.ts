// Answers where sources have terms (D81): what is withheld, shown apart or with a sentence, and what the list of retailers says.

import assert from 'node:assert/strict';

import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import {
  listingChanges,
  type ListingToStore,
} from '../../src/answer/collect/storing/store-listing.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import { markOwnFacts } from '../../src/data/accounts/organizations.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { EMPTY_LISTING, type Listing } from '../../src/base/listing/listing.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { contractService, type Contract } from './support/contract-service.ts';
import { appendPast } from './support/past.ts';
import { hold } from './support/store-item.ts';
import { proves } from './support/proves.ts';

/** As one operator has them: the catalogue may be shown, apart from the others, and the affiliate programme gives prices alone. */
const terms =
  'retailer_a.creators:merge=isolated;retailer_w.affiliate:price_hours=24,identity_hours=48';
const contract = contractService({
  hasTerms: true,
  isStill: true,
  env: { OPENSHELF_TERMS: terms },
});
/** Only the API of retailer_e is asked, and its terms allow no alerts. */
const pageless = {
  OPENSHELF_RETAILER_E_CLIENT_ID: 'id-of-an-application',
  OPENSHELF_RETAILER_E_CLIENT_SECRET: 'secret-of-an-application',
  OPENSHELF_RETAILER_E_PAGES: 'off',
};
const usual = contractService({ hasTerms: true, isStill: true, env: pageless });

type Body = Record<string, unknown>;

const LAMP: Partial<Listing> = {
  title: 'Orrin LK400 Desk Lamp, Matte Black, Pack of 2',
  brand: 'Orrin',
  model: 'LK400',
  packCount: 2,
  inStock: true,
  categories: ['Home', 'Kitchen'],
  weightLbs: 2,
  dimensions: { lengthIn: 10, widthIn: 8, heightIn: 6 },
};

const CREATORS = { source: 'retailer_a.creators', door: 'official_api' } as const;
const NOTICE = 'Prices are as of the time shown with them and may have changed since.';

let made = 0;

type Held = readonly [retailer: KnownSlug, source: string, facts: Partial<Listing>];

/** Stores a product of which official APIs stated these facts just now; returns its barcode and the key of its listings. */
async function stated(
  of: Contract,
  ...held: readonly Held[]
): Promise<{ gtin: string; key: string }> {
  made += 1;
  const body = `0061414188${String(made).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  const key = `${8_800_000 + made}`;
  for (const [retailer, source, facts] of held) {
    const origin = { source: `${retailer}.${source}`, door: 'official_api' } as const;
    await hold(of, { retailer, key, gtin, origin }, { ...LAMP, ...facts });
  }
  return { gtin, key };
}

const usd = (cents: number) => ({ cents, currency: 'USD' });
const bodyAt = (body: unknown, name: string): Body => (body as Record<string, Body>)[name] ?? {};

proves(
  'D81a',
  'a record says what the terms of its source withhold, and shows their notice',
  async () => {
    const priced = { price: usd(1_909) };
    const { key } = await stated(contract, [
      'retailer_w',
      'affiliate',
      { ...priced, itemId: '8800001' },
    ]);
    const fresh = await contract.record(key, '?include_price_series=true');
    assert.deepEqual([fresh['current_price'], fresh['withheld']], [19.09, undefined]);
    for (const part of ['stats', 'price_history']) {
      const { source, reason } = bodyAt(bodyAt(fresh, part), 'withheld');
      assert.deepEqual([source, reason], ['retailer_w.affiliate', 'terms'], part);
    }
    const history = await contract.ok(`/v1/products/${key}/history`);
    assert.deepEqual(history['observations'], []);
    assert.equal(bodyAt(history, 'withheld')['source'], 'retailer_w.affiliate');
    contract.clock.advance(25 * HOUR_MS);
    const later = await contract.record(key);
    assert.deepEqual([later['current_price'], later['title']], [null, fresh['title']]);
    const { fields } = bodyAt(later, 'withheld') as { fields?: readonly string[] };
    assert.ok(fields?.includes('current_price'));
    const asin = 'B000000001';
    const from = { retailer: 'retailer_a', key: asin, origin: CREATORS } as const;
    await hold(contract, from, { ...LAMP, ...priced, asin });
    const record = await contract.record(asin);
    assert.deepEqual([record['current_price'], record['notice']], [19.09, NOTICE]);
  },
);

proves(
  'D81a D29f',
  'a series of bars that another retailer allows is given, and nothing of it said to be withheld',
  async () => {
    const { gtin, key } = await stated(usual, ['retailer_b', 'products', { price: usd(2_100) }]);
    const item = { retailer: 'retailer_w', key, gtin } as const;
    await hold(usual, item, { ...LAMP, itemId: key, price: usd(2_000) });
    await appendPast(usual, 'retailer_w', key, [[1, 2_000, true]]);
    const { origins } = usual.sandbox.market();
    const address = `${origins.retailer_b.page}/site/lamp/${key}.p`;
    const record = await usual.record(address, '?include_price_series=true');
    assert.equal(bodyAt(record, '_meta')['price_source'], 'retailer_b');
    assert.equal(bodyAt(record, '_meta')['series_source'], 'retailer_w');
    const history = bodyAt(record, 'price_history');
    assert.equal((history['series'] as readonly unknown[]).length, 1);
    assert.deepEqual(bodyAt(history, 'withheld')['fields'], [
      'first_observed_date',
      'last_observed_date',
    ]);
    assert.equal(record['tokens_consumed'], 11);
  },
);

proves(
  'D81b',
  'a row that may not be merged is compared apart, with all that it costs',
  async () => {
    const { gtin } = await stated(
      contract,
      ['retailer_w', 'marketplace', { packCount: 1, price: usd(3_000) }],
      ['retailer_a', 'creators', { price: usd(5_995) }],
      ['retailer_e', 'browse', { price: { cents: 4_900, currency: 'EUR' } }],
    );
    const path = `/v1/products/${gtin}/compare?cost=5&roi=30&currency=USD`;
    const compared = await contract.ok(path);
    const apart = compared['apart'] as readonly Body[];
    const [creators, browse] = apart;
    assert.deepEqual(
      apart.map(({ retailer }) => retailer),
      ['retailer_a', 'retailer_e'],
    );
    assert.deepEqual([creators?.['price'], creators?.['cost_factor']], [59.95, 2]);
    assert.equal(creators?.['notice'], NOTICE);
    assert.equal(typeof creators?.['profit'], 'number');
    assert.equal(creators?.['break_even_price'], null, 'it is not compared with another price');
    assert.deepEqual(browse?.['native_price'], { amount: 49, currency: 'EUR' });
    contract.clock.advance(23 * HOUR_MS);
    const later = (await contract.ok(path))['apart'] as readonly Body[];
    assert.equal(later[1]?.['price'], null);
    assert.deepEqual(bodyAt(later[1], 'withheld')['fields'], ['price', 'in_stock']);
  },
);

proves('D81c', 'a cell without its price names the source whose terms withhold it', async () => {
  const { gtin } = await stated(
    usual,
    ['retailer_w', 'marketplace', { price: usd(1_909) }],
    ['retailer_a', 'creators', { price: usd(1_700) }],
    ['retailer_b', 'products', { price: usd(1_800) }],
  );
  const query = '?include_cross_retailer=true&identifier_match=any';
  const cells = bodyAt(await usual.record(gtin, query), 'cross_retailer');
  assert.deepEqual(bodyAt(cells, 'retailer_a')['notice'], NOTICE);
  usual.clock.advance(73 * HOUR_MS);
  const later = bodyAt(await usual.record(gtin, query), 'cross_retailer');
  const { source, fields } = bodyAt(bodyAt(later, 'retailer_b'), 'withheld');
  assert.equal(source, 'retailer_b.products');
  assert.ok((fields as readonly string[]).includes('price'));
  const { rows } = await usual.ok(`/v1/products/${gtin}/compare`);
  const row = (rows as readonly Body[]).find(({ retailer }) => retailer === 'retailer_b');
  assert.equal(bodyAt(row, 'withheld')['source'], 'retailer_b.products');
  const merged = (rows as readonly Body[]).find(({ retailer }) => retailer === 'retailer_a');
  assert.equal(merged?.['notice'], NOTICE);
});

proves(
  'D81d',
  'the list of retailers states the terms of each source, and who set them',
  async () => {
    const { retailers } = await contract.ok('/v1/retailers');
    const all = (retailers as readonly Body[]).flatMap(({ retailer, sources }) =>
      (sources as readonly Body[]).map(
        ({ name, terms }) => [`${String(retailer)}.${String(name)}`, terms] as const,
      ),
    );
    const termsOf = new Map(all) as ReadonlyMap<string, Body | undefined>;
    const creators = termsOf.get('retailer_a.creators');
    assert.deepEqual(
      [creators?.['merge'], creators?.['price_hours'], creators?.['by'], creators?.['notice']],
      ['isolated', 24, 'operator', NOTICE],
    );
    assert.equal(termsOf.get('retailer_w.marketplace')?.['by'], 'default');
    assert.equal(termsOf.get('retailer_w.page'), undefined);
  },
);

proves('D81f', 'a watch of several retailers names those that terms keep from it', async () => {
  const left = [{ retailer: 'retailer_e', source: 'retailer_e.browse', reason: 'terms' }];
  const { gtin } = await stated(usual, ['retailer_w', 'marketplace', { price: usd(1_909) }]);
  const json = (method: string, body: object) => ({
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const wanted = json('POST', { identifier: gtin, retailer: 'any', below: 15 });
  const { watch } = await usual.ok('/v1/watches', wanted);
  const path = `/v1/watches/${String(bodyAt({ watch }, 'watch')['id'])}`;
  const [listed] = (await usual.ok('/v1/watches'))['watches'] as readonly Body[];
  const shown = [
    watch,
    listed,
    (await usual.ok(path))['watch'],
    (await usual.ok(path, json('PATCH', { below: 14 })))['watch'],
    (await usual.ok(`${path}/test`, { method: 'POST' }))['watch'],
  ];
  for (const each of shown) assert.deepEqual((each as Body)['not_watched'], left);
  const other = json('PATCH', { retailer: 'retailer_w' });
  const moved = (await usual.ok(path, other))['watch'] as Body;
  assert.equal(moved['not_watched'], undefined, 'one retailer, and it can be watched');
});

proves(
  'D84a',
  "an organization's own observations are rows of their own in its history alone",
  async () => {
    const { gtin, key } = await stated(contract, [
      'retailer_w',
      'marketplace',
      { price: usd(1_909) },
    ]);
    const { accounts, sql } = contract.app.store;
    const authorization = `Bearer ${await contract.newKey({ organization: 'theirs', note: null })}`;
    const organization = await accounts.findOrganization('theirs');
    const organizationId = organization?.id ?? assert.fail('it was just made');
    const brought: ListingToStore = {
      retailer: 'retailer_w',
      key,
      url: `${contract.sandbox.market().origins.retailer_w.page}/ip/${key}`,
      foundVia: 'native_catalog',
      source: 'primary',
      origin: { source: 'retailer_w.handed_in', door: 'handed_in' },
      owner: { organizationId, isShared: false },
      fetchedAtMs: contract.clock.now(),
      listing: { ...EMPTY_LISTING, ...LAMP, gtin: gtin as Gtin14, price: usd(1_500) },
      notes: { missing: [], remarks: [] },
    };
    await markOwnFacts(sql, organizationId);
    accounts.noteChange();
    assert.ok((await writeChanges(sql, listingChanges(brought))).done);
    const path = `/v1/products/${key}/history`;
    const theirs = await contract.ok(path, { headers: { authorization } });
    const rows = theirs['observations'] as readonly Body[];
    assert.deepEqual(
      rows.map(({ price, _via: via }) => [price, via]),
      [[15, 'handed_in']],
    );
    assert.deepEqual((await contract.ok(path))['observations'], []);
  },
);
