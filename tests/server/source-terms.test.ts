// The terms of sources (D81): for how long what an official API stated is given, apart from what, and that it leaves the database.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  listingChanges,
  storedListing,
  type ListingToStore,
} from '../../src/answer/collect/storing/store-listing.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import type { Identifier } from '../../src/base/identifiers/parse-identifier.ts';
import type { Door } from '../../src/base/listing/origin.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import { sweepIdempotencyRecords } from '../../src/data/accounts/idempotency.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { applyTerms } from '../../src/data/maintenance/apply-terms.ts';
import { TABLES } from '../../src/data/maintenance/tables.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { startService, type Service, type ServiceOptions } from '../support/service.ts';
import { stillClock, type ShiftedClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const GTIN = '00614141000012' as Gtin14;
const ITEMS: Readonly<Partial<Record<KnownSlug, string>>> = {
  retailer_w: '100000001',
  retailer_e: '200000000001',
  retailer_b: '6500001',
};
const KINDS = {
  retailer_w: 'item_id',
  retailer_e: 'retailer_item',
  retailer_b: 'retailer_b_sku',
} as const;

type Planted = {
  readonly retailer: keyof typeof KINDS;
  readonly source: string;
  readonly door: Door;
  readonly cents: number;
  readonly atMs: number;
};

async function plant({ app }: Service, { retailer, source, door, cents, atMs }: Planted) {
  const key = ITEMS[retailer] ?? '';
  const identifier = { kind: KINDS[retailer], value: key, retailer } as Identifier;
  const url = bookOf(retailer).productUrl(identifier) ?? '';
  const reading: ListingToStore = {
    retailer,
    key,
    url,
    foundVia: 'native_catalog',
    source: 'primary',
    origin: { source: `${retailer}.${source}`, door },
    fetchedAtMs: atMs,
    listing: {
      ...EMPTY_LISTING,
      title: 'Walnut desk lamp 40 W',
      brand: 'Fjellhus',
      gtin: GTIN,
      itemId: key,
      price: { cents, currency: 'USD' },
      inStock: true,
      soldTag: '100+ sold in past month',
      url,
    },
    notes: { missing: [], remarks: [] },
  };
  const stored = storedListing(reading);
  const { history } = app.store.terms(reading.origin.source) ?? { history: true };
  await writeChanges(app.store.sql, [
    ...listingChanges(reading).filter(({ kind }) => history || kind !== 'fetched'),
    {
      kind: 'barcode-answer',
      answer: {
        gtin: GTIN,
        retailer,
        status: 'ok',
        listingId: stored.id,
        identity: tie(GTIN, stored, true),
        source: 'primary',
        origin: reading.origin,
        foundVia: 'native_catalog',
        checkedAtMs: atMs,
        askedAtMs: atMs,
        judgedBy: null,
      },
    },
  ]);
}

const PAGE: Planted = {
  retailer: 'retailer_w',
  source: 'page',
  door: 'page',
  cents: 1_909,
  atMs: NOON,
};
const BROWSE: Planted = {
  retailer: 'retailer_e',
  source: 'browse',
  door: 'official_api',
  cents: 1_700,
  atMs: NOON - HOUR_MS,
};

async function serve(
  planted: readonly Planted[],
  options: ServiceOptions = {},
): Promise<{ service: Service; clock: ShiftedClock }> {
  const clock = stillClock(NOON);
  const service = await startService({ clock, hasTerms: true, ...options });
  for (const each of planted) await plant(service, each);
  return { service, clock };
}

const withCells = `/v1/products/${GTIN}?include_cross_retailer=true&identifier_match=any`;

type Body = Record<string, unknown>;

const cellOf = (body: Body, slug: string): Body =>
  (body['cross_retailer'] as Record<string, Body>)[slug] ?? {};

test('what Browse states is shown apart for six hours, and then withheld while the record stays', async () => {
  const { service, clock } = await serve([PAGE, BROWSE]);
  await using _ = service;
  // The first answer names the retailers that were not asked yet.
  await service.get(withCells);
  await service.untilQueueIdle();
  const fresh = (await service.get(withCells)).body;
  const cell = cellOf(fresh, 'retailer_e');
  assert.deepEqual([cell['price'], cell['status'], cell['withheld']], [17, 'ok', undefined]);
  assert.equal((fresh['best_price'] as Body)['price'], 19.09, 'Browse wins nothing');
  const links = fresh['retailer_links'] as readonly Body[];
  assert.deepEqual(
    new Set(links.map(({ retailer }) => retailer)),
    new Set(['retailer_e', 'retailer_w']),
  );
  const compared = (await service.get(`/v1/products/${GTIN}/compare?cost=5`)).body;
  const slugs = (rows: unknown) => (rows as readonly Body[]).map(({ retailer }) => retailer);
  assert.ok(!slugs(compared['rows']).includes('retailer_e'));
  assert.deepEqual(slugs(compared['apart']), ['retailer_e']);
  const [apart] = compared['apart'] as readonly Body[];
  assert.deepEqual([apart?.['price'], apart?.['break_even_price']], [17, null]);

  clock.advance(7 * HOUR_MS);
  const later = (await service.get(withCells)).body;
  const withheld = cellOf(later, 'retailer_e');
  assert.deepEqual(
    [withheld['status'], withheld['price'], withheld['in_stock'], withheld['sold_tag']],
    ['stale', null, null, null],
  );
  assert.deepEqual(withheld['withheld'], {
    source: 'retailer_e.browse',
    reason: 'terms',
    fields: ['price', 'in_stock', 'sold_tag', 'estimated_sales', 'seller_context'],
  });
  assert.equal(withheld['url'], cell['url']);
  assert.deepEqual((withheld['identity'] as Body)['state'], 'confirmed');
  const { cross_retailer: _a, tokens_remaining: _b, ...before } = fresh;
  const { cross_retailer: _c, tokens_remaining: _d, ...after } = later;
  assert.deepEqual(after, before, 'the record does not change');
});

test('a permission of the operator is applied, field by field, and shown', async () => {
  const env = { OPENSHELF_TERMS: 'retailer_e.browse:merge=yes,history=yes,price_hours=24' };
  const { service, clock } = await serve([PAGE, BROWSE], { env });
  await using _ = service;
  clock.advance(7 * HOUR_MS);
  const { body } = await service.get(withCells);
  assert.equal(cellOf(body, 'retailer_e')['price'], 17);
  assert.equal((body['best_price'] as Body)['price'], 17);
  const { retailers } = (await service.get('/v1/retailers')).body as { retailers: readonly Body[] };
  const termsOf = (slug: string, name: string): Body | undefined => {
    const state = retailers.find(({ retailer }) => retailer === slug);
    const source = ((state?.['sources'] ?? []) as readonly Body[]).find(
      (each) => each['name'] === name,
    );
    return source?.['terms'] as Body | undefined;
  };
  const browse = termsOf('retailer_e', 'browse');
  assert.deepEqual(
    [
      browse?.['price_hours'],
      browse?.['merge'],
      browse?.['history'],
      browse?.['alerts'],
      browse?.['by'],
    ],
    [24, 'yes', true, false, 'operator'],
  );
  assert.equal(termsOf('retailer_b', 'products')?.['by'], 'default');
  assert.equal(termsOf('retailer_e', 'page'), undefined);
});

test('a barcode that only Browse ties is its record alone, without a history', async () => {
  const { service } = await serve([BROWSE]);
  await using _ = service;
  for (const path of [
    `/v1/products/${GTIN}?retailer=retailer_e&include_stats=true`,
    `/v1/products/${encodeURIComponent(bookOf('retailer_e').productUrl({ kind: 'retailer_item', value: ITEMS.retailer_e ?? '', retailer: 'retailer_e' }) ?? '')}`,
  ]) {
    const { status, body } = await service.get(path);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body['current_price'], 17);
    assert.equal((body['_meta'] as Body)['via'], 'official_api');
    assert.deepEqual((body['stats'] as Body)['windows'], null);
    assert.deepEqual((body['stats'] as Body)['withheld'], {
      source: 'retailer_e.browse',
      reason: 'terms',
      fields: ['windows'],
    });
  }
  const { status, body } = await service.get(`/v1/products/${GTIN}/history?retailer=retailer_e`);
  assert.equal(status, 200);
  assert.deepEqual(body['observations'], []);
  assert.equal((body['withheld'] as Body)['source'], 'retailer_e.browse');
});

