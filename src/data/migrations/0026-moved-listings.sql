-- A listing whose address shows another product (outcome 'moved'): the listing that it shows now, and the first reading that said
-- so. checked_at_ms is then the last reading that said so, and fetched_at_ms stays the last reading of the product itself.
alter table listings add column moved_to text;
alter table listings add column moved_since_ms bigint;
-- How many products the address has shown. Null: one.
alter table listings add column shown_count bigint;
