-- One row for each (barcode, retailer) that was ever asked: how the last attempt went, and which listing is
-- tied to the barcode how. A mismatching listing is filed under the barcode it carries; its id stands here
-- so that the row can be told from one that found nothing.

create table cells (
  gtin14 text not null,
  retailer text not null,
  status text not null
    check (status in ('ok', 'not_found', 'blocked', 'error')),
  listing_id text references listings (id),
  identity_state text not null
    check (identity_state in ('confirmed', 'unconfirmed', 'mismatch')),
  identity_method text check (identity_method in ('catalog_key', 'page_barcode')),
  page_barcode text,
  source text not null check (source in ('primary', 'secondary')),
  found_via text,
  checked_at_ms bigint not null,
  primary key (gtin14, retailer),
  check (identity_method is null or identity_state <> 'unconfirmed')
);

create index cells_by_listing on cells (listing_id) where listing_id is not null;
