// Promise 5: metering is exact. A single token is spent once however many request it, the sum of the costs stated in
// answers equals the ledger and the decrease of the balances, and a month ends at midnight UTC with nothing lost or left
// over.

import { measureMetering } from '../../tests/data/metering/mixed-calls.ts';
import { FaultError } from '../../src/base/fault.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { openMeteredService } from '../../tests/data/metering/metered-service.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { startChild } from './children.ts';
import type { Charges } from './metering-child.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const PROCESSES = 3;
const CALLERS = 1_000;
const WIDE = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };

export const metering: Proof = {
  name: 'metering',
  promise: 5,
  says: 'Metering is exact, over processes and months.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const spent = await oneToken(problems);
    say(`one token, ${CALLERS} callers`);
    const months = isLong ? 50 : 5;
    await monthEnds(months, problems);
    say(`${months} month ends`);
    const calls = isLong ? 100_000 : 600;
    const mixed = await measureMetering({ calls, seed: 1, workers: 16 });
    for (const problem of mixed.problems) problems.note(problem);
    problems.check(mixed.answered === mixed.ledger, 'answers and ledger differ');
    problems.check(mixed.ledger === mixed.dropped, 'ledger and balances differ');
    return problems.result([
      `1 token, ${CALLERS} callers in ${PROCESSES} processes: spent ${spent} times`,
      `${months} month ends: every token of each month spent, and not one more`,
      `${calls} mixed calls: answers ${mixed.answered}, ledger ${mixed.ledger}, balances fell by ${mixed.dropped}`,
    ]);
  },
};

async function oneToken(problems: Problems): Promise<number> {
  await using database = await newDatabase('migrated');
  await using store = await storeAt(database.url);
  const request = { organization: 'poor', note: null, monthlyQuota: 1, ...WIDE };
  const { text: key } = await issueKey(store.accounts, request, Date.now());
  const children = Array.from({ length: PROCESSES }, () =>
    startChild('metering-child.ts', [database.url]),
  );
  const count = Math.ceil(CALLERS / PROCESSES);
  const counts = await Promise.all(
    children.map(async (child, at) => {
      await using one = child;
      const charges: Charges = { kind: 'charges', key, prefix: `p${at}`, count };
      return Number(await one.ask(charges));
    }),
  );
  const spent = counts.reduce((sum, each) => sum + each, 0);
  problems.check(spent === 1, `a single token was spent ${spent} times`);
  for (const problem of await checkStore(store.sql)) problems.note(problem);
  return spent;
}

/** Calls continue over midnight: those before it belong to the old month, all others to the new one. */
async function monthEnds(count: number, problems: Problems): Promise<void> {
  const quota = 40;
  await using service = await openMeteredService({ monthlyQuota: quota });
  const { clock, caller, store } = service;
  const start = new Date(clock.now());
  for (let month = 0; month < count; month += 1) {
    const end = Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + month + 1, 1);
    clock.set(end - 1);
    const before = await spend(service.metering, caller, `${month}-before`, quota + 10);
    // One token of each month but the first was spent at its first instant.
    const left = month === 0 ? quota : quota - 1;
    problems.check(before === left, `month ${month}: ${before} of ${left} tokens before its end`);
    clock.set(end);
    const first = await spend(service.metering, caller, `${month}-after`, 1);
    problems.check(
      first === 1,
      `month ${month}: nothing to spend at the first instant of the next`,
    );
  }
  for (const problem of await checkStore(store.sql)) problems.note(problem);
}

type Metering = Awaited<ReturnType<typeof openMeteredService>>['metering'];
type Caller = Awaited<ReturnType<typeof openMeteredService>>['caller'];

async function spend(
  charging: Metering,
  caller: Caller,
  prefix: string,
  calls: number,
): Promise<number> {
  let spent = 0;
  await Promise.all(
    Array.from({ length: calls }, async (_, number) => {
      const requestId = `${prefix}-${number}`;
      try {
        await charging.charge(caller, { requestId, route: 'GET /v1/products/{id}', tokens: 1 });
        spent += 1;
      } catch (error) {
        if (!(error instanceof FaultError && error.fault.code === 'quota_exceeded')) throw error;
      }
    }),
  );
  return spent;
}
