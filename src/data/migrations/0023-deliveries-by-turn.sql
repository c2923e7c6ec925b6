-- What goes through a channel next is the first entry of this index: without seq in it, all that was due at one instant was read
-- for each notice that was sent.
drop index deliveries_waiting;

create index deliveries_waiting on deliveries (channel_id, next_at_ms, seq) where state = 'waiting';
