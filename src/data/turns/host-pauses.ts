// Pauses for shops that refuse requests, shared by all processes. After five failures in a row no process sends a request for a
// while, nor during a pause that a shop asked for (D54). The rules are those of one process
// (`egress/pacing/circuit-breaker.ts`, `asked-pauses.ts`). Their state is in rows: one for the registrable domain, whose
// failures are counted, and one for the host name that asked for the pause.

import {
  ownLeft,
  SEVERAL,
  type AskedPause,
  type FailedFor,
  type PausedPlace,
  type PausesLeft,
} from '../../base/failed-for.ts';
import type { Row, Sql } from '../sql.ts';

export type HostPauses = {
  /** Returns null if nothing is stored about the host. */
  readonly find: (place: PausedPlace, nowMs: number) => Promise<PausesLeft | null>;
  /** Records a failed request. `asked` is the pause that the shop itself asked for. */
  readonly failed: (
    host: string,
    asker: FailedFor,
    asked: AskedPause | null,
    nowMs: number,
  ) => Promise<void>;
  /** Records that the shop answered. Its failures are reset; a pause that it asked for is not. */
  readonly answered: (place: PausedPlace, nowMs: number) => Promise<void>;
  /** Removes hosts last heard from two days ago. */
  readonly sweep: (nowMs: number) => Promise<void>;
};

const FAILURES_TO_OPEN = 5;
const STORED_MS = 2 * 86_400_000;

/** The pause: a minute, then twice as long after each further failure, at most 15 minutes. */
const OPEN_MS = `case when host_pauses.failures + 1 < ${FAILURES_TO_OPEN} then 0 else
  case host_pauses.failures + 1 - ${FAILURES_TO_OPEN}
    when 0 then 60000 when 1 then 120000 when 2 then 240000 when 3 then 480000 else 900000 end end`;

/**
 * Returns the longer of a new pause and the part of the stored one that remains at $2. The clock may have been set back
 * since.
 */
function longer(column: string, newMs: string): string {
  const held = `host_pauses.${column}`;
  const left = `host_pauses.heard_at_ms + ${held} - $2`;
  return `case when ${left} > ${newMs} and ${left} <= ${held} then ${left} else ${newMs} end`;
}

/** The previous failures, by the rule of `withFailureFor`. After a pause for everyone it again takes two. */
const BEFORE = `case when host_pauses.failed_for = '${SEVERAL}' and host_pauses.pause_ms > 0
  and host_pauses.heard_at_ms + host_pauses.pause_ms <= $2 then null else host_pauses.failed_for end`;
const FAILED_FOR = `case when $3 is null then ${BEFORE}
  when coalesce(${BEFORE}, $3) = $3 then $3 else '${SEVERAL}' end`;

export function createHostPauses(sql: Sql): HostPauses {
  return {
    async find({ host, name }, nowMs) {
      const rows = await sql.all(
        `select host, ${PAUSE_COLUMNS} from host_pauses where host in ($1, $2)`,
        [host, name],
      );
      if (rows.length === 0) return null;
      if (rows.some((row) => Number(row['heard_at_ms']) > nowMs)) {
        // If the clock was set back, the pauses begin again and are no longer than they were.
        const began =
          'update host_pauses set heard_at_ms = $3 where host in ($1, $2) and heard_at_ms > $3';
        await sql.write([{ text: began, params: [host, name, nowMs] }]);
      }
      const leftIn = (wanted: string) => {
        const row = rows.find((each) => each['host'] === wanted);
        return row === undefined ? NOTHING_LEFT : pausesLeft(row, nowMs);
      };
      const ofHost = leftIn(host);
      return { ...ofHost, askedMs: Math.max(ofHost.askedMs, leftIn(name).askedMs) };
    },
    async failed(host, asker, asked, nowMs) {
      const failure = {
        text: `insert into host_pauses (host, failures, heard_at_ms, pause_ms, asked_ms, failed_for)
          values ($1, 1, $2, 0, 0, $3)
          on conflict (host) do update set failures = host_pauses.failures + 1, heard_at_ms = $2,
            pause_ms = ${longer('pause_ms', OPEN_MS)}, asked_ms = ${longer('asked_ms', '0')},
            failed_for = ${FAILED_FOR}`,
        params: [host, nowMs, asker],
      };
      if (asked === null) return void (await sql.write([failure]));
      const pause = {
        text: `insert into host_pauses (host, failures, heard_at_ms, pause_ms, asked_ms, failed_for)
          values ($1, 0, $2, 0, $3, null)
          on conflict (host) do update set heard_at_ms = $2,
            pause_ms = ${longer('pause_ms', '0')}, asked_ms = ${longer('asked_ms', '$3')}`,
        params: [asked.name, nowMs, asked.seconds * 1_000],
      };
      // All processes write a domain before its host names: otherwise two could deadlock and both fail.
      await sql.write([failure, pause]);
    },
    async answered({ host, name }, nowMs) {
      const over = 'delete from host_pauses where host = $1 and heard_at_ms + asked_ms <= $2';
      await sql.write([
        { text: over, params: [host, nowMs] },
        {
          text: 'update host_pauses set failures = 0, pause_ms = 0, failed_for = null where host = $1',
          params: [host],
        },
        ...(name === host ? [] : [{ text: over, params: [name, nowMs] }]),
      ]);
    },
    async sweep(nowMs) {
      const text = 'delete from host_pauses where heard_at_ms <= $1';
      await sql.write([{ text, params: [nowMs - STORED_MS] }]);
    },
  };
}

const NOTHING_LEFT: PausesLeft = { askedMs: 0, concludedMs: 0, ownMs: 0, failedFor: null };

export const PAUSE_COLUMNS = 'heard_at_ms, asked_ms, pause_ms, failed_for';

/** Returns the pauses remaining at that moment, from a row with these columns. */
export function pausesLeft(row: Row, nowMs: number): PausesLeft {
  const passedMs = Math.max(0, nowMs - Number(row['heard_at_ms']));
  const pauseMs = Number(row['pause_ms']);
  return {
    askedMs: Math.max(0, Number(row['asked_ms']) - passedMs),
    concludedMs: Math.max(0, pauseMs - passedMs),
    ownMs: ownLeft(pauseMs, passedMs),
    failedFor: row['failed_for'] === null ? null : String(row['failed_for']),
  };
}
