// Token balances and reservations: the statements from which metering builds its transactions, and the related reads. The
// database itself enforces `used + reserved <= quota + granted`.

import { monthOf, SET_BACK_MS } from '../../base/clock.ts';
import type { NamedRows, Row, Sql, Statement } from '../sql.ts';
import { padded, placeholdersOf } from '../statement-values.ts';

/** The account that is debited: one row for each organization and calendar month, UTC (D17). */
export type Account = { readonly organizationId: string; readonly month: string };

/** A month's tokens: those that may still be spent (excluding reserved tokens), and the quota plus grants. */
export type Balance = { readonly remaining: number; readonly allowance: number };

export type Usage = Balance & { readonly used: number; readonly calls: number };

/** Name of the statement that moves tokens and returns the balance; it fails if there are too few. */
export const BALANCE = 'balance';
/** Name of the statement that ends a reservation; it fails if there is none, or if it has already ended. */
const RESERVATION = 'reservation';

const RETURNING_BALANCE =
  'returning quota + granted - used - reserved as remaining, quota + granted as allowance';

/**
 * Creates the month's row on its first call. If the row exists, it is locked until the transaction ends, so that
 * `releaseReserved` in another process cannot remove it before the debit.
 */
export function insertBalance({ organizationId, month }: Account): Statement {
  return {
    text: `insert into balances (organization_id, month, quota, granted, used, reserved, calls)
      select id, $2, monthly_quota, 0, 0, 0, 0 from organizations where id = $1
      on conflict (organization_id, month) do update set calls = balances.calls`,
    params: [organizationId, month],
  };
}

/**
 * Spends the tokens for this many calls if enough remain; otherwise rolls back. Returns the balance. `after` names the part
 * of a chain that it follows.
 */
export function debit(
  { organizationId, month }: Account,
  tokens: number,
  { calls = 1, after = null }: { readonly calls?: number; readonly after?: string | null } = {},
): Statement {
  return {
    text: `update balances set used = used + $3, calls = calls + $4 ${after === null ? '' : `from ${after}`}
      where organization_id = $1 and month = $2 and used + reserved + $3 <= quota + granted
      ${RETURNING_BALANCE}`,
    params: [organizationId, month, tokens, calls],
    name: BALANCE,
    mustReturn: true,
  };
}

/**
 * How long tokens stay reserved unless the process of their call renews them. It does so every `RENEW_EVERY_MS`, and all
 * processes free expired ones as often: the tokens of a process that died are free again after at most ten seconds.
 */
export const RESERVED_MS = 7_000;
export const RENEW_EVERY_MS = 2_000;

type NewReservation = {
  readonly requestId: string;
  readonly tokens: number;
  readonly leaseUntilMs: number;
};

/**
 * Reserves tokens if enough remain; otherwise rolls back. The first of the two statements does that and returns the
 * balance.
 */
export function insertReservation(
  { organizationId, month }: Account,
  wanted: NewReservation,
): readonly Statement[] {
  return [
    {
      text: `update balances set reserved = reserved + $3
        where organization_id = $1 and month = $2 and used + reserved + $3 <= quota + granted
        ${RETURNING_BALANCE}`,
      params: [organizationId, month, wanted.tokens],
      name: BALANCE,
      mustReturn: true,
    },
    {
      text: `insert into reservations (request_id, organization_id, month, tokens, lease_until_ms, monthly_quota)
        select $1, id, $3, cast($4 as bigint), cast($5 as bigint), monthly_quota
        from organizations where id = $2`,
      params: [wanted.requestId, organizationId, month, wanted.tokens, wanted.leaseUntilMs],
    },
  ];
}

/** Reservations renewed by one statement. */
const RENEWED_AT_ONCE = 512;

