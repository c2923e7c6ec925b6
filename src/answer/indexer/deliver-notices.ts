// Sends waiting notices through their channels, in the order of each subject, and retries for a day. Any number of processes
// may do this. Only one at a time sends through a channel, as long as its lease lasts. If a process dies between sending a
// notice and recording that, it is sent twice, with the same id.

import type { DeliveryResult, Target } from '../../rules/channels/channel.ts';
import type { Channel, Delivery } from '../../rules/channels/stored-channel.ts';
import { asDigest } from '../../rules/channels/digest.ts';
import { digestTimes, quietUntilMs } from '../../rules/channels/schedule.ts';
import { isOver, nextAttemptMs, restUntilMs } from '../../rules/channels/retries.ts';
import type { Clock } from '../../base/clock.ts';
import {
  SENT_WITHIN_MS,
  leaseChannel,
  deleteDelivery,
  giveUpDelivery,
  releaseChannel,
  restChannel,
  writeOutcome,
  type ChannelLease,
} from '../../data/watches/channel-writes.ts';
import type { Channels } from '../../data/watches/channels.ts';
import { madeId } from '../../data/made-id.ts';
import type { Database, Sql } from '../../data/sql.ts';
import type { Watches } from '../../data/watches/watches.ts';
import { untilDue } from '../../data/until-due.ts';
import type { Notice } from '../../rules/watches/stored-watch.ts';

type DeliveryParts = {
  readonly sql: Sql & Pick<Database, 'changes'>;
  readonly channels: Pick<
    Channels,
    'findDue' | 'findNextDue' | 'findLeased' | 'findNext' | 'findCollected'
  >;
  readonly watches: Pick<Watches, 'findNotice'>;
  readonly clock: Clock;
  /** Returns where a channel leads; null if that cannot be decrypted with the configured key. */
  readonly targetOf: (channel: Channel) => Target | null;
  readonly unreadable: DeliveryResult;
  readonly send: (target: Target, notice: Notice) => Promise<DeliveryResult>;
  /** Creates a unique token. */
  readonly newToken: () => string;
  /** Counts attempts for the metrics. */
  readonly tried: (channel: Channel, outcome: DeliveryResult['outcome']) => void;
  readonly onError: (what: string, error: unknown) => void;
};

/**
 * Maximum channels sent through at the same time, in total and for one organization, so that one organization's slow receivers
 * delay nobody else.
 */
const AT_ONCE = 16;
const OF_ORGANIZATION = 2;
/** After this much time or this many deliveries, the next channel gets its turn. */
const TURN_MS = 15_000;
const TURN_DELIVERIES = 50;
const EVERY_MS = 1_000;

type Turned = {
  readonly attempts: number;
  /** Whether the turn ended before everything was sent. */
  readonly hasMore: boolean;
};

type Sending = { readonly organizationId: string; readonly done: Promise<Turned> };
/** The deliveries that this process is sending now, by channel. */
type Sendings = Map<string, Sending>;

type Deliveries = {
  /** Sends notices when they are due, until the signal aborts; then finishes the deliveries in progress. */
  readonly keepDelivering: (stop: AbortSignal) => Promise<void>;
  /**
   * Sends the deliveries that are due now, and waits for those in progress in this process. Returns the number of attempts.
   */
  readonly deliverDue: () => Promise<number>;
};

export function createDeliveries(parts: DeliveryParts): Deliveries {
  const sendings: Sendings = new Map();
  return {
    keepDelivering: (stop) => keepDelivering(parts, sendings, stop),
    deliverDue: () => deliverDue(parts, sendings),
  };
}

async function keepDelivering(
  parts: DeliveryParts,
  sendings: Sendings,
  stop: AbortSignal,
): Promise<void> {
  while (!stop.aborted) {
    const more = new AbortController();
    try {
      for (const { done } of await startTurns(parts, sendings, stop)) {
        void done.then(({ hasMore }) => (hasMore ? more.abort() : undefined));
      }
    } catch (error) {
      parts.onError('could not check for waiting notices', error);
    }
    const findNext = () => parts.channels.findNextDue();
    const woken = AbortSignal.any([stop, more.signal]);
    await untilDue(parts, { everyMs: EVERY_MS, findNext }, woken).catch(() => undefined);
  }
  await Promise.all([...sendings.values()].map(({ done }) => done));
}

async function deliverDue(parts: DeliveryParts, sendings: Sendings): Promise<number> {
  let attempts = 0;
  for (;;) {
    const before = [...sendings.values()];
    const started = await startTurns(parts, sendings, new AbortController().signal);
    const inProgress = new Set([...before, ...sendings.values(), ...started]);
    const turns = await Promise.all([...inProgress].map(({ done }) => done));
    const made = turns.reduce((sum, each) => sum + each.attempts, 0);
    // A turn that was already in progress may have checked before the newest notice was stored, so its channel is checked
    // again.
    if (made === 0 && inProgress.size === started.length) return attempts;
    attempts += made;
  }
}

/** Starts a turn for each channel that has something to send, as far as there is room. Returns the turns that started. */
async function startTurns(
  parts: DeliveryParts,
  sendings: Sendings,
  stop: AbortSignal,
): Promise<readonly Sending[]> {
  if (sendings.size >= AT_ONCE) return [];
  const most = { ofOrganization: OF_ORGANIZATION, all: AT_ONCE };
  const started: Sending[] = [];
  for (const channel of await parts.channels.findDue(parts.clock.now(), most)) {
    const { id, organizationId } = channel;
    const own = [...sendings.values()].filter(
      (sending) => sending.organizationId === organizationId,
    );
    if (sendings.has(id) || own.length >= OF_ORGANIZATION || sendings.size >= AT_ONCE) continue;
    const done = takeTurn(parts, channel, stop)
      .catch((error: unknown) => {
        parts.onError(`could not send through channel ${id}`, error);
        return { attempts: 0, hasMore: false };
      })
      .finally(() => sendings.delete(id));
    const sending = { organizationId, done };
    sendings.set(id, sending);
    started.push(sending);
  }
  return started;
}

