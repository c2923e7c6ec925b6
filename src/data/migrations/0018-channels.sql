-- Ways in which an organization is told (D71). target: where it leads, encrypted (store/sealed-text.ts); hint: what a person may
-- see of that. failures: attempts in a row that failed, and until rest_until_ms nothing more is tried. status and detail: what
-- the last attempt came to. lease_until_ms and claim_token: the process that sends through it just now.
create table channels (
  id text not null primary key,
  organization_id text not null references organizations (id),
  kind text not null,
  name text not null,
  hint text not null,
  target text not null,
  created_at_ms bigint not null,
  paused_at_ms bigint,
  failures bigint not null,
  rest_until_ms bigint not null,
  tried_at_ms bigint,
  delivered_at_ms bigint,
  status bigint,
  detail text,
  lease_until_ms bigint not null,
  claim_token text
);

create index channels_by_organization on channels (organization_id, created_at_ms, id);

-- A notice on its way through one channel. subject: what is watched; seq: of one subject the smaller one goes first. since_ms:
-- when it was first tried, by which it is given up after a day; next_at_ms 0: at once.
create table deliveries (
  id text not null primary key,
  organization_id text not null references organizations (id),
  channel_id text not null,
  watch_id text not null,
  notice_id text not null,
  subject text not null,
  seq bigint not null,
  state text not null check (state in ('waiting', 'delivered', 'given_up')),
  attempts bigint not null,
  since_ms bigint,
  next_at_ms bigint not null,
  created_at_ms bigint not null,
  tried_at_ms bigint,
  delivered_at_ms bigint,
  status bigint,
  detail text,
  excerpt text
);

create index deliveries_waiting on deliveries (channel_id, next_at_ms) where state = 'waiting';

create index deliveries_in_order on deliveries (channel_id, subject, seq) where state = 'waiting';

create index deliveries_by_seq on deliveries (channel_id, seq);

create index deliveries_by_watch on deliveries (watch_id, created_at_ms, id);

create index deliveries_by_notice on deliveries (notice_id);

create index deliveries_by_time on deliveries (created_at_ms);
