// When a host may be requested: the requests of all processes using one database start an interval apart at each host
// (D54).

import type { Sql } from '../sql.ts';

export type Slot = {
  /** True: the slot is taken, and the request may begin at `atMs`. False: nothing was taken; the next slot is at `atMs`. */
  readonly isTaken: boolean;
  readonly atMs: number;
};

export type HostSlots = {
  /** Takes the next slot of a host, `intervalMs` long, unless it begins after `untilMs`. */
  take(host: string, intervalMs: number, nowMs: number, untilMs: number): Promise<Slot>;
  /** Removes past slots. */
  sweep(nowMs: number): Promise<void>;
};

const SLOT = 'slot';

/**
 * No request waits longer for its slot. A slot that is further ahead than this and the interval was taken before the clock was
 * set back, and does not count.
 */
const LONGEST_WAIT_MS = 150_000;

export function createHostSlots(sql: Sql): HostSlots {
  return {
    async take(host, intervalMs, nowMs, untilMs) {
      const written = await sql.write([
        {
          text: `insert into host_slots (host, next_at_ms) values ($1, $2)
            on conflict (host) do update set next_at_ms =
              case when host_slots.next_at_ms > $3 and host_slots.next_at_ms <= $6
                then host_slots.next_at_ms + $4 else $2 end
            where host_slots.next_at_ms <= $5 or host_slots.next_at_ms > $6 returning next_at_ms`,
          params: [
            host,
            nowMs + intervalMs,
            nowMs,
            intervalMs,
            Math.floor(untilMs),
            nowMs + intervalMs + LONGEST_WAIT_MS,
          ],
          name: SLOT,
          mustReturn: true,
        },
      ]);
      const [row] = written.done ? (written.rows[SLOT] ?? []) : [];
      if (row !== undefined) return { isTaken: true, atMs: Number(row['next_at_ms']) - intervalMs };
      const rows = await sql.all('select next_at_ms from host_slots where host = $1', [host]);
      return { isTaken: false, atMs: Number(rows[0]?.['next_at_ms'] ?? nowMs) };
    },
    async sweep(nowMs) {
      const params = [nowMs];
      await sql.write([{ text: 'delete from host_slots where next_at_ms <= $1', params }]);
    },
  };
}
