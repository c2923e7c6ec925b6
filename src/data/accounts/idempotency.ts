// Idempotency records: which call has an Idempotency-Key, and the answer stored for it (D21). Metering builds its
// transactions from these statements; the reads and the sweep are here too. This file does not interpret requests or answers.

import { SET_BACK_MS } from '../../base/clock.ts';
import { SAME_CALL_MS } from '../../base/idempotency-key.ts';
import type { Account } from './balances.ts';
import type { Row, Sql, Statement } from '../sql.ts';

/** Maximum bytes of stored answers per organization. A call whose answer would not fit is rejected, not left unstored. */
export const MAX_STORED_BYTES = 1_073_741_824;
/** Bytes per row in addition to its body, counted so that small answers are limited too. */
const ROW_BYTES = 512;
/**
 * A call may run 15 s (D37). An older record without an answer was left by a process that died. If its call still runs, it
 * finds the record lost when it settles, and is not billed.
 */
const UNANSWERED_MS = 20_000;
/**
 * Condition for an expired record. A record that ends later than is possible counts as expired too: it was written by a clock
 * that has been set back since.
 */
const EXPIRED = '(expires_at_ms <= $3 or body is null and expires_at_ms > $4)';

/** The two times that `EXPIRED` compares with. */
const expiredAt = (nowMs: number) => [nowMs, nowMs + UNANSWERED_MS + SET_BACK_MS] as const;

/** Name of the statement that inserts a record; it fails while another call has the key. */
export const IDEMPOTENCY_RECORD = 'idempotency record';
/** Name of the statement that counts a stored answer's bytes; it fails if they do not fit. */
export const IDEMPOTENCY_SPACE = 'idempotency space';

/** The record of a key that one call has taken. */
export type IdempotencyRecord = {
  readonly organizationId: string;
  readonly key: string;
  /** The id of the call that has the key. A call that lost its record can neither store an answer nor release the key. */
  readonly requestId: string;
  /** Identifies the request: two requests are the same if these match. */
  readonly fingerprint: string;
};

/**
 * Takes the key for a call, for as long as a call may run. Rolls back if another call has the key or its answer is stored.
 * Updates the space only if something expired, because everywhere else it is locked after the balance.
 */
export function insertIdempotencyRecord(
  record: IdempotencyRecord,
  nowMs: number,
): readonly Statement[] {
  const expired = [record.organizationId, record.key, ...expiredAt(nowMs)];
  return [
    // Locks the key before the space, as the sweep does. Without this, PostgreSQL would wait for the sweep in the next
    // statement, and subtract bytes of a row that the sweep has already subtracted.
    {
      text: `update idempotency_keys set bytes = bytes
        where organization_id = $1 and idempotency_key = $2 and ${EXPIRED}`,
      params: expired,
    },
    {
      text: `update idempotency_space set bytes = bytes - (
          select coalesce(sum(old.bytes), 0) from idempotency_keys old
          where old.organization_id = $1 and old.idempotency_key = $2 and ${EXPIRED})
        where organization_id = $1 and exists (
          select 1 from idempotency_keys old
          where old.organization_id = $1 and old.idempotency_key = $2 and ${EXPIRED})`,
      params: expired,
    },
    {
      text: `delete from idempotency_keys
        where organization_id = $1 and idempotency_key = $2 and ${EXPIRED}`,
      params: expired,
    },
    {
      text: `insert into idempotency_keys (organization_id, idempotency_key, request_id, fingerprint,
          expires_at_ms, bytes)
        values ($1, $2, $3, $4, $5, 0)
        on conflict (organization_id, idempotency_key) do nothing returning request_id`,
      params: [
        record.organizationId,
        record.key,
        record.requestId,
        record.fingerprint,
        nowMs + UNANSWERED_MS,
      ],
      name: IDEMPOTENCY_RECORD,
      mustReturn: true,
    },
  ];
}

type StoredAnswer = {
  readonly status: number;
  /** Text of the body, without its token fields. */
  readonly body: string;
  readonly bodyBytes: number;
  readonly tokensConsumed: number;
  /** Until when it may be given again (ms since 1970), if that is sooner. */
  readonly untilMs?: number | null | undefined;
};

/**
 * Stores the answer in its record for 24 hours, with the balance at this point of the transaction. The first statement
 * rolls back if the record is gone, the second if the answer does not fit.
 */
