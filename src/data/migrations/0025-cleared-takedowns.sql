-- 1: nothing of the host is kept any more. 0: what is kept is being deleted, or that was interrupted, and the next start goes on.
alter table takedowns add column is_cleared integer not null default 0;
update takedowns set is_cleared = 1;
