-- Words of shops that no vocabulary holds, by UTC day, retailer and page kind: in how many answers, and the last of the
-- words (shortened). vocabulary: availability, condition, hazmat. Kept for 90 days.
create table unknown_words (
  day text not null,
  retailer text not null,
  page_kind text not null,
  vocabulary text not null,
  word text not null,
  readings bigint not null check (readings > 0),
  primary key (day, retailer, page_kind, vocabulary)
);
