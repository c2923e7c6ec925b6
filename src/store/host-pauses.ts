// Shops that refuse, over all processes: after five failures in a row none of them sends a request for a while (D54). The
// same rule as that of one process (`fetch/pacing/circuit-breaker.ts`), with its state in a row.

import { SEVERAL, type FailedFor, type PausesLeft } from '../core/failed-for.ts';
import type { Row, Sql } from './sql.ts';

export type HostPauses = {
  /** Null: nothing is remembered of the host. */
  readonly find: (host: string, nowMs: number) => Promise<PausesLeft | null>;
  /** A request failed; `askedMs`: the shop itself asked for a pause of so long. */
  readonly failed: (
    host: string,
    asker: FailedFor,
    askedMs: number,
    nowMs: number,
  ) => Promise<void>;
  /** It answered: its failures are forgotten, and a pause that it asked for is not. */
  readonly answered: (host: string, nowMs: number) => Promise<void>;
  /** Removes what was last heard of two days ago. */
  readonly sweep: (nowMs: number) => Promise<void>;
};

const FAILURES_TO_OPEN = 5;
const REMEMBERED_MS = 2 * 86_400_000;

/** A minute, then twice as long after each further failure, at most 15 minutes. */
const OPEN_MS = `case when host_pauses.failures + 1 < ${FAILURES_TO_OPEN} then 0 else
  case host_pauses.failures + 1 - ${FAILURES_TO_OPEN}
    when 0 then 60000 when 1 then 120000 when 2 then 240000 when 3 then 480000 else 900000 end end`;

/** The longer of a new pause and what is left at $2 of one in the row; the clock may have been set back since. */
function longer(column: string, newMs: string): string {
  const held = `host_pauses.${column}`;
  const left = `host_pauses.heard_at_ms + ${held} - $2`;
  return `case when ${left} > ${newMs} and ${left} <= ${held} then ${left} else ${newMs} end`;
}

/** As `withFailureFor` says, and behind a pause for everyone it takes two again. */
const BEFORE = `case when host_pauses.failed_for = '${SEVERAL}' and host_pauses.pause_ms > 0
  and host_pauses.heard_at_ms + host_pauses.pause_ms <= $2 then null else host_pauses.failed_for end`;
const FAILED_FOR = `case when $4 is null then ${BEFORE}
  when coalesce(${BEFORE}, $4) = $4 then $4 else '${SEVERAL}' end`;

export function createHostPauses(sql: Sql): HostPauses {
  return {
    async find(host, nowMs) {
      const [row] = await sql.all(`select ${PAUSE_COLUMNS} from host_pauses where host = $1`, [
        host,
      ]);
      if (row === undefined) return null;
      const heardAtMs = Number(row['heard_at_ms']);
      if (nowMs >= heardAtMs) return pausesLeft(row, nowMs);
      // The clock was set back: the pauses begin again, and are no longer than they were.
      const began = 'update host_pauses set heard_at_ms = $2 where host = $1 and heard_at_ms > $2';
      await sql.write([{ text: began, params: [host, nowMs] }]);
      return pausesLeft(row, heardAtMs);
    },
    async failed(host, asker, askedMs, nowMs) {
      await sql.write([
        {
          text: `insert into host_pauses (host, failures, heard_at_ms, pause_ms, asked_ms, failed_for)
            values ($1, 1, $2, 0, $3, $4)
            on conflict (host) do update set failures = host_pauses.failures + 1, heard_at_ms = $2,
              pause_ms = ${longer('pause_ms', OPEN_MS)}, asked_ms = ${longer('asked_ms', '$3')},
              failed_for = ${FAILED_FOR}`,
          params: [host, nowMs, askedMs, asker],
        },
      ]);
    },
    async answered(host, nowMs) {
      await sql.write([
        {
          text: 'delete from host_pauses where host = $1 and heard_at_ms + asked_ms <= $2',
          params: [host, nowMs],
        },
        {
          text: 'update host_pauses set failures = 0, pause_ms = 0, failed_for = null where host = $1',
          params: [host],
        },
      ]);
    },
    async sweep(nowMs) {
      const text = 'delete from host_pauses where heard_at_ms <= $1';
      await sql.write([{ text, params: [nowMs - REMEMBERED_MS] }]);
    },
  };
}

export const PAUSE_COLUMNS = 'heard_at_ms, asked_ms, pause_ms, failed_for';

/** What a row with these columns says at that moment. */
export function pausesLeft(row: Row, nowMs: number): PausesLeft {
  const passedMs = nowMs - Number(row['heard_at_ms']);
  return {
    askedMs: Math.max(0, Number(row['asked_ms']) - passedMs),
    concludedMs: Math.max(0, Number(row['pause_ms']) - passedMs),
    failedFor: row['failed_for'] === null ? null : String(row['failed_for']),
  };
}
