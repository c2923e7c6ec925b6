// Stored watches: found by organization, by listing and by due time. SAFETY of every JSON here: only the statements of
// watch-writes.ts write these columns, from the same types.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { ChangeKind } from '../../rules/watches/changes.ts';
import type { FeedBody } from '../../rules/watches/feed.ts';
import type {
  FeedChange,
  Feed,
  NewWatch,
  Notice,
  Watch,
  WatchTrouble,
} from '../../rules/watches/stored-watch.ts';
import type { NoticeContent, NoticeKind } from '../../rules/watches/notice.ts';
import { isKnownWithheld, stateWithin } from '../../rules/watches/within-terms.ts';
import { COMMON_VIEW, notExpired, type View } from '../answers/layers.ts';
import type { Known, Rules, WatchState } from '../../rules/watches/watch.ts';
import type { Row, Sql } from '../sql.ts';
import { sameWatch } from './watch-writes.ts';
import { placeholdersOf, numberOrNull, padded, textOrNull } from '../statement-values.ts';

/** An organization's last known state of a listing. */
type WatchedListing = {
  readonly organizationId: string;
  /** Null if terms withhold it. */
  readonly known: Known | null;
  readonly version: number;
};

export type Watches = {
  find(organizationId: string, id: string): Promise<Watch | null>;
  /** Lists the watches, newest first, of one tag if it is given; `after` is the last watch of the previous page. */
  list(
    organizationId: string,
    limit: number,
    after: WatchPlace | null,
    tag?: string,
  ): Promise<readonly Watch[]>;
  /** Finds the watch that asks for the same as a new one, whose pages are these listings. */
  findSame(watch: NewWatch, listingIds: readonly string[]): Promise<Watch | null>;
  /** Returns which of these watches have read something, in the order of the ids. */
  findReads(organizationId: string, ids: readonly string[]): Promise<readonly WatchRead[]>;
  count(
    organizationId: string,
  ): Promise<{ readonly watches: number; readonly identifiers: number }>;
  /**
   * Finds the watches of a listing, including those of a barcode if one is given. Paused watches with a check that may be in
   * progress are included too.
   */
  findWatching(listingId: string, gtin: Gtin14 | null): Promise<readonly WatchOfListing[]>;
  findWatched(listingId: string): Promise<readonly WatchedListing[]>;
  /** Finds the watches that are due, the longest overdue first. */
  findDue(nowMs: number, limit: number): Promise<readonly Watch[]>;
  /** Returns when the next watch is due; null if none will be. */
  findNextDue(): Promise<number | null>;
  findNotices(organizationId: string, watchId: string, limit: number): Promise<readonly Notice[]>;
  findNotice(id: string): Promise<Notice | null>;
  /** Finds the newest notices that went through a channel. */
  findSent(channelId: string, limit: number): Promise<readonly Notice[]>;
  feedOf(organizationId: string): Promise<Feed>;
  findChanges(organizationId: string, after: number, limit: number): Promise<readonly FeedChange[]>;
};

/** `isMapped`: this listing is known to be the watched one, not only to share its barcode. */
export type WatchOfListing = { readonly watch: Watch; readonly isMapped: boolean };

/** When a watch last read something. */
export type WatchRead = { readonly id: string; readonly readAtMs: number };

export type WatchPlace = { readonly createdAtMs: number; readonly id: string };

