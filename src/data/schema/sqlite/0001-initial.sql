-- The tables of openshelf, by subject.
-- Instants are milliseconds since 1970 (columns that end in _ms), money is cents, days and months are texts (2026-03-01, 2026-03),
-- flags are 0, 1 or null. Tables are strict, so that a text never gets into a column of numbers.

-- # Accounts and what their calls cost

create table organizations (
  id text not null primary key,
  name text not null unique,
  monthly_quota integer not null check (monthly_quota >= 0),
  throttle_per_minute integer not null check (throttle_per_minute between 1 and 60000000),
  throttle_burst integer not null check (throttle_burst between 1 and 60000000),
  created_at_ms integer not null
) strict;

create table api_keys (
  id text not null primary key,
  organization_id text not null references organizations (id),
  secret_sha256 text not null,
  scopes text not null,
  note text,
  created_at_ms integer not null,
  expires_at_ms integer,
  revoked_at_ms integer,
  last_used_day text
) strict;

create index api_keys_by_organization on api_keys (organization_id);

-- One row for each organization and calendar month (UTC), made by the first call of the month (D17).
-- quota: the monthly quota in force; granted: tokens added within the month.
create table balances (
  organization_id text not null references organizations (id),
  month text not null,
  quota integer not null check (quota >= 0),
  granted integer not null check (granted >= 0),
  used integer not null check (used >= 0),
  reserved integer not null check (reserved >= 0),
  calls integer not null check (calls >= 0),
  primary key (organization_id, month),
  check (used + reserved <= quota + granted)
) strict;

-- The most that a running call can cost, set aside until its cost is known. monthly_quota: the organization's quota at that time;
-- if a lower one was set since, tokens that are given back cannot be spent again.
create table reservations (
  request_id text not null primary key,
  organization_id text not null references organizations (id),
  month text not null,
  tokens integer not null check (tokens > 0),
  lease_until_ms integer not null,
  monthly_quota integer
) strict;

create index reservations_by_lease on reservations (lease_until_ms);

-- The ledger is append-only and has nothing for a call that was not billed. It is three tables, which the view `ledger` joins.
-- A call has a short row in charges. What calls that were debited together have in common is in one row of charge_batches, whose
-- balance_after is the balance after the last of them; `later` is what the calls after this one cost, so that a call's own
-- balance is balance_after + later.
create table charge_batches (
  id integer not null primary key,
  organization_id text not null references organizations (id),
  key_id text not null references api_keys (id),
  month text not null,
  balance_after integer not null check (balance_after >= 0),
  route text not null,
  at_ms integer not null
) strict;

create table charges (
  request_id text not null primary key,
  batch_id integer not null references charge_batches (id),
  tokens integer not null check (tokens > 0),
  later integer not null check (later >= 0)
) strict, without rowid;

-- Grants, and charges that are booked one by one.
create table ledger_entries (
  request_id text not null primary key,
  organization_id text not null references organizations (id),
  key_id text references api_keys (id),
  month text not null,
  kind text not null check (kind in ('charge', 'grant')),
  tokens integer not null check (tokens > 0),
  balance_after integer not null check (balance_after >= 0),
  route text not null,
  at_ms integer not null
) strict;

create index ledger_by_month on ledger_entries (organization_id, month);

create view ledger as
select request_id, organization_id, key_id, month, kind, tokens, balance_after, route, at_ms
from ledger_entries
union all
select request_id, organization_id, key_id, month, 'charge', charges.tokens, balance_after + later, route, at_ms
from charges join charge_batches on charge_batches.id = charges.batch_id;

-- The batch that this connection has inserted last.
create view last_charge_batch as select last_insert_rowid() as id;

-- The charges of the ledger summed by day, route and key, in the transaction of each charge: a month of calls is read without
-- reading a month of rows. day: days since 1970 (UTC).
create table usage_days (
  organization_id text not null references organizations (id),
  month text not null,
  day integer not null,
  route text not null,
  key_id text not null references api_keys (id),
  tokens integer not null check (tokens > 0),
  calls integer not null check (calls > 0),
  primary key (organization_id, month, day, route, key_id)
) strict;

