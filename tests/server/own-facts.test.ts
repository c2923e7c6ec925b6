// What an organization brought lies over the common facts in its own answers, and in nobody else's (D84): records, cells,
// comparisons and histories, with cold and warm caches, whoever asked before.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  listingChanges,
  storedListing,
  storeOwnFacts,
  type ListingToStore,
} from '../../src/answer/collect/storing/store-listing.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { originOf } from '../../src/base/listing/origin.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { createIsTrustedShop } from '../../src/read/retailers/addresses/trusted-shops.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';
import { createMatching } from '../../src/rules/matching/matcher.ts';
import { createMatchingLater } from '../../src/rules/matching/matching-later.ts';
import { tie } from '../../src/rules/product/identity.ts';
import { MODEL } from '../rules/matching/shipped-model.ts';
import { contextOf } from '../support/contexts.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../support/random.ts';
import { startService, type Service } from '../support/service.ts';
import { stillClock, type ShiftedClock } from '../support/shifted-clock.ts';

const NOON = Date.UTC(2026, 10, 20, 12);
const PRODUCTS = 500;
const STEPS = 1_500;
const ORGANIZATIONS = ['one', 'two', 'three', 'four', 'five'];
const SEED = seedOf(20_261_130);

type Owned = { readonly cents: number; readonly atMs: number };

const itemOf = (product: number): string => `${100_000_000 + product}`;

function gtinOf(product: number): Gtin14 {
  const body = `0061414${String(product).padStart(6, '0')}`;
  const sum = Array.from(body).reduce(
    (all, digit, at) => all + Number(digit) * (at % 2 === 0 ? 3 : 1),
    0,
  );
  return `${body}${(10 - (sum % 10)) % 10}` as Gtin14;
}

function readingOf(product: number, { cents, atMs }: Owned): ListingToStore {
  const identifier = { kind: 'item_id', value: itemOf(product), retailer: 'retailer_w' } as const;
  const url = bookOf('retailer_w').productUrl(identifier) ?? '';
  return {
    retailer: 'retailer_w',
    key: identifier.value,
    url,
    foundVia: 'native_catalog',
    source: 'primary',
    origin: originOf('retailer_w', 'page', 'page'),
    fetchedAtMs: atMs,
    listing: {
      ...EMPTY_LISTING,
      title: `Desk lamp ${product}`,
      itemId: identifier.value,
      gtin: gtinOf(product),
      price: { cents, currency: 'USD' },
      inStock: true,
      url,
    },
    notes: { missing: [], remarks: [] },
  };
}

async function storeCommon({ app }: Service, product: number, fact: Owned): Promise<void> {
  const reading = readingOf(product, fact);
  const stored = storedListing(reading);
  const gtin = gtinOf(product);
  await writeChanges(app.store.sql, [
    ...listingChanges(reading),
    {
      kind: 'barcode-answer',
      answer: {
        gtin,
        retailer: 'retailer_w',
        status: 'ok',
        listingId: stored.id,
        identity: tie(gtin, stored, true),
        source: 'primary',
        foundVia: 'native_catalog',
        checkedAtMs: fact.atMs,
        askedAtMs: fact.atMs,
        judgedBy: null,
      },
    },
  ]);
}

async function storeOwn(
  { app: { store } }: Service,
  clock: ShiftedClock,
  {
    organizationId,
    product,
    fact,
    isShared = false,
  }: {
    readonly organizationId: string;
    readonly product: number;
    readonly fact: Owned;
    readonly isShared?: boolean;
  },
): Promise<void> {
  const matching = createMatchingLater(() => Promise.resolve(createMatching(MODEL)));
  const parts = { store, clock, matching, isTrustedShop: createIsTrustedShop([]) };
  const reading = readingOf(product, fact);
  const origin = originOf('retailer_w', 'handed_in', 'handed_in');
  await storeOwnFacts(
    parts,
    { ...reading, origin, owner: { organizationId, isShared } },
    contextOf(),
  );
}

type Asked = { readonly id: string; readonly authorization: string };

const amount = (cents: number): number => cents / 100;

