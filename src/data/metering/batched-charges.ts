// Charges waiting calls of one organization together: one step of its throttle, one debit for all of them, and a ledger row for
// each call that costs something. A batch that does not fit is charged call by call instead, in order of arrival, so that the
// first ones are served. A batch may wait for callers who have just been answered: they often call again at once, and then share
// its commit.

import { BALANCE, balanceIn, debit, selectBalance, type Balance } from '../accounts/balances.ts';
import { chargesBehind, insertCharges, type Charge } from '../accounts/charges.ts';
import { requireRevisions, type Revision } from '../answers/revisions.ts';
import { chained } from '../chained.ts';
import type { Transaction } from '../sql.ts';
import type { Caller } from './authentication.ts';
import { charge } from './charging.ts';
import {
  accountOf,
  consumedState,
  noteUse,
  policyOf,
  throttleUs,
  write,
  type CallToCharge,
  type Charged,
  type Meter,
  type EventLoop,
} from './meter.ts';
import { rateLimitsAt, type Standings } from './rate-limit.ts';
import { consume, intervalUs } from './throttle.ts';

type PricedCall = CallToCharge & { readonly tokens: number };

type Waiting = {
  readonly caller: Caller;
  readonly call: PricedCall;
  readonly resolve: (charged: Charged | Promise<Charged>) => void;
  readonly reject: (error: unknown) => void;
};

/** Further calls go into the next batch, because one transaction locks the organization's balance until it is committed. */
const MAX_BATCH = 128;

/**
 * Returns how many waiting calls go into the next batch; `before` is the size of the last one. If the event loop is the
 * bottleneck, it is half of the calls in hand: while they are written, the other half is answered. All of them at once would
 * make both wait for each other (0.31 of the bare server, halves 0.40). If the disk is the bottleneck, it is all: a commit
 * takes as long for few as for many.
 */
function sizeOfNext(waiting: number, before: number, isLoopBusy: boolean): number {
  return isLoopBusy ? Math.max(1, Math.ceil((waiting + before) / 2)) : waiting;
}

/**
 * A batch smaller than the previous one divided by this waits until the event loop has read the requests that have arrived.
 */
const FEW = 4;

/** Works like `charge`, for calls without an Idempotency-Key that count against no other limit. */
export function createBatchedCharges(meter: Meter) {
  /** The waiting calls of each organization while one of its batches is written. */
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
      // The calls before are notified only now, while the next ones are being written: notifying 32 calls takes longer than their
      // commit.
      answerBefore();
      answerBefore = (await charging) ?? (await chargeEach(meter, batch));
      tookMs = meter.loop.nowMs() - fromMs;
    }
    lines.delete(name);
    answerBefore();
  }

  return (caller: Caller, call: PricedCall): Promise<Charged> => {
    const name = nameOf(caller);
    const { promise, resolve, reject } = Promise.withResolvers<Charged>();
    const line = lines.get(name);
    const waiting = { caller, call, resolve, reject };
    if (line !== undefined) line.push(waiting);
    else {
      const begun = [waiting];
      lines.set(name, begun);
      // Waits for the calls that arrive in the same turn, because a commit takes as long for one call as for all of them.
      void meter.loop.endOfTurn().then(() => work(name, begun));
    }
    return promise;
  };
}

/**
 * Names the queue in which a caller's calls wait. The last name is cached, because most calls have the same caller as the
 * previous one.
 */
function createLineNames(): (caller: Caller) => string {
  let before: Caller | null = null;
  let name = '';
  return (caller) => {
    if (caller === before) return name;
    before = caller;
    const { organizationId, throttlePerMinute, throttleBurst, throttleSpared } = caller;
    // Settings are part of the name: if they have just been changed, earlier calls are still under the old ones.
    name = `${organizationId} ${throttlePerMinute} ${throttleBurst} ${throttleSpared}`;
    return name;
  };
}

/** Whether `charge` may charge this call together with others. */
export function isBatched(call: PricedCall): boolean {
  return (
    Number.isSafeInteger(call.tokens) &&
    call.tokens >= 0 &&
    call.idempotency === undefined &&
    call.forced !== true
  );
}

/** A call that costs nothing counts against the throttle, but is not in the ledger. */
const isPaid = ({ call }: Waiting): boolean => call.tokens > 0;

/** Notifies the calls of a batch of how they were charged. */
type AnswerAll = () => void;

/** Charges call by call. All of them are sent before any later call, because the store takes them in order. */
async function chargeEach(meter: Meter, batch: readonly Waiting[]): Promise<AnswerAll> {
  const charges = batch.map((one) => charge(meter, one.caller, one.call));
  batch.forEach((one, index) => one.resolve(charges[index] ?? unreachable()));
  await Promise.allSettled(charges);
  return () => undefined;
}

/** Charges all calls in one transaction. Null when nothing was charged, because not all of them fit. */
async function chargeTogether(meter: Meter, batch: readonly Waiting[]): Promise<AnswerAll | null> {
  const [{ caller } = unreachable()] = batch;
  const nowMs = meter.clock.now();
  const policy = policyOf(caller);
  try {
    const nowUs = throttleUs(meter);
    const transaction = transactionOf(meter, batch, { nowMs, nowUs });
    const result = await write(meter, transaction, { isWholeBatch: true });
    if (!result.done) return null;
    const state = consumedState(policy, result.rows, nowUs);
    const standing = { state, balance: balanceIn(result.rows) };
    return () => answerAll(meter, batch, standing, nowMs);
  } catch (error) {
    // The transaction may have been written: trying again could charge twice.
    return () => batch.forEach(({ reject }) => reject(error));
  }
}