export function storeAnswer(
  record: IdempotencyRecord,
  { organizationId, month }: Account,
  answer: StoredAnswer,
  nowMs: number,
): readonly Statement[] {
  const bytes = answer.bodyBytes + ROW_BYTES;
  return [
    {
      text: `update idempotency_keys set status = $4, body = $5, bytes = $6, tokens_consumed = $7,
          expires_at_ms = $8,
          tokens_remaining = (select coalesce(quota + granted - used - reserved, monthly_quota)
            from organizations left join balances on balances.organization_id = id and month = $9
            where id = $1)
        where organization_id = $1 and idempotency_key = $2 and request_id = $3 and body is null
        returning request_id`,
      params: [
        organizationId,
        record.key,
        record.requestId,
        answer.status,
        answer.body,
        bytes,
        answer.tokensConsumed,
        Math.min(nowMs + SAME_CALL_MS, answer.untilMs ?? Infinity),
        month,
      ],
      mustReturn: true,
    },
    {
      text: `insert into idempotency_space (organization_id, bytes) values ($1, $2)
        on conflict (organization_id) do update
          set bytes = idempotency_space.bytes + excluded.bytes
          where idempotency_space.bytes + excluded.bytes <= ${MAX_STORED_BYTES}
        returning bytes`,
      params: [organizationId, bytes],
      name: IDEMPOTENCY_SPACE,
      mustReturn: true,
    },
  ];
}

/** Releases the key of a call that did not succeed. */
export function deleteIdempotencyRecord(record: IdempotencyRecord): Statement {
  return {
    text: `delete from idempotency_keys
      where organization_id = $1 and idempotency_key = $2 and request_id = $3 and body is null`,
    params: [record.organizationId, record.key, record.requestId],
  };
}

export type StoredIdempotencyRecord = {
  readonly fingerprint: string;
  /** Null while the call is in progress. */
  readonly answer: {
    readonly status: number;
    readonly body: string;
    readonly tokensConsumed: number;
    readonly tokensRemaining: number;
  } | null;
};

/** Returns a key's record; null if there is none or it has expired. */
export async function findIdempotencyRecord(
  sql: Sql,
  wanted: { readonly organizationId: string; readonly key: string },
  nowMs: number,
): Promise<StoredIdempotencyRecord | null> {
  const rows = await sql.all(
    `select fingerprint, status, body, tokens_consumed, tokens_remaining from idempotency_keys
     where organization_id = $1 and idempotency_key = $2 and not ${EXPIRED}`,
    [wanted.organizationId, wanted.key, ...expiredAt(nowMs)],
  );
  return rows.map(toStored)[0] ?? null;
}

function toStored(row: Row): StoredIdempotencyRecord {
  const fingerprint = String(row['fingerprint']);
  const body = row['body'];
  if (typeof body !== 'string') return { fingerprint, answer: null };
  return {
    fingerprint,
    answer: {
      status: Number(row['status']),
      body,
      tokensConsumed: Number(row['tokens_consumed']),
      tokensRemaining: Number(row['tokens_remaining']),
    },
  };
}

/** Rows swept per round of transactions, and rounds per sweep; the rest wait for the next sweep. */
const SWEPT_AT_ONCE = 1_000;
const ROUNDS = 20;

/** Removes expired records; returns how many rows. */
export async function sweepIdempotencyRecords(sql: Sql, nowMs: number): Promise<number> {
  await shortenKeeping(sql, nowMs);
  let swept = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const rows = await sql.all(
      `select organization_id, idempotency_key, request_id, bytes from idempotency_keys
       where expires_at_ms <= $1 order by expires_at_ms limit ${SWEPT_AT_ONCE}`,
      [nowMs],
    );
    const results = await Promise.all(rows.map((row) => sql.write(removal(row, nowMs))));
    swept += results.filter((result) => result.done).length;
    if (rows.length < SWEPT_AT_ONCE) break;
  }
  return swept;
}

/**
 * Shortens records that would be stored longer than possible, written by a clock that has since been set back. They are stored
 * as if written now.
 */
async function shortenKeeping(sql: Sql, nowMs: number): Promise<void> {
  const untilMs = nowMs + SAME_CALL_MS;
  const where = 'where expires_at_ms > $1';
  const latestMs = untilMs + SET_BACK_MS;
  const [ahead] = await sql.all(`select 1 as found from idempotency_keys ${where} limit 1`, [
    latestMs,
  ]);
  if (ahead === undefined) return;
  const text = `update idempotency_keys set expires_at_ms = $2 ${where}`;
  await sql.write([{ text, params: [latestMs, untilMs] }]);
}

/** Removes one expired row and its share of the space; rolls back if another process was first. */
function removal(row: Row, nowMs: number): readonly Statement[] {
  const organizationId = String(row['organization_id']);
  return [
    {
      text: `delete from idempotency_keys where organization_id = $1 and idempotency_key = $2
        and request_id = $3 and bytes = $4 and expires_at_ms <= $5 returning request_id`,
      params: [
        organizationId,
        String(row['idempotency_key']),
        String(row['request_id']),
        Number(row['bytes']),
        nowMs,
      ],
      mustReturn: true,
    },
    {
      // Never below zero: a wrong count must not make every sweep fail.
      text: `update idempotency_space set bytes = case when bytes > $2 then bytes - $2 else 0 end
        where organization_id = $1`,
      params: [organizationId, Number(row['bytes'])],
    },
  ];
}

/** Removes a stored answer before it expires. The row has organization_id, idempotency_key, request_id and bytes. */
export function deleteStoredAnswer(row: Row): readonly Statement[] {
  return removal(row, Number.MAX_SAFE_INTEGER);
}
