-- What a person chose on a page, once (D85). organization_id null: for everyone. choice: the text that was chosen and its place; snapshot:
-- the texts of that page among which it was chosen, as digests. The times say when a rule last held, and when it did not.
create table page_rules (
  id text collate "C" primary key,
  organization_id text collate "C" references organizations (id) on delete cascade,
  author text collate "C" not null,
  host text collate "C" not null,
  field text collate "C" not null,
  choice text collate "C" not null,
  snapshot text collate "C" not null,
  created_at_ms bigint not null,
  used_at_ms bigint,
  doubtful_at_ms bigint,
  withdrawn_at_ms bigint,
  withdrawn_url text collate "C"
);

create index page_rules_by_organization on page_rules (organization_id);