test('no answer depends on what another organization brought, in any order', async (t) => {
  t.diagnostic(`seed ${SEED}`);
  const random = randomFrom(SEED);
  const clock = stillClock(NOON);
  await using service = await startService({ clock });
  const common = Array.from({ length: PRODUCTS }, (_, product) => ({
    cents: 1_000 + product,
    atMs: NOON - HOUR_MS,
  }));
  for (const [product, fact] of common.entries()) await storeCommon(service, product, fact);
  const keys = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const name of ORGANIZATIONS) {
    keys.set(name, await service.newKey({ organization: name, note: null }));
    ids.set(name, (await service.app.store.accounts.findOrganization(name))?.id ?? '');
  }
  const own = new Map<string, Owned>();

  /** What an organization must be shown: its own fact if that is newer than everybody's. */
  const shownTo = (name: string, product: number) => {
    const mine = own.get(`${name} ${product}`);
    const everybodys = common[product];
    assert.ok(everybodys);
    return mine !== undefined && mine.atMs > everybodys.atMs
      ? { price: amount(mine.cents), via: 'handed_in' }
      : { price: amount(everybodys.cents), via: 'page' };
  };

  async function checkRecord(name: string, product: number, { id, authorization }: Asked) {
    const path = `/v1/products/${id}?include_cross_retailer=true`;
    const { status, body } = await service.get(path, { authorization });
    assert.equal(status, 200, JSON.stringify(body));
    const { price, via } = shownTo(name, product);
    const cell = (body['cross_retailer'] as Record<string, Record<string, unknown>>)['retailer_w'];
    const meta = body['_meta'] as Record<string, unknown>;
    assert.deepEqual(
      [body['current_price'], meta['via'], cell?.['price'], cell?.['_via']],
      [price, via, price, via],
      `${name} asks for ${id}`,
    );
    const best = body['best_price'] as Record<string, unknown> | null;
    assert.equal(best?.['price'], price, `best price for ${name}`);
  }

  async function checkComparison(name: string, product: number, { id, authorization }: Asked) {
    const { status, body } = await service.get(`/v1/products/${id}/compare`, { authorization });
    assert.equal(status, 200);
    const rows = body['rows'] as readonly Record<string, unknown>[];
    const row = rows.find((each) => each['retailer'] === 'retailer_w');
    assert.equal(row?.['price'], shownTo(name, product).price, `${name} compares ${id}`);
  }

  async function checkHistory(name: string, product: number, { id, authorization }: Asked) {
    const { status, body } = await service.get(`/v1/products/${id}/history`, { authorization });
    assert.equal(status, 200);
    const rows = body['observations'] as readonly Record<string, unknown>[];
    const brought = rows.filter((row) => row['_via'] !== undefined);
    const mine = own.get(`${name} ${product}`);
    assert.equal(brought.length > 0, mine !== undefined, `${name} sees its own series of ${id}`);
    if (mine !== undefined) assert.equal(brought[0]?.['price'], amount(mine.cents));
    const everybodys = rows.filter((row) => row['_via'] === undefined);
    assert.deepEqual(
      everybodys.map((row) => row['price']),
      [amount(common[product]?.cents ?? 0)],
    );
  }

  const checks = [checkRecord, checkRecord, checkRecord, checkComparison, checkHistory];
  for (let step = 0; step < STEPS; step += 1) {
    // A few products are asked for often, so that their answers are cached; the others once or twice.
    const product = random() < 0.7 ? integerBelow(random, 12) : integerBelow(random, PRODUCTS);
    const name = pick(random, ORGANIZATIONS);
    // The last organization never brings anything: it shares the common answers.
    if (random() < 0.08 && name !== ORGANIZATIONS.at(-1)) {
      clock.advance(1_000);
      const before = own.get(`${name} ${product}`);
      const atMs = before === undefined && random() < 0.3 ? NOON - 2 * HOUR_MS : clock.now();
      const fact = { cents: 50_000 + step, atMs };
      await storeOwn(service, clock, { organizationId: ids.get(name) ?? '', product, fact });
      own.set(`${name} ${product}`, fact);
      continue;
    }
    const id = random() < 0.5 ? gtinOf(product) : itemOf(product);
    const authorization = `Bearer ${keys.get(name)}`;
    await pick(random, checks)(name, product, { id, authorization });
  }
  assert.ok(own.size > 60, `${own.size} facts were brought`);
});

test('what a trusted key brought is unconfirmed for others, and only where they have nothing else', async () => {
  const clock = stillClock(NOON);
  await using service = await startService({ clock });
  const newKey = async (organization: string) => ({
    authorization: `Bearer ${await service.newKey({ organization, note: null })}`,
    id: (await service.app.store.accounts.findOrganization(organization))?.id ?? '',
  });
  const [bringer, reader] = [await newKey('bringer'), await newKey('reader')];
  await storeCommon(service, 1, { cents: 2_600, atMs: NOON - HOUR_MS });
  const fact = { cents: 2_400, atMs: NOON };
  const brings = { organizationId: bringer.id, fact, isShared: true };
  await storeOwn(service, clock, { ...brings, product: 1 });
  await storeOwn(service, clock, { ...brings, product: 2 });
  await storeOwn(service, clock, { ...brings, product: 3, isShared: false });
  const ask = async (product: number, { authorization }: typeof reader) => {
    const path = `/v1/products/${itemOf(product)}?include_cross_retailer=true&identifier_match=any`;
    const { status, body } = await service.get(path, { authorization });
    const cells = (body['cross_retailer'] ?? {}) as Record<string, Record<string, unknown>>;
    const identity = cells['retailer_w']?.['identity'] as Record<string, unknown> | undefined;
    return [status, body['current_price'] ?? null, identity?.['state'] ?? null];
  };
  assert.deepEqual(await ask(1, bringer), [200, 24, 'confirmed']);
  assert.deepEqual(await ask(1, reader), [200, 26, 'confirmed']);
  assert.deepEqual(await ask(2, reader), [200, 24, 'unconfirmed']);
  const { id: _, ...nobody } = reader;
  const history = await service.get(`/v1/products/${itemOf(3)}/history`, nobody);
  assert.equal(history.status, 404, 'others do not see that it exists');
});
