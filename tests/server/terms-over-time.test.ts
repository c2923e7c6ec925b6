// A clock passes every limit that sources have (D81), over a store in which each of them has stated a product: what its terms do not
// allow is in no answer from the moment on at which they end, and after housekeeping in no table and no backup; all else is given.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  listingChanges,
  storedListing,
  type ListingToStore,
} from '../../src/answer/collect/storing/store-listing.ts';
import { storeRead } from '../../src/answer/collect/storing/store-read.ts';
import { dayOf, HOUR_MS } from '../../src/base/clock.ts';
import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import type { Identifier } from '../../src/base/identifiers/parse-identifier.ts';
import { EMPTY_OFFER } from '../../src/base/listing/offer.ts';
import { EMPTY_SELLER } from '../../src/base/listing/seller.ts';
import { type AnswerChange } from '../../src/data/answers/answer-writes.ts';
import { readStoredHistory } from '../../src/data/history/imported-history.ts';
import { applyTerms } from '../../src/data/maintenance/apply-terms.ts';
import { TABLES } from '../../src/data/maintenance/tables.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';
import { createIsTrustedShop } from '../../src/read/retailers/addresses/trusted-shops.ts';
import { createMatching } from '../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../src/rules/matching/matching-later.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { TERMS_SOURCES, type Terms } from '../../src/rules/terms/profiles.ts';
import { MODEL } from '../rules/matching/shipped-model.ts';
import { contextOf } from '../support/contexts.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);

/** The operator may watch what the product catalogue states, so that a limit of hours and alerts meet. */
const PERMISSION = 'retailer_b.products:history=yes,alerts=yes';

const KINDS = {
  retailer_a: ['asin', (at: number) => `B00000000${at}`],
  retailer_w: ['item_id', (at: number) => `10000000${at}`],
  retailer_e: ['retailer_item', (at: number) => `20000000000${at}`],
  retailer_b: ['retailer_b_sku', (at: number) => `650000${at}`],
} as const;

/** A product that one source stated, with a title and amounts that nothing else has. */
type Planted = {
  readonly source: string;
  readonly retailer: keyof typeof KINDS;
  readonly gtin: Gtin14;
  readonly key: string;
  readonly url: string;
  readonly title: string;
  readonly cents: number;
};

const PLANTED = TERMS_SOURCES.map((source, at): Planted => {
  const retailer = source.slice(0, source.indexOf('.')) as keyof typeof KINDS;
  const [kind, keyOf] = KINDS[retailer];
  const key = keyOf(at);
  const body = `0061414189${String(at).padStart(3, '0')}`;
  return {
    source,
    retailer,
    gtin: `${body}${gs1CheckDigit(body)}` as Gtin14,
    key,
    url: bookOf(retailer).productUrl({ kind, value: key, retailer } as Identifier) ?? '',
    title: `Lamp planted by ${source}`,
    cents: 710_311 + at * 1_010,
  };
});

/** Whether a text has an amount that the source stated, in units or minor units. The digits of a random id are not an amount. */
function hasAmount(text: string, { cents }: Planted): boolean {
  return [cents, cents + 1].some((each) =>
    new RegExp(`(?<![\\w.])(?:${each}|${String(each / 100).replace('.', '\\.')})(?!\\w)`).test(
      text,
    ),
  );
}

