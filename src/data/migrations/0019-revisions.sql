-- What an answer may be made from, each with a number that is another one after every change: a barcode (14 digits), a listing's
-- id, a miss's id, and * for everything. No row: never changed. The version before does not write it, so it must not run beside
-- a newer one that gives prepared answers.
create table revisions (
  subject text not null primary key,
  revision bigint not null
) /* postgres: with (fillfactor = 80) */;
