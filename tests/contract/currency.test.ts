// Answers in another currency than dollars (D87): what is shown, what counts, and what stays in dollars.

import assert from 'node:assert/strict';

import { gs1CheckDigit } from '../../src/base/identifiers/check-digit.ts';
import { DAY_MS } from '../../src/base/clock.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import { decimalsOf, type Money } from '../../src/base/listing/money/minor-units.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import { listingIdOf } from '../../src/data/answers/listings.ts';
import { pick, randomFrom, seedOf } from '../support/random.ts';
import { compactSlice } from '../support/compact-slice.ts';
import {
  at,
  contractService,
  productPath,
  refused,
  type Contract,
} from './support/contract-service.ts';
import { OWN_SHOP, productPage } from './support/own-shop.ts';
import { hold } from './support/store-item.ts';
import { proves } from './support/proves.ts';

const offer = { price: '70.00', priceCurrency: 'EUR' };
const PRODUCT = { name: 'Orrin Desk Lamp LK70', sku: 'LK70' };
const pages = {
  '/lamp': productPage(PRODUCT, offer),
  '/watched': productPage(PRODUCT, { ...offer, price: '75.00' }),
};
const contract = contractService({ pages });
const european = contractService({ env: { OPENSHELF_CURRENCY: 'eur' } });

const PAGE = `${OWN_SHOP}/lamp`;
const LAMP: Partial<Listing> = {
  title: 'Orrin LK400 Desk Lamp, Matte Black',
  brand: 'Orrin',
  model: 'LK400',
  inStock: true,
};

const money = (cents: number, currency: string): Money => ({ cents, currency });

let made = 0;

