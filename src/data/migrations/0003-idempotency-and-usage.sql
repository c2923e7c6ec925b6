-- Answers kept for Idempotency-Key (D21). A row without an answer is a claim: a call with this key is under
-- way, at the latest until expires_at_ms. The answer is the body without its two token fields, which stand
-- in columns of their own, because the balance is known only inside the unit that debits.

create table idempotency_keys (
  organization_id text not null references organizations (id),
  idempotency_key text not null,
  request_id text not null,
  fingerprint text not null,
  expires_at_ms bigint not null,
  bytes bigint not null check (bytes >= 0),
  status bigint check (status between 200 and 299),
  body text,
  tokens_consumed bigint check (tokens_consumed >= 0),
  tokens_remaining bigint check (tokens_remaining >= 0),
  primary key (organization_id, idempotency_key),
  check ((status is null) = (body is null)),
  check ((body is null) = (tokens_consumed is null)),
  check ((body is null) = (tokens_remaining is null)),
  check (body is not null or bytes = 0)
);

create index idempotency_keys_by_expiry on idempotency_keys (expires_at_ms);

-- The sum of `bytes` of an organization's kept answers: what bounds them.
create table idempotency_space (
  organization_id text not null primary key references organizations (id),
  bytes bigint not null check (bytes >= 0)
);

-- The charges of the ledger summed by day, route and key, kept in the unit of each charge: a month of calls is
-- read without reading a month of rows. day: days since 1970 (UTC) of the charge.
create table usage_days (
  organization_id text not null references organizations (id),
  month text not null,
  day bigint not null,
  route text not null,
  key_id text not null references api_keys (id),
  tokens bigint not null check (tokens > 0),
  calls bigint not null check (calls > 0),
  primary key (organization_id, month, day, route, key_id)
);

insert into usage_days (organization_id, month, day, route, key_id, tokens, calls)
  select organization_id, month, at_ms / 86400000, route, key_id,
    cast(sum(tokens) as bigint), cast(count(*) as bigint)
  from ledger where kind = 'charge' and key_id is not null
  group by organization_id, month, at_ms / 86400000, route, key_id;

-- When a retailer was last read with success.
create index listings_by_success on listings (retailer, fetched_at_ms) where fetched_at_ms is not null;
