-- The list of offers of a listing that was fetched last: how many rows it had (D31).
create table offer_lists (
  listing_id text not null primary key references listings (id),
  fetched_at_ms bigint not null,
  offers_count bigint not null check (offers_count >= 0)
);

-- Append-only: offers of retailer_w as its lists showed them, with their place in the list. record: JSON of the
-- offer; the columns repeat what of it tells one offer from another, and its price as it may be shown (USD, not
-- out of stock). seller_key as in `sellers`. before_cents: the price of the same offer when it was seen before.
create table archived_offers (
  listing_id text not null references listings (id),
  observed_at_ms bigint not null,
  place bigint not null check (place >= 0),
  offer_id text,
  seller_key text,
  price_cents bigint check (price_cents > 0),
  before_cents bigint check (before_cents > 0),
  record text not null,
  primary key (listing_id, observed_at_ms, place)
);
