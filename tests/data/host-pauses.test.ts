// Shops that refuse: five failures in a row, then a pause that doubles, for the callers that had them. One table for the
// breaker of a process and for the row shared by all processes, on both databases.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  leftFor,
  widestPause,
  type AskedPause,
  type FailedFor,
  type PausedPlace,
  type PausesLeft,
} from '../../src/base/failed-for.ts';
import { createAskedPauses } from '../../src/egress/pacing/asked-pauses.ts';
import { createCircuit } from '../../src/egress/pacing/circuit-breaker.ts';
import type { Store } from '../../src/data/store.ts';
import { at } from '../support/contexts.ts';
import { openTestStore } from '../support/stores.ts';

const SHOP = at('shop.example');
const MINUTE = 60_000;
const BEGUN_AT_MS = 1_000_000;

type Step = {
  /** Minutes since the last one. */
  readonly after?: number;
  readonly asker?: FailedFor;
  readonly fails?: number;
  readonly asksForMinutes?: number;
  /** Another name of the host, which is requested. */
  readonly beside?: string;
};
type Case = {
  readonly says: string;
  /** A step without failures is an answer. */
  readonly steps: readonly Step[];
  /** Minutes for which each gets no request, after the last step. */
  readonly left: { readonly a: number; readonly b: number; readonly background: number };
  readonly shown: string;
};

const ANSWER: Step = {};
const a = (fails: number, more: Step = {}): Step => ({ asker: 'a', fails, ...more });
const b = (fails: number, more: Step = {}): Step => ({ asker: 'b', fails, ...more });
const background = (fails: number, more: Step = {}): Step => ({ asker: null, fails, ...more });
const all = (minutes: number) => ({ a: minutes, b: minutes, background: minutes });

const CASES: readonly Case[] = [
  { says: 'four failures pause nothing', steps: [a(2), b(2)], left: all(0), shown: '4, null' },
  {
    says: 'five of one organization hold for background work and, a quarter longer, for it',
    steps: [a(5)],
    left: { a: 1.25, b: 0, background: 1 },
    shown: '5, one_organization',
  },
  {
    says: 'five of two organizations hold for everyone',
    steps: [a(4), b(1)],
    left: all(1),
    shown: '5, everyone',
  },
  {
    says: 'the probe of another organization that fails makes it a pause for everyone, twice as long',
    steps: [a(5), b(1)],
    left: all(2),
    shown: '6, everyone',
  },
  {
    says: 'the probe of another organization that is answered ends it',
    steps: [a(5), { asker: 'b' }],
    left: all(0),
    shown: '0, null',
  },
  {
    says: 'background work alone holds nobody else up',
    steps: [background(6)],
    left: { a: 0, b: 0, background: 2 },
    shown: '6, background',
  },
  {
    says: 'background work makes no second organization',
    steps: [background(2), a(2), background(1)],
    left: { a: 1.25, b: 0, background: 1 },
    shown: '5, one_organization',
  },
  {
    says: 'callers without an organization are an asker of their own',
    steps: [{ asker: '', fails: 5 }],
    left: { a: 0, b: 0, background: 1 },
    shown: '5, one_organization',
  },
  {
    says: 'for one organization pauses double, whether it asks or background work does',
    steps: [a(5), a(1, { after: 1 }), background(1, { after: 2 }), a(1, { after: 4 })],
    left: { a: 10, b: 0, background: 8 },
    shown: '8, one_organization',
  },
  {
    says: 'behind a pause for everyone, one that goes on failing holds up itself alone',
    steps: [a(5), b(1), a(1, { after: 2 })],
    left: { a: 5, b: 0, background: 4 },
    shown: '7, one_organization',
  },
  {
    says: 'behind a pause for everyone, background work holds up itself alone',
    steps: [a(5), b(1), background(1, { after: 2 })],
    left: { a: 0, b: 0, background: 4 },
    shown: '7, background',
  },
  {
    says: 'behind a pause for everyone, two that fail hold up everyone again',
    steps: [a(5), b(1), a(1, { after: 2 }), b(1)],
    left: all(8),
    shown: '8, everyone',
  },
  {
    says: 'a pause that the shop asked for holds for everyone from the first failure',
    steps: [a(1, { asksForMinutes: 10 }), a(1, { after: 1 })],
    left: all(9),
    shown: '2, everyone',
  },
  {
    says: 'a pause that the shop asked for is neither shortened by failures nor ended by an answer that was on its way',
    steps: [a(1, { asksForMinutes: 10 }), a(4, { after: 1 }), ANSWER],
    left: all(9),
    shown: '0, everyone',
  },
  {
    says: 'a longer pause of one organization goes on behind the one that the shop asked for',
    steps: [a(7), a(1, { asksForMinutes: 2 })],
    left: { a: 10, b: 2, background: 8 },
    shown: '8, everyone',
  },
  {
    says: 'a pause that a name beside the shop asked for is not the shop’s',
    steps: [a(1, { asksForMinutes: 10, beside: 'old' })],
    left: all(0),
    shown: '1, null',
  },
  {
    says: 'what a name beside the shop answers is a failure of their host',
    steps: [a(5, { asksForMinutes: 10, beside: 'old' })],
    left: { a: 1.25, b: 0, background: 1 },
    shown: '5, one_organization',
  },
];

