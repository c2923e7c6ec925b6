-- Background work, one row for each thing to be asked: a retailer for a barcode (gtin14), or a listing that is read
-- again (listing_key, url). id: a digest of the subject, because an address is too long for an index.
-- organization_id: whose turn a job takes; empty: nobody's in particular. attempts is counted when a job is claimed,
-- so that one that ends the process is counted. claim_token: the fence, known to the worker that holds the lease and to
-- nobody else. reason: why the last attempt ended without success, and so why a parked job is parked.
create table jobs (
  id text not null primary key,
  kind text not null check (kind in ('barcode', 'listing')),
  retailer text not null,
  gtin14 text,
  listing_key text,
  url text,
  organization_id text not null,
  priority bigint not null,
  demand bigint not null check (demand > 0),
  run_at_ms bigint not null,
  attempts bigint not null check (attempts >= 0),
  lease_until_ms bigint,
  claim_token text unique,
  parked_at_ms bigint,
  reason text,
  created_at_ms bigint not null,
  check ((kind = 'barcode') = (gtin14 is not null)),
  check ((kind = 'listing') = (listing_key is not null and url is not null)),
  check ((lease_until_ms is null) = (claim_token is null)),
  check (parked_at_ms is null or (lease_until_ms is null and reason is not null))
);

create index jobs_by_turn on jobs (organization_id, priority desc, demand desc, run_at_ms)
  where parked_at_ms is null;

create index jobs_by_time on jobs (run_at_ms) where parked_at_ms is null;

create index jobs_by_lease on jobs (lease_until_ms) where lease_until_ms is not null;

create index jobs_by_gtin on jobs (gtin14) where gtin14 is not null;

-- When each organization had its last turn, counted in turns: the one that waits longest is next.
create table job_turns (
  organization_id text not null primary key,
  turn bigint not null
);

create index job_turns_by_turn on job_turns (turn);