export function createWatches(sql: Sql, view: View = COMMON_VIEW): Watches {
  const toWatch = (row: Row): Watch => {
    const watch = storedWatch(row);
    const limits = { terms: view.terms, nowMs: view.now() };
    return { ...watch, state: stateWithin(watch.state, limits) };
  };
  return {
    async find(organizationId, id) {
      const text = 'select * from watches where organization_id = $1 and id = $2';
      return (await sql.all(text, [organizationId, id])).map(toWatch)[0] ?? null;
    },
    ...listReads(sql, toWatch),
    async findReads(organizationId, ids) {
      if (ids.length === 0) return [];
      const names = padded(ids);
      const rows = await sql.all(
        `select id, read_at_ms from watches
         where organization_id = $1 and read_at_ms is not null and id in (${placeholdersOf(names, 2)})`,
        [organizationId, ...names],
      );
      const reads = new Map(rows.map((row) => [String(row['id']), Number(row['read_at_ms'])]));
      return [...new Set(ids)].flatMap((id) => {
        const readAtMs = reads.get(id);
        return readAtMs === undefined ? [] : [{ id, readAtMs }];
      });
    },
    async count(organizationId) {
      const rows = await sql.all('select identifiers from watches where organization_id = $1', [
        organizationId,
      ]);
      const identifiers = rows.reduce((sum, row) => sum + textsOf(row['identifiers']).length, 0);
      return { watches: rows.length, identifiers };
    },
    async findWatching(listingId, gtin) {
      const rows = await sql.all(
        `select watches.*, 1 as is_mapped from watches
           join watch_listings on watch_id = id and listing_id = $1
           where (paused_at_ms is null or round_at_ms is not null)
         union all select watches.*, 0 as is_mapped from watches
           where (paused_at_ms is null or round_at_ms is not null) and gtin14 = $2 and not exists (
             select 1 from watch_listings where watch_id = id and listing_id = $1)
         order by id`,
        [listingId, gtin ?? ''],
      );
      return rows.map((row) => ({ watch: toWatch(row), isMapped: Number(row['is_mapped']) === 1 }));
    },
    findWatched: (listingId) => findWatched(sql, view, listingId),
    async findDue(nowMs, limit) {
      const rows = await sql.all(
        `select * from watches where paused_at_ms is null and next_at_ms <= $1
         order by next_at_ms, created_at_ms, id limit $2`,
        [nowMs, limit],
      );
      return rows.map(toWatch);
    },
    findNextDue: () => findNextDue(sql),
    ...feedReads(sql, view),
  };
}

function listReads(sql: Sql, toWatch: (row: Row) => Watch): Pick<Watches, 'list' | 'findSame'> {
  return {
    async list(organizationId, limit, after, tag) {
      const { createdAtMs = Number.MAX_SAFE_INTEGER, id = '' } = after ?? {};
      const place = [organizationId, createdAtMs, id, limit];
      const rows = await sql.all(
        `select * from watches where organization_id = $1 and (created_at_ms, id) < ($2, $3)
         ${tag === undefined ? '' : "and replace(tags, $5, '') <> tags"}
         order by created_at_ms desc, id desc limit $4`,
        tag === undefined ? place : [...place, JSON.stringify(tag)],
      );
      return rows.map(toWatch);
    },
    async findSame(watch, listingIds) {
      const same = sameWatch(watch, listingIds, 1);
      const text = `select * from watches where ${same.text} order by created_at_ms, id limit 1`;
      return (await sql.all(text, same.params)).map(toWatch)[0] ?? null;
    },
  };
}

async function findNextDue(sql: Sql): Promise<number | null> {
  const [row] = await sql.all(
    'select next_at_ms from watches where paused_at_ms is null order by next_at_ms limit 1',
  );
  return row === undefined ? null : Number(row['next_at_ms']);
}

async function findWatched(
  sql: Sql,
  view: View,
  listingId: string,
): Promise<readonly WatchedListing[]> {
  const text = 'select * from watched_listings where listing_id = $1';
  const limits = { terms: view.terms, nowMs: view.now() };
  return (await sql.all(text, [listingId])).map((row) => {
    const known = jsonOf(row['known']) as Known;
    return {
      organizationId: String(row['organization_id']),
      known: isKnownWithheld(known, limits) ? null : known,
      version: Number(row['version']),
    };
  });
}

type FeedReads = Pick<
  Watches,
  'findNotices' | 'findNotice' | 'findSent' | 'feedOf' | 'findChanges'
