-- What barcode databases state, apart from what shops do. asked_at_ms: when the database was last asked, or its dump imported.
-- outcome: asked (it gave no answer yet), unknown, or known; facts: JSON, null unless known.
create table barcode_facts (
  gtin14 text collate "C" not null primary key,
  source text collate "C" not null,
  asked_at_ms bigint not null,
  outcome text collate "C" not null,
  facts text collate "C"
);

create index barcode_facts_unanswered on barcode_facts (asked_at_ms) where facts is null;
