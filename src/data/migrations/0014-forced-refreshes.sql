-- The last forced refreshes of an organization, microseconds since 1970: the one with the number n of `throttles` stands in
-- the slot n modulo their limit, until it is older than the window.
create table forced_refreshes (
  organization_id text not null references organizations (id),
  slot integer not null,
  at_us bigint not null,
  primary key (organization_id, slot)
);