>;

function feedReads(sql: Sql, view: View): FeedReads {
  const notices = { at: 'at_ms', of: 'facts', needs: 'alerts' } as const;
  const changes = { ...notices, at: 'sourced_at_ms' } as const;
  return {
    async findNotices(organizationId, watchId, limit) {
      const given = notExpired(view, notices, 4);
      const rows = await sql.all(
        `select * from notices where watch_id = $1 and organization_id = $2 and ${given.text}
         order by at_ms desc, id desc limit $3`,
        [watchId, organizationId, limit, ...given.params],
      );
      return rows.map(toNotice);
    },
    async findNotice(id) {
      const given = notExpired(view, notices, 2);
      const text = `select * from notices where id = $1 and ${given.text}`;
      const rows = await sql.all(text, [id, ...given.params]);
      return rows.map(toNotice)[0] ?? null;
    },
    async findSent(channelId, limit) {
      const given = notExpired(view, notices, 3);
      const rows = await sql.all(
        `select * from notices where id in (select notice_id from deliveries
           where channel_id = $1 and state = 'delivered' order by created_at_ms desc limit $2)
           and ${given.text} order by at_ms desc, id desc`,
        [channelId, limit, ...given.params],
      );
      return rows.map(toNotice);
    },
    async feedOf(organizationId) {
      const text = 'select last_seq, pruned_seq from feeds where organization_id = $1';
      const [row] = await sql.all(text, [organizationId]);
      return {
        lastSeq: Number(row?.['last_seq'] ?? 0),
        prunedSeq: Number(row?.['pruned_seq'] ?? 0),
      };
    },
    async findChanges(organizationId, after, limit) {
      const given = notExpired(view, changes, 4);
      const rows = await sql.all(
        `select seq, kind, body from changes
         where organization_id = $1 and seq > $2 and ${given.text} order by seq limit $3`,
        [organizationId, after, limit, ...given.params],
      );
      return rows.map((row) => ({
        seq: Number(row['seq']),
        kind: String(row['kind']) as ChangeKind,
        body: jsonOf(row['body']) as FeedBody,
      }));
    },
  };
}

function jsonOf(value: Row[string] | undefined): unknown {
  return JSON.parse(String(value));
}

function textsOf(value: Row[string] | undefined): readonly string[] {
  return jsonOf(value) as readonly string[];
}

function storedWatch(row: Row): Watch {
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    keyId: String(row['key_id']),
    identifiers: textsOf(row['identifiers']),
    gtin: textOrNull(row['gtin14']) as Gtin14 | null,
    retailer: String(row['retailer']),
    intervalMs: Number(row['interval_ms']),
    rules: jsonOf(row['rules']) as Rules,
    channels: textsOf(row['channels']),
    failingAfter: Number(row['failing_after']),
    state: jsonOf(row['state']) as WatchState,
    version: Number(row['version']),
    seed: Number(row['seed']),
    pausedAtMs: numberOrNull(row['paused_at_ms']),
    nextAtMs: Number(row['next_at_ms']),
    roundAtMs: numberOrNull(row['round_at_ms']),
    readAtMs: numberOrNull(row['read_at_ms']),
    failedRounds: Number(row['failed_rounds']),
    trouble: textOrNull(row['trouble']) as WatchTrouble | null,
    reason: textOrNull(row['reason']),
    createdAtMs: Number(row['created_at_ms']),
    tags: row['tags'] === null ? [] : textsOf(row['tags']),
    lookedAtMs: numberOrNull(row['looked_at_ms']),
  };
}

function toNotice(row: Row): Notice {
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    watchId: String(row['watch_id']),
    listingId: textOrNull(row['listing_id']),
    kind: String(row['kind']) as NoticeKind,
    body: jsonOf(row['body']) as NoticeContent,
    atMs: Number(row['at_ms']),
  };
}
