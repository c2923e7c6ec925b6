import assert from 'node:assert/strict';
import { test } from 'node:test';

import { historyStats } from '../../../src/rules/history/history-stats.ts';
import type { Observation } from '../../../src/rules/history/daily-bars.ts';
import { presentHistory } from '../../../src/answer/wire/history/history.ts';

const at = (day: string, priceCents: number | null, inStock: boolean | null): Observation => ({
  observedAtMs: Date.parse(`${day}T10:00:00Z`),
  priceCents,
  inStock,
});

const only = (each: Observation) => ({ recent: [each], newest: each });
const TODAY = '2026-11-20';

test('a retailer whose last observation has no price leaves the newest price to the others', () => {
  const older = at('2026-11-18', 900, true);
  for (const last of [at('2026-11-19', null, null), at('2026-11-19', 500, false)]) {
    assert.equal(historyStats([only(last), only(older)], TODAY).currentCents, 900);
    assert.equal(historyStats([only(last)], TODAY).currentCents, null);
  }
});

test('the average is over each retailer’s days; a price before the 30 days is still the newest', () => {
  const stats = historyStats(
    [
      {
        recent: [at('2026-11-20', 100, true), at('2026-11-19', 200, true)],
        newest: at('2026-11-20', 100, true),
      },
      only(at('2026-11-20', 600, true)),
    ],
    TODAY,
  );
  assert.deepEqual(stats, {
    currentCents: 100,
    lowestCents: 100,
    highestCents: 600,
    averageCents: 300,
  });
  const old = historyStats([{ recent: [], newest: at('2025-01-01', 700, true) }], TODAY);
  assert.deepEqual(old, {
    currentCents: 700,
    lowestCents: null,
    highestCents: null,
    averageCents: null,
  });
});

test('a row that is out of stock shows no price, whatever is handed in', () => {
  const shown = presentHistory({
    identifier: '123456',
    retailer: 'retailer_w',
    timeframe: '30d',
    currency: 'USD',
    observations: [
      { ...at('2026-11-20', 500, false), retailer: 'retailer_w', isCounted: true, suspicion: null },
    ],
    stats: null,
    next: null,
    withheldBy: [],
  });
  assert.equal(shown.observations[0]?.price, null);
  assert.equal(shown.stats, null);
});
