-- asked_ms: for how long from heard_at_ms on the shop itself asked for a pause, which holds for everyone; pause_ms: the pause that was
-- concluded from the failures. failed_for: the organization that they belong to; '' callers without one; '*' several; null
-- background work alone. Of the rows that are there nobody knows, so they hold for everyone.
alter table host_pauses add column asked_ms bigint not null default 0;

alter table host_pauses add column failed_for text;

update host_pauses set failed_for = '*';
