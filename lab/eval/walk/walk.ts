// A walk: steps drawn one after the other, each from the seed and its number alone, so that a walk without some of its steps
// draws the others as before.

import { checkStore } from '../../../src/data/maintenance/check.ts';
import { createJudge } from '../../../tests/contract/support/document.ts';
import { pick, randomFrom } from '../../../tests/support/random.ts';
import { newOrganization, type Organization } from './accounts.ts';
import { createCaller } from './calls.ts';
import { callWhileWorking, endKeyInCalls } from './at-the-same-time.ts';
import { askAsTimePasses, checkAcrossRoutes } from './cross-checks.ts';
import { askInSeveralWays } from './equalities.ts';
import { chooseGoods } from './goods.ts';
import { importHistory } from './imports.ts';
import {
  callAtOnce,
  callWrongly,
  changeKeys,
  makeKey,
  readUsage,
  repeat,
  useUpQuota,
  useUpThrottle,
} from './keys-and-limits.ts';
import { lookUp, refresh } from './lookups.ts';
import { lookUpBatch, repeatAtOnce } from './once.ts';
import { compareOffers, readHistory, readReviews, readSellers } from './readings.ts';
import { moveBarcode } from './moved-barcodes.ts';
import { askOnOneConnection } from './on-one-connection.ts';
import { openStage, type Stage, type StageOptions } from './stage.ts';
import {
  changeListing,
  disturb,
  killAndRepeat,
  letTimePass,
  packHistory,
  takeDown,
} from './time-and-trouble.ts';
import { changeWatches, readFeed } from './watching.ts';
import { settle, type Step, type World } from './world.ts';

type WalkPlan = StageOptions & {
  /** Numbers of the steps. */
  readonly numbers: readonly number[];
  /** Names of the acts to draw from; all if absent. */
  readonly acts?: readonly string[];
};

type Difference = {
  readonly step: number;
  readonly act: string;
  readonly where: string;
  readonly what: string;
};

export type WalkResult = {
  readonly differences: readonly Difference[];
  readonly calls: number;
  readonly statuses: ReadonlyMap<string, number>;
  /** Requests on persistent connections, and those of them that were answered without node:http. */
  readonly onConnections: { readonly sent: number; readonly repeated: number };
};

const ACTS: readonly (readonly [weight: number, act: (step: Step) => Promise<void>])[] = [
  [24, lookUp],
  [10, askInSeveralWays],
  [6, checkAcrossRoutes],
  [3, askAsTimePasses],
  [6, askOnOneConnection],
  [3, lookUpBatch],
  [3, repeatAtOnce],
  [7, refresh],
  [8, readHistory],
  [4, readReviews],
  [4, compareOffers],
  [4, readSellers],
  [6, changeWatches],
  [4, readFeed],
  [4, readUsage],
  [7, repeat],
  [2, changeKeys],
  [2, useUpQuota],
  [2, callAtOnce],
  [5, callWhileWorking],
  [1, endKeyInCalls],
  [1, useUpThrottle],
  [2, callWrongly],
  [9, letTimePass],
  [1, packHistory],
  [2, importHistory],
  [3, disturb],
  [3, changeListing],
  [2, moveBarcode],
  [0.4, takeDown],
  [0.7, killAndRepeat],
];
/** With few products, steps often meet the same one; with many, there is more variety. */
const LEAST_PRODUCTS = 3;
const PRODUCTS_MORE = 7;

export async function walk(plan: WalkPlan): Promise<WalkResult> {
  await using stage = await openStage(plan);
  const differences: Difference[] = [];
  const at = { step: 0, act: 'start', random: randomFrom(plan.seed) };
  const differs = (where: string, what: string): void => {
    differences.push({ step: at.step, act: at.act, where, what });
  };
  const world = await openWorld(stage, plan, { differs, random: () => at.random() });
  for (const number of plan.numbers) {
    const random = randomFrom(Math.imul(plan.seed, 0x9e3779b1) ^ Math.imul(number, 0x85ebca6b));
    const act = drawAct(random, plan.acts);
    Object.assign(at, { step: number, act: act.name, random });
    try {
      await act({ world, random });
    } catch (error) {
      differs('thrown', error instanceof Error ? (error.stack ?? error.message) : String(error));
    }
  }
  await settle(world);
  Object.assign(at, { act: 'end' });
  for (const problem of await checkStore(stage.store.sql)) differs('openshelf check', problem);
  const { caller, onConnections } = world;
  return { differences, calls: caller.calls(), statuses: caller.statuses, onConnections };
}