-- Answers stored for an Idempotency-Key (D21). A row without an answer is a claim: a call with this key is running, at the latest
-- until expires_at_ms. body is the answer without its two token fields, which are columns, because the balance is known only
-- inside the transaction that debits.
create table idempotency_keys (
  organization_id text not null references organizations (id),
  idempotency_key text not null,
  request_id text not null,
  fingerprint text not null,
  expires_at_ms integer not null,
  bytes integer not null check (bytes >= 0),
  status integer check (status between 200 and 299),
  body text,
  tokens_consumed integer check (tokens_consumed >= 0),
  tokens_remaining integer check (tokens_remaining >= 0),
  primary key (organization_id, idempotency_key),
  check ((status is null) = (body is null)),
  check ((body is null) = (tokens_consumed is null)),
  check ((body is null) = (tokens_remaining is null)),
  check (body is not null or bytes = 0)
) strict;

create index idempotency_keys_by_expiry on idempotency_keys (expires_at_ms);

-- The sum of `bytes` of an organization's stored answers, which is limited.
create table idempotency_space (
  organization_id text not null primary key references organizations (id),
  bytes integer not null check (bytes >= 0)
) strict;

-- GCRA: the theoretical arrival time of each (organization, policy), microseconds since 1970.
create table throttles (
  organization_id text not null references organizations (id),
  policy text not null,
  tat_us integer not null,
  primary key (organization_id, policy)
) strict;

-- The last forced refreshes of an organization, microseconds since 1970: the one with the number n of `throttles` has the slot n
-- modulo their limit, until it is older than the window.
create table forced_refreshes (
  organization_id text not null references organizations (id),
  slot integer not null,
  at_us integer not null,
  primary key (organization_id, slot)
) strict;

-- # Shops, and what they said

-- A slug belongs to the first domain seen with it (D10).
create table shops (
  slug text not null primary key,
  domain text not null unique,
  claimed_at_ms integer not null
) strict;

create table shop_facts (
  host text not null primary key,
  platform text not null check (platform in ('hosted', 'other')),
  currency text,
  learned_at_ms integer not null
) strict;

-- What each retailer said last. record: JSON of the listing and the reader's notes, null if nothing was ever read. fetched_at_ms is
-- of the record, checked_at_ms of the last attempt, whose result is `outcome`. id is a digest of retailer and key.
-- While the address shows another product, outcome is 'moved', moved_to the id of the listing that it shows, and moved_since_ms the
-- first reading that said so; checked_at_ms is the last one, and fetched_at_ms stays the last reading of the product itself.
-- shown_count: how many products the address has shown, null for one.
create table listings (
  id text not null primary key,
  retailer text not null,
  listing_key text not null,
  url text not null,
  gtin14 text,
  found_via text not null,
  outcome text not null,
  checked_at_ms integer not null,
  fetched_at_ms integer,
  record text,
  price_cents integer,
  currency text,
  in_stock integer,
  moved_to text,
  moved_since_ms integer,
  shown_count integer,
  unique (retailer, listing_key),
  check ((record is null) = (fetched_at_ms is null))
) strict;

create index listings_by_gtin14 on listings (gtin14) where gtin14 is not null;

-- When a retailer was last read with success.
create index listings_by_success on listings (retailer, fetched_at_ms) where fetched_at_ms is not null;

-- One row for each (barcode, retailer) that was ever asked: how the last attempt ended, and which listing is tied to the barcode
-- and how. A listing that contradicts the barcode is stored under the barcode that it prints; its id is here, so that the row can
-- be distinguished from one that found nothing. asked_at_ms: when the retailer last answered the question for this barcode, null
-- if it never did. judged_by: the ids of the confirmed listings of other retailers by which a search's hits were judged, null if
-- nothing was judged.
create table cells (
  gtin14 text not null,
  retailer text not null,
  status text not null
    check (status in ('ok', 'not_found', 'blocked', 'error')),
  listing_id text references listings (id),
  identity_state text not null
    check (identity_state in ('confirmed', 'unconfirmed', 'mismatch')),
  identity_method text check (identity_method in ('catalog_key', 'page_barcode')),
  page_barcode text,
  source text not null check (source in ('primary', 'secondary')),
  found_via text,
  checked_at_ms integer not null,
  asked_at_ms integer,
  judged_by text,
  primary key (gtin14, retailer),
  check (identity_method is null or identity_state <> 'unconfirmed')
) strict;

create index cells_by_listing on cells (listing_id) where listing_id is not null;

-- Negative answers about a page, a retailer's own identifier or a seller, each stored for a day. id: a digest of the name, because
-- an address is too long for an index. upstream: 'not_a_product', or null.
create table misses (
  id text not null primary key,
  detail text not null,
  upstream text,
  noted_at_ms integer not null
) strict;

create index misses_by_time on misses (noted_at_ms);

-- Everything that an answer may be made from, each with a number that every change replaces: a barcode (14 digits), the id of a
-- listing or of a miss, and * for everything. No row: never changed.
create table revisions (
  subject text not null primary key,
  revision integer not null
) strict;

