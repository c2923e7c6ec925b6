// Runs one order: a fresh store, the lookups one after another, some as a line of a batch or as a watch instead of a call, with the
// background queue drained in between or at the end, then every lookup again until no work is left, and three more times, so that the compared answers are cached ones.

import { createHash } from 'node:crypto';

import { createTakenDownHosts } from '../../../src/answer/collect/coordination/taken-down-hosts.ts';
import { createHistoryImport } from '../../../src/answer/lookup/history/import-history.ts';
import type { GivenEntry } from '../../../src/rules/history/given-entry.ts';
import type { Config } from '../../../src/edge/config.ts';
import { steadyClock } from '../../../src/edge/wiring/clocks.ts';
import { integerBelow } from '../../../tests/support/random.ts';
import {
  answeredRetailers,
  comparable,
  isTiedByAnswer,
  fieldsWhere,
  isOfAnchor,
  isTiedAtTheSeven,
  strangerAnchorOf,
  type ComparableAnswer,
  type LookupAnswer,
} from './compare.ts';
import { ORGANIZATIONS, type OrderLookup } from './lookups.ts';
import { openDriven, type DrivenService } from './service.ts';

type OrderPlan = {
  readonly order: number;
  readonly lookups: readonly OrderLookup[];
  readonly config: Config;
  readonly startMs: number;
  /** Imported before a randomly chosen lookup. */
  readonly history: readonly GivenEntry[];
  readonly random: () => number;
};

/** A barcode whose record comes from a stranger although one of the seven has the product (D57). */
type StrangerAnchor = {
  readonly lookup: string;
  readonly when: 'at the first answer' | 'at the end';
  readonly shop: string;
};

export type OrderResult = {
  readonly order: number;
  /** By the barcode and the retailers that had answered. */
  readonly first: ReadonlyMap<string, ComparableAnswer>;
  /** Barcodes whose first answer was not a record. */
  readonly firstWithoutRecord: number;
  /** Barcodes whose first answer was a page that merely prints it: only these may depend on the order (D80). */
  readonly firstPrinted: number;
  readonly settled: ReadonlyMap<string, ComparableAnswer>;
  readonly strangerAnchors: readonly StrangerAnchor[];
  readonly calls: number;
  /** Rounds of repeated lookups; null: after the last one there was still work, or records still changed. */
  readonly rounds: number | null;
  /** Number of compared answers that came from the cache. */
  readonly kept: number;
};

const MOST_ROUNDS = 5;
/** All lookups together take at most six hours of the service's time, so that no listing becomes a day old. */
const ALL_LOOKUPS_MS = 6 * 3_600_000;
const STEP_MS = 5_000;
/** A product's retailers are queued at most once a minute. */
const BETWEEN_ROUNDS_MS = 90_000;
const CELLS = 'include_cross_retailer=true&identifier_match=any';

const withCells = (path: string): string => `${path}${path.includes('?') ? '&' : '?'}${CELLS}`;

export async function runOrder(plan: OrderPlan): Promise<OrderResult> {
  const { lookups, random } = plan;
  await using service = await openDriven(plan.config, {
    startMs: plan.startMs,
    organizations: ORGANIZATIONS,
  });
  const first = new Map<string, FirstAnswer>();
  const drainShare = drawDrainShare(random);
  const importAt = integerBelow(random, lookups.length);
  const stepMs = Math.min(STEP_MS, Math.floor(ALL_LOOKUPS_MS / lookups.length));
  let calls = 0;
  for (const [at, lookup] of shuffled(lookups, random).entries()) {
    if (at === importAt) await importHistory(service, plan);
    const answer = await service[meansOf(lookup, random)](lookup.path, lookup.organization);
    calls += 1;
    if (lookup.barcode !== null && !first.has(lookup.barcode)) {
      const cells = await service.get(withCells(lookup.path), lookup.organization);
      calls += 1;
      first.set(lookup.barcode, {
        answer,
        answered: answeredRetailers(cells),
        isTied: isTiedByAnswer(cells),
        isBeforeImport: at < importAt,
      });
    }
    service.advance(stepMs);
    if (random() < drainShare) await service.drain();
  }
  const { answers: made, rounds } = await askUntilSettled(service, lookups);
  const { answers, kept } = await askKept(service, made);
  calls += lookups.length * ((rounds ?? MOST_ROUNDS) + KEPT_ROUNDS);
  return {
    ...(await compared(service, plan, { first, answers })),
    order: plan.order,
    calls,
    rounds,
    kept,
  };
}

type FirstAnswer = {
  readonly answer: LookupAnswer;
  readonly answered: readonly string[] | null;
  readonly isTied: boolean;
  /** Only in orders with imported history does a record change because of it. */
  readonly isBeforeImport: boolean;
};

/** A barcode's first answer is compared, so it is a call or a line of a batch. */
function meansOf({ barcode, path }: OrderLookup, random: () => number): 'get' | 'batch' | 'watch' {
  const drawn = random();
  if (drawn < BATCH_SHARE) return 'batch';
  return drawn < BATCH_SHARE + WATCH_SHARE && barcode === null && !path.includes('?')
    ? 'watch'
    : 'get';
}

