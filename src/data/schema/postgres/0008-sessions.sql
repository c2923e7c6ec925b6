-- Sign-ins of the console (D93): each is a further secret of a key, with its own end. A code signs in once.
create table sessions (
  id text collate "C" primary key,
  key_id text collate "C" not null references api_keys (id) on delete cascade,
  secret_sha256 text collate "C" not null,
  user_agent text collate "C" not null,
  created_at_ms bigint not null,
  expires_at_ms bigint not null,
  last_used_day text collate "C"
);

create index sessions_by_key on sessions (key_id);

create index sessions_by_end on sessions (expires_at_ms);

create table sign_in_codes (
  code_sha256 text collate "C" primary key,
  key_id text collate "C" not null references api_keys (id) on delete cascade,
  created_at_ms bigint not null,
  expires_at_ms bigint not null
);

create index sign_in_codes_by_key on sign_in_codes (key_id);

create index sign_in_codes_by_end on sign_in_codes (expires_at_ms);
