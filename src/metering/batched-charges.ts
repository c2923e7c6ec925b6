// Charges of one organization that wait at the same time, made as one: one step of its throttle and one debit for all of
// them, a row in the ledger for each. A batch that does not fit is made again call by call, in the order in which they
// came, so that the first calls are served.

import { BALANCE, balanceIn, debit, type Balance } from '../store/accounts/balances.ts';
import { chargesBehind, insertCharges, type Charge } from '../store/accounts/charges.ts';
import { requireRevisions, type Revision } from '../store/answers/revisions.ts';
import { chained } from '../store/chained.ts';
import type { Transaction } from '../store/sql.ts';
import type { Caller } from './authentication.ts';
import { charge } from './charging.ts';
import { createGathering } from './gathering.ts';
import {
  accountOf,
  consumedState,
  noteUse,
  policyOf,
  write,
  type Call,
  type Charged,
  type Meter,
} from './meter.ts';
import { rateLimitsAt, type Standings } from './rate-limit.ts';
import { consume, intervalUs } from './throttle.ts';

type PaidCall = Call & { readonly tokens: number };

type Waiting = {
  readonly caller: Caller;
  readonly call: PaidCall;
  readonly resolve: (charged: Charged | Promise<Charged>) => void;
  readonly reject: (error: unknown) => void;
};

/** More are the next batch: one transaction locks the organization's balance until it is committed. */
const MAX_BATCH = 128;

/**
 * Of the calls that wait, how many are the next batch; `before`: how many the last one was. Where the event loop is what is
 * short of time, half of the calls in hand: while they are written, the other half is answered. All of them at once would
 * make both wait for each other (0.31 of the bare server, halves 0.40). Where the disk is what is waited for, all: it takes
 * as long for few as for many.
 */
function sizeOfNext(waiting: number, before: number, isLoopBusy: boolean): number {
  return isLoopBusy ? Math.max(1, Math.ceil((waiting + before) / 2)) : waiting;
}

/** A batch of less than this part of the one before is not written before whoever waits to be read has been read. */
const FEW = 4;

/** Like `charge`, for calls without an Idempotency-Key that no other limit counts. */
export function createBatchedCharges(meter: Meter) {
  /** Calls that wait while a batch of the same organization is written. */
  const lines = new Map<string, Waiting[]>();
  const nameOf = createLineNames();
  const gathering = createGathering(meter.loop, meter.sql.dialect === 'postgres', MAX_BATCH);

  async function work(name: string, line: Waiting[]): Promise<void> {
    let before = 0;
    let tookMs = 0;
    let answerBefore: AnswerAll = () => undefined;
    while (line.length > 0) {
      const isBusy = meter.loop.isBusy();
      const mostMs = gathering.mostMs(tookMs);
      if (mostMs !== null || (isBusy && line.length < before / FEW)) {
        answerBefore();
        answerBefore = () => undefined;
        if (mostMs === null) await meter.loop.endOfTurn();
        else await gathering.gather(line, before, mostMs);
      }
      const fromMs = meter.loop.nowMs();
      const [{ caller } = unreachable()] = line;
      const next = sizeOfNext(line.length, before, isBusy && mostMs === null);
      const most = caller.throttleBurst - caller.throttleSpared;
      const batch = line.splice(0, Math.min(MAX_BATCH, next, most));
      before = batch.length;
      const charging = batch.length > 1 ? chargeTogether(meter, batch) : null;
      // Only now that the next ones are being written: telling 32 calls takes longer than their commit.
      answerBefore();
      answerBefore = (await charging) ?? (await chargeEach(meter, batch));
      tookMs = meter.loop.nowMs() - fromMs;
    }
    lines.delete(name);
    answerBefore();
  }

  return (caller: Caller, call: PaidCall): Promise<Charged> => {
    const name = nameOf(caller);
    const { promise, resolve, reject } = Promise.withResolvers<Charged>();
    const line = lines.get(name);
    const waiting = { caller, call, resolve, reject };
    if (line !== undefined) line.push(waiting);
    else {
      const begun = [waiting];
      lines.set(name, begun);
      // A commit takes as long for one call as for all that have arrived.
      void meter.loop.endOfTurn().then(() => work(name, begun));
    }
    return promise;
  };
}

/** Of the line that a caller's calls wait in. Most calls are of the caller of the one before. */
function createLineNames(): (caller: Caller) => string {
  let before: Caller | null = null;
  let name = '';
  return (caller) => {
    if (caller === before) return name;
    before = caller;
    const { organizationId, throttlePerMinute, throttleBurst, throttleSpared } = caller;
    // Its settings too: they may just have been changed, and calls before that are under the old ones.
    name = `${organizationId} ${throttlePerMinute} ${throttleBurst} ${throttleSpared}`;
    return name;
  };
}