const BATCH_SHARE = 0.15;
const WATCH_SHARE = 0.2;

/**
 * Draws a drain share: a third of the orders drains the queue only at the end, a third after every lookup, a third
 * occasionally.
 */
function drawDrainShare(random: () => number): number {
  return [0, 0.2, 1][integerBelow(random, 3)] ?? 0;
}

export function shuffled<T>(list: readonly T[], random: () => number): readonly T[] {
  const order = list.map((value) => ({ value, at: random() }));
  return order.toSorted((a, b) => a.at - b.at).map(({ value }) => value);
}

async function importHistory({ store }: DrivenService, plan: OrderPlan): Promise<void> {
  if (plan.history.length === 0) return;
  const hosts = await createTakenDownHosts(store.sql, steadyClock);
  const imports = createHistoryImport(store, hosts, plan.startMs);
  const entries = [];
  for (const given of plan.history) {
    const resolved = await imports.resolve(given);
    if (!resolved.ok) throw new Error(`an imported row ${resolved.why}`);
    entries.push(resolved.entry);
  }
  await imports.insert(entries);
}

/** Repeats all lookups until a round leaves nothing on the queue and returns the same answers as the round before. */
async function askUntilSettled(
  service: DrivenService,
  lookups: readonly OrderLookup[],
): Promise<{
  readonly answers: ReadonlyMap<OrderLookup, LookupAnswer>;
  readonly rounds: number | null;
}> {
  await service.finish();
  const answers = new Map<OrderLookup, LookupAnswer>();
  let before = '';
  for (let round = 1; round <= MOST_ROUNDS; round += 1) {
    service.advance(BETWEEN_ROUNDS_MS);
    const all = createHash('sha256');
    for (const lookup of lookups) {
      const answer = await service.get(withCells(lookup.path), lookup.organization);
      answers.set(lookup, answer);
      all.update(JSON.stringify([...comparable(answer, new Map())]));
    }
    const now = all.digest('hex');
    // The calls above wait until their jobs are on the queue.
    if ((await service.waiting()) === 0 && now === before) return { answers, rounds: round };
    before = now;
    await service.finish();
  }
  return { answers, rounds: null };
}

/** The first round computes what the last one gets from the cache; recording what the answer depends on takes one more. */
const KEPT_ROUNDS = 3;

/** Repeats lookups of which nothing has changed: if an answer is cached, the cached one is compared. */
async function askKept(
  service: DrivenService,
  made: ReadonlyMap<OrderLookup, LookupAnswer>,
): Promise<{ readonly answers: ReadonlyMap<OrderLookup, LookupAnswer>; readonly kept: number }> {
  const answers = new Map<OrderLookup, LookupAnswer>();
  let before = 0;
  for (let round = 1; round <= KEPT_ROUNDS; round += 1) {
    before = await service.kept();
    for (const lookup of made.keys())
      answers.set(lookup, await service.get(withCells(lookup.path), lookup.organization));
  }
  return { answers, kept: (await service.kept()) - before };
}

async function compared(
  { store }: DrivenService,
  { lookups, history }: OrderPlan,
  told: {
    readonly first: ReadonlyMap<string, FirstAnswer>;
    readonly answers: ReadonlyMap<OrderLookup, LookupAnswer>;
  },
): Promise<
  Pick<OrderResult, 'first' | 'firstWithoutRecord' | 'firstPrinted' | 'settled' | 'strangerAnchors'>
> {
  const rows = await store.sql.all('select slug, domain from shops');
  const domains = new Map(rows.map((row) => [String(row['slug']), String(row['domain'])]));
  const first = new Map<string, ComparableAnswer>();
  const strangerAnchors: StrangerAnchor[] = [];
  let firstWithoutRecord = 0;
  let firstPrinted = 0;
  const tied = new Set<string>();
  const settled = new Map<string, ComparableAnswer>();
  for (const lookup of lookups) {
    const answer = told.answers.get(lookup) ?? { status: 0, body: null };
    settled.set(lookup.path, comparable(answer, domains));
    if (lookup.barcode === null || !isTiedAtTheSeven(answer)) continue;
    tied.add(lookup.barcode);
    const slug = strangerAnchorOf(answer);
    if (slug === null) continue;
    const shop = domains.get(slug) ?? slug;
    strangerAnchors.push({ lookup: lookup.path, when: 'at the end', shop });
  }
  for (const [barcode, { answer, answered, isTied, isBeforeImport }] of told.first) {
    const slug = strangerAnchorOf(answer);
    if (slug !== null && tied.has(barcode)) {
      const shop = domains.get(slug) ?? slug;
      strangerAnchors.push({ lookup: barcode, when: 'at the first answer', shop });
    }
    if (answered === null) firstWithoutRecord += 1;
    else if (!isTied) firstPrinted += 1;
    else {
      const imported = history.length > 0 && !isBeforeImport ? ', history imported' : '';
      const name = `${barcode} after ${answered.join(', ') || 'nobody'} had answered${imported}`;
      first.set(name, fieldsWhere(comparable(answer, domains), isOfAnchor));
    }
  }
  return { first, firstWithoutRecord, firstPrinted, settled, strangerAnchors };
}
