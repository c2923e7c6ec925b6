// retailer_e: less common shapes of the Browse API's answers and of item pages.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import * as e from './fixtures.ts';

test('stock: words, else the quantity that is stated or hidden', () => {
  const CASES: readonly (readonly [object, boolean | null])[] = [
    [{ estimatedAvailabilityStatus: 'LIMITED_STOCK' }, true],
    [{ estimatedAvailabilityStatus: 'OUT_OF_STOCK', estimatedAvailableQuantity: 3 }, false],
    [{ estimatedAvailabilityStatus: 'TEMPORARILY_UNAVAILABLE' }, false],
    [{ estimatedAvailableQuantity: 3 }, true],
    [{ estimatedAvailableQuantity: 0 }, false],
    [{ availabilityThresholdType: 'MORE_THAN', availabilityThreshold: 10 }, true],
    [{ estimatedSoldQuantity: 3 }, null],
  ];
  for (const [entry, expected] of CASES) {
    const page = e.answer(e.item({ estimatedAvailabilities: [entry] }));
    const verdict = readAnswer(page, 'api:browse_item', 'retailer_e');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
    assert.equal(verdict.value.listing.inStock, expected, JSON.stringify(entry));
  }
});

test('collected hits are a bare list; an item may be known by its address only', () => {
  const bare = { itemId: e.ITEM, legacyItemId: undefined };
  const addressed = { itemId: undefined, legacyItemId: undefined, itemWebUrl: e.URL_OF_ITEM };
  for (const changes of [{}, bare, addressed]) {
    const verdict = readAnswer(e.answer([e.item(changes)]), 'api:browse_search', 'retailer_e');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search');
    assert.deepEqual(
      verdict.value.hits.map(({ itemId }) => itemId),
      [e.ITEM],
      JSON.stringify(changes),
    );
  }
});

test('an older page that only shows its end is over', () => {
  const panel = '<span class="statusMsg">Bidding has ended on this item.</span>';
  const verdict = readAnswer(e.oldPage({ panel }), 'product', 'retailer_e');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
  const { inStock, unavailable } = verdict.value.listing;
  assert.deepEqual([inStock, unavailable], [false, true]);
});