/** Stores a reading as a fetch does, with the changes that only a whole page or list would have. */
async function read(
  service: Service,
  planted: Planted,
  atMs: number,
  cents: number,
): Promise<void> {
  const { app } = service;
  const { source, retailer, gtin, key, url, title } = planted;
  const origin = { source, door: 'official_api' } as const;
  const price = { cents, currency: 'USD' };
  const reading: ListingToStore = {
    retailer,
    key,
    url,
    foundVia: 'native_catalog',
    source: 'primary',
    origin,
    fetchedAtMs: atMs,
    listing: {
      ...EMPTY_LISTING,
      title,
      brand: 'Fjellhus',
      gtin,
      ...(retailer === 'retailer_w' ? { itemId: key } : {}),
      ...(retailer === 'retailer_a' ? { asin: key } : {}),
      price,
      inStock: true,
      url,
      imageUrl: `https://pictures.example.com/${encodeURIComponent(source)}.jpg`,
    },
    notes: { missing: [], remarks: [] },
  };
  const stored = storedListing(reading);
  const { history } = app.store.terms(source) ?? { history: true };
  const answer = {
    gtin,
    retailer,
    status: 'ok',
    listingId: stored.id,
    identity: tie(gtin, stored, true),
    source: 'primary',
    origin,
    foundVia: 'native_catalog',
    checkedAtMs: atMs,
    askedAtMs: atMs,
    judgedBy: null,
  } as const;
  const offer = { ...EMPTY_OFFER, offerId: `offer of ${source}`, sellerName: title, price };
  const review = { id: source, day: dayOf(atMs), rating: 5, title, text: title, author: null };
  const archived: AnswerChange = {
    kind: 'archived-offers',
    listingId: stored.id,
    offers: [{ offer, place: 0, beforeCents: null }],
    observedAtMs: atMs,
    isPartial: false,
    origin,
  };
  const ofRetailerW: readonly AnswerChange[] = [
    {
      kind: 'reviews',
      itemId: key,
      reviews: [{ ...review, isVerifiedPurchase: null }],
      seenAtMs: atMs,
      origin,
    },
    {
      kind: 'seller',
      seller: { hexId: null, catalogId: key, type: null },
      seenAtMs: atMs,
      offer: { source },
    },
    {
      kind: 'seller-profile',
      seller: { hexId: null, catalogId: key, type: null },
      profile: { ...EMPTY_SELLER, catalogSellerId: key, name: title },
      fetchedAtMs: atMs,
      origin,
    },
  ];
  const changes: readonly AnswerChange[] = [
    ...listingChanges(reading),
    { kind: 'barcode-answer', answer },
    {
      kind: 'offer-list',
      listingId: stored.id,
      list: { fetchedAtMs: atMs, offersCount: 1, origin },
    },
    ...(history ? [archived] : []),
    ...(retailer === 'retailer_w' ? ofRetailerW : []),
  ];
  const matching = createMatchingLater(() => Promise.resolve(createMatching(MODEL)));
  const { store } = app;
  const parts = {
    store,
    clock: { now: () => atMs, sleep: () => Promise.resolve() },
    matching,
    isTrustedShop: createIsTrustedShop([]),
  };
  const written = await storeRead(parts, { stored, gtin, changes, alongside: [] }, contextOf());
  assert.ok(written.done);
}

/** What the terms allow at a moment so long after the reading. */
function allowed({ priceHours, identityHours, history, alerts }: Terms, hours: number) {
  const facts = identityHours === null || hours < identityHours;
  const sale = facts && (priceHours === null || hours < priceHours);
  return { facts, sale, series: facts && history, alerts: facts && alerts };
}

