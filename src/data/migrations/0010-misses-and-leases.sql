-- Negative answers about a page, a retailer's own identifier or a seller, each kept for a day. id: a digest of the name
-- that it is known under, because an address is too long for an index. upstream: 'not_a_product', or null.
create table misses (
  id text not null primary key,
  detail text not null,
  upstream text,
  noted_at_ms bigint not null
);

create index misses_by_time on misses (noted_at_ms);

-- Work that only one of the processes over this database may do at a time. holder: the process. token: the one taking,
-- so that whoever lost it ends nobody else's. A lease that is not extended in time is anybody's.
create table leases (
  id text not null primary key,
  holder text not null,
  token text not null unique,
  until_ms bigint not null
);

create index leases_by_holder on leases (holder);

-- When a shop's host may be asked next, over all processes. Removed when that is past.
create table host_slots (
  host text not null primary key,
  next_at_ms bigint not null
);