/** Reports what happened, and reads what is then known about it. */
type Told = (asker: FailedFor, step: Step, nowMs: number) => Promise<void>;
type Known = (nowMs: number) => Promise<{ left: PausesLeft; failures: number }>;

async function prove({ says, steps, left, shown }: Case, tell: Told, known: Known): Promise<void> {
  let now = BEGUN_AT_MS;
  for (const step of steps) {
    now += (step.after ?? 0) * MINUTE;
    for (let count = 0; count < (step.fails ?? 1); count += 1) {
      await tell(step.asker ?? null, step, now);
    }
  }
  const got = await known(now);
  const minutes = (asker: FailedFor) => leftFor(got.left, asker) / MINUTE;
  assert.deepEqual({ a: minutes('a'), b: minutes('b'), background: minutes(null) }, left, says);
  assert.equal(`${got.failures}, ${widestPause(got.left).pausedFor}`, shown, says);
}

function askedIn({ asksForMinutes, beside }: Step, host: string): AskedPause | null {
  if (asksForMinutes === undefined) return null;
  const name = beside === undefined ? host : `${beside}.${host}`;
  return { name, seconds: asksForMinutes * 60 };
}

for (const each of CASES) {
  test(`${each.says}: in a process`, async () => {
    const circuit = createCircuit(() => 0);
    const asked = createAskedPauses();
    const tell: Told = async (asker, step, nowMs) => {
      const result = step.fails === undefined ? 'answered' : 'failed';
      circuit.record({ result }, asker, nowMs);
      const pause = askedIn(step, SHOP.host);
      if (pause !== null) asked.note(pause, nowMs);
    };
    await prove(each, tell, async (nowMs) => ({
      left: { ...circuit.pauseLeft(nowMs), askedMs: asked.leftMs(SHOP, nowMs) },
      failures: circuit.failures(),
    }));
  });
}

test('the row that all processes have says the same, and the operator is shown it', async () => {
  await using store = await openTestStore();
  const { find, failed, answered } = store.hostPauses;
  for (const [index, each] of CASES.entries()) {
    const host = `${index}.example`;
    const tell: Told = async (asker, step, nowMs) => {
      if (step.fails === undefined) await answered(at(host), nowMs);
      else await failed(host, asker, askedIn(step, host), nowMs);
    };
    await prove(each, tell, async (nowMs) => {
      const shown = await shownHost(store, host, nowMs);
      const left = (await find(at(host), nowMs)) ?? NOTHING_LEFT;
      assert.equal(shown?.pausedFor ?? null, widestPause(left).pausedFor, each.says);
      return { left, failures: shown?.failures ?? 0 };
    });
  }
});

