// Wires the worker for the jobs behind answers, and watches and channels: the scheduler of checks, the notifications after a
// check, the sending of notices, and the parts that create and change watches and channels. The parts that fetch or send are
// loaded with the first job or message.

import { SERVICE_ORIGINS, type DeliveryResult, type Target } from '../../rules/channels/channel.ts';
import type { Channel } from '../../rules/channels/stored-channel.ts';
import type { SendMail } from '../../rules/channels/receiver.ts';
import { watchUrlOf } from '../../rules/channels/notice-card.ts';
import { priceLine } from '../../rules/channels/price-line.ts';
import type { AccessKeeper, CanAskByBarcode } from '../../answer/collect/asking/source-access.ts';
import type { Collect } from '../../answer/collect/collect.ts';
import type { StoreReadParts } from '../../answer/collect/storing/store-read.ts';
import type { FetchContext, Priority } from '../../base/fetch-context.ts';
import { later } from '../../base/once.ts';
import { fetchContext } from '../../egress/deadline.ts';
import type { Config } from '../config.ts';
import { guardReceiver, namesOrganizations } from '../../egress/guard/receiver-guard.ts';
import { onlyOrigins } from '../../egress/origins.ts';
import type { MailOptions } from '../../egress/send-mail.ts';
import { createDeliveries } from '../../answer/indexer/deliver-notices.ts';
import { createLookNow, type LookNow } from '../../answer/indexer/look-now.ts';
import type { SendMessage } from '../../answer/indexer/send-message.ts';
import {
  keepWatching,
  reportFailedChecks,
  startRounds,
} from '../../answer/indexer/watch-rounds.ts';
import { createWorker, type Worker, type WorkerParts } from '../../answer/indexer/worker.ts';
import type { IsAllowedUrl } from '../../answer/lookup/steps/parse-input.ts';
import { createConfirmation } from '../../answer/lookup/watches/confirm-channel.ts';
import {
  createManageChannels,
  UNREADABLE_TARGET,
  type ManageChannels,
} from '../../answer/lookup/watches/manage-channels.ts';
import {
  createManageWatches,
  type ManageWatches,
} from '../../answer/lookup/watches/manage-watches.ts';
import { createWatchPrices, type WatchPrices } from '../../answer/lookup/watches/watch-prices.ts';
import {
  createQuestionsOf,
  type WatchQuestionParts,
} from '../../answer/lookup/watches/watch-questions.ts';
import type { JobSubject } from '../../data/turns/jobs.ts';
import { listingIdOf } from '../../data/answers/listings.ts';
import { openTarget } from '../../data/watches/sealed-target.ts';
import type { Secrets } from '../../data/secrets.ts';
import { noteFailure } from '../../data/watches/watch-writes.ts';
import { createAskedNotices } from '../../data/metering/throttle.ts';
import { versionText } from '../package-files.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';
import type { IsTrusted } from '../../rules/product/barcode-rows.ts';
import type { Notice } from '../../rules/watches/stored-watch.ts';
import { presentNotice } from '../../answer/wire/watches/present-notice.ts';
import type { Needs } from './shared-parts.ts';

/** Deadline of a background job: long enough for two requests to a shop that requires a minute between them. */
const JOB_DEADLINE_MS = 120_000;
const JOBS_AT_ONCE = 4;
const BACKGROUND: Priority = { kind: 'background' };

export type Watching = {
  /** Processes the jobs that lookups queued, once it is started. */
  readonly worker: Worker;
  /** Queues the checks of watches, for as long as the service runs. */
  readonly keepWatching: (stop: AbortSignal) => Promise<void>;
  /** Checks once for due watches, and returns how many there were. */
  readonly checkWatches: () => Promise<number>;
  readonly manageWatches: ManageWatches;
  readonly lookNow: LookNow;
  readonly watchPrices: WatchPrices;
  /** Sends notices through channels, for as long as the service runs. */
  readonly keepDelivering: (stop: AbortSignal) => Promise<void>;
  /** Sends what is due now, and returns the number of attempts. */
  readonly deliverNotices: () => Promise<number>;
  readonly manageChannels: ManageChannels;
  /** Returns what an operator has to fix if the available key does not open some channels; null if it opens all. */
  readonly lockedChannels: () => Promise<string | null>;
};

/** Parts shared with the lookups of stored data. */
export type Inside = {
  readonly access: AccessKeeper;
  readonly canAskByBarcode: CanAskByBarcode;
  readonly matching: MatchingLater;
  readonly isTrustedShop: IsTrusted;
  readonly isAllowedUrl: IsAllowedUrl;
};

