// What barcode databases stated, as it is stored: one question in 30 days, and nothing left after a takedown.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import type { IdentityFacts } from '../../src/base/identity-facts.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import { createBarcodeFacts, sweptQuestions } from '../../src/data/answers/barcode-facts.ts';
import { takeDown } from '../../src/data/maintenance/take-down.ts';
import { openTestStore } from '../support/stores.ts';

const ONE = '04006381333931' as Gtin14;
const TWO = '00614141000005' as Gtin14;
const THREE = '09780306406157' as Gtin14;
const NOW_MS = Date.UTC(2026, 10, 30);

const factsOf = (source: IdentityFacts['source']): IdentityFacts => ({
  source,
  url: 'https://openlibrary.org/isbn/9780306406157',
  title: 'A title',
  brand: null,
  imageUrl: null,
  categories: [],
  specs: [],
  packCount: null,
});

test('of many claims of a code one is granted, and the next after 30 days or a release', async () => {
  await using store = await openTestStore();
  const { claim, release, find, answered } = createBarcodeFacts(store.sql);
  const claimAt = (nowMs: number) => claim(ONE, 'open_food_facts', nowMs);
  const granted = await Promise.all(Array.from({ length: 20 }, () => claimAt(NOW_MS)));
  assert.equal(granted.filter(Boolean).length, 1);
  await release(ONE, { source: 'open_beauty_facts', askedAtMs: 0 });
  assert.equal((await find(ONE))?.source, 'open_beauty_facts');
  assert.equal(await claimAt(NOW_MS), true);
  await answered(ONE, factsOf('open_food_facts'));
  assert.equal(await claimAt(NOW_MS + 30 * DAY_MS - 1), false);
  assert.equal(await claimAt(NOW_MS + 30 * DAY_MS), true);
  assert.deepEqual((await find(ONE))?.facts, factsOf('open_food_facts'));
});

test('a sweep removes questions that brought nothing once they may be asked again, and no facts', async () => {
  await using store = await openTestStore();
  const { claim, answered, find } = createBarcodeFacts(store.sql);
  for (const gtin of [ONE, TWO]) await claim(gtin, 'open_food_facts', NOW_MS);
  await answered(ONE, factsOf('open_food_facts'));
  await answered(TWO, null);
  await store.sql.write(sweptQuestions(NOW_MS + 29 * DAY_MS));
  assert.equal((await find(TWO))?.outcome, 'unknown');
  await store.sql.write(sweptQuestions(NOW_MS + 30 * DAY_MS));
  assert.equal(await find(TWO), null);
  assert.equal((await find(ONE))?.outcome, 'known');
});

test('a takedown of a database, or of the domain above it, removes what it stated and nothing else', async () => {
  await using store = await openTestStore();
  const { importAll, find } = createBarcodeFacts(store.sql);
  await importAll(
    [
      { gtin: ONE, facts: factsOf('open_food_facts') },
      { gtin: TWO, facts: factsOf('open_beauty_facts') },
      { gtin: THREE, facts: factsOf('open_library') },
    ],
    NOW_MS,
  );
  await takeDown(store.sql, { host: 'openfoodfacts.org', retailers: [] }, true);
  assert.notEqual(await find(ONE), null);
  await takeDown(store.sql, { host: 'openfoodfacts.org', retailers: [] }, false);
  assert.equal(await find(ONE), null);
  assert.notEqual(await find(TWO), null);
  await takeDown(store.sql, { host: 'openlibrary.org', retailers: [] }, false);
  assert.equal(await find(THREE), null);
});
