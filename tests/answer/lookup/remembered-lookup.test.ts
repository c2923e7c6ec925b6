// A lookup that remembers finds what one that does not would find, and reads less.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { FaultError } from '../../../src/base/fault.ts';
import type { Lookup } from '../../../src/answer/lookup/lookup-product.ts';
import type {
  ParsedLookup,
  ProductRequest,
} from '../../../src/answer/lookup/steps/parse-lookup.ts';
import { remembering } from '../../../src/answer/lookup/kept/remembered-lookup.ts';
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

test('what is remembered is what would be composed now, whatever is written and however time passes', async (t) => {
  const seed = seedOf(2_323);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = stillClock(NOON);
  await using opened = new AsyncDisposableStack();
  const { config, needs } = await openLookupNeeds(clock, opened);
  const { store } = needs;
  const { lookupProduct: remembered } = wireLookups(config, needs);
  const { lookupProduct: plain } = wireLookups({ ...config, rememberedMb: 0 }, needs);
  const last = new Map<string, unknown>();
  let [compared, again] = [0, 0];
  await refill(store, random, clock.now());
  for (let round = 0; round < ROUNDS; round += 1) {
    if (isTrue(random, 0.1)) await refill(store, random, clock.now());
    const text = pick(random, [...GTINS, ...KEYS]);
    const request = { text, forceRefresh: false, ...pick(random, REQUESTS) };
    const lookup = remembered.parse(request);
    for (let asked = integerBelow(random, 4); asked >= 0; asked -= 1) {
      const [found, wanted] = [await outcome(remembered, lookup), await outcome(plain, lookup)];
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
  t.diagnostic(`${compared} compared, ${again} of them were remembered`);
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

/** A lookup whose revision is `state.revision`, and how often it was made. */
function counted(maxBytes: number) {
  const state = { revision: 1, made: 0, noted: 0, isUnfit: false, circumstances: 'a' };
  const clock = stillClock(NOON);
  const plain: Lookup<{ readonly text: string }> = {
    parse: () => assert.fail('nothing is parsed'),
    fromStore: async () => ({ text: `made ${(state.made += 1)}` }),
    fromShops: () => assert.fail('nothing is fetched'),
  };
  const lookup = remembering(plain, {
    basis: {
      clock,
      noted: {
        circumstances: () => state.circumstances,
        revisionsOf: async (subjects) =>
          subjects.map((subject) => ({ subject, revision: state.revision })),
      },
    },
    maxBytes,
    makeNoted: async () => {
      const found = { text: `noted ${(state.noted += 1)}` };
      const dependence = state.isUnfit ? null : { subjects: ['a'], untilMs: NOON + 1_000 };
      return { found, dependence };
    },
  });
  const ask = async (more: Partial<ParsedLookup> = {}) =>
    (await lookup.fromStore({ ...BARE, ...more }))?.text;
  const asks = async (times: number, more: Partial<ParsedLookup> = {}) => {
    const told: unknown[] = [];
    for (let at = 0; at < times; at += 1) told.push(await ask(more));
    return told;
  };
  return { state, clock, ask, asks };
}

const BARE: ParsedLookup = {
  keys: [],
  retailer: null,
  isBare: true,
  isForced: false,
  addOns: {},
  identifierMatch: 'confirmed',
  anchorOnly: false,
  organizationId: 'one',
};
const MUCH = 1_048_576;

test('the second ask says what it depends on, from the fourth on it is remembered, for every organization', async () => {
  const { asks, ask } = counted(MUCH);
  const told = ['made 1', 'noted 1', 'noted 2', 'noted 2', 'noted 2'];
  assert.deepEqual(await asks(5), told);
  assert.equal(await ask({ organizationId: 'another' }), 'noted 2');
  assert.equal(await ask({ anchorOnly: true }), 'made 2', 'it is another question');
});

for (const [what, change] of [
  ['a revision', ({ state }) => (state.revision += 1)],
  ['the circumstances', ({ state }) => (state.circumstances = 'b')],
  ['the time', ({ clock }) => clock.advance(1_000)],
] satisfies readonly [string, (of: ReturnType<typeof counted>) => unknown][]) {
  test(`when ${what} changed, it is made anew`, async () => {
    const of = counted(MUCH);
    await of.asks(4);
    change(of);
    assert.equal(await of.ask(), 'noted 3');
  });
}

test('what depends on what nobody is told of is made each time, and so is a forced lookup', async () => {
  const { asks, state } = counted(MUCH);
  state.isUnfit = true;
  assert.deepEqual(await asks(4), ['made 1', 'noted 1', 'made 2', 'made 3']);
  assert.deepEqual(await asks(3, { isForced: true }), ['made 4', 'made 5', 'made 6']);
});

test('with no room for two, the one that was asked for last is remembered', async () => {
  const { asks } = counted(1_500);
  await asks(4);
  assert.deepEqual(await asks(4, { anchorOnly: true }), [
    'made 2',
    'noted 3',
    'noted 4',
    'noted 4',
  ]);
  assert.deepEqual(await asks(1), ['made 3']);
});
