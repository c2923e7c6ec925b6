// Writes for watches: their settings, rounds and states, the organizations' knowledge of listings, their feeds and notices.
// Every write of a watch names the version it was based on, so that two processes never decide from the same version.

import { SET_BACK_MS } from '../../base/clock.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Slug } from '../../base/retailer.ts';
import type { Change } from '../../rules/watches/changes.ts';
import type { FeedBody } from '../../rules/watches/feed.ts';
import type {
  NewWatch,
  Notice,
  Watch,
  WatchSettings,
  WatchTrouble,
} from '../../rules/watches/stored-watch.ts';
import type { Known, WatchState } from '../../rules/watches/watch.ts';
import { lockOrganization } from '../accounts/organizations.ts';
import type { SqlValue, Statement } from '../sql.ts';
import { placeholdersOf, padded } from '../statement-values.ts';

/**
 * Name of the statements that write a watch, or the state of a watched listing. They fail if another process was first.
 */
export const WATCH_VERSION = 'watch version';

/** Number of texts in a JSON array: `","` separates two of them, and a quote inside one is escaped. */
const TEXTS_IN_IDENTIFIERS = `1 + (length(identifiers) - length(replace(identifiers, '","', ''))) / 3`;

/**
 * The limits of one organization. `ofProduct` applies to one barcode or page, because each watch is evaluated on every read
 * of it.
 */
export type WatchLimits = {
  readonly watches: number;
  readonly addresses: number;
  readonly ofProduct: number;
};

/** Adds a watch made by a caller. Adding it again changes nothing, and neither does exceeding a limit. */
export function addWatch(
  watch: NewWatch,
  most: WatchLimits,
  listingIds: readonly string[],
): readonly Statement[] {
  return [
    lockOrganization(watch.organizationId),
    insertWatch(watch, most, listingIds),
    ...listingIds.map((listingId) => insertWatchListing(watch.id, listingId)),
  ];
}

/** Inserts a watch. `listingIds` are those of its pages. It has to follow `lockOrganization`. */
function insertWatch(watch: NewWatch, most: WatchLimits, listingIds: readonly string[]): Statement {
  const pages = padded(listingIds.length === 0 ? [''] : listingIds);
  const same = sameWatch(watch, listingIds, 21 + pages.length);
  return {
    text: `insert into watches (id, organization_id, key_id, identifiers, gtin14, retailer, interval_ms,
        rules, channels, failing_after, state, version, seed, paused_at_ms, next_at_ms, failed_rounds,
        created_at_ms, tags)
      select $1, id, $3, $4, $5, $6, cast($7 as bigint), $8, $9, cast($10 as bigint), $11, 1,
        cast($12 as bigint), cast($13 as bigint), cast($14 as bigint), 0, cast($15 as bigint), $20
      from organizations where id = $2
        and (select count(*) from watches where organization_id = $2) < $16
        and (select coalesce(sum(${TEXTS_IN_IDENTIFIERS}), 0) from watches where organization_id = $2) + $17 <= $18
        and (select count(*) from watches where organization_id = $2 and gtin14 = $5) < $19
        and not exists (select listing_id from watch_listings join watches on watches.id = watch_id
          where organization_id = $2 and listing_id in (${placeholdersOf(pages, 21)})
          group by listing_id having count(*) >= $19)
        and not exists (select 1 from watches where ${same.text})
      on conflict (id) do nothing`,
    params: [
      watch.id,
      watch.organizationId,
      watch.keyId,
      JSON.stringify(watch.identifiers),
      watch.gtin,
      watch.retailer,
      watch.intervalMs,
      JSON.stringify(watch.rules),
      JSON.stringify(watch.channels),
      watch.failingAfter,
      JSON.stringify({ known: {}, told: {} }),
      watch.seed,
      watch.pausedAtMs,
      watch.nextAtMs,
      watch.createdAtMs,
      most.watches,
      watch.identifiers.length,
      most.addresses,
      most.ofProduct,
      tagsText(watch),
      ...pages,
      ...same.params,
    ],
  };
}

const tagsText = ({ tags }: Pick<WatchSettings, 'tags'>): string | null =>
  tags.length === 0 ? null : JSON.stringify(tags);

/**
 * The condition for watches that ask for the same as `watch`: of one barcode or of the same pages, with the same conditions,
 * channels and times. Its parameters are numbered from `first`.
 */
