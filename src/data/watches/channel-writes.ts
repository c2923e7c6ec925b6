// Writes for channels and deliveries. A process that sends through a channel has the channel's lease. Every outcome names that
// lease's token, so that a process that lost the lease writes nothing.

import type { DeliveryResult } from '../../rules/channels/channel.ts';
import type { Channel, Delivery, NewChannel } from '../../rules/channels/stored-channel.ts';
import { HOUR_MS } from '../../base/clock.ts';
import { madeId } from '../made-id.ts';
import type { Statement } from '../sql.ts';

/**
 * No attempt begins later than this after the lease was taken or renewed, so that the attempt ends, and its outcome is written, within
 * the lease.
 */
export const SENT_WITHIN_MS = 15_000;
const LONGEST_ATTEMPT_MS = 30_000;
/** A mail server may scan a mail for a long time before it confirms receipt. */
const LONGEST_MAIL_MS = 150_000;
const LEASE_MS = `case when kind = 'email' then ${SENT_WITHIN_MS + LONGEST_MAIL_MS} else ${SENT_WITHIN_MS + LONGEST_ATTEMPT_MS} end`;

/**
 * Inserts a channel. Inserting it again changes nothing, and neither does exceeding the limit. Must follow
 * `lockOrganization`.
 */
export function insertChannel(channel: NewChannel, maxChannels: number): Statement {
  const { id, organizationId, kind, name, hint, sealedTarget, createdAtMs, schedule } = channel;
  return {
    text: `insert into channels (id, organization_id, kind, name, hint, target, created_at_ms, failures,
        rest_until_ms, lease_until_ms, is_unconfirmed, schedule)
      select $1, id, $3, $4, $5, $6, cast($7 as bigint), 0, 0, 0, case when $3 = 'email' then 1 end, $9 from organizations
      where id = $2 and (select count(*) from channels where organization_id = $2) < $8
      on conflict (id) do nothing`,
    params: [
      id,
      organizationId,
      kind,
      name,
      hint,
      sealedTarget,
      createdAtMs,
      maxChannels,
      columnValue(schedule),
    ],
  };
}

type ChannelSettings = Pick<
  Channel,
  'name' | 'hint' | 'sealedTarget' | 'pausedAtMs' | 'isUnconfirmed' | 'schedule'
>;

const COLUMNS: Readonly<Record<keyof ChannelSettings, string>> = {
  name: 'name',
  hint: 'hint',
  sealedTarget: 'target',
  pausedAtMs: 'paused_at_ms',
  isUnconfirmed: 'is_unconfirmed',
  schedule: 'schedule',
};

/**
 * Writes only the named settings, so that of two concurrent changes neither is lost, nor a pause requested by a receiver.
 * Earlier failures are reset: the cause may have been fixed, so the next attempt is made at once. If the channel has a new
 * target, or is paused or resumed, a process sending through it loses the lease: the old receiver's answer is not written.
 */
export function updateChannel(
  { id, organizationId }: Pick<Channel, 'id' | 'organizationId'>,
  changed: Partial<ChannelSettings>,
  nowMs: number,
): readonly Statement[] {
  const isOther = changed.sealedTarget !== undefined || changed.pausedAtMs !== undefined;
  const named = (Object.keys(COLUMNS) as (keyof ChannelSettings)[]).filter(
    (each) => changed[each] !== undefined,
  );
  const sets = named.map((each, at) => `${COLUMNS[each]} = $${at + 3}, `).join('');
  return [
    {
      text: `update channels set ${sets}failures = 0, rest_until_ms = 0${isOther ? ', claim_token = null, lease_until_ms = 0' : ''}
        where id = $1 and organization_id = $2 returning id`,
      params: [id, organizationId, ...named.map((each) => columnValue(changed[each]))],
      name: 'channel',
      mustReturn: true,
    },
    sendWaiting(id, nowMs),
  ];
}

const columnValue = (value: string | number | boolean | object | null | undefined) => {
  if (typeof value === 'boolean') return value ? 1 : null;
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : (value ?? null);
};

/** Lets notices through to a mail address whose owner confirmed it, unless the channel leads elsewhere by now. */
export function confirmChannel({
  id,
  sealedTarget,
}: Pick<Channel, 'id' | 'sealedTarget'>): Statement {
  return {
    text: 'update channels set is_unconfirmed = null where id = $1 and target = $2 returning id',
    params: [id, sealedTarget],
    name: 'channel',
    mustReturn: true,
  };
}

/** Makes deliveries waiting for their next attempt due at once; each is tried in its turn. */
function sendWaiting(channelId: string, nowMs: number): Statement {
  return {
    text: `update deliveries set next_at_ms = $2
      where channel_id = $1 and state = 'waiting' and next_at_ms > $2`,
    params: [channelId, nowMs],
  };
}

