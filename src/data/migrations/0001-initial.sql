-- The first schema, in the SQL both databases share: instants are bigint milliseconds, money bigint cents,
-- days and months text, flags integer 0/1/null. `migrate.ts` makes SQLite's tables strict.

create table organizations (
  id text not null primary key,
  name text not null unique,
  monthly_quota bigint not null check (monthly_quota >= 0),
  throttle_per_minute bigint not null check (throttle_per_minute between 1 and 60000000),
  throttle_burst bigint not null check (throttle_burst between 1 and 60000000),
  created_at_ms bigint not null
);

create table api_keys (
  id text not null primary key,
  organization_id text not null references organizations (id),
  secret_sha256 text not null,
  scopes text not null,
  note text,
  created_at_ms bigint not null,
  expires_at_ms bigint,
  revoked_at_ms bigint,
  last_used_day text
);

create index api_keys_by_organization on api_keys (organization_id);

-- One row per organization and calendar month (UTC), made by the first call of the month (D17).
-- quota: the monthly quota in force; granted: tokens added within the month.
create table balances (
  organization_id text not null references organizations (id),
  month text not null,
  quota bigint not null check (quota >= 0),
  granted bigint not null check (granted >= 0),
  used bigint not null check (used >= 0),
  reserved bigint not null check (reserved >= 0),
  calls bigint not null check (calls >= 0),
  primary key (organization_id, month),
  check (used + reserved <= quota + granted)
);

-- Append-only: one row for each billed call and each grant, nothing for a call that was not billed.
create table ledger (
  request_id text not null primary key,
  organization_id text not null references organizations (id),
  key_id text references api_keys (id),
  month text not null,
  kind text not null check (kind in ('charge', 'grant')),
  tokens bigint not null check (tokens > 0),
  balance_after bigint not null check (balance_after >= 0),
  route text not null,
  at_ms bigint not null
);

create index ledger_by_month on ledger (organization_id, month);

create table reservations (
  request_id text not null primary key,
  organization_id text not null references organizations (id),
  month text not null,
  tokens bigint not null check (tokens > 0),
  lease_until_ms bigint not null
);

create index reservations_by_lease on reservations (lease_until_ms);

-- GCRA: the theoretical arrival time of each (organization, policy), microseconds since 1970.
create table throttles (
  organization_id text not null references organizations (id),
  policy text not null,
  tat_us bigint not null,
  primary key (organization_id, policy)
);

-- A slug belongs to the first domain seen with it (D10).
create table shops (
  slug text not null primary key,
  domain text not null unique,
  claimed_at_ms bigint not null
);

create table shop_facts (
  host text not null primary key,
  platform text not null check (platform in ('hosted', 'other')),
  currency text,
  learned_at_ms bigint not null
);

-- What each retailer said last. record: JSON of the listing and the reader's notes, null when nothing was
-- ever read; fetched_at_ms is of the record, checked_at_ms of the last attempt, whose result is `outcome`.
create table listings (
  id text not null primary key,
  retailer text not null,
  listing_key text not null,
  url text not null,
  gtin14 text,
  found_via text not null,
  outcome text not null,
  checked_at_ms bigint not null,
  fetched_at_ms bigint,
  record text,
  price_cents bigint,
  currency text,
  in_stock integer,
  unique (retailer, listing_key),
  check ((record is null) = (fetched_at_ms is null))
);

create index listings_by_gtin14 on listings (gtin14) where gtin14 is not null;

-- Append-only. price_cents is USD; another or an unknown currency is kept beside it (D26); out of stock
-- has no price (D28).
create table observations (
  listing_id text not null references listings (id),
  observed_at_ms bigint not null,
  price_cents bigint check (price_cents > 0),
  native_cents bigint check (native_cents > 0),
  native_currency text,
  in_stock integer check (in_stock in (0, 1)),
  primary key (listing_id, observed_at_ms),
  check (price_cents is null or native_cents is null)
);

-- What /readyz writes to prove that a commit goes through.
create table heartbeat (
  id integer not null primary key,
  beats bigint not null
);