/** Extends the leases of calls in progress. A reservation that was freed meanwhile stays freed. */
export async function renewReservations(
  sql: Sql,
  requestIds: readonly string[],
  leaseUntilMs: number,
): Promise<void> {
  for (let from = 0; from < requestIds.length; from += RENEWED_AT_ONCE) {
    const ids = padded(requestIds.slice(from, from + RENEWED_AT_ONCE));
    const text = `update reservations set lease_until_ms = $1 where request_id in (${placeholdersOf(ids, 2)})`;
    await sql.write([{ text, params: [leaseUntilMs, ...ids] }]);
  }
}

type EndedReservation = {
  readonly requestId: string;
  readonly tokens: number;
  /** Fails too if the lease ends later than this, because it was renewed. */
  readonly expiredAtMs?: number;
};

/** Spends some of the reserved tokens and frees the rest. Fails like `endReservation`. */
export function settleReserved(
  account: Account,
  ended: EndedReservation & { readonly spent: number },
): readonly Statement[] {
  return endReservation(account, { ...ended, calls: 1 });
}

/**
 * Frees reserved tokens and leaves no trace. Also removes the month's row if this call created it, because an unbilled call
 * leaves the store unchanged. Fails like `endReservation`.
 */
export function releaseReserved(account: Account, ended: EndedReservation): readonly Statement[] {
  return [
    ...endReservation(account, { ...ended, spent: 0, calls: 0 }),
    {
      text: `delete from balances where organization_id = $1 and month = $2
        and used = 0 and reserved = 0 and calls = 0 and granted = 0`,
      params: [account.organizationId, account.month],
    },
  ];
}

/**
 * Ends a reservation. The first statement rolls back if a settlement, a release or the sweep has already ended it. It also
 * waits for a quota that is being lowered, so that the second one sees it. The second one returns the balance.
 */
function endReservation(
  { organizationId, month }: Account,
  {
    requestId,
    tokens,
    spent,
    calls,
    expiredAtMs = Number.MAX_SAFE_INTEGER,
  }: EndedReservation & { readonly spent: number; readonly calls: number },
): readonly Statement[] {
  return [
    {
      text: `update reservations set tokens = tokens
        where request_id = $1 and lease_until_ms <= $2 returning tokens`,
      params: [requestId, expiredAtMs],
      name: RESERVATION,
      mustReturn: true,
    },
    {
      text: `update balances set reserved = reserved - $3, used = used + $4, calls = calls + $5,
          quota = ${FALLING_QUOTA}
        where organization_id = $1 and month = $2 ${RETURNING_BALANCE}`,
      params: [organizationId, month, tokens, spent, calls, requestId],
      name: BALANCE,
      mustReturn: true,
    },
    { text: 'delete from reservations where request_id = $1', params: [requestId] },
  ];
}

/**
 * The month's quota after a reservation ends. If the quota was lowered while tokens were reserved, the month's quota stays
 * above the organization's by as much as necessary, so that returned tokens cannot be spent again. Tokens reserved after the
 * change, for example from a grant, become free when returned.
 */
const FALLING_QUOTA = `(select case
    when reservations.monthly_quota <= organizations.monthly_quota
      or quota <= organizations.monthly_quota then quota
    when quota - ($3 - $4) > organizations.monthly_quota then quota - ($3 - $4)
    else organizations.monthly_quota end
  from reservations join organizations on organizations.id = $1 where request_id = $6)`;

/** Reads the balance from the transaction's balance statement. Throws if the transaction has none. */
export function balanceIn(rows: NamedRows): Balance {
  const [row] = rows[BALANCE] ?? [];
  if (row === undefined) throw new Error('a transaction without a balance statement');
  return toBalance(row);
}

function toBalance(row: Row): Balance {
  return { remaining: Number(row['remaining']), allowance: Number(row['allowance']) };
}

/** In a month without a call, nothing of the organization's quota has been spent. */
const USAGE = `select coalesce(quota + granted - used - reserved, monthly_quota) as remaining,
    coalesce(quota + granted, monthly_quota) as allowance,
    coalesce(used, 0) as used, coalesce(calls, 0) as calls
  from organizations left join balances on organization_id = id and month = $2
  where id = $1`;

