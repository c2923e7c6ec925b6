-- Shops that refuse requests, over all processes: failures in a row, when the last one was heard of, and for how long from
-- then on the host gets no request. Removed when it answers.
create table host_pauses (
  host text not null primary key,
  failures bigint not null,
  heard_at_ms bigint not null,
  pause_ms bigint not null
);
