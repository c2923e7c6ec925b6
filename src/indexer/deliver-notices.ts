// The way of notices through channels: what waits is sent, in the order of each subject, and tried again for a day. Any number of
// processes may do it: one at a time sends through a channel, as long as its lease lasts. A process that dies between sending
// and writing that down sends twice, under one id.

import type { Reception, Target } from '../channels/channel.ts';
import type { Channel, Delivery } from '../channels/held-channel.ts';
import { isOver, nextAttemptMs, restUntilMs } from '../channels/retries.ts';
import type { Clock } from '../core/clock.ts';
import {
  claimChannel,
  deleteDelivery,
  giveUpDelivery,
  releaseChannel,
  writeOutcome,
  type ChannelClaim,
} from '../store/channel-writes.ts';
import type { Channels } from '../store/channels.ts';
import type { Sql } from '../store/sql.ts';
import type { Watches } from '../store/watches.ts';
import type { Notice } from '../watches/held-watch.ts';

export type DeliveryParts = {
  readonly sql: Sql;
  readonly channels: Pick<Channels, 'findDue' | 'findClaimed' | 'findNext'>;
  readonly watches: Pick<Watches, 'findNotice'>;
  readonly clock: Clock;
  /** Where a channel leads; null: it cannot be read with the key that is here. */
  readonly targetOf: (channel: Channel) => Target | null;
  readonly unreadable: Reception;
  readonly send: (target: Target, notice: Notice) => Promise<Reception>;
  /** Never the same twice. */
  readonly newToken: () => string;
  /** Counts attempts for the metrics. */
  readonly tried: (channel: Channel, outcome: Reception['outcome']) => void;
  readonly onError: (what: string, error: unknown) => void;
};

/** Channels that are sent through at once, and of one organization: slow receivers of one hold up nobody else. */
const AT_ONCE = 16;
const OF_ORGANIZATION = 2;
/** Then the next channel has its turn. */
const TURN_MS = 15_000;
const TURN_DELIVERIES = 50;
const EVERY_MS = 1_000;

type Turned = {
  readonly attempts: number;
  /** The turn was over before all was sent. */
  readonly hasMore: boolean;
};

type Lane = { readonly organizationId: string; readonly done: Promise<Turned> };
type Lanes = Map<string, Lane>;

export type Deliveries = {
  /** Looks every second for notices that wait, until the signal aborts; then what is under way is brought to its end. */
  readonly keepDelivering: (stop: AbortSignal) => Promise<void>;
  /** Sends what is due now, and returns how many attempts were made. What this process already sends is waited for. */
  readonly deliverDue: () => Promise<number>;
};

export function createDeliveries(parts: DeliveryParts): Deliveries {
  const lanes: Lanes = new Map();
  return {
    keepDelivering: (stop) => keepDelivering(parts, lanes, stop),
    deliverDue: () => deliverDue(parts, lanes),
  };
}

async function keepDelivering(
  parts: DeliveryParts,
  lanes: Lanes,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const { promise: woken, resolve: wake } = Promise.withResolvers<void>();
    try {
      for (const { done } of await startTurns(parts, lanes, stop)) {
        void done.then(({ hasMore }) => (hasMore ? wake() : undefined));
      }
    } catch (error) {
      parts.onError('could not look for notices that wait', error);
    }
    const slept = parts.clock.sleep(EVERY_MS, stop).catch(() => undefined);
    await Promise.race([slept, woken]);
  }
  await Promise.all([...lanes.values()].map(({ done }) => done));
}

async function deliverDue(parts: DeliveryParts, lanes: Lanes): Promise<number> {
  let attempts = 0;
  for (;;) {
    const before = [...lanes.values()];
    const started = await startTurns(parts, lanes, new AbortController().signal);
    const under = new Set([...before, ...lanes.values(), ...started]);
    const turns = await Promise.all([...under].map(({ done }) => done));
    const made = turns.reduce((sum, each) => sum + each.attempts, 0);
    // A turn that was begun elsewhere may have looked before the newest notice was there: its channel is looked at again.
    if (made === 0 && under.size === started.length) return attempts;
    attempts += made;
  }
}