/**
 * Returns the transaction that charges all calls as one call with their total cost. On PostgreSQL it is one statement if the
 * calls are alike, as they nearly always are.
 */
function transactionOf(
  meter: Meter,
  batch: readonly Waiting[],
  { nowMs, nowUs }: { readonly nowMs: number; readonly nowUs: number },
): Transaction {
  const [{ caller } = unreachable()] = batch;
  const account = accountOf(caller, nowMs);
  const policy = policyOf(caller);
  const charges = batch.filter(isPaid).map(({ caller, call }): Charge => {
    const { requestId, tokens, route } = call;
    return { requestId, tokens, route, keyId: caller.keyId, atMs: nowMs };
  });
  const tokens = charges.reduce((sum, each) => sum + each.tokens, 0);
  const made = revisionsOf(batch);
  const revisions = made.length === 0 ? {} : { same: requireRevisions(made) };
  const { organizationId } = account;
  const { length } = batch;
  if (charges.length === 0) {
    return [
      ...Object.values(revisions),
      consume(organizationId, policy, nowUs, { requests: length }),
      selectBalance(account),
    ];
  }
  const calls = charges.length;
  const ledger =
    meter.sql.dialect === 'postgres' ? chargesBehind('debited', account, charges) : null;
  if (ledger === null) {
    return [
      ...Object.values(revisions),
      consume(organizationId, policy, nowUs, { requests: length }),
      // A month's row is created by its first calls, which are charged one by one.
      debit(account, tokens, { calls }),
      ...insertCharges(account, charges),
    ];
  }
  const after = made.length === 0 ? null : 'same';
  const parts = {
    ...revisions,
    consumed: consume(organizationId, policy, nowUs, { requests: length, after }),
    debited: debit(account, tokens, { calls, after: 'consumed' }),
    ...ledger,
  };
  const select = 'select tat_us, remaining, allowance from consumed cross join debited';
  return [chained(parts, { select, name: BALANCE })];
}

/** Returns the revisions of all answers without duplicates: calls for one product compare one row. */
function revisionsOf(batch: readonly Waiting[]): readonly Revision[] {
  const lists = new Set<readonly Revision[]>();
  for (const { call } of batch) if (call.revisions !== undefined) lists.add(call.revisions);
  const [first = []] = lists;
  if (lists.size <= 1) return first;
  const all = new Map<string, Revision>();
  for (const each of [...lists].flat()) all.set(`${each.subject} ${each.revision}`, each);
  return [...all.values()];
}

/** The state of the throttle and the balance after the last call of a batch. */
type StandingAfter = { readonly state: Standings; readonly balance: Balance };

/** Notifies each call of the limits after its own share, as if all had been charged one by one. */
function answerAll(
  meter: Meter,
  batch: readonly Waiting[],
  { state, balance }: StandingAfter,
  nowMs: number,
): void {
  let later = batch.reduce((sum, { call }) => sum + call.tokens, 0);
  const rateLimitFor = rateLimitsAt(nowMs);
  const keys = new Map(batch.filter(isPaid).map(({ caller }) => [caller.keyId, caller]));
  for (const caller of keys.values()) noteUse(meter, caller, nowMs);
  batch.forEach(({ call, resolve }, index) => {
    later -= call.tokens;
    const { policy, tatUs, atUs } = state;
    const laterUs = (batch.length - 1 - index) * intervalUs(policy);
    const standings = { policy, tatUs: tatUs === null ? null : tatUs - laterUs, atUs };
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

/** If the last batch took longer than `fromMs`, the next one waits at most that time divided by `part`. */
type Reason = { readonly fromMs: number; readonly part: number };

/**
 * For any store: a commit that takes this long was not slowed down by the event loop, unless the loop had the processor itself.
 */
const HELD_UP: Reason = { fromMs: 15, part: 4 };
/**
 * For processes that share a balance: they wait for each other's commits much earlier than that. If this process is the
 * only one, waiting gains nothing, so a batch tries waiting and checks whether callers come back.
 */
const SHARED: Reason = { fromMs: 2, part: 2 };
/** After a wait in which less than half of the answered callers called again, this many batches do not wait. */
const BATCHES_WITHOUT = 16;

type Gathering = {
  /**
   * Returns the milliseconds that the next batch waits; null if it does not. Call it once per batch. `tookMs` is the
   * duration of the previous batch.
   */
  mostMs(tookMs: number): number | null;
  /** Waits until all answered callers have called again, or the time is over. */
  gather(line: readonly unknown[], answered: number, mostMs: number): Promise<void>;
};

/** `isShared`: other processes may charge the same organizations. */
function createGathering(loop: EventLoop, isShared: boolean, mostCalls: number): Gathering {
  let without = 0;
  return {
    mostMs: (tookMs) => {
      if (without > 0) without -= 1;
      if (loop.hasProcessor()) return null;
      if (tookMs > HELD_UP.fromMs) return tookMs / HELD_UP.part;
      return isShared && without === 0 && tookMs > SHARED.fromMs ? tookMs / SHARED.part : null;
    },
    gather: async (line, answered, mostMs) => {
      const before = line.length;
      const untilMs = loop.nowMs() + mostMs;
      const all = Math.min(before + answered, mostCalls);
      while (line.length < all && loop.nowMs() < untilMs) await loop.pause(1);
      if (line.length - before < answered / 2) without = BATCHES_WITHOUT;
    },
  };
}
