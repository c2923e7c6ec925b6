-- The protocols in which a shop's host answers programs, besides its pages (D82), and what else of its endpoints is known.
-- is_there: 0: the endpoint is not there, which is believed for a day. detail: what is needed to ask it. refused_until_ms: until when
-- no other door of the shop is tried, because it refused at this one.
create table shop_doors (
  host text collate "C" not null,
  door text collate "C" not null,
  is_there integer not null,
  detail text collate "C",
  learned_at_ms bigint not null,
  refused_until_ms bigint,
  primary key (host, door)
);
