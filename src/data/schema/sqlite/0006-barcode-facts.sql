-- What barcode databases state, apart from what shops do. asked_at_ms: when the database was last asked, or its dump imported.
-- outcome: asked (it gave no answer yet), unknown, or known; facts: JSON, null unless known.
create table barcode_facts (
  gtin14 text not null primary key,
  source text not null,
  asked_at_ms integer not null,
  outcome text not null,
  facts text
) strict, without rowid;

create index barcode_facts_unanswered on barcode_facts (asked_at_ms) where facts is null;