/** Stores a product at these retailers; returns its barcode and the key of each listing. */
async function lampAt(
  of: Contract,
  stored: readonly (readonly [KnownSlug, Partial<Listing>])[],
): Promise<{ readonly gtin: string; readonly key: string }> {
  made += 1;
  const body = `0061414187${String(made).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  const key = `${8_700_000 + made}`;
  for (const [retailer, facts] of stored) {
    await hold(of, { retailer, key, gtin }, { ...LAMP, ...facts });
  }
  return { gtin, key };
}

type Seen = readonly [daysAgo: number, price: Money | null];

/** Stores observations of a listing, each at noon. */
async function seenAt(
  { app, clock }: Contract,
  [retailer, key]: readonly [KnownSlug, string],
  past: readonly Seen[],
): Promise<void> {
  const today = Math.floor(clock.now() / DAY_MS) * DAY_MS;
  const changes = past.map(([daysAgo, price]) => {
    const observedAtMs = today - daysAgo * DAY_MS + DAY_MS / 3;
    const observation = {
      listingId: listingIdOf(retailer, key),
      observedAtMs,
      price,
      inStock: true,
    };
    return { kind: 'observation', observation } as const;
  });
  assert.ok((await writeChanges(app.store.sql, changes)).done);
}

/** A product with 20 USD at retailer_w and 19 EUR at retailer_h, and a past of both. */
async function ofBoth(of: Contract) {
  const lamp = await lampAt(of, [
    ['retailer_w', { price: money(2_000, 'USD'), categories: ['Home', 'Lamps'] }],
    ['retailer_h', { price: money(1_900, 'EUR') }],
  ]);
  await seenAt(
    of,
    ['retailer_w', lamp.key],
    [
      [5, money(2_100, 'USD')],
      [1, money(2_000, 'USD')],
    ],
  );
  await seenAt(
    of,
    ['retailer_h', lamp.key],
    [
      [3, money(1_950, 'EUR')],
      [1, money(1_900, 'EUR')],
    ],
  );
  return lamp;
}

proves('D87a D87d D26a', 'a page at 70 euros is 70 in euros, and null in dollars', async () => {
  const plain = await contract.record(PAGE);
  assert.deepEqual([plain['current_price'], 'currency' in plain], [null, false]);
  assert.deepEqual(at(plain, '_meta.native_price'), { amount: 70, currency: 'EUR' });
  for (const asked of ['EUR', 'eur', 'native']) {
    const record = await contract.record(PAGE, `?currency=${asked}`);
    assert.deepEqual([record['current_price'], record['currency']], [70, 'EUR'], asked);
    assert.equal(at(record, '_meta.native_price'), undefined);
    assert.equal(at(record, 'stats.windows.30d.low'), 70);
    assert.equal(at(record, 'price_history.days_covered'), 1);
  }
  const dollars = await contract.record(PAGE, '?currency=USD');
  assert.equal(dollars['currency'], 'USD');
  const { currency: _said, tokens_remaining: _left, ...same } = dollars;
  const { tokens_remaining: _before, ...before } = plain;
  assert.deepEqual(same, before);
  const yen = await contract.record(PAGE, '?currency=JPY');
  assert.deepEqual([yen['current_price'], yen['currency']], [null, 'JPY']);
  assert.deepEqual(at(yen, '_meta.native_price'), { amount: 70, currency: 'EUR' });
  const refreshed = await contract.refresh(PAGE, '?currency=EUR&include_offers_reviews=false');
  assert.deepEqual([refreshed.body['current_price'], refreshed.body['currency']], [70, 'EUR']);
});

proves(
  'D87b D87c D60b',
  'in euros the best price is the lowest in euros, and the cell in dollars has them as native price',
  async () => {
    const { gtin } = await ofBoth(contract);
    const cells = '?include_cross_retailer=true&identifier_match=any&include_price_series=true';
    const record = await contract.record(gtin, `${cells}&currency=EUR`);
    assert.equal(at(record, 'best_price.price'), 19);
    assert.equal(at(record, 'best_price.retailer'), 'retailer_h');
    assert.equal(record['current_price'], null);
    assert.equal(at(record, 'cross_retailer.retailer_w.price'), null);
    const native = { amount: 20, currency: 'USD' };
    assert.deepEqual(at(record, 'cross_retailer.retailer_w.native_price'), native);
    assert.deepEqual(at(record, '_meta.native_price'), native);
    assert.equal(at(record, 'cross_retailer.retailer_h.price'), 19);
    assert.deepEqual(at(record, 'price_history.series'), []);
    assert.deepEqual(at(record, 'stats.windows.30d'), null);
    const plain = await contract.record(gtin, cells);
    assert.equal(at(plain, 'best_price.price'), 20);
    assert.equal(at(plain, 'cross_retailer.retailer_h.price'), null);
    assert.equal(at(plain, 'cross_retailer.retailer_h.native_price'), undefined);
    for (const fee of ['referral_fee_usd', 'fulfillment_fee_usd'] as const) {
      assert.equal(record[fee], plain[fee], fee);
    }
    const series = Number(plain['tokens_consumed']) - Number(record['tokens_consumed']);
    assert.ok(series > 0, 'a series without a bar costs nothing');
    const at_h = await contract.record(gtin, '?retailer=retailer_h&currency=native');
    assert.deepEqual([at_h['currency'], at_h['current_price']], ['EUR', 19]);
  },
);

proves('D87b D87d', 'a history has the prices and figures of the currency', async () => {
  const { gtin } = await ofBoth(contract);
  const history = (query: string) => contract.ok(productPath(gtin, `/history${query}`));
  const euros = await history('?retailer=retailer_h&currency=EUR');
  assert.equal(euros['currency'], 'EUR');
  assert.deepEqual(
    (euros['observations'] as { price: number }[]).map(({ price }) => price),
    [19, 19.5],
  );
  assert.deepEqual([at(euros, 'stats.lowest_30d'), at(euros, 'stats.current')], [19, 19]);
  const native = await history('?retailer=retailer_h&currency=native');
  assert.deepEqual(native['stats'], euros['stats']);
  const plain = await history('?retailer=retailer_h');
  assert.deepEqual([at(plain, 'stats.lowest_30d'), 'currency' in plain], [null, false]);
  const all = await history('?retailer=all&currency=EUR');
  assert.equal(at(all, 'stats.highest_30d'), 19.5);
  assert.equal(at(await history('?retailer=all'), 'stats.highest_30d'), 21);
});

proves(
  'D87a D87c D69a',
  'a comparison in euros has rows and costs in euros, and no fees',
  async () => {
    const { gtin } = await ofBoth(contract);
    const compare = (query: string) => contract.ok(productPath(gtin, `/compare${query}`));
    const rowOf = (body: object, slug: string) =>
      (at(body, 'rows') as { retailer: string }[]).find(({ retailer }) => retailer === slug) ?? {};
    const euros = await compare('?currency=EUR&cost=12.50');
    assert.deepEqual([euros['currency'], euros['cost']], ['EUR', 12.5]);
    const own = rowOf(euros, 'retailer_h');
    assert.deepEqual([at(own, 'price'), at(own, 'outlay'), at(own, 'profit')], [19, 12.5, null]);
    const other = rowOf(euros, 'retailer_w');
    assert.deepEqual([at(other, 'price'), at(other, 'fees')], [null, null]);
    assert.deepEqual(at(other, 'native_price'), { amount: 20, currency: 'USD' });
    assert.ok((at(other, 'warnings') as string[]).includes('foreign_currency'));
    const plain = await compare('?cost=12.50');
    assert.deepEqual([at(rowOf(plain, 'retailer_w'), 'price'), 'currency' in plain], [20, false]);
    assert.ok(
      (at(rowOf(plain, 'retailer_h'), 'warnings') as string[]).includes('foreign_currency'),
    );
  },
);

proves('D87e', 'days with a price are those of the currency, packed or not', async () => {
  const { gtin, key } = await lampAt(contract, [['retailer_w', { price: money(1_900, 'EUR') }]]);
  const past = Array.from({ length: 40 }, (_, at): Seen => {
    const day = 30 + 20 * at;
    return [day, at % 5 === 0 ? money(2_000, 'USD') : at % 7 === 0 ? null : money(1_900, 'EUR')];
  });
  await seenAt(contract, ['retailer_w', key], past);
  const euros = past.filter(([, price]) => price?.currency === 'EUR').length;
  const covered = async (query: string) =>
    at(await contract.record(gtin, query), 'price_history.days_covered');
  const dollars = past.filter(([, price]) => price?.currency === 'USD').length;
  assert.deepEqual([await covered('?currency=EUR'), await covered('')], [euros, dollars]);
  const { sql } = contract.app.store;
  const today = Math.floor(contract.clock.now() / DAY_MS);
  const { observations } = await compactSlice(sql, today - 10, {
    listings: 100,
    observations: 10_000,
  });
  assert.ok(observations > 0);
  assert.deepEqual(
    [await covered('?currency=EUR&include_stats=false'), await covered('?include_stats=false')],
    [euros, dollars],
  );
});

proves('D87g', 'an installation in euros answers in euros, and in dollars on request', async () => {
  const { gtin } = await ofBoth(european);
  const record = await european.record(gtin);
  assert.deepEqual([record['currency'], at(record, 'best_price.price')], ['EUR', 19]);
  const dollars = await european.record(gtin, '?currency=USD');
  assert.deepEqual([dollars['currency'], dollars['current_price']], ['USD', 20]);
  const history = await european.ok(productPath(gtin, '/history?retailer=retailer_h'));
  assert.deepEqual([history['currency'], at(history, 'stats.current')], ['EUR', 19]);
  assert.equal((await european.ok(productPath(gtin, '/compare')))['currency'], 'EUR');
});

proves('D87h', 'answers in two currencies are two answers, cached or not', async () => {
  const { gtin } = await ofBoth(contract);
  for (let round = 0; round < 4; round += 1) {
    assert.equal(at(await contract.record(gtin), 'best_price.price'), 20);
    assert.equal(at(await contract.record(gtin, '?currency=EUR'), 'best_price.price'), 19);
    const dollars = await contract.record(gtin, '?currency=USD');
    assert.deepEqual([at(dollars, 'best_price.price'), dollars['currency']], [20, 'USD']);
  }
  const lines = [{ id: gtin }, { id: gtin, currency: 'EUR' }, { id: gtin, currency: 'eur' }];
  const { body } = await contract.call('/v1/products/batch', {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: lines.map((line) => JSON.stringify(line)).join('\n'),
  });
  const answers = body['lines'] as readonly Record<string, unknown>[];
  assert.deepEqual(
    answers.map((line) => [at(line, 'product.best_price.price'), line['duplicate_of']]),
    [
      [20, null],
      [19, null],
      [19, 2],
    ],
  );
  const headers = { 'Idempotency-Key': 'money' };
  await contract.record(gtin, '?currency=EUR', { headers });
  refused(await contract.lookup(gtin, '', { headers }), 409, 'idempotency_conflict');
});

proves('D87i D22a', 'an unknown currency names the parameter and what it takes', async () => {
  for (const path of ['', '/history', '/compare']) {
    for (const asked of ['XYZ', '', 'euro', '%E2%82%AC']) {
      const target = productPath('614141000005', `${path}?currency=${asked}`);
      const body = refused(await contract.call(target), 400, 'invalid_parameter');
      assert.equal(body['parameter'], 'currency');
      assert.deepEqual(body['allowed'], ['an ISO 4217 code such as EUR', 'native']);
    }
  }
  const call = post({ identifier: '614141000005', currency: 'native' });
  const body = refused(await contract.call('/v1/watches', call), 400, 'invalid_parameter');
  assert.deepEqual(body['allowed'], ['an ISO 4217 code such as EUR']);
});

const post = (body: object) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

proves(
  'D87f D70d',
  'a watch below 70 euros remains in euros where dollars are usual, and all its notices say so',
  async () => {
    const identifier = `${OWN_SHOP}/watched`;
    const sent = { identifier, below: 70, currency: 'EUR' };
    const { watch } = await contract.ok('/v1/watches', post(sent));
    assert.deepEqual([at(watch, 'below'), at(watch, 'currency')], [70, 'EUR']);
    const id = String(at(watch, 'id'));
    const checked = async () => {
      await contract.app.checkWatches();
      await contract.untilQueueIdle();
      return await contract.ok(`/v1/watches/${id}`);
    };
    const first = await checked();
    const [listing] = at(first, 'watch.listings') as object[];
    assert.deepEqual([at(listing, 'price'), first['notices']], [75, []]);
    const { next: from } = await contract.ok('/v1/changes');
    pages['/watched'] = productPage(PRODUCT, { ...offer, price: '69.00' });
    contract.clock.advance(2 * DAY_MS);
    const [notice] = (await checked())['notices'] as Record<string, unknown>[];
    const { currency, old_price: before, new_price: now, target, text } = notice ?? {};
    assert.deepEqual([currency, before, now, target], ['EUR', 75, 69, 70]);
    assert.match(String(text), /The price is 69\.00 EUR, below 70\.00 EUR/);
    const { changes } = await contract.ok(`/v1/changes?cursor=${String(from)}`);
    const [change] = changes as object[];
    assert.deepEqual(
      [at(change, 'currency'), at(change, 'before'), at(change, 'after')],
      ['EUR', 75, 69],
    );
    const patched = await contract.ok(`/v1/watches/${id}`, {
      ...post({ below: 68 }),
      method: 'PATCH',
    });
    assert.deepEqual([at(patched, 'watch.below'), at(patched, 'watch.currency')], [68, 'EUR']);
    const tested = await contract.ok(`/v1/watches/${id}/test`, { method: 'POST' });
    const { watches } = await contract.ok('/v1/watches');
    const [listed] = watches as object[];
    assert.deepEqual([at(tested, 'watch.currency'), at(listed, 'currency')], ['EUR', 'EUR']);
    const { sparklines } = await contract.ok(`/v1/watches/sparklines?ids=${id}`);
    const [chart] = sparklines as { sparkline: string }[];
    const svg = await (await fetch(`${contract.service.url}${chart?.sparkline}`)).text();
    assert.match(svg, /last 69\.00 EUR/);
    const made = await european.ok('/v1/watches', post({ identifier: '614141000005', below: 70 }));
    assert.deepEqual([at(made, 'watch.below'), at(made, 'watch.currency')], [70, 'EUR']);
    const usual = await contract.ok('/v1/watches', post({ identifier: '614141000005', below: 70 }));
    assert.equal(at(usual, 'watch.currency'), undefined);
  },
);

/** Each currency has amounts of its own, so that an amount shows where it was stored. */
const CURRENCIES = ['USD', 'EUR', 'GBP', 'JPY', 'KWD'] as const;
const rangeOf = (currency: string) => {
  const from = 1_000 * (1 + CURRENCIES.findIndex((each) => each === currency));
  return { from, to: from + 499 };
};

/** Fields of prices. Those of `native_price` and `*_usd` are in a currency of their own. */
const PRICES = new Set([
  'current_price',
  'buybox_price',
  'price',
  'secondary_offer_price',
  'msrp',
  'low',
  'high',
  'average',
  'open',
  'close',
  'current',
  'lowest_30d',
  'highest_30d',
  'average_30d',
  'low_30d',
  'high_30d',
  'avg_30d',
  'unit_price',
  'was_price',
]);

function* pricesIn(value: unknown): Generator<readonly [string, number]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'native_price' || name === 'other_price') continue;
    if (typeof inner === 'number' && PRICES.has(name)) yield [name, inner];
    yield* pricesIn(inner);
  }
}

proves('D87j', 'every amount of an answer in a currency was stored in it (seeded)', async (t) => {
  const seed = seedOf(87);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const some = (currency: string) => {
    const { from, to } = rangeOf(currency);
    return money(from + Math.floor(random() * (to - from)), currency);
  };
  let checked = 0;
  for (let round = 0; round < 12; round += 1) {
    const slugs: readonly KnownSlug[] = ['retailer_w', 'retailer_h', 'retailer_b', 'retailer_l'];
    const shown = slugs.filter(() => random() < 0.8);
    const stored = (shown.length === 0 ? slugs : shown).map((slug) => {
      const currency = pick(random, CURRENCIES);
      const facts = { price: some(currency), listPrice: some(pick(random, CURRENCIES)) };
      return [slug, { ...facts, secondaryOfferPrice: some(currency), packCount: 1 }] as const;
    });
    const { gtin, key } = await lampAt(contract, stored);
    for (const [slug] of stored) {
      const past = Array.from({ length: 8 }, (_, day): Seen => [
        day * 5,
        some(pick(random, CURRENCIES)),
      ]);
      await seenAt(contract, [slug, key], past);
    }
    for (const currency of [...CURRENCIES, 'native'] as const) {
      const all = 'include_cross_retailer=true&identifier_match=any&include_price_series=true';
      const targets = [
        productPath(gtin, `?${all}&currency=${currency}`),
        productPath(gtin, `/history?retailer=all&timeframe=1y&currency=${currency}`),
        productPath(gtin, `/compare?currency=${currency}`),
      ];
      for (const target of targets) {
        const body = await contract.ok(target);
        const said = String(body['currency']);
        if (currency !== 'native') assert.equal(said, currency);
        const { from, to } = rangeOf(said);
        for (const [name, amount] of pricesIn(body)) {
          checked += 1;
          const units = amount * 10 ** decimalsOf(said);
          const isOfIt = units >= from - 1e-6 && units <= to + 1e-6;
          assert.ok(isOfIt, `seed ${seed}, ${target}: ${name} ${amount} is not of ${said}`);
        }
      }
    }
  }
  assert.ok(checked > 500, `only ${checked} amounts were checked`);
});
