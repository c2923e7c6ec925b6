-- 1: seen on the product page, which names some sellers and not all. What such a list leaves out may still be there.
alter table archived_offers add column is_partial integer not null default 0;
