// Misses: negative answers about a page, a retailer's own identifier or a seller. A miss is valid for a day (D38) in every
// process using the same database. Negative answers about a barcode are stored in its cells.

import { DAY_MS, MINUTE_MS, SET_BACK_MS } from '../../base/clock.ts';
import { shortDigest } from '../made-id.ts';
import { EVERYTHING, missesOf, reviseMisses, reviseSubjects, type Subject } from './revisions.ts';
import type { Row, Sql, Statement } from '../sql.ts';
import { mayReplace } from '../statement-values.ts';

export type Miss = { readonly detail: string; readonly upstream: 'not_a_product' | null };

/** A miss with `notedAtMs`, when the answer was given. */
export type StoredMiss = Miss & { readonly notedAtMs: number };

export type Misses = {
  /**
   * Finds the miss stored under a name in the day before `nowMs`. Null for a miss from the future: its clock has since been
   * set back.
   */
  findMiss(name: string, nowMs: number): Promise<StoredMiss | null>;
  /** Removes misses older than a day and a minute, and the oldest ones beyond 100,000. */
  sweep(nowMs: number): Promise<void>;
};

/** Any caller can request pages that do not exist: this limits their misses to about 30 MB. */
const MAX_KEPT = 100_000;
/** Processes whose clocks are behind this one may use a miss for this much longer. */
const SWEPT_AFTER_MS = DAY_MS + MINUTE_MS;
const TOO_MANY = `noted_at_ms <= (
  select noted_at_ms from misses order by noted_at_ms desc limit 1 offset ${MAX_KEPT})`;

export function createMisses(sql: Sql): Misses {
  return {
    async findMiss(name, nowMs) {
      const rows = await sql.all(
        `select detail, upstream, noted_at_ms from misses
         where id = $1 and noted_at_ms > $2 and noted_at_ms <= $3`,
        [shortDigest(name), nowMs - DAY_MS, nowMs + SET_BACK_MS],
      );
      return rows.map(toMiss)[0] ?? null;
    },
    async sweep(nowMs) {
      await sql.write([
        // Revises the subjects first, in the order in which writers of misses lock them, to avoid a deadlock.
        reviseMisses(TOO_MANY),
        { text: `delete from misses where ${TOO_MANY}` },
        { text: 'delete from misses where noted_at_ms <= $1', params: [nowMs - SWEPT_AFTER_MS] },
      ]);
    },
  };
}

function toMiss(row: Row): StoredMiss {
  return {
    detail: String(row['detail']),
    upstream: row['upstream'] === 'not_a_product' ? 'not_a_product' : null,
    notedAtMs: Number(row['noted_at_ms']),
  };
}

/**
 * Returns the subject whose revision changes when a miss is stored under the name, and when it is removed within its day.
 */
export function missSubject(name: string): Subject {
  return missesOf(shortDigest(name));
}

/**
 * Stores a miss under a name; an older one never replaces a newer one. Stored data may no longer be an answer afterwards.
 */
export function upsertMiss(name: string, miss: Miss, nowMs: number): readonly Statement[] {
  return [reviseSubjects([missSubject(name)]), insertMiss(name, miss, nowMs)];
}

function insertMiss(name: string, miss: Miss, nowMs: number): Statement {
  return {
    text: `insert into misses (id, detail, upstream, noted_at_ms) values ($1, $2, $3, $4)
      on conflict (id) do update set detail = excluded.detail, upstream = excluded.upstream,
        noted_at_ms = excluded.noted_at_ms
      where ${mayReplace('misses', 'noted_at_ms')}`,
    params: [shortDigest(name), miss.detail, miss.upstream, nowMs],
  };
}

/**
 * Removes a miss, in the transaction that stores the listing that was found after all. Writes nothing if there is none.
 */
export function deleteMiss(name: string): readonly Statement[] {
  const params = [shortDigest(name)];
  return [reviseMisses('id = $1', params), { text: 'delete from misses where id = $1', params }];
}

/**
 * Deletes all misses. Misses are found by a digest of their name, so those of one host cannot be distinguished; each is stored
 * for a day at most.
 */
export function deleteAllMisses(): readonly Statement[] {
  return [reviseSubjects([EVERYTHING]), { text: 'delete from misses' }];
}