export function sameWatch(
  watch: NewWatch,
  listingIds: readonly string[],
  first: number,
): { readonly text: string; readonly params: readonly SqlValue[] } {
  const { organizationId, retailer, intervalMs, rules, channels, failingAfter, gtin } = watch;
  const at = (place: number): string => `$${first + place}`;
  const pages = padded(listingIds.length === 0 ? [''] : listingIds);
  const subject =
    gtin === null
      ? `gtin14 is null and (identifiers = ${at(6)} or (
          (select count(*) from watch_listings where watch_id = watches.id) = ${at(7)}
          and not exists (select 1 from watch_listings where watch_id = watches.id
            and listing_id not in (${placeholdersOf(pages, first + 8)}))))`
      : `gtin14 = ${at(6)}`;
  const own = [JSON.stringify(watch.identifiers), new Set(listingIds).size || -1, ...pages];
  // A watch whose address has shown another product since is about the former one.
  const isAsShown = `not exists (select 1 from watch_listings join listings on listings.id = listing_id
    where watch_id = watches.id and listings.moved_since_ms > watches.created_at_ms)`;
  return {
    text: `organization_id = ${at(0)} and retailer = ${at(1)} and interval_ms = ${at(2)} and rules = ${at(3)}
      and channels = ${at(4)} and failing_after = ${at(5)} and ${subject} and ${isAsShown}`,
    params: [
      organizationId,
      retailer,
      intervalMs,
      JSON.stringify(rules),
      JSON.stringify(channels),
      failingAfter,
      ...(gtin === null ? own : [gtin]),
    ],
  };
}

/** Takes the turn of a check at the owner's request; returns no row if the last one was less than `apartMs` ago. */
export function noteLook(
  { organizationId, id }: Pick<Watch, 'organizationId' | 'id'>,
  nowMs: number,
  apartMs: number,
): Statement {
  return {
    text: `update watches set looked_at_ms = $3 where id = $1 and organization_id = $2
      and (looked_at_ms is null or looked_at_ms <= $4 or looked_at_ms > $5) returning id`,
    params: [id, organizationId, nowMs, nowMs - apartMs, nowMs + SET_BACK_MS],
    name: 'look',
    mustReturn: true,
  };
}

