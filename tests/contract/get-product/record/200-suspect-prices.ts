// Prices that probably nobody is meant to pay (D68): they are shown and marked, in no figure and never the best.

import assert from 'node:assert/strict';

import { gs1CheckDigit } from '../../../../src/base/identifiers/check-digit.ts';
import type { KnownSlug } from '../../../../src/base/retailer.ts';
import type { Gtin14 } from '../../../../src/base/identifiers/gtin.ts';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { writeChanges } from '../../../../src/data/answers/answer-writes.ts';
import { HistoryBody } from '../../../../src/answer/wire/history/history.ts';
import { at, contractService, productPath } from '../../support/contract-service.ts';
import { answerOf, hold } from '../../support/store-item.ts';
import { appendPast, type Past } from '../../support/past.ts';
import { proves } from '../../support/proves.ts';

const contract = contractService();

const CHAIR: Partial<Listing> = {
  title: 'Orrin CH210 Folding Chair, Slate Grey',
  brand: 'Orrin',
  model: 'CH210',
  inStock: true,
};

type StoredPrice = readonly [KnownSlug, number, Partial<Listing>?];

let made = 0;

/** Stores a product with these newest prices at these retailers; retailer_w's prices of the days before are `past`. */
async function chairAt(past: readonly Past[], prices: readonly StoredPrice[]): Promise<string> {
  made += 1;
  const body = `0061414280${String(made).padStart(3, '0')}`;
  const gtin = `${body}${gs1CheckDigit(body)}`;
  for (const [retailer, cents, more] of prices) {
    const price = { cents, currency: 'USD' };
    await hold(contract, { retailer, key: KEY(), gtin }, { ...CHAIR, price, ...more });
    const before = retailer === 'retailer_w' ? past : [];
    await appendPast(contract, retailer, KEY(), [...before, [0, cents, true]]);
  }
  return gtin;
}

const KEY = (): string => `${7_440_000 + made}`;

const past = (cents: number, ...days: readonly number[]): readonly Past[] =>
  days.map((day) => [day, cents, true]);

const NORMAL = past(2_999, 12, 11, 10, 9, 8);

const reasonOf = (record: Record<string, unknown>) => at(record, '_meta.price_suspect');

proves(
  'D68a',
  'the newest price is shown with the reason why it is suspect, and an ordinary one without',
  async () => {
    const cases: readonly (readonly [number, string | null])[] = [
      [2_899, null],
      [300, null],
      [11_996, null],
      [35_900, 'above_level'],
      [30, 'hundredth'],
      [999_900, 'placeholder'],
      [99_999, 'placeholder'],
      [55_200, 'currency'],
      [150, 'deep_fall'],
    ];
    for (const [cents, reason] of cases) {
      const record = await contract.record(await chairAt(NORMAL, [['retailer_w', cents]]));
      assert.equal(record['current_price'], cents / 100);
      assert.deepEqual(reasonOf(record), reason === null ? undefined : { reason }, `${cents}`);
    }
  },
);

proves('D68a', 'each suspect price of a history says why, and the others say nothing', async () => {
  const gtin = await chairAt([...NORMAL, ...past(999_900, 3, 2)], [['retailer_w', 2_999]]);
  for (const query of ['', '?retailer=all']) {
    const history = HistoryBody.parse(await contract.ok(productPath(gtin, `/history${query}`)));
    const marked = history.observations.filter(({ suspect }) => suspect !== undefined);
    assert.deepEqual(
      marked.map(({ price, suspect }) => [price, suspect]),
      [
        [9_999, 'placeholder'],
        [9_999, 'placeholder'],
      ],
    );
    assert.equal(history.stats?.highest_30d, 29.99);
  }
});

proves('D68a', 'what is sold out shows no price, and so no suspicion', async () => {
  const gtin = await chairAt(NORMAL, [['retailer_w', 999_900, { inStock: false }]]);
  const record = await contract.record(gtin);
  assert.deepEqual([record['current_price'], reasonOf(record)], [null, undefined]);
});

