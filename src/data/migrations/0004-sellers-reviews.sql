-- Sellers of retailer_w by both their names (D32): the 32 characters and the public number, as offers and
-- product pages showed them. seller_key: the 32 characters, the number where those are unknown. profile: JSON of
-- the seller's own page, null until it was read.
create table sellers (
  seller_key text not null primary key,
  seller_hex text,
  catalog_id text,
  seller_type text check (seller_type in ('1p', '3p')),
  met_at_ms bigint not null,
  profile text,
  fetched_at_ms bigint,
  check (seller_hex is not null or catalog_id is not null),
  check ((profile is null) = (fetched_at_ms is null))
);

create index sellers_by_hex on sellers (seller_hex) where seller_hex is not null;

create index sellers_by_catalog_id on sellers (catalog_id) where catalog_id is not null;

-- Single reviews of retailer_w's items, each once (D42). Who wrote them is not kept.
create table reviews (
  item_id text not null,
  review_id text not null,
  day text not null,
  stars integer not null check (stars between 1 and 5),
  is_verified integer check (is_verified in (0, 1)),
  title text,
  body text,
  seen_at_ms bigint not null,
  primary key (item_id, review_id)
);

create index reviews_by_day on reviews (item_id, day);

-- What retailer_w published about all reviews of an item when they were last asked for. distribution: JSON,
-- stars to number of reviews.
create table review_totals (
  item_id text not null primary key,
  average double precision,
  total bigint,
  distribution text,
  fetched_at_ms bigint not null
);
