-- How answers of shops were read, by UTC day: how often a page kind (the reader's name) came to each outcome and,
-- where it was read, with which fields. fields: names of what such an answer normally states, with a blank between
-- them and a minus before each that was missing; empty for every other outcome. Kept for 90 days.
create table reading_counts (
  day text not null,
  retailer text not null,
  page_kind text not null,
  outcome text not null,
  fields text not null,
  readings bigint not null check (readings > 0),
  primary key (day, retailer, page_kind, outcome, fields)
);
