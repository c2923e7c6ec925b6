// Ledger rows for debited calls: one row for the data that calls with the same key, route and instant share, and a short row
// per call, whose primary key rejects an id that is charged twice. The calls are also added to the day's sums. These
// statements follow the debit in its transaction.

import { DAY_MS } from '../../base/clock.ts';
import { onceEach } from '../../base/once.ts';
import type { Account } from './balances.ts';
import { rowAfter } from '../chained.ts';
import type { Statement } from '../sql.ts';
import { inPowersOfTwo } from '../statement-values.ts';

export type Charge = {
  /** The id of the call: made by the service, never by the caller, and never used twice. */
  readonly requestId: string;
  readonly keyId: string;
  readonly tokens: number;
  readonly route: string;
  readonly atMs: number;
};

/** Writes the ledger rows of a billed call. */
export function insertCharge(account: Account, charge: Charge): readonly Statement[] {
  return insertCharges(account, [charge]);
}

/** Writes the same for calls that were debited together. Each row states the balance after the call's own share. */
export function insertCharges(account: Account, charges: readonly Charge[]): readonly Statement[] {
  const ledger = chargesBehind(null, account, charges);
  if (ledger !== null) return Object.values(ledger);
  return groupsOfAlike(sharesOf(charges)).flatMap((same) => [
    insertBatch(account, same),
    ...insertShares(same),
    dayShare(account, same),
  ]);
}

/**
 * Writes the same for calls with one key, route, instant and cost, as nearly all have; null if they differ. `debited` names the
 * debit if these statements follow it as parts of one chain.
 */
export function chargesBehind(
  debited: string | null,
  account: Account,
  charges: readonly Charge[],
): Readonly<Record<'batch' | 'shares' | 'days', Statement>> | null {
  const [{ tokens } = { tokens: 0 }] = charges;
  if (!areAlike(charges)) return null;
  const batch = debited === null ? null : 'batch';
  return {
    batch: insertBatch(account, charges, debited),
    shares: insertEven(charges, { tokens, later: 0 }, batch),
    days: dayShare(account, charges, batch),
  };
}

/** A loop instead of array functions, because every call answered from the cache runs it. */
function areAlike(charges: readonly Charge[]): boolean {
  const [first] = charges;
  for (const { atMs, route, keyId, tokens } of charges) {
    if (tokens !== first?.tokens || keyId !== first.keyId) return false;
    if (route !== first.route || atMs !== first.atMs) return false;
  }
  return first !== undefined;
}

function sharesOf(charges: readonly Charge[]): readonly Share[] {
  let later = charges.reduce((sum, { tokens }) => sum + tokens, 0);
  return charges.map((charge) => {
    later -= charge.tokens;
    return { ...charge, later };
  });
}

/** Groups shares by key, route and instant. */
function groupsOfAlike(shares: readonly Share[]): readonly (readonly Share[])[] {
  const alike = Map.groupBy(shares, ({ atMs, route, keyId }) => `${atMs} ${keyId} ${route}`);
  return [...alike.values()];
}

/** One charge of a batch, with the tokens debited in the same batch for the calls after it. */
type Share = Charge & { readonly later: number };

/** Inserts the data that calls with one key, route and instant share. */
function insertBatch(
  { organizationId, month }: Account,
  same: readonly Charge[],
  debited: string | null = null,
): Statement {
  // In a chain every part sees the rows as they were before the chain, so the remaining balance comes from the debit's
  // result.
  const left =
    debited === null
      ? `(select quota + granted - used - reserved from balances
        where organization_id = $1 and month = $2)`
      : 'remaining';
  const [{ atMs, route, keyId } = { atMs: 0, route: '', keyId: '' }] = same;
  return {
    text: `insert into charge_batches (organization_id, key_id, month, balance_after, route, at_ms)
      ${rowAfter(debited, `$1, $3, $2, ${left}, $4, $5`)}
      ${debited === null ? '' : 'returning id'}`,
    params: [organizationId, month, keyId, route, atMs],
  };
}

/** Maximum rows per statement, with three parameters each. */
const MOST_SHARES = 32;

/** Inserts a row for each call of the batch that was inserted last. */
function insertShares(shares: readonly Share[]): readonly Statement[] {
  const even = evenlySpread(shares);
  if (even !== null) return [insertEven(shares, even)];
  return inPowersOfTwo(shares, MOST_SHARES).map((some) => ({
    text: sharesText(some.length),
    params: some.flatMap(({ requestId, tokens, later }) => [requestId, tokens, later]),
  }));
}

/**
 * The last call's `tokens` and `later`, if all calls cost the same and follow one another, as nearly all do: the other rows
 * can then be derived from it.
 */
function evenlySpread(shares: readonly Share[]): Pick<Share, 'tokens' | 'later'> | null {
  const last = shares.at(-1);
  if (last === undefined) return null;
  const { tokens, later } = last;
  const isEven = shares.every(
    (share, at) =>
      share.tokens === tokens && share.later === later + tokens * (shares.length - 1 - at),
  );
  return isEven ? { tokens, later } : null;
}

/** One SQL text per row count: building a long text costs as much as the rest of a batch. */
const sharesText = onceEach((count: number) => {
  const rows = Array.from({ length: count }, (_, row) => {
    const [id, tokens, later] = [1, 2, 3].map((first) => `$${first + 3 * row}`);
    return `(cast(${id} as text), cast(${tokens} as bigint), cast(${later} as bigint))`;
  });
  return `insert into charges (request_id, batch_id, tokens, later)
    with shares (request_id, tokens, later) as (values ${rows.join(', ')})
    select request_id, id, tokens, later from shares cross join last_charge_batch`;
});

/**
 * All ids are one parameter, so that one text serves any number of them. With one parameter per row, the PostgreSQL client
 * took 3 us more CPU per call. The first call has the largest `later`.
 */
function insertEven(
  shares: readonly Charge[],
  { tokens, later }: Pick<Share, 'tokens' | 'later'>,
  part: string | null = null,
): Statement {
  const batch = part ?? 'last_charge_batch';
  const ids = JSON.stringify(shares.map(({ requestId }) => requestId));
  return {
    text: `insert into charges (request_id, batch_id, tokens, later)
      select listed.value, ${batch}.id, cast($1 as bigint),
        cast($2 as bigint) + (cast($3 as bigint) - listed.key) * cast($1 as bigint)
      from json_each(cast($4 as text)) as listed cross join ${batch}`,
    params: [tokens, later, shares.length - 1, ids],
  };
}

/** Adds calls of one day, route and key to the day's sums. */
function dayShare(
  { organizationId, month }: Account,
  same: readonly Charge[],
  after: string | null = null,
): Statement {
  const [{ atMs, route, keyId } = { atMs: 0, route: '', keyId: '' }] = same;
  const tokens = same.reduce((sum, each) => sum + each.tokens, 0);
  return {
    text: `insert into usage_days (organization_id, month, day, route, key_id, tokens, calls)
      ${rowAfter(after, '$1, $2, $3, $4, $5, $6, $7')}
      on conflict (organization_id, month, day, route, key_id) do update set
        tokens = usage_days.tokens + excluded.tokens,
        calls = usage_days.calls + excluded.calls`,
    params: [organizationId, month, Math.floor(atMs / DAY_MS), route, keyId, tokens, same.length],
  };
}
