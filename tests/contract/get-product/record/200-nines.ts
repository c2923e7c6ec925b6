// Amounts of nines (D89): 999 may be a real price, and 9,999 may mean that there is none.

import assert from 'node:assert/strict';

import { DAY_MS, dayOf } from '../../../../src/base/clock.ts';
import type { KnownSlug } from '../../../../src/base/retailer.ts';
import { gs1CheckDigit } from '../../../../src/base/identifiers/check-digit.ts';
import { compact } from '../../../../src/answer/indexer/compaction.ts';
import { at, contractService, productPath } from '../../support/contract-service.ts';
import { hold } from '../../support/store-item.ts';
import { OWN_SHOP, OWN_SLUG, productPage } from '../../support/own-shop.ts';
import { appendPast, importPast, type Past } from '../../support/past.ts';
import { proves } from '../../support/proves.ts';

const page = (name: string, price: string, text = ''): string =>
  productPage({ name }, { price }).replace('</body>', `<p>$${price}</p><p>${text}</p></body>`);

/** What the shop shows now. */
const pages: Record<string, string> = {
  '/p/sofa': page('Orrin OS31 Sofa', '999.99', 'or $83.33/mo for 12 months'),
};

const contract = contractService({ pages });

let made = 0;

/** A product of retailer_w with a past, in the order of its parts, and its newest price; `beside`: the others' prices. */
async function product(
  cents: number,
  past: readonly (readonly Past[])[],
  beside: Partial<Record<KnownSlug, number>> = {},
): Promise<string> {
  made += 1;
  const body = `0061414289${String(made).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  const key = `${7_460_000 + made}`;
  const facts = { title: 'Orrin OV65 Television', brand: 'Orrin', model: 'OV65', inStock: true };
  for (const [retailer, asked] of [['retailer_w', cents] as const, ...entriesOf(beside)]) {
    const price = { cents: asked, currency: 'USD' };
    await hold(contract, { retailer, key, gtin }, { ...facts, price });
    await appendPast(contract, retailer, key, [[0, asked, true]]);
  }
  for (const part of past) await importPast(contract, gtin, 'retailer_w', part);
  return gtin;
}

const entriesOf = (beside: Partial<Record<KnownSlug, number>>) =>
  Object.entries(beside) as (readonly [KnownSlug, number])[];

const daysAt = (cents: number, from: number, to: number): readonly Past[] =>
  Array.from({ length: from - to + 1 }, (_, day) => [from - day, cents, true] as const);

const windowOf = (record: Record<string, unknown>) => {
  const {
    low,
    high,
    excluded_count: excluded,
  } = at(record, 'stats.windows.30d') as {
    low: number;
    high: number;
    excluded_count: number;
  };
  return { low, high, excluded };
};

const reasonOf = (record: Record<string, unknown>) => at(record, '_meta.price_suspect.reason');

proves(
  'D89a',
  '28 days at 999 and then 299 are prices, in whatever order they were imported',
  async () => {
    const past = daysAt(99_900, 28, 1);
    const parts = [
      [past],
      [past.slice(14), past.slice(0, 14)],
      past.map((each) => [each]).toReversed(),
    ];
    for (const each of parts) {
      const record = await contract.record(await product(29_900, each));
      assert.deepEqual(windowOf(record), { low: 299, high: 999, excluded: 0 });
      assert.deepEqual([record['current_price'], reasonOf(record)], [299, undefined]);
    }
  },
);

proves(
  'D89b',
  'nines over twice the level stand for no price, at five times for however long',
  async () => {
    const before = daysAt(12_900, 60, 43);
    const sold = await product(12_900, [daysAt(999_900, 42, 1), before]);
    const record = await contract.record(sold);
    assert.deepEqual(windowOf(record), { low: 129, high: 129, excluded: 29 });
    const still = await contract.record(await product(999_900, [daysAt(999_900, 42, 1), before]));
    assert.deepEqual([still['current_price'], reasonOf(still)], [9_999, 'placeholder']);
    const rise = [daysAt(29_900, 60, 43), daysAt(99_900, 42, 1)];
    assert.equal(reasonOf(await contract.record(await product(99_900, rise))), undefined);
    const short = [daysAt(29_900, 60, 43), daysAt(99_900, 9, 1)];
    assert.equal(reasonOf(await contract.record(await product(99_900, short))), 'placeholder');
  },
);

proves('D89c', 'what another of the seven asks is a level from the first look on', async () => {
  const cases = [
    [95_000, undefined],
    [49_950, undefined],
    [29_900, 'placeholder'],
  ] as const;
  for (const [cents, reason] of cases) {
    const record = await contract.record(await product(99_900, [], { retailer_h: cents }));
    assert.equal(reasonOf(record), reason, `${cents}`);
  }
});

proves(
  'D89d',
  'on the first day an amount of nines is shown, makes a bar and may be the best price',
  async () => {
    const record = await contract.record(await product(99_900, []));
    assert.deepEqual([record['current_price'], reasonOf(record)], [999, undefined]);
    assert.deepEqual(windowOf(record), { low: 999, high: 999, excluded: 0 });
    assert.equal(at(record, 'best_price.price'), 999);
  },
);

proves(
  'D89e',
  'what a page supported once stays a price, in the rows and in the packed year',
  async () => {
    const sofa = `${OWN_SHOP}/p/sofa`;
    await contract.record(sofa);
    pages['/p/sofa'] = page('Orrin OS31 Sofa', '299.00');
    for (const _ of [1, 2, 3]) {
      contract.clock.advance(DAY_MS);
      await contract.record(sofa, `?retailer=${OWN_SLUG}&force_refresh=true`);
    }
    const shown = async () => {
      const record = await contract.record(sofa);
      const history = await contract.ok(productPath(sofa, '/history?retailer=all'));
      return [windowOf(record), record['current_price'], history['observations']];
    };
    const before = await shown();
    assert.deepEqual(before.slice(0, 2), [{ low: 299, high: 999.99, excluded: 0 }, 299]);
    assert.equal(JSON.stringify(before).includes('suspect'), false);
    // Complete days older than three are packed; the answers of that day are recomputed for both.
    contract.clock.advance(10 * DAY_MS);
    const { sql } = contract.app.store;
    const { signal } = new AbortController();
    const today = dayOf(contract.clock.now());
    const pause = () => Promise.resolve();
    const { compacted } = await compact({
      sql,
      retention: { observationDays: null, barYears: null },
      today,
      signal,
      pause,
    });
    assert.ok(compacted >= 4, `${compacted}`);
    const { low, high, excluded } = windowOf(await contract.record(sofa));
    assert.deepEqual([low, high, excluded], [299, 999.99, 0]);
    const history = await contract.ok(productPath(sofa, '/history?retailer=all'));
    assert.equal(JSON.stringify(history).includes('suspect'), false);
  },
);