proves(
  'D68b',
  'a placeholder that stands for ten days stays suspect and in no window',
  async () => {
    const lasting = past(999_900, 7, 6, 5, 4, 3, 2, 1);
    const record = await contract.record(
      await chairAt([...NORMAL, ...lasting], [['retailer_w', 999_900]]),
    );
    assert.deepEqual(reasonOf(record), { reason: 'placeholder' });
    const window = at(record, 'stats.windows.30d') as Record<string, unknown>;
    assert.deepEqual([window['high'], window['observation_count']], [29.99, 5]);
    assert.ok(Number(window['excluded_count']) >= 8);
  },
);

proves('D68b', 'a price that has stood for 30 days is the price', async () => {
  const lasting = past(39_900, 31, 20, 10, 1);
  const before = past(2_999, 40, 38, 36, 34, 32);
  const record = await contract.record(
    await chairAt([...before, ...lasting], [['retailer_w', 39_900]]),
  );
  assert.equal(reasonOf(record), undefined);
  assert.equal(at(record, 'stats.windows.30d.high'), 399);
});

proves(
  'D68c',
  'another of the seven within a factor of two ends the suspicion, another pack of it does not',
  async () => {
    const other = (cents: number, more: Partial<Listing> = {}) =>
      chairAt(NORMAL, [
        ['retailer_w', 35_900],
        ['retailer_h', cents, more],
      ]);
    for (const cents of [18_000, 35_900, 71_800]) {
      const record = await contract.record(await other(cents));
      assert.equal(reasonOf(record), undefined, `${cents}`);
    }
    for (const cents of [17_900, 71_900, 2_999]) {
      const record = await contract.record(await other(cents));
      assert.deepEqual(reasonOf(record), { reason: 'above_level' }, `${cents}`);
    }
    const pack = await contract.record(await other(35_900, { packCount: 12 }));
    assert.deepEqual(reasonOf(pack), { reason: 'above_level' });
  },
);

proves('D68c', 'what a lookup is asked of does not change what a price is worth', async () => {
  const gtin = await chairAt(NORMAL, [
    ['retailer_w', 35_900],
    ['retailer_h', 34_900],
  ]);
  for (const query of ['', '?retailer=retailer_w']) {
    assert.equal(reasonOf(await contract.record(gtin, query)), undefined, query);
  }
  const history = await contract.ok(`/v1/products/${gtin}/history?retailer=retailer_w`);
  assert.equal(at(history, 'stats.highest_30d'), 359);
});

proves(
  'D68c',
  'record, cell and history judge a price by the listings that agree with it, a guess and a contradicted one too',
  async () => {
    const gtin = await chairAt(NORMAL, [
      ['retailer_w', 35_900],
      ['retailer_h', 34_900],
      ['retailer_l', 35_900],
    ]);
    const key = KEY();
    const past = [...NORMAL, [0, 35_900, true] as const];
    const price = { cents: 35_900, currency: 'USD' };
    // Found by the barcode, which its page does not print.
    await hold(contract, { retailer: 'retailer_a', key }, { ...CHAIR, price });
    const answer = answerOf(gtin as Gtin14, 'retailer_a', key, contract.clock.now());
    await writeChanges(contract.app.store.sql, [answer]);
    // Prints the barcode but is another chair: the others' prices say nothing about its price.
    const other = { ...CHAIR, title: 'Orrin CH950 Rocking Chair, Oak', model: 'CH950', price };
    await hold(contract, { retailer: 'retailer_b', key, gtin }, other);
    for (const slug of ['retailer_a', 'retailer_b']) await appendPast(contract, slug, key, past);
    const cells = await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any');
    assert.ok(at(cells, 'cross_retailer.retailer_b.identity.disputed') !== null);
    const cases = [
      ['retailer_a', undefined],
      ['retailer_b', 'above_level'],
    ] as const;
    for (const [slug, reason] of cases) {
      const record = await contract.record(gtin, `?retailer=${slug}`);
      const history = await contract.ok(productPath(gtin, `/history?retailer=${slug}`));
      const all = await contract.ok(productPath(gtin, '/history?retailer=all'));
      const rows = all['observations'] as readonly { retailer: string }[];
      assert.deepEqual(
        {
          record: at(record, '_meta.price_suspect.reason'),
          cell: at(cells, `cross_retailer.${slug}.price_suspect.reason`),
          history: at(history, 'observations.0.suspect'),
          all: at(
            rows.find((row) => row.retailer === slug),
            'suspect',
          ),
        },
        { record: reason, cell: reason, history: reason, all: reason },
        slug,
      );
    }
  },
);