/** A lane for each channel that has something to send, as far as there is room; those that were begun. */
async function startTurns(
  parts: DeliveryParts,
  lanes: Lanes,
  stop: AbortSignal,
): Promise<readonly Lane[]> {
  if (lanes.size >= AT_ONCE) return [];
  const most = { ofOrganization: OF_ORGANIZATION, all: AT_ONCE };
  const started: Lane[] = [];
  for (const channel of await parts.channels.findDue(parts.clock.now(), most)) {
    const { id, organizationId } = channel;
    const own = [...lanes.values()].filter((lane) => lane.organizationId === organizationId);
    if (lanes.has(id) || own.length >= OF_ORGANIZATION || lanes.size >= AT_ONCE) continue;
    const done = takeTurn(parts, channel, stop)
      .catch((error: unknown) => {
        parts.onError(`could not send through channel ${id}`, error);
        return { attempts: 0, hasMore: false };
      })
      .finally(() => lanes.delete(id));
    const lane = { organizationId, done };
    lanes.set(id, lane);
    started.push(lane);
  }
  return started;
}

/** What waits of one channel, until nothing does, an attempt fails or the turn is over. */
async function takeTurn(parts: DeliveryParts, { id }: Channel, stop: AbortSignal): Promise<Turned> {
  const { sql, clock, channels } = parts;
  const claim: ChannelClaim = { channelId: id, token: parts.newToken() };
  const startedMs = clock.now();
  const claimed = await sql.write([claimChannel(claim, startedMs)]);
  if (!claimed.done) return { attempts: 0, hasMore: false };
  let attempts = 0;
  let hasMore = true;
  while (!stop.aborted && attempts < TURN_DELIVERIES && clock.now() - startedMs < TURN_MS) {
    // Read each time: it may be paused or lead elsewhere by now.
    const channel = await channels.findClaimed(id, claim.token);
    const next = channel === null ? null : await channels.findNext(id, clock.now());
    if (channel === null || next === null) {
      hasMore = false;
      break;
    }
    hasMore = (await deliver(parts, { channel, claim }, next)) === 'goes on';
    attempts += 1;
    if (!hasMore) break;
  }
  await sql.write([releaseChannel(claim)]);
  return { attempts, hasMore: hasMore && !stop.aborted };
}

type Turn = { readonly channel: Channel; readonly claim: ChannelClaim };

/** Whether the channel is left alone now: for a while, for good, or because the lease was lost. */
type Delivered = 'goes on' | 'ends';

async function deliver(
  parts: DeliveryParts,
  { channel, claim }: Turn,
  delivery: Delivery,
): Promise<Delivered> {
  const { sql, clock } = parts;
  const { sinceMs } = delivery;
  const notice = await parts.watches.findNotice(delivery.noticeId);
  const isLate = sinceMs !== null && isOver(sinceMs, clock.now());
  if (notice === null || isLate) {
    await sql.write([notice === null ? deleteDelivery(delivery) : giveUpDelivery(delivery)]);
    return 'goes on';
  }
  const target = parts.targetOf(channel);
  const reception = target === null ? parts.unreadable : await parts.send(target, notice);
  const { outcome } = reception;
  parts.tried(channel, outcome);
  const nowMs = clock.now();
  const failures = outcome === 'delivered' ? 0 : channel.failures + 1;
  const pauses = reception.status === GONE;
  const attempt = { nowMs, attempts: delivery.attempts + 1, sinceMs: sinceMs ?? nowMs };
  const written = await sql.write(
    writeOutcome(claim, delivery, {
      reception,
      nowMs,
      nextAtMs: nextAttemptMs(attempt, reception),
      failures,
      restUntilMs: restUntilMs(nowMs, failures, reception),
      pauses,
    }),
  );
  // A notice that is refused for what it is holds up nothing behind it; one that must be tried again does.
  return written.done && !pauses && outcome !== 'retry' ? 'goes on' : 'ends';
}

/** A receiver that answers so wants no more (Standard Webhooks). */
const GONE = 410;