-- Sellers of retailer_w under both their names (D32): the 32 characters and the public number, as offers and product pages showed
-- them. seller_key: the 32 characters, or the number where those are unknown. profile: JSON of the seller's own page, null until it
-- was read.
create table sellers (
  seller_key text not null primary key,
  seller_hex text,
  catalog_id text,
  seller_type text check (seller_type in ('1p', '3p')),
  met_at_ms integer not null,
  profile text,
  fetched_at_ms integer,
  check (seller_hex is not null or catalog_id is not null),
  check ((profile is null) = (fetched_at_ms is null))
) strict;

create index sellers_by_hex on sellers (seller_hex) where seller_hex is not null;

create index sellers_by_catalog_id on sellers (catalog_id) where catalog_id is not null;

-- Single reviews of retailer_w's items, each once (D42). Who wrote them is not stored.
create table reviews (
  item_id text not null,
  review_id text not null,
  day text not null,
  stars integer not null check (stars between 1 and 5),
  is_verified integer check (is_verified in (0, 1)),
  title text,
  body text,
  seen_at_ms integer not null,
  primary key (item_id, review_id)
) strict;

create index reviews_by_day on reviews (item_id, day);

-- What retailer_w published about all reviews of an item when they were last asked for. distribution: JSON, stars to number of
-- reviews.
create table review_totals (
  item_id text not null primary key,
  average real,
  total integer,
  distribution text,
  fetched_at_ms integer not null
) strict;

-- The list of offers of a listing that was fetched last: how many rows it had (D31).
create table offer_lists (
  listing_id text not null primary key references listings (id),
  fetched_at_ms integer not null,
  offers_count integer not null check (offers_count >= 0)
) strict;

-- Append-only: offers of retailer_w as its lists showed them, with their place in the list. record: JSON of the offer; the columns
-- repeat what of it distinguishes one offer from another, and its price as it may be shown (USD, not out of stock). seller_key as
-- in `sellers`. before_cents: the price of the same offer when it was last seen. is_partial: 1 if the list was that of the product
-- page, which names some sellers and not all; an offer that such a list leaves out may still exist.
create table archived_offers (
  listing_id text not null references listings (id),
  observed_at_ms integer not null,
  place integer not null check (place >= 0),
  offer_id text,
  seller_key text,
  price_cents integer check (price_cents > 0),
  before_cents integer check (before_cents > 0),
  record text not null,
  is_partial integer not null default 0,
  primary key (listing_id, observed_at_ms, place)
) strict;

-- Hosts that the operator took down: nothing is fetched from them, and nothing of theirs is stored. undone_at_ms: the host may be
-- asked again since then; the row stays, so that an older copy of the list does not bring the takedown back. is_cleared: 1 if
-- nothing of the host is stored any more; 0 while it is being deleted, which the next start continues if it was interrupted.
create table takedowns (
  host text not null primary key,
  taken_down_at_ms integer not null,
  undone_at_ms integer,
  is_cleared integer not null default 0
) strict;

-- # Price history (docs/how/history.md)

-- Recent observations, ordered by day, so that those of one day are next to each other and one more costs no page of its own.
-- Append-only, until compaction moves a row into the text of its year. day: days since 1970 (UTC). price_cents is USD; another or an
-- unknown currency is native_cents (D26); out of stock has no price (D28).
create table observations (
  day integer not null,
  listing_id text not null references listings (id),
  observed_at_ms integer not null,
  price_cents integer check (price_cents > 0),
  native_cents integer check (native_cents > 0),
  native_currency text,
  in_stock integer check (in_stock in (0, 1)),
  primary key (day, listing_id, observed_at_ms),
  check (day = observed_at_ms / 86400000),
  check (price_cents is null or native_cents is null)
) strict, without rowid;

-- The observations of one listing and UTC year as one text, which begins with its version. The other columns repeat what of it is
-- asked for often; first_ms and last_ms are of all observations, priced_days of those in dollars.
create table packed_observations (
  listing_id text not null references listings (id),
  year integer not null,
  observations integer not null check (observations > 0),
  priced_days integer not null check (priced_days >= 0),
  first_ms integer not null,
  last_ms integer not null,
  packed text not null,
  primary key (listing_id, year),
  check (first_ms <= last_ms)
) strict;

-- # How pages were read

