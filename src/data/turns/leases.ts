// Leases on work that only one process using a database does at a time. They are rows with an expiry, not locks of a
// connection, so they work through a pooler and survive the loss of a connection.

import { shortDigest } from '../made-id.ts';
import type { Sql, Statement } from '../sql.ts';

/** How long a lease lasts if it is not extended. After that another process may take it. */
const WORK_LEASE_MS = 8_000;
/** How often a process extends all its leases. */
export const EXTEND_EVERY_MS = 2_000;

type WorkLease = {
  readonly name: string;
  /** Never reused, so that a process that lost its lease cannot release another process's lease. */
  readonly token: string;
};

export type Leases = {
  /** Returns false if another process has an unexpired lease. */
  take(lease: WorkLease, holder: string, nowMs: number): Promise<boolean>;
  /** Whether a process has the lease; does not write. */
  isTaken(name: string, nowMs: number): Promise<boolean>;
  /**
   * Renews the leases under which a process works. A lease that it could not release, or of which it does not know, is not
   * renewed.
   */
  extendAll(holder: string, tokens: readonly string[], nowMs: number): Promise<void>;
  /** Changes nothing if the lease was lost. */
  release(lease: WorkLease): Promise<void>;
  /** Removes leases that expired long ago. */
  sweep(nowMs: number): Promise<void>;
};

/** A lease that ends later than this was taken before the clock was set back, and is ignored. */
const LONGEST_MS = 3 * WORK_LEASE_MS;

/** A lease that expired this long ago is deleted. */
const LEFT_BEHIND_MS = 600_000;

export function createLeases(sql: Sql): Leases {
  const change = async (statement: Statement): Promise<void> => {
    await sql.write([statement]);
  };
  return {
    async take({ name, token }, holder, nowMs) {
      const { done } = await sql.write([
        {
          text: `insert into leases (id, holder, token, until_ms) values ($1, $2, $3, $4)
            on conflict (id) do update set holder = excluded.holder, token = excluded.token,
              until_ms = excluded.until_ms
            where leases.until_ms <= $5 or leases.until_ms > $6 returning token`,
          params: [
            shortDigest(name),
            holder,
            token,
            nowMs + WORK_LEASE_MS,
            nowMs,
            nowMs + LONGEST_MS,
          ],
          mustReturn: true,
        },
      ]);
      return done;
    },
    async isTaken(name, nowMs) {
      const text =
        'select 1 as taken from leases where id = $1 and until_ms > $2 and until_ms <= $3';
      return (await sql.all(text, [shortDigest(name), nowMs, nowMs + LONGEST_MS])).length > 0;
    },
    extendAll: (holder, tokens, nowMs) =>
      change({
        text: `update leases set until_ms = $2
          where holder = $1 and token in (select value from json_each(cast($3 as text)))`,
        params: [holder, nowMs + WORK_LEASE_MS, JSON.stringify(tokens)],
      }),
    release: ({ name, token }) =>
      change({
        text: 'delete from leases where id = $1 and token = $2',
        params: [shortDigest(name), token],
      }),
    sweep: (nowMs) =>
      change({
        text: 'delete from leases where until_ms <= $1',
        params: [nowMs - LEFT_BEHIND_MS],
      }),
  };
}