test('an affiliate key gives prices for a day, no windows, and a series that costs nothing', async () => {
  const affiliate = { ...PAGE, source: 'affiliate', door: 'official_api' } as const;
  const { service, clock } = await serve([affiliate]);
  await using _ = service;
  const path = `/v1/products/${ITEMS.retailer_w}?include_price_series=true`;
  const { body } = await service.get(path);
  assert.deepEqual([body['current_price'], body['tokens_consumed']], [19.09, 1]);
  assert.deepEqual((body['stats'] as Body)['windows'], null);
  clock.advance(25 * HOUR_MS);
  const later = (await service.get(path)).body;
  assert.equal(later['current_price'], null);
  assert.equal(later['title'], body['title'], 'the rest has no limit');
  assert.ok(((later['withheld'] as Body)['fields'] as readonly string[]).includes('current_price'));
});

test('a page that was read before may be given when the API is not', async () => {
  const page = {
    ...BROWSE,
    source: 'page',
    door: 'page',
    cents: 1_850,
    atMs: NOON - 2 * HOUR_MS,
  } as const;
  const { service, clock } = await serve([PAGE, page, BROWSE]);
  await using _ = service;
  assert.equal(cellOf((await service.get(withCells)).body, 'retailer_e')['price'], 17);
  clock.advance(7 * HOUR_MS);
  const cell = cellOf((await service.get(withCells)).body, 'retailer_e');
  assert.deepEqual([cell['price'], cell['_via'], cell['withheld']], [18.5, 'page', undefined]);
});

