-- tags: JSON texts, null if there are none; looked_at_ms: when a person last had the watch checked at once (D93).
alter table watches add column tags text collate "C";

alter table watches add column looked_at_ms bigint;

-- When a channel may send, as JSON: quiet hours and the daily digest, with their time zone; null for always.
alter table channels add column schedule text collate "C";

-- What a feed shows: the notices that went through its channel.
create index deliveries_done on deliveries (channel_id, created_at_ms) where state = 'delivered';
