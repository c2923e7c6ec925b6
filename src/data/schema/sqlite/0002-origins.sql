-- Where facts come from, and whose they are (docs/how/origins.md).

-- A product that several sources or organizations state has one row for each of them: a source with terms of its own and an
-- organization have rows next to the common one, whose id is in layer_of; is_layered marks that row, which has no record while nobody
-- else states the product. organization_id: whose row it is; null: everybody's. is_shared: the operator trusts the key that it came
-- with. source: <slug>.<source>, and door: how it was reached; null for rows of before.
alter table listings add column layer_of text;
alter table listings add column is_layered integer;
alter table listings add column organization_id text references organizations (id);
alter table listings add column is_shared integer;
alter table listings add column source text;
alter table listings add column door text;

create index listings_by_layer on listings (layer_of) where layer_of is not null;

create index listings_by_source on listings (source, fetched_at_ms) where layer_of is not null;

-- Source and door of the answer that the row is of.
alter table cells add column answered_by text;
alter table cells add column door text;

alter table offer_lists add column source text;
alter table offer_lists add column door text;

alter table archived_offers add column source text;
alter table archived_offers add column door text;

alter table reviews add column source text;
alter table reviews add column door text;

alter table review_totals add column source text;
alter table review_totals add column door text;

-- Of the profile.
alter table sellers add column source text;
alter table sellers add column door text;

-- 1 as soon as the organization has facts of its own.
alter table organizations add column has_own_facts integer not null default 0;

-- The source with terms that stated what a notice, a change or a known state of a listing is made of; null without one. Those of a
-- watch are several words, each after a space. sourced_at_ms: when it was read; of several, the oldest.
alter table notices add column source text;
alter table changes add column source text;
alter table changes add column sourced_at_ms integer;
alter table watched_listings add column source text;
alter table watched_listings add column sourced_at_ms integer;
alter table watches add column sources text;
alter table watches add column sourced_at_ms integer;

-- What terms let expire is found by its source. Few rows have one with terms.
create index notices_by_source on notices (source, at_ms) where source is not null;

create index changes_by_source on changes (source, sourced_at_ms) where source is not null;

create index watched_listings_by_source on watched_listings (source, sourced_at_ms) where source is not null;

create index watches_by_sources on watches (sourced_at_ms) where sources is not null;

create index offer_lists_by_source on offer_lists (source, fetched_at_ms) where door in ('official_api', 'feed');

create index archived_offers_by_source on archived_offers (source, observed_at_ms) where door in ('official_api', 'feed');

create index reviews_by_source on reviews (source, seen_at_ms) where door in ('official_api', 'feed');

create index review_totals_by_source on review_totals (source, fetched_at_ms) where door in ('official_api', 'feed');

create index sellers_by_source on sellers (source, fetched_at_ms) where door in ('official_api', 'feed');

-- 1 while the person at a mail address has not confirmed that notices may come. What was delivered before counts as confirmed.
alter table channels add column is_unconfirmed integer;
update channels set is_unconfirmed = 1 where kind = 'email' and delivered_at_ms is null;
