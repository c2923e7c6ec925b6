CREATE TABLE api_keys (
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

CREATE INDEX api_keys_by_organization on api_keys (organization_id);

CREATE TABLE archived_offers (
  listing_id text not null references listings (id),
  observed_at_ms integer not null,
  place integer not null check (place >= 0),
  offer_id text,
  seller_key text,
  price_cents integer check (price_cents > 0),
  before_cents integer check (before_cents > 0),
  record text not null, is_partial integer not null default 0,
  primary key (listing_id, observed_at_ms, place)
) strict;

CREATE TABLE balances (
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

CREATE TABLE cells (
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
  checked_at_ms integer not null, asked_at_ms integer, judged_by text,
  primary key (gtin14, retailer),
  check (identity_method is null or identity_state <> 'unconfirmed')
) strict;

CREATE INDEX cells_by_listing on cells (listing_id) where listing_id is not null;

CREATE TABLE changes (
  organization_id text not null references organizations (id),
  seq integer not null,
  listing_id text not null,
  kind text not null,
  body text not null,
  written_at_ms integer not null,
  primary key (organization_id, seq)
) strict;

CREATE INDEX changes_by_listing on changes (listing_id);

CREATE INDEX changes_by_time on changes (written_at_ms);

CREATE TABLE channels (
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

CREATE INDEX channels_by_organization on channels (organization_id, created_at_ms, id);

CREATE TABLE charge_batches (
  id integer not null primary key,
  organization_id text not null references organizations (id),
  key_id text not null references api_keys (id),
  month text not null,
  balance_after integer not null check (balance_after >= 0),
  route text not null,
  at_ms integer not null
) strict;

CREATE TABLE charges (
  request_id text not null primary key,
  batch_id integer not null references charge_batches (id),
  tokens integer not null check (tokens > 0),
  later integer not null check (later >= 0)
) without rowid, strict;

CREATE TABLE deliveries (
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

CREATE INDEX deliveries_by_notice on deliveries (notice_id);

CREATE INDEX deliveries_by_seq on deliveries (channel_id, seq);

CREATE INDEX deliveries_by_time on deliveries (created_at_ms);

CREATE INDEX deliveries_by_watch on deliveries (watch_id, created_at_ms, id);

CREATE INDEX deliveries_in_order on deliveries (channel_id, subject, seq) where state = 'waiting';

CREATE INDEX deliveries_waiting on deliveries (channel_id, next_at_ms, seq) where state = 'waiting';

CREATE TABLE feeds (
  organization_id text not null primary key references organizations (id),
  last_seq integer not null,
  pruned_seq integer not null
) strict;

CREATE TABLE forced_refreshes (
  organization_id text not null references organizations (id),
  slot integer not null,
  at_us integer not null,
  primary key (organization_id, slot)
) strict;

CREATE TABLE heartbeat (
  id integer not null primary key,
  beats integer not null
) strict;

CREATE TABLE host_pauses (
  host text not null primary key,
  failures integer not null,
  heard_at_ms integer not null,
  pause_ms integer not null
, asked_ms integer not null default 0, failed_for text) strict;

CREATE TABLE host_slots (
  host text not null primary key,
  next_at_ms integer not null
) strict;

CREATE TABLE idempotency_keys (
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

CREATE INDEX idempotency_keys_by_expiry on idempotency_keys (expires_at_ms);

CREATE TABLE idempotency_space (
  organization_id text not null primary key references organizations (id),
  bytes integer not null check (bytes >= 0)
) strict;

CREATE TABLE job_turns (
  organization_id text not null primary key,
  turn integer not null
) strict;

CREATE INDEX job_turns_by_turn on job_turns (turn);

CREATE TABLE jobs (
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
  created_at_ms integer not null, since_ms integer, is_charged integer not null default 0,
  check ((kind = 'barcode') = (gtin14 is not null)),
  check ((kind = 'listing') = (listing_key is not null and url is not null)),
  check ((lease_until_ms is null) = (claim_token is null)),
  check (parked_at_ms is null or (lease_until_ms is null and reason is not null))
) strict;

CREATE INDEX jobs_by_gtin on jobs (gtin14) where gtin14 is not null;

CREATE INDEX jobs_by_lease on jobs (lease_until_ms) where lease_until_ms is not null;

CREATE INDEX jobs_by_time on jobs (run_at_ms) where parked_at_ms is null;

CREATE INDEX jobs_by_turn on jobs (organization_id, priority desc, demand desc, run_at_ms)
  where parked_at_ms is null;

CREATE VIEW last_charge_batch as select last_insert_rowid() as id;

CREATE TABLE leases (
  id text not null primary key,
  holder text not null,
  token text not null unique,
  until_ms integer not null
) strict;

CREATE INDEX leases_by_holder on leases (holder);

CREATE VIEW ledger as
select request_id, organization_id, key_id, month, kind, tokens, balance_after, route, at_ms
from ledger_entries
union all
select request_id, organization_id, key_id, month, 'charge', charges.tokens, balance_after + later, route, at_ms
from charges join charge_batches on charge_batches.id = charges.batch_id;

CREATE INDEX ledger_by_month on "ledger_entries" (organization_id, month);

CREATE TABLE "ledger_entries" (
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

CREATE TABLE listings (
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
  in_stock integer, moved_to text, moved_since_ms integer, shown_count integer,
  unique (retailer, listing_key),
  check ((record is null) = (fetched_at_ms is null))
) strict;

CREATE INDEX listings_by_gtin14 on listings (gtin14) where gtin14 is not null;

CREATE INDEX listings_by_success on listings (retailer, fetched_at_ms) where fetched_at_ms is not null;

CREATE TABLE misses (
  id text not null primary key,
  detail text not null,
  upstream text,
  noted_at_ms integer not null
) strict;

CREATE INDEX misses_by_time on misses (noted_at_ms);

CREATE TABLE notices (
  id text not null primary key,
  organization_id text not null references organizations (id),
  watch_id text not null,
  listing_id text,
  kind text not null,
  body text not null,
  at_ms integer not null
) strict;

CREATE INDEX notices_by_listing on notices (listing_id) where listing_id is not null;

CREATE INDEX notices_by_time on notices (at_ms);

CREATE INDEX notices_by_watch on notices (watch_id, at_ms);

CREATE TABLE observations (
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
) without rowid, strict;

CREATE TABLE offer_lists (
  listing_id text not null primary key references listings (id),
  fetched_at_ms integer not null,
  offers_count integer not null check (offers_count >= 0)
) strict;

CREATE TABLE organizations (
  id text not null primary key,
  name text not null unique,
  monthly_quota integer not null check (monthly_quota >= 0),
  throttle_per_minute integer not null check (throttle_per_minute between 1 and 60000000),
  throttle_burst integer not null check (throttle_burst between 1 and 60000000),
  created_at_ms integer not null
) strict;

CREATE TABLE packed_observations (
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

CREATE TABLE reading_counts (
  day text not null,
  retailer text not null,
  page_kind text not null,
  outcome text not null,
  fields text not null,
  readings integer not null check (readings > 0),
  primary key (day, retailer, page_kind, outcome, fields)
) strict;

CREATE TABLE reservations (
  request_id text not null primary key,
  organization_id text not null references organizations (id),
  month text not null,
  tokens integer not null check (tokens > 0),
  lease_until_ms integer not null
, monthly_quota integer) strict;

CREATE INDEX reservations_by_lease on reservations (lease_until_ms);

CREATE TABLE review_totals (
  item_id text not null primary key,
  average real,
  total integer,
  distribution text,
  fetched_at_ms integer not null
) strict;

CREATE TABLE reviews (
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

CREATE INDEX reviews_by_day on reviews (item_id, day);

CREATE TABLE revisions (
  subject text not null primary key,
  revision integer not null
) strict;

CREATE TABLE schema_versions (
  version integer not null primary key
) strict;

CREATE TABLE sellers (
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

CREATE INDEX sellers_by_catalog_id on sellers (catalog_id) where catalog_id is not null;

CREATE INDEX sellers_by_hex on sellers (seller_hex) where seller_hex is not null;

CREATE TABLE shop_facts (
  host text not null primary key,
  platform text not null check (platform in ('hosted', 'other')),
  currency text,
  learned_at_ms integer not null
) strict;

CREATE TABLE shops (
  slug text not null primary key,
  domain text not null unique,
  claimed_at_ms integer not null
) strict;

CREATE TABLE takedowns (
  host text not null primary key,
  taken_down_at_ms integer not null,
  undone_at_ms integer
, is_cleared integer not null default 0) strict;

CREATE TABLE throttles (
  organization_id text not null references organizations (id),
  policy text not null,
  tat_us integer not null,
  primary key (organization_id, policy)
) strict;

CREATE TABLE unknown_words (
  day text not null,
  retailer text not null,
  page_kind text not null,
  vocabulary text not null,
  word text not null,
  readings integer not null check (readings > 0),
  primary key (day, retailer, page_kind, vocabulary)
) strict;

CREATE TABLE usage_days (
  organization_id text not null references organizations (id),
  month text not null,
  day integer not null,
  route text not null,
  key_id text not null references api_keys (id),
  tokens integer not null check (tokens > 0),
  calls integer not null check (calls > 0),
  primary key (organization_id, month, day, route, key_id)
) strict;

CREATE TABLE watch_listings (
  listing_id text not null,
  watch_id text not null references watches (id),
  primary key (listing_id, watch_id)
) strict;

CREATE INDEX watch_listings_by_watch on watch_listings (watch_id);

CREATE TABLE watched_listings (
  organization_id text not null references organizations (id),
  listing_id text not null,
  known text not null,
  version integer not null,
  primary key (organization_id, listing_id)
) strict;

CREATE INDEX watched_listings_by_listing on watched_listings (listing_id);

CREATE TABLE watches (
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

CREATE INDEX watches_by_gtin on watches (gtin14) where gtin14 is not null;

CREATE INDEX watches_by_organization on watches (organization_id, created_at_ms, id);

CREATE INDEX watches_by_time on watches (next_at_ms) where paused_at_ms is null;

CREATE TABLE write_probe (
  id integer not null primary key,
  filler text not null
) strict;
