// Promise 6: the throttle is exact. Four processes query one store at the same instants, and of each sequence exactly as
// many requests are admitted as one bucket allows; in any period at most the burst plus what was refilled.

import { budgetUs, intervalUs, type ThrottlePolicy } from '../../src/data/metering/throttle.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../tests/support/random.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { startChild } from './children.ts';
import type { Requests } from './metering-child.ts';
import { createProblems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 6;
const PROCESSES = 4;
const STEPS = 6;
const START_US = 1_800_000_000_000_000;
/** Sequences that are requested together. */
const AT_ONCE = 500;

type Sequence = {
  readonly id: string;
  readonly limits: ThrottlePolicy;
  nowUs: number;
  /** When the bucket is empty again, according to the oracle. */
  fullUntilUs: number;
  readonly admittedAtUs: number[];
};

export const throttle: Proof = {
  name: 'throttle',
  promise: 6,
  says: 'The throttle is exact, over processes.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const random = randomFrom(seedOf(SEED));
    const count = isLong ? 10_000 : 300;
    await using database = await newDatabase('migrated');
    const children = Array.from({ length: PROCESSES }, () =>
      startChild('metering-child.ts', [database.url]),
    );
    await using all = new AsyncDisposableStack();
    for (const child of children) all.use(child);
    let asked = 0;
    let admitted = 0;
    for (let from = 0; from < count; from += AT_ONCE) {
      const sequences = newSequences(random, from, Math.min(count, from + AT_ONCE));
      await insertOrganizations(database.url, sequences);
      for (let step = 0; step < STEPS; step += 1) {
        for (const sequence of sequences) move(sequence, random);
        const requests: Requests = { kind: 'requests', of: sequences.map(requestOf) };
        const answers = (await Promise.all(
          children.map((child) => child.ask(requests)),
        )) as (readonly boolean[])[];
        for (const [at, sequence] of sequences.entries()) {
          const yes = answers.filter((answer) => answer[at] === true).length;
          const allowed = pour(sequence, PROCESSES);
          asked += PROCESSES;
          admitted += yes;
          problems.check(yes === allowed, `${sequence.id}: ${yes} admitted, ${allowed} allowed`);
          for (let each = 0; each < yes; each += 1) sequence.admittedAtUs.push(sequence.nowUs);
        }
      }
      for (const sequence of sequences)
        problems.check(isBounded(sequence), `${sequence.id}: a burst`);
      say(`${Math.min(count, from + AT_ONCE)} of ${count} sequences`);
    }
    return problems.result([
      `seed ${seedOf(SEED)}`,
      `${count} sequences, ${PROCESSES} processes, ${asked} requests: ${admitted} admitted, ${problems.count()} times more or fewer than one bucket`,
    ]);
  },
};

function newSequences(random: () => number, from: number, to: number): readonly Sequence[] {
  return Array.from({ length: to - from }, (_, at) => ({
    id: `org${from + at}`,
    limits: {
      name: 'throttle',
      spared: 0,
      perMinute: pick(random, [1, 7, 60, 600, 6_000]),
      burst: pick(random, [1, 2, 3, 5, 12]),
    },
    nowUs: START_US + integerBelow(random, 1_000_000),
    fullUntilUs: 0,
    admittedAtUs: [],
  }));
}

async function insertOrganizations(url: string, sequences: readonly Sequence[]): Promise<void> {
  await using store = await storeAt(url);
  await store.sql.write(
    sequences.map(({ id }) => ({
      text: `insert into organizations (id, name, monthly_quota, throttle_per_minute, throttle_burst,
        created_at_ms) values ($1, $1, 0, 1, 1, 0)`,
      params: [id],
    })),
  );
}

function move(sequence: Sequence, random: () => number): void {
  if (random() < 0.6) sequence.nowUs += integerBelow(random, 3 * intervalUs(sequence.limits));
}

function requestOf({ id, limits, nowUs }: Sequence): Requests['of'][number] {
  const { perMinute, burst } = limits;
  return { id, perMinute, burst, nowUs };
}

/** Returns how many simultaneous requests one bucket admits; the rule, formulated differently from the statement. */
function pour(sequence: Sequence, requests: number): number {
  const { limits, nowUs } = sequence;
  let level = Math.max(0, sequence.fullUntilUs - nowUs);
  let admitted = 0;
  while (admitted < requests && level + intervalUs(limits) <= budgetUs(limits)) {
    level += intervalUs(limits);
    admitted += 1;
  }
  if (admitted > 0) sequence.fullUntilUs = nowUs + level;
  return admitted;
}

function isBounded({ admittedAtUs, limits }: Sequence): boolean {
  return admittedAtUs.every((from, first) =>
    admittedAtUs
      .slice(first)
      .every((to, more) => more + 1 <= limits.burst + Math.floor((to - from) / intervalUs(limits))),
  );
}
