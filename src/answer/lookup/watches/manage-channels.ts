// Creates, reads, changes, tests and deletes an organization's channels, and reads their delivery log (D71). A channel's
// target is encrypted before it is stored, and nothing here shows it again.

import { randomBytes, timingSafeEqual } from 'node:crypto';

import {
  CHANNEL_KINDS,
  type ChannelKind,
  type DeliveryResult,
  type Target,
} from '../../../rules/channels/channel.ts';
import type { ChannelSchedule } from '../../../rules/channels/schedule.ts';
import type { atomOf } from '../../../rules/channels/atom.ts';
import { watchUrlOf } from '../../../rules/channels/notice-card.ts';
import { withoutAnswer } from '../../../rules/channels/delivery-result.ts';
import type { Channel, Delivery } from '../../../rules/channels/stored-channel.ts';
import { parseTarget } from '../../../rules/channels/parse-target.ts';
import { hintOf } from '../../../rules/channels/target-secrets.ts';
import { signingSecretOf } from '../../../rules/channels/webhook.ts';
import type { Clock } from '../../../base/clock.ts';
import { SAME_CALL_MS } from '../../../base/idempotency-key.ts';
import { FaultError, type Fault } from '../../../base/fault.ts';
import { NEXT_STEPS } from '../../../base/next-steps.ts';
import {
  deleteChannel,
  insertChannel,
  noteTest,
  replayDelivery,
  updateChannel,
} from '../../../data/watches/channel-writes.ts';
import type { DeliveryPlace } from '../../../data/watches/channels.ts';
import { isMadeId, madeId } from '../../../data/made-id.ts';
import { lockOrganization } from '../../../data/accounts/organizations.ts';
import { openTarget, sealTarget } from '../../../data/watches/sealed-target.ts';
import type { Secrets } from '../../../data/secrets.ts';
import type { Store } from '../../../data/store.ts';
import type { Notice } from '../../../rules/watches/stored-watch.ts';
import { channelTestBody } from '../../../rules/watches/notice.ts';
import type { Confirmation } from './confirm-channel.ts';
import { noSuch, noSuchWatch } from './no-such.ts';

/** A channel's target as a caller sends it: the fields of its kind. */
type TargetFields = Readonly<Record<string, string | number>>;

type WantedChannel = {
  readonly kind: ChannelKind;
  readonly name: string | null;
  readonly schedule?: ChannelSchedule | null;
  readonly fields: TargetFields;
};

type ChangedChannel = {
  readonly name?: string;
  readonly isPaused?: boolean;
  readonly schedule?: ChannelSchedule | null;
  /** All fields of the kind; empty if the channel's target does not change. */
  readonly fields: TargetFields;
};

/** The secret of a webhook and the address of a feed that was just created, for the one answer that shows them. */
type MadeChannel = {
  readonly channel: Channel;
  readonly signingSecret: string | null;
  readonly feedUrl: string | null;
};

/** A channel of kind `feed`, and its newest notices. */
type ReadFeed = Parameters<typeof atomOf>[0];

type LoggedDelivery = { readonly delivery: Delivery; readonly title: string | null };

export type ManageChannels = {
  /**
   * Creates a channel. `once` is the caller's Idempotency-Key; the same key gives the same channel. The receiver of a mail channel
   * is asked to confirm it.
   */
  add(organizationId: string, wanted: WantedChannel, once: string | null): Promise<MadeChannel>;
  /** The kinds that can be used here: mail needs a mail server, and a broker has to be listed. */
  readonly kinds: readonly ChannelKind[];
  find(organizationId: string, id: string): Promise<Channel>;
  /** Returns a feed for anyone who has its address, whose path is `FEED_PATH` and this text; null if there is none. */
  readFeed(place: string): Promise<ReadFeed | null>;
  list(organizationId: string): Promise<readonly Channel[]>;
  change(organizationId: string, id: string, changed: ChangedChannel): Promise<Channel>;
  remove(organizationId: string, id: string): Promise<void>;
  /** Confirms a mail channel with the code that its receiver got. */
  confirm(organizationId: string, id: string, code: string): Promise<Channel>;
  /** The same for the receiver, who follows a link without a key; false if the link is not valid. */
  confirmByLink(id: string, code: string): Promise<boolean>;
  /**
   * Sends a notice of kind `test` at once, and returns the delivery result. To a mail address that is not confirmed, the request
   * to confirm it is sent instead.
   */
  test(organizationId: string, id: string): Promise<DeliveryResult>;
  /** Lists the deliveries for a watch, newest first. */
  deliveriesOf(
    organizationId: string,
    watchId: string,
    page: { readonly limit: number; readonly after: DeliveryPlace | null },
  ): Promise<readonly LoggedDelivery[]>;
  /** Sends a delivery once more, with its notice's id. */
  replay(organizationId: string, watchId: string, deliveryId: string): Promise<LoggedDelivery>;
};

type ManageChannelsParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly newId: () => string;
  readonly secrets: Secrets;
  readonly send: (target: Target, notice: Notice) => Promise<DeliveryResult>;
  readonly confirmation: Confirmation;
  /** Whether the guard accepts an address as text. The address to which it resolves is checked when something is sent. */
  readonly isAllowedReceiver: (url: string, organizationId: string) => Promise<boolean>;
  /** Whether the operator has configured a mail server. */
  readonly hasMail: boolean;
  /** Whether the operator lists receivers that may be private. */
  readonly hasListed: boolean;
  /** The address of this installation without a slash at the end; null if it has none. */
  readonly publicUrl: string | null;
  readonly maxChannels: number;
  /** Throws `throttled` if the organization has sent too many tests and replays today. */
  readonly takeAskedNotices: (organizationId: string, count: number) => Promise<void>;
};

const SECRET_BYTES = 32;

/** Maximum concurrent tests of one organization: each occupies a socket and a call for as long as its receiver likes. */
const TESTS_AT_ONCE = 2;

const TOO_MANY_TESTS: Fault = {
  code: 'overloaded',
  retryAfterSeconds: 10,
  detail: 'Two channel tests of this organization are in progress. Wait until they have finished.',
};

export function createManageChannels(parts: ManageChannelsParts): ManageChannels {
  const { store } = parts;
  const tests = new Map<string, number>();
  const find = async (organizationId: string, id: string): Promise<Channel> => {
    const channel = isMadeId('chn', id) ? await store.channels.find(organizationId, id) : null;
    if (channel === null) throw noSuch('channel', id, NEXT_STEPS.channels.route);
    return channel;
  };
  return {
    add: (organizationId, wanted, once) => add(parts, organizationId, wanted, once),
    find,
    kinds: CHANNEL_KINDS.filter(
      (kind) => (kind !== 'email' || parts.hasMail) && (kind !== 'mqtt' || parts.hasListed),
    ),
    readFeed: (place) => readFeed(parts, place),
    list: (organizationId) => store.channels.list(organizationId),
    async change(organizationId, id, changed) {
      await change(parts, await find(organizationId, id), changed);
      return find(organizationId, id);
    },
    async confirm(organizationId, id, code) {
      await parts.confirmation.confirm(await find(organizationId, id), code);
      return find(organizationId, id);
    },
    confirmByLink: (id, code) => parts.confirmation.confirmByLink(id, code),
    async remove(organizationId, id) {
      const isDone =
        isMadeId('chn', id) && (await store.sql.write(deleteChannel(organizationId, id))).done;
      if (!isDone) throw noSuch('channel', id, NEXT_STEPS.channels.route);
    },
    async test(organizationId, id) {
      const channel = await find(organizationId, id);
      const inProgress = tests.get(organizationId) ?? 0;
      if (inProgress >= TESTS_AT_ONCE) throw new FaultError(TOO_MANY_TESTS);
      tests.set(organizationId, inProgress + 1);
      try {
        parts.secrets.demandKey();
        await parts.takeAskedNotices(organizationId, 1);
        return await test(parts, channel);
      } finally {
        const left = (tests.get(organizationId) ?? 1) - 1;
        if (left === 0) tests.delete(organizationId);
        else tests.set(organizationId, left);
      }
    },
    async deliveriesOf(organizationId, watchId, page) {
      await findWatch(store, organizationId, watchId);
      const found = await store.channels.findDeliveries(organizationId, watchId, page);
      return Promise.all(found.map((delivery) => withTitle(store, delivery)));
    },
    async replay(organizationId, watchId, deliveryId) {
      await findWatch(store, organizationId, watchId);
      const delivery = isMadeId('dlv', deliveryId)
        ? await store.channels.findDelivery(organizationId, deliveryId)
        : null;
      if (delivery === null || delivery.watchId !== watchId) {
        throw noSuch('delivery', deliveryId, 'GET /v1/watches/{id}/deliveries');
      }
      await parts.takeAskedNotices(organizationId, 1);
      await store.sql.write([replayDelivery(delivery, parts.clock.now())]);
      return withTitle(
        store,
        (await store.channels.findDelivery(organizationId, deliveryId)) ?? delivery,
      );
    },
  };
}

