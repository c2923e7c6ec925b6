-- How the official sources of retailers answer, over all processes. question: the question that a failure is limited to; '' the whole
-- source. kind: one of the six kinds of failure; null: it answered. since_ms: when that began; heard_at_ms: when it was last seen.
-- rest_ms: for how long from then on the source is not asked.
create table source_states (
  source text not null,
  question text not null,
  kind text,
  reason text,
  since_ms integer not null,
  heard_at_ms integer not null,
  rest_ms integer not null,
  primary key (source, question)
) strict;

-- The requests sent to each official source, in spans of ten minutes that begin at from_ms. Removed after two days.
create table source_calls (
  source text not null,
  from_ms integer not null,
  calls integer not null,
  primary key (source, from_ms)
) strict;