export function wireWatching(
  config: Config,
  needs: Needs,
  { collect, access, ...inside }: Inside & { readonly collect: Collect },
): Watching {
  const { store, sharedClock: clock, onError, newId, secrets } = needs;
  const parts = { ...inside, store, clock: needs.clock };
  const ofJobs = watchesOfJobs(needs, parts);
  const worker = wireWorker(needs, collect, ofJobs);
  const enqueued = () => worker.wake();
  const questionsOf = createQuestionsOf(parts);
  const rounds = { sql: store.sql, watches: store.watches, clock, questionsOf, enqueued, onError };
  const takeAskedNotices = createAskedNotices(store.sql, clock);
  const { sendMessage, sendTest, sendMail, isAllowedReceiver } = wireSending(config, needs);
  const { publicUrl } = config;
  const watchPrices = createWatchPrices(store, clock);
  const limits = {
    watches: config.maxWatches,
    addresses: config.maxWatchedAddresses,
    ofProduct: config.maxWatchesOfProduct,
  };
  const manageWatches = createManageWatches({
    store,
    clock,
    newId,
    takeAskedNotices,
    limits,
    isAllowedUrl: inside.isAllowedUrl,
    forbidsWatching: access.forbidsWatching,
  });
  const sendBy = createSendBy(watchPrices, publicUrl);
  const { keepDelivering, deliverDue } = wireDeliveries(needs, secrets, sendBy(sendMessage));
  return {
    worker,
    keepDelivering,
    deliverNotices: deliverDue,
    lockedChannels: async () => {
      const count = await store.channels.countSealedOtherwise(secrets.sealedBegins());
      return count === 0 ? null : lockedText(count);
    },
    manageChannels: createManageChannels({
      store,
      clock,
      newId,
      secrets,
      send: sendBy(sendTest),
      confirmation: createConfirmation({ store, secrets, newId, sendMail, publicUrl }),
      isAllowedReceiver,
      hasMail: config.smtpServer !== null,
      hasListed: config.notifyAllow.size > 0,
      publicUrl,
      maxChannels: config.maxChannels,
      takeAskedNotices,
    }),
    keepWatching: (stop) => keepWatching(rounds, stop),
    checkWatches: () => startRounds(rounds),
    watchPrices,
    lookNow: createLookNow({
      ...rounds,
      ...ofJobs,
      collect,
      find: (...of) => manageWatches.find(...of),
    }),
    manageWatches,
  };
}

function wireDeliveries(
  { store, sharedClock: clock, newId, metrics, onError }: Needs,
  secrets: Secrets,
  send: (target: Target, notice: Notice) => Promise<DeliveryResult>,
) {
  return createDeliveries({
    sql: store.sql,
    channels: store.channels,
    watches: store.watches,
    clock,
    targetOf: (channel: Channel) => openTarget(secrets, channel),
    unreadable: UNREADABLE_TARGET,
    send,
    newToken: newId,
    tried: ({ kind }: Channel, outcome: DeliveryResult['outcome']) =>
      metrics.deliveryTried(kind, outcome),
    onError,
  });
}

/** Completes notices with what only messages have: a link to the watch, and its line of prices. */
function createSendBy(watchPrices: WatchPrices, publicUrl: string | null) {
  const pricesOf = async ({ organizationId, watchId }: Notice): Promise<string | null> => {
    const found = watchId === '' ? null : await watchPrices.find(organizationId, watchId);
    const cents = found?.prices.map((price) => price.cents) ?? [];
    return found === null ? null : priceLine(cents, found.currency);
  };
  return (by: SendMessage) => async (target: Target, notice: Notice) =>
    by(target, {
      notice,
      data: presentNotice(notice),
      watchUrl: watchUrlOf(publicUrl, notice),
      // A message without them is better than none.
      prices: await pricesOf(notice).catch(() => null),
    });
}

/**
 * A backup does not contain the key. A copy of the data that is started elsewhere therefore sends nothing, though it seems
 * complete.
 */
function lockedText(count: number): string {
  return (
    `Nothing is sent through ${count} of the channels: the key that encrypted their secrets is missing here. ` +
    'Put the secrets.key of the installation that created them into the data folder, or its text into ' +
    'OPENSHELF_SECRETS_KEY, and restart. If the key is lost, the fields of the channels have to be sent again.'
  );
}

