// Stored channels and deliveries: found by organization, by watch, and by due time. SAFETY of the kinds and states here:
// only the statements of channel-writes.ts write them, from the same types.

import { SET_BACK_MS } from '../../base/clock.ts';
import type { ChannelKind } from '../../rules/channels/channel.ts';
import type { ChannelSchedule } from '../../rules/channels/schedule.ts';
import type { Channel, Delivery, DeliveryState } from '../../rules/channels/stored-channel.ts';
import type { Row, Sql } from '../sql.ts';
import { placeholdersOf, numberOrNull, padded, textOrNull } from '../statement-values.ts';

export type Channels = {
  find(organizationId: string, id: string): Promise<Channel | null>;
  /** Finds a channel of any organization, for anyone who knows its code. */
  findOfAny(id: string): Promise<Channel | null>;
  /** Newest first. */
  list(organizationId: string): Promise<readonly Channel[]>;
  /** Returns which of these ids belong to the organization. */
  findStored(organizationId: string, ids: readonly string[]): Promise<readonly string[]>;
  /**
   * Finds channels with something to send that no process is sending through. Those not tried for the longest time come
   * first, at most `most.ofOrganization` per organization.
   */
  findDue(
    nowMs: number,
    most: { readonly ofOrganization: number; readonly all: number },
  ): Promise<readonly Channel[]>;
  /** Returns when the next delivery may be sent, as far as its channel is concerned; null if none is waiting. */
  findNextDue(): Promise<number | null>;
  /**
   * Returns the channel's current state for the holder of its lease. Null if the lease was taken, or the channel was
   * paused, redirected or deleted.
   */
  findLeased(id: string, token: string): Promise<Channel | null>;
  /** Finds the next delivery for the channel. Of each subject only the oldest waiting delivery may be sent. */
  findNext(channelId: string, nowMs: number): Promise<Delivery | null>;
  /**
   * Finds all waiting deliveries of notices that were written until then, in their order. One from the future was written before the
   * clock was set back.
   */
  findCollected(channelId: string, nowMs: number, untilMs: number): Promise<readonly Delivery[]>;
  findDelivery(organizationId: string, id: string): Promise<Delivery | null>;
  /** Lists deliveries, newest first; `after` is the last one of the previous page. */
  findDeliveries(
    organizationId: string,
    watchId: string,
    page: { readonly limit: number; readonly after: DeliveryPlace | null },
  ): Promise<readonly Delivery[]>;
  countWaiting(): Promise<number>;
  /** Counts the channels whose target does not begin with this text; with null, all channels. */
  countSealedOtherwise(beginning: string | null): Promise<number>;
};

export type DeliveryPlace = { readonly createdAtMs: number; readonly id: string };

const WAITING_CHANNELS = `with recursive waiting (channel_id) as (
    select min(channel_id) from deliveries where state = 'waiting' and channel_id > ''
    union all
    select (select min(channel_id) from deliveries
      where state = 'waiting' and channel_id > waiting.channel_id)
    from waiting where channel_id is not null
  )`;

export function createChannels(sql: Sql): Channels {
  return {
    async find(organizationId, id) {
      const text = 'select * from channels where organization_id = $1 and id = $2';
      return (await sql.all(text, [organizationId, id])).map(toChannel)[0] ?? null;
    },
    async findOfAny(id) {
      const rows = await sql.all('select * from channels where id = $1', [id]);
      return rows.map(toChannel)[0] ?? null;
    },
    async list(organizationId) {
      const text =
        'select * from channels where organization_id = $1 order by created_at_ms desc, id desc';
      return (await sql.all(text, [organizationId])).map(toChannel);
    },
    async findStored(organizationId, ids) {
      if (ids.length === 0) return [];
      const asked = padded(ids);
      const text = `select id from channels where organization_id = $1 and id in (${placeholdersOf(asked, 2)})`;
      return (await sql.all(text, [organizationId, ...asked])).map((row) => String(row['id']));
    },
    async findDue(nowMs, { ofOrganization, all }) {
      const rows = await sql.all(
        // Steps from one channel to the next, and reads the first waiting delivery of each instead of all.
        `${WAITING_CHANNELS}
         select * from (
           select channels.*, row_number() over (
             partition by organization_id order by coalesce(tried_at_ms, 0), id) as place
           from waiting join channels on channels.id = waiting.channel_id
           where paused_at_ms is null and is_unconfirmed is null and lease_until_ms <= $1 and rest_until_ms <= $1
             and (select min(next_at_ms) from deliveries
               where channel_id = waiting.channel_id and state = 'waiting') <= $1
         ) as due where place <= $2 order by place, coalesce(tried_at_ms, 0), id limit $3`,
        [nowMs, ofOrganization, all],
      );
      return rows.map(toChannel);
    },
    async findNextDue() {
      const rows = await sql.all(
        `${WAITING_CHANNELS}
         select lease_until_ms, rest_until_ms, (select min(next_at_ms) from deliveries
           where channel_id = waiting.channel_id and state = 'waiting') as next_at_ms
         from waiting join channels on channels.id = waiting.channel_id
         where paused_at_ms is null and is_unconfirmed is null`,
      );
      const times = rows.map((row) => Math.max(...Object.values(row).map(Number)));
      return times.length === 0 ? null : times.reduce((first, each) => Math.min(first, each));
    },
    async findLeased(id, token) {
      const text = 'select * from channels where id = $1 and claim_token = $2';
      return (await sql.all(text, [id, token])).map(toChannel)[0] ?? null;
    },
    async countSealedOtherwise(beginning) {
      const text = 'select count(*) as found from channels where substr(target, 1, $1) <> $2';
      const [row] = await sql.all(text, [beginning?.length ?? 0, beginning ?? '-']);
      return Number(row?.['found']);
    },
    ...deliveryReads(sql),
  };
}

