// openshelf check for watches: feed numbers are in range, listings of watches and deliveries of channels exist, and states can
// be read.

import type { Sql } from '../sql.ts';

/** Returns the problems, one list of sentences per kind. */
export async function checkWatches(sql: Sql): Promise<readonly (readonly string[])[]> {
  return [
    await checkFeeds(sql),
    await checkWatchListings(sql),
    await checkStates(sql),
    await checkDeliveries(sql),
  ];
}

/** Checks that a feed's numbers lie between its pruned and its last number. */
async function checkFeeds(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select feeds.organization_id as id, last_seq, pruned_seq,
       (select count(*) from changes where changes.organization_id = feeds.organization_id) as stored,
       (select min(seq) from changes where changes.organization_id = feeds.organization_id) as first,
       (select max(seq) from changes where changes.organization_id = feeds.organization_id) as last
     from feeds order by feeds.organization_id`,
  );
  return rows.flatMap((row) => {
    const stored = Number(row['stored']);
    const last = Number(row['last_seq']);
    if (stored === 0) return [];
    const isWhole = Number(row['last']) <= last && Number(row['first']) > Number(row['pruned_seq']);
    return isWhole ? [] : [`feed of ${row['id']}: its changes do not end at number ${last}`];
  });
}

async function checkWatchListings(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select watch_id from watch_listings
     where not exists (select 1 from watches where id = watch_id) order by watch_id`,
  );
  return rows.map((row) => `watch ${row['watch_id']} has a listing but does not exist`);
}

async function checkStates(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all('select id, state, rules from watches order by id');
  return rows.flatMap((row) => {
    try {
      const state: unknown = JSON.parse(String(row['state']));
      JSON.parse(String(row['rules']));
      const isState = typeof state === 'object' && state !== null && 'known' in state;
      return isState ? [] : [`watch ${row['id']}: its stored state is not readable`];
    } catch {
      return [`watch ${row['id']}: its stored state is not readable`];
    }
  });
}

async function checkDeliveries(sql: Sql): Promise<readonly string[]> {
  const rows = await sql.all(
    `select deliveries.id, channels.id as channel, notices.id as notice from deliveries
       left join channels on channels.id = channel_id left join notices on notices.id = notice_id
     where channels.id is null or (notices.id is null and state = 'waiting') order by deliveries.id`,
  );
  return rows.map((row) => {
    const missing = row['channel'] === null ? 'channel' : 'notice';
    return `delivery ${row['id']}: its ${missing} does not exist`;
  });
}