/** Reads the balance within a transaction that spends nothing. */
export function selectBalance({ organizationId, month }: Account): Statement {
  return { text: USAGE, params: [organizationId, month], name: BALANCE, mustReturn: true };
}

/** The month's figures. */
export async function findUsage(sql: Sql, { organizationId, month }: Account): Promise<Usage> {
  const [row] = await sql.all(USAGE, [organizationId, month]);
  if (row === undefined) throw new Error(`no organization ${organizationId}`);
  return { ...toBalance(row), used: Number(row['used']), calls: Number(row['calls']) };
}

type Grant = {
  readonly organizationId: string;
  readonly tokens: number;
  readonly requestId: string;
  readonly nowMs: number;
};

/** Half of the largest exact integer: the sum with the largest quota is then still exact. */
const MAX_GRANTED = 4_503_599_627_370_495;

/**
 * Adds tokens within the running month (D17: `orgs grant`). Throws a RangeError if they are fewer than 1, or if the month's
 * grants would no longer be exact.
 */
export async function grantTokens(sql: Sql, grant: Grant): Promise<Balance> {
  if (!Number.isSafeInteger(grant.tokens) || grant.tokens < 1) {
    throw new RangeError('a grant is a whole number of tokens, 1 or more');
  }
  const account = { organizationId: grant.organizationId, month: monthOf(grant.nowMs) };
  const result = await sql.write([
    insertBalance(account),
    {
      text: `update balances set granted = granted + $3
        where organization_id = $1 and month = $2 and granted + $3 <= ${MAX_GRANTED} ${RETURNING_BALANCE}`,
      params: [account.organizationId, account.month, grant.tokens],
      name: BALANCE,
      mustReturn: true,
    },
    {
      text: `insert into ledger_entries (request_id, organization_id, month, kind, tokens, balance_after,
          route, at_ms)
        select $3, organization_id, month, 'grant', cast($4 as bigint),
          quota + granted - used - reserved, 'grant', cast($5 as bigint)
        from balances where organization_id = $1 and month = $2`,
      params: [account.organizationId, account.month, grant.requestId, grant.tokens, grant.nowMs],
    },
  ]);
  if (!result.done) {
    throw new RangeError(
      `the organization does not exist, or its grants of this month would exceed ${MAX_GRANTED} tokens`,
    );
  }
  return balanceIn(result.rows);
}

/** Maximum reservations ended per sweep; the rest wait for the next one. */
const SWEPT_AT_ONCE = 1_000;

/**
 * Frees the tokens of every reservation whose lease has expired, left by calls whose process died. Returns the number of
 * reservations.
 */
export async function sweepReservations(sql: Sql, nowMs: number): Promise<number> {
  await shortenLeases(sql, nowMs);
  const rows = await sql.all(
    `select request_id, organization_id, month, tokens from reservations
     where lease_until_ms <= $1 order by lease_until_ms limit ${SWEPT_AT_ONCE}`,
    [nowMs],
  );
  const results = await Promise.all(
    rows.map((row) =>
      sql.write(
        releaseReserved(
          { organizationId: String(row['organization_id']), month: String(row['month']) },
          {
            requestId: String(row['request_id']),
            tokens: Number(row['tokens']),
            expiredAtMs: nowMs,
          },
        ),
      ),
    ),
  );
  return results.filter((result) => result.done).length;
}

/**
 * Shortens leases that end later than possible: they were set by a clock that has since been set back. They end as if set now.
 */
async function shortenLeases(sql: Sql, nowMs: number): Promise<void> {
  const untilMs = nowMs + RESERVED_MS;
  const where = 'where lease_until_ms > $1';
  const latestMs = untilMs + SET_BACK_MS;
  const [ahead] = await sql.all(`select 1 as found from reservations ${where} limit 1`, [latestMs]);
  if (ahead === undefined) return;
  const text = `update reservations set lease_until_ms = $2 ${where}`;
  await sql.write([{ text, params: [latestMs, untilMs] }]);
}
