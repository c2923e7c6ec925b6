-- Hosts that the operator took down: nothing is fetched from them, and nothing of theirs is kept. undone_at_ms: the host
-- may be asked again since then. The row stays, so that an older copy of the list does not bring the takedown back.
create table takedowns (
  host text not null primary key,
  taken_down_at_ms bigint not null,
  undone_at_ms bigint
);

-- One row that is written and removed again while writes fail, to learn when there is room.
create table write_probe (
  id bigint not null primary key,
  filler text not null
);