proves('D68a', 'a cell says of its price what the record says, whichever was asked', async () => {
  const other = (cents: number) =>
    chairAt(NORMAL, [
      ['retailer_w', 35_900],
      ['retailer_h', cents],
    ]);
  const cases = [
    [2_899, { reason: 'above_level' }],
    [34_900, undefined],
  ] as const;
  for (const [cents, suspect] of cases) {
    const gtin = await other(cents);
    for (const query of ['', '&retailer=retailer_h', '&retailer=retailer_w']) {
      const record = await contract.record(gtin, `?include_cross_retailer=true${query}`);
      const of = (slug: string) => at(record, `cross_retailer.${slug}.price_suspect`);
      assert.deepEqual([of('retailer_w'), of('retailer_h')], [suspect, undefined], query);
    }
  }
});

proves('D68d', 'a deep fall is believed once a second fetch an hour later repeats it', async () => {
  const hour = new Date(contract.clock.now()).getUTCHours();
  const once = await chairAt(NORMAL, [['retailer_w', 150]]);
  assert.deepEqual(reasonOf(await contract.record(once)), { reason: 'deep_fall' });
  const seen: readonly Past[] = [[1, 150, true, hour]];
  const twice = await chairAt([...NORMAL, ...seen], [['retailer_w', 150]]);
  const record = await contract.record(twice);
  assert.equal(reasonOf(record), undefined);
  assert.equal(at(record, 'stats.windows.30d.low'), 1.5);
  const back = await chairAt(
    [...NORMAL, ...past(150, 6), ...past(2_999, 5, 4)],
    [['retailer_w', 2_999]],
  );
  assert.equal(at(await contract.record(back), 'stats.windows.30d.low'), 29.99);
});

proves('D68e', 'a suspect price is never the best price, and a believed fall is', async () => {
  const stored: readonly StoredPrice[] = [['retailer_h', 2_899]];
  const fall = await chairAt(NORMAL, [['retailer_w', 150], ...stored]);
  assert.equal(at(await contract.record(fall), 'best_price.retailer'), 'retailer_h');
  const seen = await chairAt([...NORMAL, ...past(150, 1)], [['retailer_w', 150], ...stored]);
  assert.equal(at(await contract.record(seen), 'best_price.retailer'), 'retailer_w');
  const slip = await chairAt([...NORMAL, ...past(29, 3, 2, 1)], [['retailer_w', 29], ...stored]);
  assert.equal(at(await contract.record(slip), 'best_price.retailer'), 'retailer_h');
});

proves(
  'D68f',
  'the history lists every price as it was seen; its figures exclude wrong ones',
  async () => {
    const gtin = await chairAt([...NORMAL, ...past(24_100, 3, 2)], [['retailer_w', 2_999]]);
    const history = await contract.ok(`/v1/products/${gtin}/history`);
    const rows = history['observations'] as readonly { price: number | null }[];
    assert.equal(rows.filter(({ price }) => price === 241).length, 2);
    assert.equal(at(history, 'stats.highest_30d'), 29.99);
    const all = await contract.ok(`/v1/products/${gtin}/history?retailer=all`);
    assert.equal(at(all, 'stats.highest_30d'), 29.99);
  },
);
