// When a host, or an operation of an API, may be requested: the requests of all processes using one database start an
// interval apart (D54). A host has one request at a time; an operation may have a burst after a quiet time, as in a bucket
// that holds `burst` tokens and gets a new one each interval.

import type { Sql } from '../sql.ts';

export type Slot = {
  /**
   * True if the slot is taken: the request may begin at `atMs`. False if nothing was taken: the next slot is at `atMs`.
   */
  readonly isTaken: boolean;
  readonly atMs: number;
};

export type HostSlots = {
  /** Takes the next slot of a host, `intervalMs` long, unless it begins after `untilMs`. */
  take(host: string, intervalMs: number, nowMs: number, untilMs: number): Promise<Slot>;
  /** Does the same for an operation, whose slots may begin in bursts of `burst`. */
  takeOf(rate: SlotRate, nowMs: number, untilMs: number): Promise<Slot>;
  /** Removes past slots. */
  sweep(nowMs: number): Promise<void>;
};

type SlotRate = {
  /** The host or the operation. */
  readonly name: string;
  readonly intervalMs: number;
  readonly burst: number;
};

const SLOT = 'slot';

/**
 * No request waits longer for its slot. A slot that is further ahead than this and the interval was taken before the clock was
 * set back, and does not count.
 */
const LONGEST_WAIT_MS = 150_000;

export function createHostSlots(sql: Sql): HostSlots {
  /**
   * `next_at_ms` is when the bucket is full again: with a burst of one, when the next slot begins. A slot may begin
   * `burst` - 1 intervals before that.
   */
  const takeOf: HostSlots['takeOf'] = async ({ name, intervalMs, burst }, nowMs, untilMs) => {
    const early = (burst - 1) * intervalMs;
    const furthestMs = nowMs + early + intervalMs + LONGEST_WAIT_MS;
    const lastMs = Math.floor(Math.min(untilMs + early, furthestMs));
    const written = await sql.write([
      {
        text: `insert into host_slots (host, next_at_ms) values ($1, $2)
          on conflict (host) do update set next_at_ms =
            case when host_slots.next_at_ms > $3 and host_slots.next_at_ms <= $6
              then host_slots.next_at_ms + $4 else $2 end
          where host_slots.next_at_ms <= $5 or host_slots.next_at_ms > $6 returning next_at_ms`,
        params: [name, nowMs + intervalMs, nowMs, intervalMs, lastMs, furthestMs],
        name: SLOT,
        mustReturn: true,
      },
    ]);
    const beginsAt = (fullAtMs: number) => Math.max(nowMs, fullAtMs - early);
    const [row] = written.done ? (written.rows[SLOT] ?? []) : [];
    if (row !== undefined) {
      return { isTaken: true, atMs: beginsAt(Number(row['next_at_ms']) - intervalMs) };
    }
    const rows = await sql.all('select next_at_ms from host_slots where host = $1', [name]);
    return { isTaken: false, atMs: beginsAt(Number(rows[0]?.['next_at_ms'] ?? nowMs)) };
  };
  return {
    take: (host, intervalMs, nowMs, untilMs) =>
      takeOf({ name: host, intervalMs, burst: 1 }, nowMs, untilMs),
    takeOf,
    async sweep(nowMs) {
      const params = [nowMs];
      await sql.write([{ text: 'delete from host_slots where next_at_ms <= $1', params }]);
    },
  };
}