/** Sends the deliveries that wait for one channel, until none is left, an attempt fails or the turn is over. */
async function takeTurn(parts: DeliveryParts, { id }: Channel, stop: AbortSignal): Promise<Turned> {
  const { sql, clock, channels } = parts;
  const lease: ChannelLease = { channelId: id, token: parts.newToken() };
  const startedMs = clock.now();
  const leased = await sql.write([leaseChannel(lease, startedMs)]);
  if (!leased.done) return { attempts: 0, hasMore: false };
  let attempts = 0;
  let leasedMs: LeasedMs = startedMs;
  while (!stop.aborted && attempts < TURN_DELIVERIES && clock.now() - startedMs < TURN_MS) {
    // The channel is read each time, because it may meanwhile have been paused or given another target.
    const channel = await channels.findLeased(id, lease.token);
    const next = channel === null ? [] : await nextOf(parts, channel, lease);
    leasedMs = channel === null ? null : await deliver(parts, { channel, lease, leasedMs }, next);
    if (next.length > 0) attempts += 1;
    if (leasedMs === null) break;
  }
  await sql.write([releaseChannel(lease)]);
  return { attempts, hasMore: leasedMs !== null && !stop.aborted };
}

/**
 * Returns the deliveries that are sent next: one, or those of a digest. None if nothing is due, or the channel must not send
 * now, in which case it rests until it may.
 */
async function nextOf(
  { sql, clock, channels }: DeliveryParts,
  { id, schedule }: Channel,
  lease: ChannelLease,
): Promise<readonly Delivery[]> {
  const nowMs = clock.now();
  const quietMs = schedule === null ? null : quietUntilMs(schedule, nowMs);
  const digest = schedule === null ? null : digestTimes(schedule, nowMs);
  if (quietMs === null && digest === null) {
    const next = await channels.findNext(id, nowMs);
    return next === null ? [] : [next];
  }
  const collected =
    quietMs !== null || digest === null
      ? []
      : await channels.findCollected(id, nowMs, digest.lastMs);
  const due = collected.filter(({ nextAtMs }) => nextAtMs <= nowMs);
  if (due.length === 0) {
    // A digest that failed is tried again before the next one is due.
    const againMs = Math.min(...collected.map(({ nextAtMs }) => nextAtMs));
    await sql.write([restChannel(lease, quietMs ?? Math.min(againMs, digest?.nextMs ?? nowMs))]);
  }
  return due;
}

type Turn = { readonly channel: Channel; readonly lease: ChannelLease; readonly leasedMs: number };

/**
 * When the lease was last taken or renewed. Null if this turn sends nothing more through the channel: temporarily, permanently,
 * or because the lease has expired.
 */
type LeasedMs = number | null;

async function deliver(
  parts: DeliveryParts,
  { channel, lease, leasedMs }: Turn,
  deliveries: readonly Delivery[],
): Promise<LeasedMs> {
  if (deliveries.length === 0) return null;
  const { sql, clock } = parts;
  const due: { readonly delivery: Delivery; readonly notice: Notice }[] = [];
  for (const delivery of deliveries) {
    const { sinceMs } = delivery;
    const notice = await parts.watches.findNotice(delivery.noticeId);
    const isLate = sinceMs !== null && isOver(sinceMs, clock.now());
    if (notice !== null && !isLate) due.push({ delivery, notice });
    else await sql.write([notice === null ? deleteDelivery(delivery) : giveUpDelivery(delivery)]);
  }
  const [first] = due;
  if (first === undefined) return leasedMs;
  // A process that was suspended with its machine would resend what another one has sent meanwhile, after newer notices of the
  // same product.
  if (clock.now() - leasedMs > SENT_WITHIN_MS) return null;
  const target = parts.targetOf(channel);
  const [one, ...more] = [first.notice, ...due.slice(1).map(({ notice }) => notice)] as const;
  const id = () => madeId('ntc', due.map(({ notice }) => notice.id).join(' '));
  const notice = more.length === 0 ? one : asDigest(id(), [one, ...more]);
  const deliveryResult = target === null ? parts.unreadable : await parts.send(target, notice);
  const { outcome } = deliveryResult;
  parts.tried(channel, outcome);
  const nowMs = clock.now();
  const failures = outcome === 'delivered' ? 0 : channel.failures + 1;
  const pauses = deliveryResult.status === GONE;
  const writes = due.map(({ delivery }) => {
    const { attempts, sinceMs } = delivery;
    const attempt = { nowMs, attempts: attempts + 1, sinceMs: sinceMs ?? nowMs };
    return writeOutcome(lease, delivery, {
      deliveryResult,
      nowMs,
      nextAtMs: nextAttemptMs(attempt, deliveryResult),
      failures,
      restUntilMs: restUntilMs(nowMs, failures, deliveryResult),
      pauses,
    });
  });
  const written = await sql.write(writes.flat());
  // A notice that is refused for its content does not block those after it. A notice that must be retried does.
  return written.done && !pauses && outcome !== 'retry' ? nowMs : null;
}

/** A receiver with this status wants no more notices (Standard Webhooks). */
const GONE = 410;
