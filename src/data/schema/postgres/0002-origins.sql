-- Where facts come from, and whose they are (docs/how/origins.md).

-- A product that several sources or organizations state has one row for each of them: a source with terms of its own and an
-- organization have rows next to the common one, whose id is in layer_of; is_layered marks that row, which has no record while nobody
-- else states the product. organization_id: whose row it is; null: everybody's. is_shared: the operator trusts the key that it came
-- with. source: <slug>.<source>, and door: how it was reached; null for rows of before.
alter table listings add column layer_of text collate "C";
alter table listings add column is_layered integer;
alter table listings add column organization_id text collate "C" references organizations (id);
alter table listings add column is_shared integer;
alter table listings add column source text collate "C";
alter table listings add column door text collate "C";

create index listings_by_layer on listings (layer_of) where layer_of is not null;

create index listings_by_source on listings (source, fetched_at_ms) where layer_of is not null;

-- Source and door of the answer that the row is of.
alter table cells add column answered_by text collate "C";
alter table cells add column door text collate "C";

alter table offer_lists add column source text collate "C";
alter table offer_lists add column door text collate "C";

alter table archived_offers add column source text collate "C";
alter table archived_offers add column door text collate "C";

alter table reviews add column source text collate "C";
alter table reviews add column door text collate "C";

alter table review_totals add column source text collate "C";
alter table review_totals add column door text collate "C";

-- Of the profile.
alter table sellers add column source text collate "C";
alter table sellers add column door text collate "C";

-- 1 as soon as the organization has facts of its own.
alter table organizations add column has_own_facts integer not null default 0;
