// Charges of one organization that wait at the same time, made as one: one step of its throttle and one debit for all of
// them, a row in the ledger for each. A batch that does not fit is made again call by call, in the order in which they
// came, so that the first calls are served.

import {
  balanceIn,
  debit,
  insertBalance,
  insertCharges,
  type Account,
  type Balance,
  type Charge,
} from '../store/balances.ts';
import { requireRevisions, type Revision } from '../store/revisions.ts';
import type { Caller } from './authentication.ts';
import { charge } from './charging.ts';
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
import { consume, intervalUs, type ThrottlePolicy } from './throttle.ts';

type PaidCall = Call & { readonly tokens: number };

type Waiting = {
  readonly caller: Caller;
  readonly call: PaidCall;
  readonly resolve: (charged: Charged | Promise<Charged>) => void;
  readonly reject: (error: unknown) => void;
};

/** More are the next batch: one transaction locks the organization's balance until it is committed. */
const MAX_BATCH = 128;

/** Like `charge`, for calls whose answer is not kept and that no other limit counts. */
export function createBatchedCharges(meter: Meter) {
  /** Calls that wait while a batch of the same organization is written. */
  const lines = new Map<string, Waiting[]>();

  async function work(name: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) {
      const [{ caller } = unreachable()] = line;
      const batch = line.splice(0, Math.min(MAX_BATCH, caller.throttleBurst));
      if (batch.length > 1 && (await chargeTogether(meter, batch))) continue;
      // All of them are sent before any later call: the store takes them in order.
      const charges = batch.map((one) => charge(meter, one.caller, one.call));
      batch.forEach((one, index) => one.resolve(charges[index] ?? unreachable()));
      await Promise.allSettled(charges);
    }
    lines.delete(name);
  }

  return (caller: Caller, call: PaidCall): Promise<Charged> => {
    const { organizationId, throttlePerMinute, throttleBurst } = caller;
    // Its settings too: they may just have been changed, and calls before that are under the old ones.
    const name = `${organizationId} ${throttlePerMinute} ${throttleBurst}`;
    const { promise, resolve, reject } = Promise.withResolvers<Charged>();
    const line = lines.get(name);
    const waiting = { caller, call, resolve, reject };
    if (line !== undefined) line.push(waiting);
    else {
      const begun = [waiting];
      lines.set(name, begun);
      void work(name, begun);
    }
    return promise;
  };
}

/** Whether `charge` may be made together with others'. */
export function isBatched(call: PaidCall & { readonly answer?: unknown }): boolean {
  return (
    Number.isSafeInteger(call.tokens) &&
    call.tokens > 0 &&
    call.idempotency === undefined &&
    call.forced !== true
  );
}

/** False: nothing was charged, because not all of them fit. */
async function chargeTogether(meter: Meter, batch: readonly Waiting[]): Promise<boolean> {
  const [{ caller } = unreachable()] = batch;
  const nowMs = meter.clock.now();
  const account = accountOf(caller, nowMs);
  const policy = policyOf(caller);
  try {
    const result = await write(meter, transactionOf(account, policy, batch, nowMs));
    if (!result.done) return false;
    const state = consumedState(policy, result.rows);
    answerAll(meter, batch, { state, balance: balanceIn(result.rows) }, nowMs);
  } catch (error) {
    // It may have been written: trying again could charge twice.
    for (const { reject } of batch) reject(error);
  }
  return true;
}

function transactionOf(
  account: Account,
  policy: ThrottlePolicy,
  batch: readonly Waiting[],
  nowMs: number,
) {
  const charges = batch.map(({ caller, call }): Charge => {
    const { requestId, tokens, route } = call;
    return { requestId, tokens, route, keyId: caller.keyId, atMs: nowMs };
  });
  const tokens = charges.reduce((sum, each) => sum + each.tokens, 0);
  const revisions = revisionsOf(batch);
  return [
    ...(revisions.length === 0 ? [] : [requireRevisions(revisions)]),
    consume(account.organizationId, policy, nowMs * 1_000, batch.length),
    insertBalance(account),
    debit(account, tokens, batch.length),
    ...insertCharges(account, charges),
  ];
}

/** Of all answers, each once: calls that ask for one product compare one row. */
function revisionsOf(batch: readonly Waiting[]): readonly Revision[] {
  const all = new Map<string, Revision>();
  for (const { call } of batch) {
    for (const each of call.revisions ?? []) all.set(`${each.subject} ${each.revision}`, each);
  }
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
