-- The organization's quota when the tokens were set aside: where a lower one was set since, what is given back of them is nobody's
-- to spend. Null: they were set aside before this was kept.
alter table reservations add column monthly_quota bigint;