async function findWatch(store: Store, organizationId: string, id: string): Promise<void> {
  if (isMadeId('wat', id) && (await store.watches.find(organizationId, id)) !== null) return;
  throw noSuchWatch(id);
}

async function withTitle(store: Store, delivery: Delivery): Promise<LoggedDelivery> {
  const notice = await store.watches.findNotice(delivery.noticeId);
  return { delivery, title: notice?.body.title ?? null };
}

async function add(
  parts: ManageChannelsParts,
  organizationId: string,
  wanted: WantedChannel,
  once: string | null,
): Promise<MadeChannel> {
  const { store, clock, newId, secrets, isAllowedReceiver, hasMail, maxChannels } = parts;
  const { kind } = wanted;
  if (kind === 'email' && !hasMail) throw noMailServer();
  const name = once === null ? newId() : `${organizationId}\n${once}`;
  const id = madeId('chn', name);
  const secretFor = once === null ? newSecret : () => secretOf(secrets, id);
  const { schedule = null } = wanted;
  refuseSchedule(kind, schedule);
  const asked = targetOf(kind, wanted.fields, secretFor);
  await refuseForbidden(isAllowedReceiver, asked, organizationId);
  secrets.demandKey();
  const nowMs = clock.now();
  const stored = once === null ? null : await store.channels.find(organizationId, id);
  if (stored !== null) return again(parts, stored, { ...wanted, target: asked, nowMs });
  if (kind === 'email') await parts.takeAskedNotices(organizationId, 1);
  const hint = hintOf(asked);
  const sealedTarget = sealTarget(secrets, { id, organizationId }, asked);
  const channel = {
    id,
    organizationId,
    kind,
    name: wanted.name ?? hint,
    hint,
    sealedTarget,
    schedule,
  };
  await store.sql.write([
    lockOrganization(organizationId),
    insertChannel({ ...channel, createdAtMs: nowMs }, maxChannels),
  ]);
  const inserted = await store.channels.find(organizationId, id);
  if (inserted === null) throw full(maxChannels);
  // A call that is repeated asks nobody again.
  const made = inserted.triedAtMs === null ? await askReceiver(parts, inserted, asked) : inserted;
  // Another call with the same key may have come first.
  if (once !== null) return again(parts, made, { ...wanted, target: asked, nowMs });
  return madeOf(parts, made, { target: asked, fields: wanted.fields });
}

function full(maxChannels: number): FaultError {
  return new FaultError({
    code: 'invalid_parameter',
    parameter: 'kind',
    detail:
      `The organization already has ${maxChannels} channels, the limit. Delete some, or ask the ` +
      'operator to raise OPENSHELF_MAX_CHANNELS.',
  });
}

