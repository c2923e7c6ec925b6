// How soon the tokens that a killed process had reserved can be spent by another, in real time, on both databases.

import { keepReservations } from '../../src/data/metering/keep-reservations.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { createMetering } from '../../src/data/metering/metering.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { startReserving } from '../../tests/data/metering/reserving.ts';
import { newDatabase } from '../../tests/support/databases.ts';
import { newStorePlace, storeAt } from '../../tests/support/stores.ts';
import type { Problems } from './problems.ts';

const TOKENS = 10;
/** Longer than a lease: the process has to renew it. */
const LIVES_MS = 12_000;
const FREE_WITHIN_MS = 10_000;
const ASKED_EVERY_MS = 50;

/** Returns the milliseconds from the kill until the tokens were spent. */
export async function killedReservations(problems: Problems): Promise<readonly number[]> {
  await using file = await newStorePlace();
  await using database = await newDatabase('migrated');
  return [await afterKill(file.name, problems), await afterKill(database.url, problems)];
}

async function afterKill(place: string, problems: Problems): Promise<number> {
  await using store = await storeAt(place);
  const { accounts, sql } = store;
  const metering = createMetering({ accounts, sql, clock: systemClock });
  const request = { organization: 'poor', note: null, monthlyQuota: TOKENS };
  const limits = { throttlePerMinute: 60_000_000, throttleBurst: 1_000_000 };
  const { text: key } = await issueKey(accounts, { ...request, ...limits }, systemClock.now());
  const caller = await metering.authenticate(`Bearer ${key}`);
  let asked = 0;
  const spend = async (): Promise<boolean> => {
    const call = { requestId: `own${(asked += 1)}`, route: 'GET /v1/products/{id}' };
    const spent = await Promise.allSettled([metering.charge(caller, { ...call, tokens: TOKENS })]);
    return spent.every(({ status }) => status === 'fulfilled');
  };
  const stop = new AbortController();
  const onError = (what: string) => problems.note(what);
  const keeping = keepReservations({ metering, store, clock: systemClock, onError }, stop.signal);
  await using child = startReserving(place, key, 'killed');
  problems.check((await child.ask(`reserve ${TOKENS}`)) === 'done', 'nothing was reserved');
  await systemClock.sleep(LIVES_MS);
  problems.check(!(await spend()), 'tokens of a living process were spent');
  const killedAtMs = performance.now();
  await child.kill();
  while (!(await spend()) && performance.now() < killedAtMs + 2 * FREE_WITHIN_MS) {
    await systemClock.sleep(ASKED_EVERY_MS);
  }
  const tookMs = Math.round(performance.now() - killedAtMs);
  problems.check(tookMs <= FREE_WITHIN_MS, `tokens were free ${tookMs} ms after the kill`);
  stop.abort();
  await keeping.catch(() => undefined);
  for (const problem of await checkStore(sql)) problems.note(problem);
  return tookMs;
}
