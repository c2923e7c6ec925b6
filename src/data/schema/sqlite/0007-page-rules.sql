-- What a person chose on a page, once (D85). organization_id null: for everyone. choice: the text that was chosen and its place; snapshot:
-- the texts of that page among which it was chosen, as digests. The times say when a rule last held, and when it did not.
create table page_rules (
  id text primary key not null,
  organization_id text references organizations (id) on delete cascade,
  author text not null,
  host text not null,
  field text not null,
  choice text not null,
  snapshot text not null,
  created_at_ms integer not null,
  used_at_ms integer,
  doubtful_at_ms integer,
  withdrawn_at_ms integer,
  withdrawn_url text
) strict;

create index page_rules_by_organization on page_rules (organization_id);
