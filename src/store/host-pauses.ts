// Shops that refuse, over all processes: after five failures in a row none of them sends a request for a while (D54). The
// same rule as that of one process, with its state in a row.

import type { Sql } from './sql.ts';

export type HostPause = {
  /** How long the host gets no request, in milliseconds; 0: it may have one now. */
  readonly leftMs: number;
};

export type HostPauses = {
  /** Null: nothing is remembered of the host. */
  readonly find: (host: string, nowMs: number) => Promise<HostPause | null>;
  /** A request failed; `pauseMs`: the shop itself asked for so long. */
  readonly failed: (host: string, pauseMs: number, nowMs: number) => Promise<void>;
  /** It answered: its failures are forgotten. */
  readonly answered: (host: string) => Promise<void>;
  /** Removes what was last heard of two days ago. */
  readonly sweep: (nowMs: number) => Promise<void>;
};

const FAILURES_TO_OPEN = 5;
const REMEMBERED_MS = 2 * 86_400_000;

/** A minute, then twice as long after each further failure, at most 15 minutes. */
const OPEN_MS = `case when host_pauses.failures + 1 < ${FAILURES_TO_OPEN} then 0 else
  case host_pauses.failures + 1 - ${FAILURES_TO_OPEN}
    when 0 then 60000 when 1 then 120000 when 2 then 240000 when 3 then 480000 else 900000 end end`;

export function createHostPauses(sql: Sql): HostPauses {
  return {
    async find(host, nowMs) {
      const text = 'select heard_at_ms, pause_ms from host_pauses where host = $1';
      const [row] = await sql.all(text, [host]);
      if (row === undefined) return null;
      const pauseMs = Number(row['pause_ms']);
      const passedMs = nowMs - Number(row['heard_at_ms']);
      if (passedMs >= 0 || pauseMs === 0) return { leftMs: Math.max(0, pauseMs - passedMs) };
      // The clock was set back: the pause begins again, and is no longer than it was.
      const began = 'update host_pauses set heard_at_ms = $2 where host = $1 and heard_at_ms > $2';
      await sql.write([{ text: began, params: [host, nowMs] }]);
      return { leftMs: pauseMs };
    },
    async failed(host, pauseMs, nowMs) {
      const left = 'host_pauses.heard_at_ms + host_pauses.pause_ms - $2';
      await sql.write([
        {
          text: `insert into host_pauses (host, failures, heard_at_ms, pause_ms) values ($1, 1, $2, $3)
            on conflict (host) do update set failures = host_pauses.failures + 1, heard_at_ms = $2,
              pause_ms = case
                when ${left} > $4 and ${left} > ${OPEN_MS} and ${left} <= host_pauses.pause_ms then ${left}
                when $4 > ${OPEN_MS} then $4 else ${OPEN_MS} end`,
          params: [host, nowMs, pauseMs, pauseMs],
        },
      ]);
    },
    async answered(host) {
      await sql.write([{ text: 'delete from host_pauses where host = $1', params: [host] }]);
    },
    async sweep(nowMs) {
      const text = 'delete from host_pauses where heard_at_ms <= $1';
      await sql.write([{ text, params: [nowMs - REMEMBERED_MS] }]);
    },
  };
}