/** Whether `charge` may be made together with others'. */
export function isBatched(call: PaidCall): boolean {
  return (
    Number.isSafeInteger(call.tokens) &&
    call.tokens > 0 &&
    call.idempotency === undefined &&
    call.forced !== true
  );
}

/** Tells the calls of a batch how they were charged. */
type AnswerAll = () => void;

/** Call by call. All of them are sent before any later call: the store takes them in order. */
async function chargeEach(meter: Meter, batch: readonly Waiting[]): Promise<AnswerAll> {
  const charges = batch.map((one) => charge(meter, one.caller, one.call));
  batch.forEach((one, index) => one.resolve(charges[index] ?? unreachable()));
  await Promise.allSettled(charges);
  return () => undefined;
}

/** Null: nothing was charged, because not all of them fit. */
async function chargeTogether(meter: Meter, batch: readonly Waiting[]): Promise<AnswerAll | null> {
  const [{ caller } = unreachable()] = batch;
  const nowMs = meter.clock.now();
  const policy = policyOf(caller);
  try {
    const transaction = transactionOf(meter, batch, nowMs);
    const result = await write(meter, transaction, { isWholeBatch: true });
    if (!result.done) return null;
    const state = consumedState(policy, result.rows);
    const standing = { state, balance: balanceIn(result.rows) };
    return () => answerAll(meter, batch, standing, nowMs);
  } catch (error) {
    // It may have been written: trying again could charge twice.
    return () => batch.forEach(({ reject }) => reject(error));
  }
}

/** All of them as one call that costs as much as all; on PostgreSQL in one statement, where they are alike as nearly always. */
function transactionOf(meter: Meter, batch: readonly Waiting[], nowMs: number): Transaction {
  const [{ caller } = unreachable()] = batch;
  const account = accountOf(caller, nowMs);
  const policy = policyOf(caller);
  const charges = batch.map(({ caller, call }): Charge => {
    const { requestId, tokens, route } = call;
    return { requestId, tokens, route, keyId: caller.keyId, atMs: nowMs };
  });
  const tokens = charges.reduce((sum, each) => sum + each.tokens, 0);
  const made = revisionsOf(batch);
  const revisions = made.length === 0 ? {} : { same: requireRevisions(made) };
  const nowUs = nowMs * 1_000;
  const { organizationId } = account;
  const { length } = batch;
  const ledger =
    meter.sql.dialect === 'postgres' ? chargesBehind('debited', account, charges) : null;
  if (ledger === null) {
    return [
      ...Object.values(revisions),
      consume(organizationId, policy, nowUs, { requests: length }),
      // A month that has no row yet gets it from its first calls, which are made one by one.
      debit(account, tokens, { calls: length }),
      ...insertCharges(account, charges),
    ];
  }
  const behind = made.length === 0 ? null : 'same';
  const parts = {
    ...revisions,
    consumed: consume(organizationId, policy, nowUs, { requests: length, behind }),
    debited: debit(account, tokens, { calls: length, behind: 'consumed' }),
    ...ledger,
  };
  const select = 'select tat_us, remaining, allowance from consumed cross join debited';
  return [chained(parts, { select, name: BALANCE })];
}

/** Of all answers, each once: calls that ask for one product compare one row. */
function revisionsOf(batch: readonly Waiting[]): readonly Revision[] {
  const lists = new Set<readonly Revision[]>();
  for (const { call } of batch) if (call.revisions !== undefined) lists.add(call.revisions);
  const [first = []] = lists;
  if (lists.size <= 1) return first;
  const all = new Map<string, Revision>();
  for (const each of [...lists].flat()) all.set(`${each.subject} ${each.revision}`, each);
  return [...all.values()];
}

/** Where throttle and balance stand behind the last call of a batch. */
type StandingAfter = { readonly state: Standings; readonly balance: Balance };

/** Each is told where things stood behind its own share, as if they had been charged one by one. */
function answerAll(
  meter: Meter,
  batch: readonly Waiting[],
  { state, balance }: StandingAfter,
  nowMs: number,
): void {
  let later = batch.reduce((sum, { call }) => sum + call.tokens, 0);
  const rateLimitFor = rateLimitsAt(nowMs);
  const keys = new Map(batch.map(({ caller }) => [caller.keyId, caller]));
  for (const caller of keys.values()) noteUse(meter, caller, nowMs);
  batch.forEach(({ call, resolve }, index) => {
    later -= call.tokens;
    const { policy, tatUs } = state;
    const laterUs = (batch.length - 1 - index) * intervalUs(policy);
    const standings = { policy, tatUs: tatUs === null ? null : tatUs - laterUs };
    const own = { ...balance, remaining: balance.remaining + later };
    resolve({
      consumed: call.tokens,
      remaining: own.remaining,
      rateLimit: rateLimitFor(standings, own),
    });
  });
}

function unreachable(): never {
  throw new Error('an empty batch');
}