function drawAct(
  random: () => number,
  names: readonly string[] | undefined,
): (step: Step) => Promise<void> {
  const able = ACTS.filter(([, { name }]) => names?.includes(name) ?? true);
  let left = random() * able.reduce((sum, [weight]) => sum + weight, 0);
  for (const [weight, act] of able) {
    left -= weight;
    if (left < 0) return act;
  }
  return lookUp;
}

async function openWorld(
  stage: Stage,
  { seed }: WalkPlan,
  { differs, random }: Pick<World, 'differs'> & { readonly random: () => number },
): Promise<World> {
  const document = await fetch(`${stage.urls()[0]}/openapi.json`);
  const judge = createJudge((await document.json()) as Record<string, unknown>);
  const now = stage.now;
  const urlOf = (): string => pick(random, stage.urls());
  const organization = async (name: string, limits: Limits): Promise<Organization> => {
    const { quota, perMinute, burst } = limits;
    const settings = { monthlyQuota: quota, throttlePerMinute: perMinute, throttleBurst: burst };
    await stage.store.accounts.upsertOrganization({ name, ...settings }, now());
    return newOrganization(name, limits);
  };
  const wide = { perMinute: 60_000_000, burst: 1_000_000 };
  const rich = await organization('rich', { quota: 1_000_000, ...wide });
  const poor = await organization('poor', { quota: 60, ...wide });
  const slow = await organization('slow', { quota: 1_000, perMinute: 6, burst: 4 });
  const takenDown: World['takenDown'] = new Map();
  const world: World = {
    stage,
    goods: chooseGoods(stage.sandbox, randomFrom(seed), {
      count: LEAST_PRODUCTS + (seed % PRODUCTS_MORE),
      now,
    }),
    caller: createCaller({ now, urlOf, judge, differs, hidden: () => [...takenDown.values()] }),
    differs,
    rich,
    poor,
    slow,
    keys: [],
    admin: { text: '', id: '', of: rich, scopes: [], expiresAtMs: null, revokedAtMs: null },
    sent: [],
    disturbed: new Map(),
    troubledAtMs: new Map(),
    takenDown,
    memory: { refreshed: new Map(), rows: new Map() },
    watches: new Map(),
    feed: { cursor: null, seen: new Set(), chain: new Map(), breaks: [] },
    watchEntries: 0,
    requests: 0,
    mayWatch: false,
    onConnections: { sent: 0, repeated: 0 },
    made: 0,
  };
  for (const each of [rich, poor, slow]) world.keys.push(await makeKey(world, each, {}));
  return { ...world, admin: await makeKey(world, rich, { scopes: ['admin'] }) };
}

type Limits = { readonly quota: number; readonly perMinute: number; readonly burst: number };

const MOST_TRIES = 40;

/** Leaves steps out as long as the first difference, ignoring numbers, remains. */
export async function shorten(
  plan: WalkPlan,
  result: WalkResult,
): Promise<{ readonly numbers: readonly number[]; readonly result: WalkResult }> {
  const [first] = result.differences;
  if (first === undefined) return { numbers: plan.numbers, result };
  const nameOf = ({ act, what }: Difference): string =>
    `${act} ${what.replaceAll(/[\d.:]+/g, '#').slice(0, 50)}`;
  let numbers = plan.numbers.slice(0, plan.numbers.indexOf(first.step) + 1);
  let last = result;
  let size = Math.ceil(numbers.length / 2);
  for (let tries = 0; tries < MOST_TRIES && size >= 1;) {
    let isShorter = false;
    for (let from = 0; from < numbers.length - 1 && tries < MOST_TRIES; tries += 1) {
      const left = numbers.filter(
        (_, at) => at < from || at >= from + size || at === numbers.length - 1,
      );
      const again = await walk({ ...plan, numbers: left });
      if (again.differences.some((each) => nameOf(each) === nameOf(first))) {
        [numbers, last, isShorter] = [left, again, true];
      } else {
        from += size;
      }
    }
    if (!isShorter) size = size === 1 ? 0 : Math.ceil(size / 2);
  }
  return { numbers, result: last };
}
