// Steps whose calls run concurrently with other work: the queue and the checks of watches that ask the same shops, and a key
// that expires. What is answered is paid exactly, and each record is consistent, whichever came first.

import { setTimeout as wait } from 'node:timers/promises';

import { integerBelow, pick } from '../../../tests/support/random.ts';
import { isValid, pay } from './accounts.ts';
import { numberAt } from './bodies.ts';
import { meteredOf, send, type Ask, type Said } from './calls.ts';
import { brokenCells, untrueCells } from './cell-laws.ts';
import { KNOWN_WITHIN_MS, makeKey } from './keys-and-limits.ts';
import {
  drawQuery,
  drawRefresh,
  drawSpelling,
  isForcing,
  lookupOf,
  type Judged,
} from './lookups.ts';
import { startAgain } from './once.ts';
import { brokenLaws } from './record-laws.ts';
import { passTime, settle, type Step } from './world.ts';

const HOUR_MS = 3_600_000;
const CALLS = 6;

type Asked = Omit<Judged, 'said'>;

/** Draws calls, some of which request the same product, in several ways. */
function drawCalls(step: Step): readonly Asked[] {
  const { world, random } = step;
  const drawn = drawSpelling(step);
  return Array.from({ length: CALLS }, () => {
    if (random() < 0.3) return { ...drawRefresh(step), isRefresh: true };
    const one =
      random() < 0.6
        ? { ...drawn, spelling: pick(random, drawn.good.spellings) }
        : drawSpelling(step);
    const query = drawQuery(step, one);
    return {
      drawn: one,
      query,
      isRefresh: false,
      ask: lookupOf(world.keys[0]!, one.spelling.text, query),
    };
  });
}

/** Lets time pass and, before the queue has finished the jobs due by then, makes calls for the same data. */
export async function callWhileWorking(step: Step): Promise<void> {
  const { world, random } = step;
  const { stage } = world;
  await stage.advance(pick(random, [1, HOUR_MS, 25 * HOUR_MS, 15 * 24 * HOUR_MS]));
  const asked = drawCalls(step).map((each) => ({
    ...each,
    ask: { ...each.ask, key: world.keys[0]! },
  }));
  const urls = stage.urls();
  const [, ...all] = await Promise.all([
    stage.settle(),
    ...asked.map(async ({ ask }, at) => {
      await wait(random() * 20);
      return await send(urls[at % urls.length] ?? '', ask);
    }),
  ]);
  for (const [at, said] of all.entries()) {
    const each = asked[at];
    if (each !== undefined) judgeAlone(step, { ...each, said });
  }
  await settle(world);
  await startAgain(world);
}

/** Checks what holds for an answer regardless of concurrent answers. */
function judgeAlone({ world }: Step, { drawn, query, ask, said, isRefresh }: Judged): void {
  const differs = (what: string): void =>
    world.differs(`at the same time ${ask.method} ${ask.target}`, what);
  if (said.code === 'internal') differs(said.text.slice(0, 300));
  payFor(ask, said, world.stage.now(), differs);
  if (said.status !== 200) return;
  const call = { query, isRefresh, form: drawn.spelling.form, nowMs: world.stage.now() };
  for (const law of brokenLaws(said.body, call)) differs(law);
  for (const law of brokenCells(said.body, call)) differs(law);
  for (const law of untrueCells(said.body, { ...world, sandbox: world.stage.sandbox }))
    differs(law);
  const seen = String((said.body['_freshness'] as { refreshed_at?: unknown }).refreshed_at);
  const isForced = isRefresh || isForcing(query);
  if (isForced && Date.parse(seen) !== world.stage.now())
    differs(`forced, and refreshed at ${seen}`);
}

function payFor(ask: Ask, said: Said, nowMs: number, differs: (what: string) => void): void {
  const cost = said.status < 300 ? (ask.costOf?.(said.body) ?? 0) : 0;
  if (numberAt(said.body, 'tokens_consumed') !== cost)
    differs(`costs ${numberAt(said.body, 'tokens_consumed')}, expected ${cost}`);
  pay(meteredOf(ask), cost, nowMs);
}

/**
 * Revokes a key during its calls: each is paid and answered, or refused and free, and an answer with an Idempotency-Key is
 * repeated for another key of the organization.
 */
export async function endKeyInCalls(step: Step): Promise<void> {
  const { world, random } = step;
  const { stage, rich } = world;
  const key = await makeKey(world, rich, {});
  world.keys.push(key);
  const once = `ended-${(world.made += 1)}`;
  const asks = drawCalls(step).map(({ ask }, at): Ask => ({
    ...ask,
    key,
    ...(at === 0 ? { once } : {}),
  }));
  const urls = stage.urls();
  const revoke = async (): Promise<void> => {
    await wait(integerBelow(random, 30));
    await stage.store.accounts.revokeKey(key.id, stage.now());
  };
  const [, ...all] = await Promise.all([
    revoke(),
    ...asks.map(async (ask, at) => {
      await wait(random() * 30);
      return await send(urls[at % urls.length] ?? '', ask);
    }),
  ]);
  key.revokedAtMs = stage.now();
  for (const [at, said] of all.entries()) {
    const ask = asks[at];
    if (ask === undefined) continue;
    const differs = (what: string): void =>
      world.differs(`with a key that ends ${ask.target}`, what);
    if (said.code === 'internal') differs(said.text.slice(0, 300));
    if (said.status === 401) continue;
    payFor(ask, said, stage.now(), differs);
  }
  await wait(KNOWN_WITHIN_MS);
  await passTime(world, KNOWN_WITHIN_MS);
  await startAgain(world);
  const [first] = all;
  const [ask] = asks;
  if (first === undefined || ask === undefined) return;
  const kept = {
    request: meteredOf(ask).request,
    status: 200,
    body: first.text,
    atMs: key.revokedAtMs,
  };
  if (first.status === 200) rich.kept.set(once, kept);
  const own = world.keys.find(
    (each) => each.of === rich && isValid(each, stage.now()) && each.scopes.length === 2,
  );
  if (own !== undefined && first.status === 200) await world.caller.call({ ...ask, key: own });
  await world.caller.call(ask);
}