test('no answer, table or file has what the terms of a source do not allow, at any of their limits', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({
    clock,
    hasTerms: true,
    env: { OPENSHELF_TERMS: PERMISSION },
  });
  const { store } = service.app;
  const headers = { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' };
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(`${service.url}${path}`, { method, headers, ...sent });
    return await response.text();
  };
  const watches = new Map<string, string>();
  for (const planted of PLANTED) {
    await read(service, planted, NOON - HOUR_MS, planted.cents);
    if (store.terms(planted.source)?.alerts !== true) continue;
    const { gtin: identifier, retailer } = planted;
    const made = await send('POST', '/v1/watches', { identifier, retailer, any_change: true });
    const { watch } = JSON.parse(made) as { watch: { id: string } };
    watches.set(planted.source, watch.id);
    await read(service, planted, NOON - HOUR_MS / 2, planted.cents);
  }
  clock.set(NOON);
  for (const planted of PLANTED) await read(service, planted, NOON, planted.cents + 1);

  async function checkAnswers(planted: Planted, hours: number): Promise<void> {
    const { source, retailer, gtin, key, url, title } = planted;
    const inForce = store.terms(source);
    assert.ok(inForce);
    const may = allowed(inForce, hours);
    const at = `${source} after ${hours} h`;
    const all =
      'include_cross_retailer=true&identifier_match=any&include_price_series=true&include_offers_history=true';
    const record = await send('GET', `/v1/products/${gtin}?retailer=${retailer}&${all}`);
    const { current_price: price } = JSON.parse(record) as { current_price?: number | null };
    assert.equal(price ?? null, may.sale ? (planted.cents + 1) / 100 : null, `${at}: ${record}`);
    assert.equal(record.includes(title), may.facts, `${at}: title in ${record}`);
    const salePaths = {
      record,
      'record of the address': await send('GET', `/v1/products/${encodeURIComponent(url)}?${all}`),
      batch: await send('POST', '/v1/products/batch', {
        ids: [gtin],
        include_cross_retailer: true,
      }),
      comparison: await send('GET', `/v1/products/${gtin}/compare?cost=5`),
      reviews: await send('GET', `/v1/products/${key}/reviews`),
      seller: await send('GET', `/v1/sellers/${key}`),
    };
    for (const [name, text] of Object.entries(salePaths)) {
      if (!may.facts) assert.ok(!text.includes(title), `${at}: ${name} has the title: ${text}`);
      if (!may.sale && !may.series) assert.ok(!hasAmount(text, planted), `${at}: ${name}: ${text}`);
    }
    for (const which of [retailer, 'all']) {
      const text = await send(
        'GET',
        `/v1/products/${gtin}/history?retailer=${which}&timeframe=all`,
      );
      assert.equal(hasAmount(text, planted), may.series, `${at}: history of ${which}: ${text}`);
    }
    const id = watches.get(source);
    if (id === undefined) return;
    const watch = await send('GET', `/v1/watches/${id}`);
    assert.equal(hasAmount(watch, planted), may.alerts, `${at}: ${watch}`);
    const changes = await send('GET', '/v1/changes?cursor=0');
    // Changes and notices also leave with age alone.
    const isAgeless = !may.alerts || hours < 30 * 24;
    if (isAgeless) assert.equal(hasAmount(changes, planted), may.alerts, `${at}: ${changes}`);
  }

  async function checkFiles(hours: number): Promise<void> {
    let exported = '';
    for await (const page of readStoredHistory(store.sql, undefined, {
      terms: store.terms,
      now: clock.now,
    })) {
      exported += JSON.stringify(page);
    }
    for (const planted of PLANTED) {
      const inForce = store.terms(planted.source);
      assert.ok(inForce);
      const { series } = allowed(inForce, hours);
      const isExported = hasAmount(exported, planted);
      assert.equal(isExported, series && inForce.export, `${planted.source} after ${hours} h`);
    }
  }

  /** What a backup made now would have. */
  async function checkTables(hours: number): Promise<void> {
    const offering = await store.sql.all('select offered_by from sellers');
    for (const { source, retailer } of PLANTED) {
      const inForce = store.terms(source);
      assert.ok(inForce);
      const isOffering = offering.some((row) => row['offered_by'] === source);
      const isKept = retailer === 'retailer_w' && allowed(inForce, hours).sale;
      assert.equal(isOffering, isKept, `offer of ${source} after ${hours} h`);
    }
    for (const { name } of TABLES) {
      const rows = (await store.sql.all(`select * from ${name}`)).map((row) => JSON.stringify(row));
      for (const planted of PLANTED) {
        const inForce = store.terms(planted.source);
        assert.ok(inForce);
        const may = allowed(inForce, hours);
        const found = rows.filter((row) => hasAmount(row, planted) || row.includes(planted.title));
        const [amount] = found.filter((row) => hasAmount(row, planted));
        const at = `${name} has of ${planted.source} after ${hours} h`;
        if (!may.facts) assert.deepEqual(found, [], at);
        else if (!may.sale && !may.series) assert.equal(amount, undefined, at);
      }
    }
  }

  const HOURS = [0, 5.9, 6, 23.9, 24, 71.9, 72, 548 * 24 - 1, 548 * 24];
  for (const hours of HOURS) {
    clock.set(NOON + hours * HOUR_MS);
    for (const planted of PLANTED) await checkAnswers(planted, hours);
    await checkFiles(hours);
    await applyTerms(store.sql, store.terms, clock.now());
    await checkTables(hours);
    for (const planted of PLANTED) await checkAnswers(planted, hours);
    await checkFiles(hours);
  }
});