/** Writes new settings of a watch; returns no row if it was changed since it was read. */
export function updateSettings(
  watch: Watch,
  settings: WatchSettings & Pick<Watch, 'state' | 'nextAtMs'>,
): Statement {
  return {
    text: `update watches set retailer = $3, interval_ms = $4, rules = $5, channels = $6, failing_after = $7,
        paused_at_ms = $8, next_at_ms = $9, state = $10, sources = $11, sourced_at_ms = $12, tags = $13,
        version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [
      watch.id,
      watch.version,
      settings.retailer,
      settings.intervalMs,
      JSON.stringify(settings.rules),
      JSON.stringify(settings.channels),
      settings.failingAfter,
      settings.pausedAtMs,
      settings.nextAtMs,
      JSON.stringify(settings.state),
      ...sourcesOf(settings.state),
      tagsText(settings),
    ],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

/** Used with `updateSettings` if the watch now concerns other listings: past reads and failures belong to the old ones. */
export function beginAgain({ organizationId, id }: Watch): readonly Statement[] {
  return [
    ...forgetListings(organizationId, id),
    {
      text: `update watches set round_at_ms = null, read_at_ms = null, failed_rounds = 0, reason = null,
          trouble = case when trouble = 'failing' then null else trouble end
        where id = $1`,
      params: [id],
    },
  ];
}

/** Deletes a watch and its dependent rows; its notices stay until they expire. */
export function deleteWatch(organizationId: string, id: string): readonly Statement[] {
  return [
    {
      // Comes first, because storing a read also locks watches before what is known of their listings.
      text: 'update watches set version = version + 1 where id = $1 and organization_id = $2',
      params: [id, organizationId],
    },
    ...forgetListings(organizationId, id),
    {
      text: 'delete from watches where id = $1 and organization_id = $2 returning id',
      params: [id, organizationId],
      name: 'watch',
      mustReturn: true,
    },
  ];
}

/**
 * Deletes the listings of a watch, and the organization's state of those it no longer watches: if one is watched again,
 * that starts with its next observation.
 */
function forgetListings(organizationId: string, watchId: string): readonly Statement[] {
  return [
    {
      text: `delete from watched_listings where organization_id = $2 and listing_id in (
          select listing_id from watch_listings where watch_id = $1)
        and not exists (select 1 from watch_listings as others join watches on id = others.watch_id
          where others.listing_id = watched_listings.listing_id and others.watch_id <> $1
            and watches.organization_id = $2)`,
      params: [watchId, organizationId],
    },
    {
      text: `delete from watch_listings where watch_id in (
        select id from watches where id = $1 and organization_id = $2)`,
      params: [watchId, organizationId],
    },
  ];
}

/** The later of the reading at $3 and the previous reading, which is ignored if a clock was set back since. */
const LATER_READ = `case when read_at_ms > $3 and read_at_ms <= $3 + ${SET_BACK_MS} then read_at_ms else $3 end`;

/** Returns the sources with terms that a state is made of, each after a space, and when the oldest of it was read; nulls without one. */
function sourcesOf({ known }: WatchState): readonly [string | null, number | null] {
  const sourced = Object.values(known).filter(({ source }) => source !== undefined);
  if (sourced.length === 0) return [null, null];
  const sources = [...new Set(sourced.map(({ source }) => ` ${source}`))];
  return [sources.join(''), Math.min(...sourced.map(({ atMs }) => atMs))];
}

/**
 * Writes a state without the facts that the terms of a source no longer allow in it; returns no row if the watch was
 * changed since.
 */
export function forgetSource(
  { id, version }: Pick<Watch, 'id' | 'version'>,
  state: WatchState,
): Statement {
  return {
    text: `update watches set state = $3, sources = $4, sourced_at_ms = $5, version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [id, version, JSON.stringify(state), ...sourcesOf(state)],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

/** Writes the watch's state after an observation. It was read, so it is no longer failing. */
export function updateState(watch: Watch, state: WatchState, readAtMs: number): Statement {
  return {
    text: `update watches set state = $4, sources = $5, sourced_at_ms = $6, failed_rounds = 0, reason = null, read_at_ms = ${LATER_READ},
        trouble = case when trouble = 'failing' then null else trouble end, version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [watch.id, watch.version, readAtMs, JSON.stringify(state), ...sourcesOf(state)],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

/**
 * Records that a check found another product at a listing's address. The check was made and did not fail. If it is sure
 * (`isSure`), the watch counts as failing from now on, so that it notifies when its product is back.
 */
export function noteMoved(watch: Watch, readAtMs: number, isSure: boolean): Statement {
  return {
    text: `update watches set failed_rounds = 0, read_at_ms = ${LATER_READ},
        trouble = case when $4 = 1 then 'failing' else trouble end, version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [watch.id, watch.version, readAtMs, Number(isSure)],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

type Round = {
  readonly roundAtMs: number | null;
  readonly nextAtMs: number;
  readonly failedRounds: number;
  readonly trouble: WatchTrouble | null;
};

/** Writes that a check has become due. */
export function updateRound(watch: Watch, round: Round): Statement {
  return {
    text: `update watches set round_at_ms = $3, next_at_ms = $4, failed_rounds = $5, trouble = $6,
        version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [
      watch.id,
      watch.version,
      round.roundAtMs,
      round.nextAtMs,
      round.failedRounds,
      round.trouble,
    ],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

/** Records that the watch has said that it is failing; returns no row if it was changed since it was read. */
export function noteFailing({ id, version }: Pick<Watch, 'id' | 'version'>): Statement {
  return {
    text: `update watches set trouble = 'failing', version = version + 1
      where id = $1 and version = $2 returning id`,
    params: [id, version],
    name: WATCH_VERSION,
    mustReturn: true,
  };
}

/** Writes why the last attempt read nothing, for watches of the barcode at the retailer, or of the listing. */
export function noteFailure(
  about: {
    readonly listingId: string | null;
    readonly gtin: Gtin14 | null;
    readonly retailer: Slug;
  },
  reason: string,
): Statement {
  return {
    text: `update watches set reason = $1
      where (id in (select watch_id from watch_listings where listing_id = $2))
        or (gtin14 = $3 and retailer in ('any', 'best', 'anchor', $4))`,
    params: [reason.slice(0, 300), about.listingId ?? '', about.gtin ?? '', about.retailer],
  };
}

/** Adds a listing: from now on the watch observes its reads. */
export function insertWatchListing(watchId: string, listingId: string): Statement {
  return {
    text: `insert into watch_listings (listing_id, watch_id)
      select $1, id from watches where id = $2 on conflict (listing_id, watch_id) do nothing`,
    params: [listingId, watchId],
  };
}

/** Removes all other listings, because the anchor has changed. */
export function deleteOtherListings(watchId: string, listingIds: readonly string[]): Statement {
  const listed = padded(listingIds.length === 0 ? [''] : listingIds);
  return {
    text: `delete from watch_listings where watch_id = $1 and listing_id not in (${placeholdersOf(listed, 2)})`,
    params: [watchId, ...listed],
  };
}

/**
 * Writes the state of a watched listing. `version` is null if it was not watched before. Fails if another process was
 * first.
 */
export function writeWatched(
  organizationId: string,
  known: Known,
  version: number | null,
): Statement {
  const common = { name: WATCH_VERSION, mustReturn: true } as const;
  const { source = null, atMs } = known;
  const sourced = [source, source === null ? null : atMs];
  const params = [organizationId, known.listingId, JSON.stringify(known), ...sourced];
  if (version === null) {
    return {
      ...common,
      text: `insert into watched_listings (organization_id, listing_id, known, source, sourced_at_ms, version)
        values ($1, $2, $3, $4, cast($5 as bigint), 1) on conflict (organization_id, listing_id) do nothing
        returning listing_id`,
      params,
    };
  }
  return {
    ...common,
    text: `update watched_listings set known = $3, source = $4, sourced_at_ms = $5, version = version + 1
      where organization_id = $1 and listing_id = $2 and version = $6 returning listing_id`,
    params: [...params, version],
  };
}

type Written = { readonly change: Change; readonly listingId: string; readonly body: FeedBody };

/**
 * Inserts a change with the next number of its feed. Writers of a feed wait for each other, so that a reader who has seen a
 * number has seen all below it. A number is a time, and is only incremented if two changes fall into the same millisecond. A
 * backup or a lagging standby may have lost the newest changes; the feed then still continues above every number it ever
 * issued.
 */
export function insertChange(
  organizationId: string,
  { change, listingId, body }: Written,
  nowMs: number,
): readonly Statement[] {
  return [
    {
      text: `insert into feeds (organization_id, last_seq, pruned_seq) values ($1, cast($2 as bigint), 0)
        on conflict (organization_id) do update set
          last_seq = case when feeds.last_seq < excluded.last_seq then excluded.last_seq else feeds.last_seq + 1 end`,
      params: [organizationId, nowMs],
    },
    {
      text: `insert into changes (organization_id, seq, listing_id, kind, body, source, sourced_at_ms, written_at_ms)
        select organization_id, last_seq, $2, $3, $4, $5, cast($6 as bigint), cast($7 as bigint) from feeds where organization_id = $1`,
      params: [
        organizationId,
        listingId,
        change.kind,
        JSON.stringify(body),
        body.source ?? null,
        body.source === undefined ? null : body.observedAtMs,
        nowMs,
      ],
    },
  ];
}

/** Inserts a notice. Inserting it again changes nothing. */
export function insertNotice(notice: Notice): Statement {
  const { id, organizationId, watchId, listingId, kind, body, atMs } = notice;
  return {
    text: `insert into notices (id, organization_id, watch_id, listing_id, kind, body, source, at_ms)
      values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (id) do nothing`,
    params: [
      id,
      organizationId,
      watchId,
      listingId,
      kind,
      JSON.stringify(body),
      body.source ?? null,
      atMs,
    ],
  };
}

/** Deletes changes, notices and deliveries from before an instant. A feed records the number up to which it was pruned. */
export function pruneFeeds(beforeMs: number): readonly Statement[] {
  return [
    {
      // Never goes back: the later of two numbers may have been written by a slow clock, and deleted earlier.
      text: `update feeds set pruned_seq = (
          select max(seq) from changes where changes.organization_id = feeds.organization_id
            and written_at_ms < $1)
        where exists (select 1 from changes
          where changes.organization_id = feeds.organization_id and written_at_ms < $1
            and seq > feeds.pruned_seq)`,
      params: [beforeMs],
    },
    {
      text: `delete from changes where written_at_ms < $1`,
      params: [beforeMs],
    },
    { text: 'delete from notices where at_ms < $1', params: [beforeMs] },
    { text: 'delete from deliveries where created_at_ms < $1', params: [beforeMs] },
  ];
}

const IS_LATE = '(paused_at_ms is null and next_at_ms > $1 + 2 * interval_ms)';

/**
 * Makes checks due now whose due time is later than possible, because it was set by a clock that has since been set back. The
 * next check is at most an interval and a half away (rules/watches/schedule.ts). A reading by such a clock counts as not
 * read.
 */
export function wakeWatches(nowMs: number): Statement {
  return {
    text: `update watches set
        next_at_ms = case when ${IS_LATE} then $1 else next_at_ms end,
        read_at_ms = case when read_at_ms > $2 then null else read_at_ms end
      where ${IS_LATE} or read_at_ms > $2`,
    params: [nowMs, nowMs + SET_BACK_MS],
  };
}
