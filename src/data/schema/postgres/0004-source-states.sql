-- How the official sources of retailers answer, over all processes. question: the question that a failure is limited to; '' the whole
-- source. kind: one of the six kinds of failure; null: it answered. since_ms: when that began; heard_at_ms: when it was last seen.
-- rest_ms: for how long from then on the source is not asked.
create table source_states (
  source text collate "C" not null,
  question text collate "C" not null,
  kind text collate "C",
  reason text collate "C",
  since_ms bigint not null,
  heard_at_ms bigint not null,
  rest_ms bigint not null,
  primary key (source, question)
);

-- The requests sent to each official source, in spans of ten minutes that begin at from_ms. Removed after two days.
create table source_calls (
  source text collate "C" not null,
  from_ms bigint not null,
  calls bigint not null,
  primary key (source, from_ms)
);