function wireWorker(
  needs: Needs,
  collect: Collect,
  watches: Pick<WorkerParts, 'notifyWatches' | 'endChecks'>,
): Worker {
  const { store, sharedClock, newId, onError } = needs;
  return createWorker({
    sql: store.sql,
    jobs: store.jobs,
    collect,
    clock: sharedClock,
    random: Math.random,
    newId,
    ...watches,
    contextFor: inBackgroundFor(needs, JOB_DEADLINE_MS),
    onError,
    concurrency: JOBS_AT_ONCE,
  });
}

/** Creates the context of background work: it may take `ms` from its start. */
export function inBackgroundFor(
  { steady }: Needs,
  ms: number,
): (stop: AbortSignal) => FetchContext {
  return (stop) => fetchContext({ nowMs: steady.now(), ms, stop }, BACKGROUND);
}

/** Wires what the outcome of a job means for the watches that wait for it. */
function watchesOfJobs(
  { sharedClock: clock }: Pick<Needs, 'sharedClock'>,
  parts: StoreReadParts & WatchQuestionParts,
): Pick<WorkerParts, 'notifyWatches' | 'endChecks'> {
  const { sql, watches } = parts.store;
  const reporting = { sql, watches, clock, questionsOf: createQuestionsOf(parts) };
  return {
    notifyWatches: async ({ subject }, came) => {
      const gtin = subject.kind === 'barcode' ? subject.gtin : null;
      if (typeof came === 'string') {
        await sql.write([noteFailure(subjectOfFailure(subject), came)]);
        return;
      }
      const { notifyOfStored } = await import('../../answer/collect/storing/store-read.ts');
      await notifyOfStored(parts, { stored: came, gtin });
    },
    endChecks: ({ subject }) => reportFailedChecks(reporting, subject),
  };
}

function subjectOfFailure(subject: JobSubject) {
  const { retailer } = subject;
  if (subject.kind === 'barcode') return { listingId: null, gtin: subject.gtin, retailer };
  return { listingId: listingIdOf(retailer, subject.key), gtin: null, retailer };
}

type Sending = {
  /** Whether an address may be a receiver, judging by its text. */
  readonly isAllowedReceiver: (url: string, organizationId: string) => Promise<boolean>;
  /** Sends one notice to one receiver. */
  readonly sendMessage: SendMessage;
  /** The same for a channel test, for a caller who waits for the result. */
  readonly sendTest: SendMessage;
  /** The same for a mail that is not a notice. */
  readonly sendMail: SendMail;
};

const TEST_WITHIN = { limits: { wholeMs: 20_000 }, answerMs: 8_000 };

/** Wires the delivery of notices: guarded requests to receivers, and the operator's mail server if there is one. */
function wireSending(config: Config, { clock, denials, store }: Needs): Sending {
  const { dnsServers, smtpServer, smtpFrom } = config;
  const origins = onlyOrigins(config.origins, SERVICE_ORIGINS);
  const allowed = config.notifyAllow;
  const namesThem = namesOrganizations(allowed);
  const organizationName = async (organizationId: string): Promise<string | null> => {
    if (!namesThem) return null;
    const organizations = await store.accounts.listOrganizations();
    return organizations.find(({ id }) => id === organizationId)?.name ?? null;
  };
  const posting = later(async () => {
    const { createPostToReceiver } = await import('../../egress/post-to-receiver.ts');
    return createPostToReceiver({
      version: versionText(),
      contact: config.contact,
      allowed,
      organizationName,
      denials,
      origins,
      dnsServers,
      egressProxy: config.egressProxy,
    });
  });
  const mailWithin = (within: Pick<MailOptions, 'limits' | 'answerMs'>): SendMail | null => {
    if (smtpServer === null) return null;
    const mailing = later(async () => {
      const { createSendMail } = await import('../../egress/send-mail.ts');
      return createSendMail({ from: smtpFrom, dnsServers, ...within, server: smtpServer });
    });
    return async (...mail) => (await mailing.load())(...mail);
  };
  const messages = () => import('../../answer/indexer/send-message.ts');
  const sendMessage = (sendMail: SendMail | null): SendMessage => {
    const sending = later(async () =>
      (await messages()).createSendMessage({
        postToReceiver: async (...message) => (await posting.load())(...message),
        sendMail,
        clock,
      }),
    );
    return async (...message) => (await sending.load())(...message);
  };
  const testMail = mailWithin(TEST_WITHIN);
  return {
    isAllowedReceiver: async (url, organizationId) => {
      const organization = await organizationName(organizationId);
      return guardReceiver(url, { allowed, origins, organization }).verdict.ok;
    },
    sendMessage: sendMessage(mailWithin({})),
    sendTest: sendMessage(testMail),
    sendMail: testMail ?? (async () => (await messages()).NO_MAIL),
  };
}
