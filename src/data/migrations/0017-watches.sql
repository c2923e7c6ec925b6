-- What organizations watch. identifiers: what was sent, a list as JSON; gtin14: the barcode among them, null: pages. retailer: a
-- slug, anchor, any or best. rules, channels and state are JSON. version: counts writes, so that nobody overwrites what another
-- process has just decided. seed: spreads the times at which watches are due. round_at_ms: when the last check was due;
-- read_at_ms: when something was last read. trouble: failing or out_of_tokens, told once; reason: why the last check read nothing.
create table watches (
  id text not null primary key,
  organization_id text not null references organizations (id),
  key_id text not null references api_keys (id),
  identifiers text not null,
  gtin14 text,
  retailer text not null,
  interval_ms bigint not null check (interval_ms >= 3600000),
  rules text not null,
  channels text not null,
  failing_after bigint not null check (failing_after > 0),
  state text not null,
  version bigint not null,
  seed bigint not null,
  paused_at_ms bigint,
  next_at_ms bigint not null,
  round_at_ms bigint,
  read_at_ms bigint,
  failed_rounds bigint not null,
  trouble text check (trouble in ('failing', 'out_of_tokens')),
  reason text,
  created_at_ms bigint not null
);

create index watches_by_organization on watches (organization_id, created_at_ms, id);

create index watches_by_time on watches (next_at_ms) where paused_at_ms is null;

create index watches_by_gtin on watches (gtin14) where gtin14 is not null;

-- The listings that a watch is about, as far as they are known.
create table watch_listings (
  listing_id text not null,
  watch_id text not null references watches (id),
  primary key (listing_id, watch_id)
);

create index watch_listings_by_watch on watch_listings (watch_id);

-- What an organization was last told of a listing that it watches: the changes of its feed are counted from here.
create table watched_listings (
  organization_id text not null references organizations (id),
  listing_id text not null,
  known text not null,
  version bigint not null,
  primary key (organization_id, listing_id)
);

create index watched_listings_by_listing on watched_listings (listing_id);

-- How far the feed of an organization goes: the number of its last change, and of the last one that was deleted for its age.
create table feeds (
  organization_id text not null primary key references organizations (id),
  last_seq bigint not null,
  pruned_seq bigint not null
);

create table changes (
  organization_id text not null references organizations (id),
  seq bigint not null,
  listing_id text not null,
  kind text not null,
  body text not null,
  written_at_ms bigint not null,
  primary key (organization_id, seq)
);

create index changes_by_time on changes (written_at_ms);

create index changes_by_listing on changes (listing_id);

-- What was to be told, whether a channel was there for it or not. body: JSON.
create table notices (
  id text not null primary key,
  organization_id text not null references organizations (id),
  watch_id text not null,
  listing_id text,
  kind text not null,
  body text not null,
  at_ms bigint not null
);

create index notices_by_watch on notices (watch_id, at_ms);

create index notices_by_time on notices (at_ms);

create index notices_by_listing on notices (listing_id) where listing_id is not null;

-- since_ms: what was read at or after this instant is new enough; null: what is at most a day old. is_charged: a fetch that the
-- job makes is paid for by the watch that is due first.
alter table jobs add column since_ms bigint;

alter table jobs add column is_charged bigint not null default 0;