const NOTHING_LEFT: PausesLeft = { askedMs: 0, concludedMs: 0, ownMs: 0, failedFor: null };

async function shownHost({ operation }: Store, host: string, nowMs: number) {
  return (await operation.findPausedHosts(nowMs)).find((each) => each.host === host);
}

test('five failures in a row pause a host for a minute, then twice as long each, at most 15 minutes', async () => {
  await using store = await openTestStore();
  const { find, failed, answered } = store.hostPauses;
  const left = async (nowMs: number) => (await find(SHOP, nowMs))?.concludedMs;
  let now = BEGUN_AT_MS;
  for (let count = 1; count <= 4; count += 1) await failed(SHOP.host, 'a', null, now);
  assert.equal(await left(now), 0);
  for (const minutes of [1, 2, 4, 8, 15, 15]) {
    await failed(SHOP.host, 'a', null, now);
    assert.equal(await left(now), minutes * MINUTE);
    now += minutes * MINUTE;
    assert.equal(await left(now), 0);
  }
  await answered(SHOP, now);
  assert.equal(await find(SHOP, now), null);
});

test('a pause that one name asked for is of that name, is shown under it, and ends with its next answer', async () => {
  await using store = await openTestStore();
  const { find, failed, answered } = store.hostPauses;
  const [old, www] = ['old', 'www'].map((each) => ({ ...SHOP, name: `${each}.${SHOP.host}` }));
  assert.ok(old !== undefined && www !== undefined);
  await failed(SHOP.host, 'a', { name: old.name, seconds: 600 }, BEGUN_AT_MS);
  const askedMs = async (place: PausedPlace, nowMs: number) => (await find(place, nowMs))?.askedMs;
  const later = BEGUN_AT_MS + MINUTE;
  assert.deepEqual([await askedMs(old, later), await askedMs(www, later)], [9 * MINUTE, 0]);
  await answered(www, later);
  assert.deepEqual([await askedMs(old, later), await askedMs(www, later)], [9 * MINUTE, undefined]);
  assert.equal((await shownHost(store, old.name, later))?.pausedFor, 'everyone');
  const over = BEGUN_AT_MS + 10 * MINUTE;
  assert.equal(await askedMs(old, over), 0);
  await answered(old, over);
  assert.equal(await find(old, over), null);
});

test('what was last heard of days ago is forgotten', async () => {
  await using store = await openTestStore();
  const { find, failed, sweep } = store.hostPauses;
  await failed(SHOP.host, null, { name: SHOP.host, seconds: 600 }, BEGUN_AT_MS);
  await sweep(BEGUN_AT_MS + 3 * 86_400_000);
  assert.equal(await find(SHOP, BEGUN_AT_MS), null);
});

test('a clock that was set back begins a pause again and lengthens none', async () => {
  await using store = await openTestStore();
  const { find, failed } = store.hostPauses;
  const hour = 60 * MINUTE;
  for (let count = 0; count < 5; count += 1) await failed(SHOP.host, 'a', null, 2 * hour);
  assert.equal((await find(SHOP, hour))?.concludedMs, MINUTE);
  assert.equal((await find(SHOP, hour + MINUTE))?.concludedMs, 0);
});

test('a slot or a lease from before the clock was set back holds nobody up', async () => {
  await using store = await openTestStore();
  const hour = 60 * MINUTE;
  await store.hostSlots.take(SHOP.host, 1_000, 2 * hour, 2 * hour + 10_000);
  const slot = await store.hostSlots.take(SHOP.host, 1_000, hour, hour + 10_000);
  assert.deepEqual(slot, { isTaken: true, atMs: hour });
  assert.equal(await store.leases.take({ name: 'work', token: 'a' }, 'one', 2 * hour), true);
  assert.equal(await store.leases.isTaken('work', hour), false);
  assert.equal(await store.leases.take({ name: 'work', token: 'b' }, 'two', hour), true);
});