/** Deletes a channel, its deliveries, and its id in the watches that used it. */
export function deleteChannel(organizationId: string, id: string): readonly Statement[] {
  return [
    {
      text: 'delete from channels where id = $1 and organization_id = $2 returning id',
      params: [id, organizationId],
      name: 'channel',
      mustReturn: true,
    },
    { text: 'delete from deliveries where channel_id = $1', params: [id] },
    {
      // The list of ids is JSON text: the id is removed with the comma before it, or with the one after it, or alone.
      text: `update watches set version = version + 1,
          channels = replace(replace(replace(channels, $2, ''), $3, ''), $4, '')
        where organization_id = $1 and channels like $5`,
      params: [organizationId, `,"${id}"`, `"${id}",`, `"${id}"`, `%"${id}"%`],
    },
  ];
}

/**
 * Queues a notice for delivery through a channel, once however often this is written. Does nothing if the channel is
 * deleted, paused or not confirmed. The notice is queued behind waiting ones of the same subject.
 */
export function insertDelivery(
  notice: {
    readonly id: string;
    readonly organizationId: string;
    readonly watchId: string;
    readonly atMs: number;
  },
  channelId: string,
  subject: string,
): Statement {
  return {
    text: `insert into deliveries (id, organization_id, channel_id, watch_id, notice_id, subject, seq, state,
        attempts, next_at_ms, created_at_ms)
      select $1, organization_id, id, $4, $5, $6,
        coalesce((select max(seq) from deliveries where channel_id = channels.id), 0) + 1, 'waiting', 0,
        coalesce((select next_at_ms from deliveries where channel_id = channels.id and subject = $6
          and state = 'waiting' order by seq desc limit 1), 0), cast($7 as bigint)
      from channels where id = $2 and organization_id = $3 and paused_at_ms is null
        and is_unconfirmed is null
      on conflict (id) do nothing`,
    params: [
      deliveryIdOf(notice.id, channelId),
      channelId,
      notice.organizationId,
      notice.watchId,
      notice.id,
      subject,
      notice.atMs,
    ],
  };
}

function deliveryIdOf(noticeId: string, channelId: string): string {
  return madeId('dlv', `${noticeId}\n${channelId}`);
}

export type ChannelLease = { readonly channelId: string; readonly token: string };

/** Does nothing if another process sends through the channel, or the channel rests. */
export function leaseChannel({ channelId, token }: ChannelLease, nowMs: number): Statement {
  return {
    text: `update channels set lease_until_ms = cast($3 as bigint) + ${LEASE_MS}, claim_token = $2
      where id = $1 and lease_until_ms <= $3 and rest_until_ms <= $3 and paused_at_ms is null
        and is_unconfirmed is null returning id`,
    params: [channelId, token, nowMs],
    name: 'lease',
    mustReturn: true,
  };
}

/** Sends nothing more through the channel until then. */
export function restChannel({ channelId, token }: ChannelLease, untilMs: number): Statement {
  return {
    text: 'update channels set rest_until_ms = $3 where id = $1 and claim_token = $2',
    params: [channelId, token, untilMs],
  };
}

/** Releases a lease before it expires. */
export function releaseChannel({ channelId, token }: ChannelLease): Statement {
  return {
    text: 'update channels set lease_until_ms = 0, claim_token = null where id = $1 and claim_token = $2',
    params: [channelId, token],
  };
}

type Outcome = {
  readonly deliveryResult: DeliveryResult;
  readonly nowMs: number;
  /** When to retry; null if it was delivered or given up. */
  readonly nextAtMs: number | null;
  readonly failures: number;
  readonly restUntilMs: number;
  /** Whether the receiver wants no more, so that the channel is paused. */
  readonly pauses: boolean;
};

/** Writes the outcome of an attempt. Does nothing if the lease was lost: its new holder tries again, with the same id. */
export function writeOutcome(
  lease: ChannelLease,
  delivery: Delivery,
  { deliveryResult, nowMs, nextAtMs, failures, restUntilMs, pauses }: Outcome,
): readonly Statement[] {
  const { outcome, status, detail, excerpt } = deliveryResult;
  const isDelivered = outcome === 'delivered';
  const state = isDelivered ? 'delivered' : nextAtMs === null ? 'given_up' : 'waiting';
  const deliveredAtMs = isDelivered ? nowMs : null;
  return [
    {
      text: `update channels set lease_until_ms = cast($3 as bigint) + ${LEASE_MS}, failures = $4, rest_until_ms = $5, tried_at_ms = $6,
          delivered_at_ms = coalesce($7, delivered_at_ms), status = $8, detail = $9,
          paused_at_ms = coalesce($10, paused_at_ms)
        where id = $1 and claim_token = $2 returning id`,
      params: [
        lease.channelId,
        lease.token,
        nowMs,
        failures,
        restUntilMs,
        nowMs,
        deliveredAtMs,
        status,
        detail,
        pauses ? nowMs : null,
      ],
      name: 'lease',
      mustReturn: true,
    },
    {
      text: `update deliveries set state = $2, attempts = attempts + 1, since_ms = coalesce(since_ms, $3),
          next_at_ms = $4, tried_at_ms = $3, delivered_at_ms = $5, status = $6, detail = $7, excerpt = $8
        where id = $1 and state = 'waiting'`,
      params: [delivery.id, state, nowMs, nextAtMs ?? 0, deliveredAtMs, status, detail, excerpt],
    },
    // A delivery that succeeded on its first attempt has held nothing back.
    ...(isDelivered && delivery.attempts > 0 ? [letThrough(delivery, nowMs)] : []),
    ...(nextAtMs === null ? [] : [holdBack(delivery, nextAtMs)]),
  ];
}