-- How answers of shops were read, by UTC day: how often a page kind (the reader's name) had each outcome and, where it was read, with
-- which fields. fields: names of what such an answer normally states, with a blank between them and a minus before each that was
-- missing; empty for every other outcome. Stored for 90 days.
create table reading_counts (
  day text not null,
  retailer text not null,
  page_kind text not null,
  outcome text not null,
  fields text not null,
  readings integer not null check (readings > 0),
  primary key (day, retailer, page_kind, outcome, fields)
) strict;

-- Words of shops that no vocabulary has, by UTC day, retailer and page kind: in how many answers, and the last of the words
-- (shortened). vocabulary: availability, condition, hazmat. Stored for 90 days.
create table unknown_words (
  day text not null,
  retailer text not null,
  page_kind text not null,
  vocabulary text not null,
  word text not null,
  readings integer not null check (readings > 0),
  primary key (day, retailer, page_kind, vocabulary)
) strict;

-- # Background work, and turns between processes

-- One row for each thing to be asked: a retailer for a barcode (gtin14), or a listing that is read again (listing_key, url). id: a
-- digest of the subject, because an address is too long for an index. organization_id: whose turn a job takes; empty: nobody's in
-- particular. attempts is counted when a job is leased, so that one that ends the process is counted. claim_token: the fencing
-- token, known only to the worker that has the lease. reason: why the last attempt ended without success, and so why a parked job is
-- parked. since_ms: what was read at or after this instant is new enough; null: what is at most a day old. is_charged: a fetch
-- that the job makes is paid for by the watch that is due first.
create table jobs (
  id text not null primary key,
  kind text not null check (kind in ('barcode', 'listing')),
  retailer text not null,
  gtin14 text,
  listing_key text,
  url text,
  organization_id text not null,
  priority integer not null,
  demand integer not null check (demand > 0),
  run_at_ms integer not null,
  attempts integer not null check (attempts >= 0),
  lease_until_ms integer,
  claim_token text unique,
  parked_at_ms integer,
  reason text,
  created_at_ms integer not null,
  since_ms integer,
  is_charged integer not null default 0,
  check ((kind = 'barcode') = (gtin14 is not null)),
  check ((kind = 'listing') = (listing_key is not null and url is not null)),
  check ((lease_until_ms is null) = (claim_token is null)),
  check (parked_at_ms is null or (lease_until_ms is null and reason is not null))
) strict;

create index jobs_by_turn on jobs (organization_id, priority desc, demand desc, run_at_ms)
  where parked_at_ms is null;

create index jobs_by_time on jobs (run_at_ms) where parked_at_ms is null;

create index jobs_by_lease on jobs (lease_until_ms) where lease_until_ms is not null;

create index jobs_by_gtin on jobs (gtin14) where gtin14 is not null;

-- When each organization had its last turn, counted in turns: the one that waits longest is next.
create table job_turns (
  organization_id text not null primary key,
  turn integer not null
) strict;

create index job_turns_by_turn on job_turns (turn);

-- Work that only one of the processes over this database may do at a time. holder: the process. token: made for each lease, so that a
-- process that lost it cannot end another's. A lease that is not extended in time can be taken by anybody.
create table leases (
  id text not null primary key,
  holder text not null,
  token text not null unique,
  until_ms integer not null
) strict;

create index leases_by_holder on leases (holder);

-- When a shop's host may be asked next, over all processes. Removed when that is past.
create table host_slots (
  host text not null primary key,
  next_at_ms integer not null
) strict;

-- Shops that refuse requests, over all processes: failures in a row, when the last one happened, and for how long from then on the
-- host gets no request. Removed when it answers. asked_ms: the pause that the shop itself asked for, which holds for everyone;
-- pause_ms: the pause that was concluded from the failures. failed_for: the organization that they belong to; '' callers without
-- one; '*' several; null background work alone.
create table host_pauses (
  host text not null primary key,
  failures integer not null,
  heard_at_ms integer not null,
  pause_ms integer not null,
  asked_ms integer not null default 0,
  failed_for text
) strict;

-- What /readyz writes to prove that a commit works.
create table heartbeat (
  id integer not null primary key,
  beats integer not null
) strict;

-- One row that is written and removed again while writes fail, to find out when there is room.
create table write_probe (
  id integer not null primary key,
  filler text not null
) strict;

-- # Watches, changes and notifications

-- What organizations watch. identifiers: what was sent, a list as JSON; gtin14: the barcode among them, null: pages. retailer: a slug,
-- anchor, any or best. rules, channels and state are JSON. version: counts writes, so that nobody overwrites what another process
-- has just decided. seed: spreads the times at which watches are due. round_at_ms: when the last check was due; read_at_ms: when
-- something was last read. trouble: failing or out_of_tokens, notified once; reason: why the last check read nothing.
create table watches (
  id text not null primary key,
  organization_id text not null references organizations (id),
  key_id text not null references api_keys (id),
  identifiers text not null,
  gtin14 text,
  retailer text not null,
  interval_ms integer not null check (interval_ms >= 3600000),
  rules text not null,
  channels text not null,
  failing_after integer not null check (failing_after > 0),
  state text not null,
  version integer not null,
  seed integer not null,
  paused_at_ms integer,
  next_at_ms integer not null,
  round_at_ms integer,
  read_at_ms integer,
  failed_rounds integer not null,
  trouble text check (trouble in ('failing', 'out_of_tokens')),
  reason text,
  created_at_ms integer not null
) strict;

create index watches_by_organization on watches (organization_id, created_at_ms, id);

create index watches_by_time on watches (next_at_ms) where paused_at_ms is null;

create index watches_by_gtin on watches (gtin14) where gtin14 is not null;

-- The listings that a watch is about, as far as they are known.
create table watch_listings (
  listing_id text not null,
  watch_id text not null references watches (id),
  primary key (listing_id, watch_id)
) strict;

create index watch_listings_by_watch on watch_listings (watch_id);

-- What an organization last learned of a listing that it watches: the changes of its feed are counted from here.
create table watched_listings (
  organization_id text not null references organizations (id),
  listing_id text not null,
  known text not null,
  version integer not null,
  primary key (organization_id, listing_id)
) strict;

create index watched_listings_by_listing on watched_listings (listing_id);

-- How far the feed of an organization goes: the number of its last change, and of the last one that was deleted for its age.
create table feeds (
  organization_id text not null primary key references organizations (id),
  last_seq integer not null,
  pruned_seq integer not null
) strict;

create table changes (
  organization_id text not null references organizations (id),
  seq integer not null,
  listing_id text not null,
  kind text not null,
  body text not null,
  written_at_ms integer not null,
  primary key (organization_id, seq)
) strict;

create index changes_by_time on changes (written_at_ms);

create index changes_by_listing on changes (listing_id);

-- What there was to notify, with or without a channel for it. body: JSON.
create table notices (
  id text not null primary key,
  organization_id text not null references organizations (id),
  watch_id text not null,
  listing_id text,
  kind text not null,
  body text not null,
  at_ms integer not null
) strict;

create index notices_by_watch on notices (watch_id, at_ms);

create index notices_by_time on notices (at_ms);

create index notices_by_listing on notices (listing_id) where listing_id is not null;

-- Where an organization is notified (D71). target: the address and its secrets, encrypted (src/data/sealed-text.ts); hint: what a
-- person may see of it. failures: attempts in a row that failed; until rest_until_ms nothing more is tried. status and detail: the
-- result of the last attempt. lease_until_ms and claim_token: the process that sends through it now.
create table channels (
  id text not null primary key,
  organization_id text not null references organizations (id),
  kind text not null,
  name text not null,
  hint text not null,
  target text not null,
  created_at_ms integer not null,
  paused_at_ms integer,
  failures integer not null,
  rest_until_ms integer not null,
  tried_at_ms integer,
  delivered_at_ms integer,
  status integer,
  detail text,
  lease_until_ms integer not null,
  claim_token text
) strict;

create index channels_by_organization on channels (organization_id, created_at_ms, id);

-- A notice on its way through one channel. subject: what is watched; seq: of one subject the smaller one goes first. since_ms: when it
-- was first tried; it is given up a day later. next_at_ms 0: at once.
create table deliveries (
  id text not null primary key,
  organization_id text not null references organizations (id),
  channel_id text not null,
  watch_id text not null,
  notice_id text not null,
  subject text not null,
  seq integer not null,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempts integer not null,
  since_ms integer,
  next_at_ms integer not null,
  created_at_ms integer not null,
  tried_at_ms integer,
  delivered_at_ms integer,
  status integer,
  detail text,
  excerpt text
) strict;

-- What goes through a channel next is the first entry of this index. Without seq in it, everything that is due at one instant is
-- read for each notice that is sent.
create index deliveries_waiting on deliveries (channel_id, next_at_ms, seq) where state = 'waiting';

create index deliveries_in_order on deliveries (channel_id, subject, seq) where state = 'waiting';

create index deliveries_by_seq on deliveries (channel_id, seq);

create index deliveries_by_watch on deliveries (watch_id, created_at_ms, id);

create index deliveries_by_notice on deliveries (notice_id);

create index deliveries_by_time on deliveries (created_at_ms);