/** Returns the same answer to a repeated call, so that a caller who lost the first one still gets the secret. */
function again(
  parts: ManageChannelsParts,
  stored: Channel,
  asked: WantedChannel & { readonly target: Target; readonly nowMs: number },
): MadeChannel {
  const target = openTarget(parts.secrets, stored);
  if (target === null) throw new FaultError(UNREADABLE_CHANNEL);
  const isSame =
    JSON.stringify(target) === JSON.stringify(asked.target) &&
    stored.name === (asked.name ?? stored.hint) &&
    JSON.stringify(stored.schedule) === JSON.stringify(asked.schedule ?? null) &&
    asked.nowMs < stored.createdAtMs + SAME_CALL_MS;
  if (isSame) return madeOf(parts, stored, asked);
  throw new FaultError({
    code: 'idempotency_conflict',
    detail:
      'This Idempotency-Key was used for another channel, or more than 24 hours ago. Use a new key for ' +
      'each new request.',
  });
}

/** The path of feeds; the channel's id and the token follow it. */
export const FEED_PATH = '/feeds/';
const FEED_NOTICES = 50;

function madeOf(
  { publicUrl }: ManageChannelsParts,
  channel: Channel,
  { target, fields }: { readonly target: Target; readonly fields: TargetFields },
): MadeChannel {
  const path = target.kind === 'feed' ? `${FEED_PATH}${channel.id}.${target.token}` : null;
  return {
    channel,
    signingSecret: shownSecret(target, fields),
    feedUrl: path === null ? null : `${publicUrl ?? ''}${path}`,
  };
}

async function readFeed(
  { store, secrets, publicUrl }: ManageChannelsParts,
  place: string,
): Promise<ReadFeed | null> {
  const [id = '', token = ''] = place.split('.');
  const channel = isMadeId('chn', id) ? await store.channels.findOfAny(id) : null;
  const target = channel === null ? null : openTarget(secrets, channel);
  if (channel === null || target?.kind !== 'feed') return null;
  const [sent, own] = [Buffer.from(token), Buffer.from(target.token)];
  if (sent.length !== own.length || !timingSafeEqual(sent, own)) return null;
  const notices = await store.watches.findSent(channel.id, FEED_NOTICES);
  return {
    ...channel,
    notices: notices.map((notice) => ({ notice, watchUrl: watchUrlOf(publicUrl, notice) })),
  };
}

/** Kinds that programs read: a program wants each notice at once. */
const OF_PROGRAMS: ReadonlySet<ChannelKind> = new Set(['webhook', 'mqtt', 'feed']);

function refuseSchedule(kind: ChannelKind, schedule: ChannelSchedule | null): void {
  if (schedule === null || !OF_PROGRAMS.has(kind)) return;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: 'schedule',
    detail: `A ${kind} channel has no quiet hours and no digest: each notice is sent at once.`,
  });
}

/** Returns the secret to show, unless the caller chose it. */
function shownSecret(target: Target, { secret }: TargetFields): string | null {
  return target.kind === 'webhook' && secret === undefined ? target.signingSecret : null;
}

function newSecret(): string {
  return signingSecretOf(randomBytes(SECRET_BYTES));
}

/**
 * Derives a secret from the channel's id, so that the same call gets the same one and it need not be stored. It cannot be
 * derived without the key.
 */
function secretOf(secrets: Secrets, id: string): string {
  return signingSecretOf(secrets.derive(`signing secret of ${id}`));
}

/** Parses a channel's target. Throws FaultError invalid_parameter, which states what the kind takes. */
function targetOf(kind: ChannelKind, fields: TargetFields, secretFor: () => string): Target {
  const parsed = parseTarget(kind, fields, secretFor);
  if ('target' in parsed) return parsed.target;
  throw new FaultError({
    code: 'invalid_parameter',
    parameter: parsed.field,
    detail: parsed.problem,
  });
}

/** D50: every refusal of an address looks the same. */
async function refuseForbidden(
  isAllowed: ManageChannelsParts['isAllowedReceiver'],
  target: Target,
  organizationId: string,
): Promise<void> {
  const url = 'url' in target ? target.url : 'server' in target ? target.server : null;
  if (url === null || (await isAllowed(url, organizationId))) return;
  throw new FaultError({
    code: 'url_not_allowed',
    parameter: 'url',
    detail:
      target.kind === 'mqtt'
        ? 'This address is not allowed. The operator has to list the host and port of a broker in OPENSHELF_NOTIFY_ALLOW.'
        : 'This address is not allowed. Send the public http or https address of a receiver.',
  });
}

