-- Price observations become a tail that is ordered by day, so that a day's observations stand together and one more
-- costs no page of its own, and years that are packed behind it (docs/price-history-storage.md).

alter table observations rename to observations_before;

-- Append-only, until a row is folded into its year. day: days since 1970 (UTC). price_cents is USD; another or an
-- unknown currency is kept beside it (D26); out of stock has no price (D28).
create table observations (
  day bigint not null,
  listing_id text not null references listings (id),
  observed_at_ms bigint not null,
  price_cents bigint check (price_cents > 0),
  native_cents bigint check (native_cents > 0),
  native_currency text,
  in_stock integer check (in_stock in (0, 1)),
  primary key (day, listing_id, observed_at_ms),
  check (day = observed_at_ms / 86400000),
  check (price_cents is null or native_cents is null)
) /* sqlite: without rowid, */ /* postgres: partition by range (observed_at_ms) */;

-- What no month has a partition for: store/partitions.ts makes the months.
/* postgres: create table observations_rest partition of observations default */;

insert into observations
    (day, listing_id, observed_at_ms, price_cents, native_cents, native_currency, in_stock)
  select observed_at_ms / 86400000, listing_id, observed_at_ms, price_cents, native_cents,
    native_currency, in_stock
  from observations_before order by 1, 2, 3;

drop table observations_before;

-- The observations of one listing and UTC year as one text, which names its own version. The other columns repeat
-- what of it is asked for often; first_ms and last_ms are of all observations, priced_days of those in dollars.
create table packed_observations (
  listing_id text not null references listings (id),
  year bigint not null,
  observations bigint not null check (observations > 0),
  priced_days bigint not null check (priced_days >= 0),
  first_ms bigint not null,
  last_ms bigint not null,
  packed text not null,
  primary key (listing_id, year),
  check (first_ms <= last_ms)
);
