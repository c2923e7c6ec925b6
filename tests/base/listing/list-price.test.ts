// A list price is higher than the price it belongs to, whichever source states it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { listPriceOf } from '../../../src/base/listing/money/list-price.ts';
import type { Money } from '../../../src/base/listing/money/minor-units.ts';

const usd = (cents: number): Money => ({ cents, currency: 'USD' });
const bare = (cents: number): Money => ({ cents, currency: null });

test('the list price is the first amount above the price that may be in its currency, and takes its currency', () => {
  const rows: readonly (readonly [Money | null, readonly (Money | null)[], Money | null])[] = [
    [usd(1_000), [usd(1_500)], usd(1_500)],
    [usd(1_000), [null, usd(900), usd(1_000), usd(1_200), usd(1_500)], usd(1_200)],
    [usd(1_000), [{ cents: 1_500, currency: 'CAD' }], null],
    [usd(1_000), [bare(1_500)], usd(1_500)],
    [bare(1_000), [usd(1_500)], usd(1_500)],
    [null, [usd(1_500)], null],
    [usd(1_000), [], null],
  ];
  for (const [price, stated, expected] of rows) {
    assert.deepEqual(listPriceOf(price, stated), expected, JSON.stringify([price, stated]));
  }
});