test('a watch is refused where only sources without alerts can be asked', async () => {
  const credentials = {
    OPENSHELF_RETAILER_E_CLIENT_ID: 'id-of-an-application',
    OPENSHELF_RETAILER_E_CLIENT_SECRET: 'secret-of-an-application',
  };
  const watch = async (service: Service, retailer: string) => {
    const response = await fetch(`${service.url}/v1/watches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier: GTIN, retailer, below: 10 }),
    });
    return { status: response.status, body: (await response.json()) as Body };
  };
  const pageless = { ...credentials, OPENSHELF_RETAILER_E_PAGES: 'off' };
  {
    const { service } = await serve([PAGE, BROWSE], { env: pageless });
    await using _ = service;
    const { status, body } = await watch(service, 'retailer_e');
    assert.deepEqual([status, body['code']], [422, 'source_unusable']);
    assert.match(String(body['detail']), /retailer_e\.browse .* do not allow price alerts/);
    assert.equal((await watch(service, 'retailer_w')).status, 200);
  }
  const { service } = await serve([PAGE, BROWSE], { env: credentials });
  await using _ = service;
  assert.equal((await watch(service, 'retailer_e')).status, 200, 'its pages can be watched');
});

test('what may not be kept leaves every table, and no replay brings it back', async () => {
  const { service, clock } = await serve([PAGE, BROWSE]);
  await using _ = service;
  const { store } = service.app;
  const headers = { 'idempotency-key': 'once' };
  const first = await service.get(withCells, {
    authorization: `Bearer ${service.key}`,
    ...headers,
  });
  assert.match(JSON.stringify(first.body), /"price":17\b/);
  const places = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for (const { name } of TABLES) {
      const rows = await store.sql.all(`select * from ${name}`);
      if (
        rows.some((row) =>
          /"cents":1700|"price":17[,}]|":1700[,}]/.test(JSON.stringify(row).replaceAll('\\"', '"')),
        )
      )
        found.push(name);
    }
    return found;
  };
  assert.deepEqual(await places(), ['idempotency_keys', 'listings']);
  clock.advance(7 * HOUR_MS);
  await applyTerms(store.sql, store.terms, clock.now());
  await sweepIdempotencyRecords(store.sql, clock.now());
  const again = await service.get(withCells, {
    authorization: `Bearer ${service.key}`,
    ...headers,
  });
  assert.equal(cellOf(again.body, 'retailer_e')['price'], null);
  assert.deepEqual(await places(), []);
  clock.advance(24 * HOUR_MS);
  await applyTerms(store.sql, store.terms, clock.now());
  const rows = await store.sql.all("select id from listings where source = 'retailer_e.browse'");
  assert.deepEqual(rows, [], 'after a day nothing of it is left');
});