/** D65: a 503, because it is never the caller's fault. */
function noMailServer(): FaultError {
  return new FaultError({
    code: 'upstream_unavailable',
    retryAfterSeconds: 3_600,
    detail: 'This installation cannot send email. The operator has to set OPENSHELF_SMTP_URL.',
  });
}

/**
 * Asks the receiver of a mail channel that was just created, or whose address was changed, to confirm it. The channel
 * records the outcome.
 */
async function askReceiver(
  { store, clock, confirmation }: ManageChannelsParts,
  channel: Channel,
  target: Target,
): Promise<Channel> {
  const { organizationId, id, isUnconfirmed } = channel;
  if (target.kind !== 'email' || !isUnconfirmed) return channel;
  const deliveryResult = await confirmation.ask(channel, target);
  await store.sql.write(noteTest(channel, deliveryResult, clock.now()));
  return (await store.channels.find(organizationId, id)) ?? channel;
}

async function change(
  parts: ManageChannelsParts,
  stored: Channel,
  { name, isPaused, schedule, fields }: ChangedChannel,
): Promise<void> {
  const { store, clock, secrets, isAllowedReceiver } = parts;
  refuseSchedule(stored.kind, schedule ?? null);
  const target = openTarget(secrets, stored);
  const secretFor = () => (target?.kind === 'webhook' ? target.signingSecret : newSecret());
  const isLedElsewhere = Object.keys(fields).length > 0;
  const wanted = isLedElsewhere ? targetOf(stored.kind, fields, secretFor) : null;
  if (wanted !== null) await refuseForbidden(isAllowedReceiver, wanted, stored.organizationId);
  const isOtherAddress =
    wanted?.kind === 'email' && !(target?.kind === 'email' && target.to === wanted.to);
  if (isOtherAddress) await parts.takeAskedNotices(stored.organizationId, 1);
  const sealedTarget = wanted === null ? undefined : sealTarget(secrets, stored, wanted);
  const nowMs = clock.now();
  const changed = {
    ...(name === undefined ? {} : { name }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(wanted === null || sealedTarget === undefined
      ? {}
      : { hint: hintOf(wanted), sealedTarget }),
    ...(isPaused === undefined ? {} : { pausedAtMs: isPaused ? nowMs : null }),
    ...(isOtherAddress ? { isUnconfirmed: true } : {}),
  };
  await store.sql.write(updateChannel(stored, changed, nowMs));
  if (!isOtherAddress) return;
  const led = await store.channels.find(stored.organizationId, stored.id);
  if (led !== null) await askReceiver(parts, led, wanted);
}

async function test(parts: ManageChannelsParts, channel: Channel): Promise<DeliveryResult> {
  const { store, clock, newId, secrets, send } = parts;
  const target = openTarget(secrets, channel);
  const notice: Notice = {
    id: madeId('ntc', newId()),
    organizationId: channel.organizationId,
    watchId: '',
    listingId: null,
    kind: 'test',
    body: channelTestBody(channel.name),
    atMs: clock.now(),
  };
  const deliveryResult =
    target === null
      ? UNREADABLE_TARGET
      : channel.isUnconfirmed && target.kind === 'email'
        ? await parts.confirmation.ask(channel, target)
        : await send(target, notice);
  await store.sql.write(noteTest(channel, deliveryResult, clock.now()));
  return deliveryResult;
}

const UNREADABLE =
  'The secret of this channel was encrypted with a key that is missing here (OPENSHELF_SECRETS_KEY, or ' +
  'secrets.key in the data folder). Restore the key, or send the fields of the channel again.';

/** The result of a test or a delivery for a channel whose target was encrypted with a key that is not available. */
export const UNREADABLE_TARGET: DeliveryResult = withoutAnswer('retry', UNREADABLE);

/** The same for a call that must be compared with the channel that it created. */
const UNREADABLE_CHANNEL: Fault = {
  code: 'secrets_key_missing',
  retryAfterSeconds: 3_600,
  detail: UNREADABLE,
};
