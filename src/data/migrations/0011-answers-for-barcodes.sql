-- When the retailer last answered the question for this barcode: null where it was never asked, or has not answered yet.
-- Before this migration the row was also written by listings that merely print the barcode, so of a row with a listing
-- it is not known; it is served, and the retailer asked again behind the next answer.
alter table cells add column asked_at_ms bigint;

update cells set asked_at_ms = checked_at_ms where listing_id is null and status = 'not_found';

-- Which confirmed listings of other retailers a search's hits were judged by: their ids. Null where nothing was judged.
-- Before this migration everything that was held judged them, so they are judged again behind the next answer.
alter table cells add column judged_by text;

update cells set judged_by = '?' where asked_at_ms is not null;

-- What other shops print is read from their listings.
delete from cells where retailer not in (
  'retailer_w', 'retailer_a', 'retailer_b', 'retailer_e', 'retailer_h', 'retailer_l', 'retailer_t'
);