// The plus stops a database from scanning everything that waits in the channel by time: a subject has few.

/** Releases deliveries of the subject that waited behind one that has now succeeded. */
function letThrough({ channelId, subject }: Delivery, nowMs: number): Statement {
  return {
    text: `update deliveries set next_at_ms = $3
      where channel_id = $1 and subject = $2 and state = 'waiting' and +next_at_ms > $3`,
    params: [channelId, subject, nowMs],
  };
}

/** Keeps later deliveries of the subject back until this one is tried again. */
function holdBack({ channelId, subject }: Delivery, untilMs: number): Statement {
  return {
    text: `update deliveries set next_at_ms = $3
      where channel_id = $1 and subject = $2 and state = 'waiting' and +next_at_ms < $3`,
    params: [channelId, subject, untilMs],
  };
}

/**
 * Writes the outcome of a test. It is shown with the channel, which counts as failing if the test was not delivered. A
 * receiver that answers again is no longer paused.
 */
export function noteTest(
  { id }: Channel,
  { outcome, status, detail }: DeliveryResult,
  nowMs: number,
): readonly Statement[] {
  const isDelivered = outcome === 'delivered';
  return [
    {
      text: `update channels set tried_at_ms = $2, status = $3, detail = $4, delivered_at_ms = coalesce($5, delivered_at_ms),
          failures = case when $6 = 1 then 0 else failures + 1 end,
          rest_until_ms = case when $6 = 1 then 0 else rest_until_ms end
        where id = $1`,
      params: [id, nowMs, status, detail, isDelivered ? nowMs : null, isDelivered ? 1 : 0],
    },
    ...(isDelivered ? [sendWaiting(id, nowMs)] : []),
  ];
}

/** Queues a delivery again, behind waiting ones of its subject. It is tried for a day from then on. */
export function replayDelivery({ id, organizationId }: Delivery, nowMs: number): Statement {
  return {
    text: `update deliveries set state = 'waiting', attempts = 0, since_ms = null,
        next_at_ms = coalesce((select max(earlier.next_at_ms) from deliveries as earlier
          where earlier.channel_id = deliveries.channel_id and earlier.subject = deliveries.subject
            and earlier.state = 'waiting' and earlier.seq < deliveries.seq and +earlier.next_at_ms > $3), $3)
      where id = $1 and organization_id = $2`,
    params: [id, organizationId, nowMs],
  };
}

/** Longer than a receiver is paused, and than a notice waits for its next attempt (rules/channels/retries.ts). */
const LONGEST_PAUSE_MS = 12 * HOUR_MS;

/**
 * Repairs times from a clock that has since been set back. A channel no longer rests or stays leased for longer than
 * possible; nor does a notice wait for longer than that.
 */
export function wakeChannels(nowMs: number): readonly Statement[] {
  const params = [nowMs, nowMs + LONGEST_PAUSE_MS];
  return [
    {
      text: `update channels set
          rest_until_ms = case when rest_until_ms > $2 then 0 else rest_until_ms end,
          lease_until_ms = case when lease_until_ms > $2 then cast($1 as bigint) + ${LEASE_MS} else lease_until_ms end
        where rest_until_ms > $2 or lease_until_ms > $2`,
      params,
    },
    {
      text: `update deliveries set
          next_at_ms = case when next_at_ms > $2 then $1 else next_at_ms end,
          since_ms = case when since_ms > $2 then $1 else since_ms end
        where state = 'waiting' and (next_at_ms > $2 or since_ms > $2)`,
      params,
    },
  ];
}

/** Gives up a delivery that has been tried for the maximum time. */
export function giveUpDelivery({ id }: Delivery): Statement {
  return {
    text: `update deliveries set state = 'given_up', next_at_ms = 0 where id = $1 and state = 'waiting'`,
    params: [id],
  };
}

/** Deletes a delivery whose notice was deleted, leaving nothing to send. */
export function deleteDelivery({ id }: Delivery): Statement {
  return { text: 'delete from deliveries where id = $1', params: [id] };
}
