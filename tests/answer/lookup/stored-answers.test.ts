// A lookup with a cache finds the same as one without, and reads less.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError } from '../../../src/base/fault.ts';
import type { Lookup } from '../../../src/answer/lookup/lookup-product.ts';
import type {
  ParsedLookup,
  ProductRequest,
} from '../../../src/answer/lookup/steps/parse-lookup.ts';
import { wireLookups } from '../../../src/edge/wiring/lookups.ts';
import {
  GTINS,
  isTrue,
  KEYS,
  NOON,
  passTime,
  refill,
  write,
} from '../../support/changing-store.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { stillClock } from '../../support/shifted-clock.ts';
import { openLookupNeeds } from '../../support/lookup-needs.ts';

const ROUNDS = 600;

const CELLS = { addOns: { includeCrossRetailer: true }, identifierMatch: 'any' } as const;
const REQUESTS: readonly Partial<ProductRequest>[] = [
  {},
  CELLS,
  { retailer: 'retailer_w' },
  { addOns: { includePriceSeries: true } },
];

test('what is cached is what would be made now, whatever is written and however time passes', async (t) => {
  const seed = seedOf(2_323);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = stillClock(NOON);
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(clock, opened);
  const { store } = needs;
  const { lookupProduct: cached } = wireLookups(config, needs);
  const { lookupProduct: plain } = wireLookups({ ...config, cacheMb: 0 }, needs);
  const last = new Map<string, unknown>();
  let [compared, again] = [0, 0];
  await refill(store, random, clock.now());
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isTrue(random, 0.1)) await refill(store, random, clock.now());
    const text = pick(random, [...GTINS, ...KEYS]);
    const request = { text, forceRefresh: false, ...pick(random, REQUESTS) };
    const lookup = cached.parse(request);
    for (let asked = integerBelow(random, 4); asked >= 0; asked -= 1) {
      const [found, wanted] = [await outcome(cached, lookup), await outcome(plain, lookup)];
      assert.deepEqual(found, wanted, `round ${round}: ${JSON.stringify(request)}`);
      const name = JSON.stringify(lookup);
      compared += 1;
      if (found !== null && last.get(name) === found) again += 1;
      last.set(name, found);
    }
    if (isTrue(random, 0.2)) passTime(clock, random);
    else if (isTrue(random, 0.6)) await write(store, random, clock.now());
  }
  await needs.background.stop();
  t.diagnostic(`${compared} compared, ${again} of them were cached`);
  assert.ok(again > compared / 8);
});

async function outcome<Found>(of: Lookup<Found>, lookup: ParsedLookup): Promise<unknown> {
  try {
    return await of.fromStore(lookup);
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault.code };
    throw error;
  }
}