type DeliveryReads = Pick<
  Channels,
  'findNext' | 'findCollected' | 'findDelivery' | 'findDeliveries' | 'countWaiting'
>;

function deliveryReads(sql: Sql): DeliveryReads {
  return {
    async findNext(channelId, nowMs) {
      const [row] = await sql.all(
        `select * from deliveries as next where channel_id = $1 and state = 'waiting' and next_at_ms <= $2
           and not exists (select 1 from deliveries as earlier where earlier.channel_id = next.channel_id
             and earlier.subject = next.subject and earlier.state = 'waiting' and earlier.seq < next.seq)
         order by next_at_ms, seq limit 1`,
        [channelId, nowMs],
      );
      return row === undefined ? null : toDelivery(row);
    },
    async findCollected(channelId, nowMs, untilMs) {
      const rows = await sql.all(
        `select * from (select * from deliveries where channel_id = $1 and state = 'waiting'
             and (created_at_ms <= $2 or created_at_ms > $3) order by next_at_ms, seq limit ${MOST_COLLECTED}
           ) as collected order by seq`,
        [channelId, untilMs, nowMs + SET_BACK_MS],
      );
      return rows.map(toDelivery);
    },
    async findDelivery(organizationId, id) {
      const text = 'select * from deliveries where organization_id = $1 and id = $2';
      return (await sql.all(text, [organizationId, id])).map(toDelivery)[0] ?? null;
    },
    async findDeliveries(organizationId, watchId, { limit, after }) {
      const rows = await sql.all(
        `select * from deliveries where watch_id = $1 and organization_id = $2
           and (created_at_ms, id) < ($3, $4)
         order by created_at_ms desc, id desc limit $5`,
        [
          watchId,
          organizationId,
          after?.createdAtMs ?? Number.MAX_SAFE_INTEGER,
          after?.id ?? '',
          limit,
        ],
      );
      return rows.map(toDelivery);
    },
    async countWaiting() {
      const text = "select count(*) as waiting from deliveries where state = 'waiting'";
      return Number((await sql.all(text))[0]?.['waiting']);
    },
  };
}

/** Notices of one digest; more follow in another one. */
const MOST_COLLECTED = 100;

function toChannel(row: Row): Channel {
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    kind: String(row['kind']) as ChannelKind,
    name: String(row['name']),
    hint: String(row['hint']),
    sealedTarget: String(row['target']),
    createdAtMs: Number(row['created_at_ms']),
    pausedAtMs: numberOrNull(row['paused_at_ms']),
    isUnconfirmed: row['is_unconfirmed'] !== null,
    schedule:
      row['schedule'] === null ? null : (JSON.parse(String(row['schedule'])) as ChannelSchedule),
    failures: Number(row['failures']),
    triedAtMs: numberOrNull(row['tried_at_ms']),
    deliveredAtMs: numberOrNull(row['delivered_at_ms']),
    status: numberOrNull(row['status']),
    detail: textOrNull(row['detail']),
  };
}

function toDelivery(row: Row): Delivery {
  return {
    id: String(row['id']),
    organizationId: String(row['organization_id']),
    channelId: String(row['channel_id']),
    watchId: String(row['watch_id']),
    noticeId: String(row['notice_id']),
    subject: String(row['subject']),
    state: String(row['state']) as DeliveryState,
    attempts: Number(row['attempts']),
    sinceMs: numberOrNull(row['since_ms']),
    nextAtMs: Number(row['next_at_ms']),
    createdAtMs: Number(row['created_at_ms']),
    triedAtMs: numberOrNull(row['tried_at_ms']),
    deliveredAtMs: numberOrNull(row['delivered_at_ms']),
    status: numberOrNull(row['status']),
    detail: textOrNull(row['detail']),
    excerpt: textOrNull(row['excerpt']),
  };
}
