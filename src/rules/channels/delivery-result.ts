// Interprets a receiver's response: delivered, worth another attempt, or final. Pure.

import { DAY_MS } from '../../base/clock.ts';
import { retryAfterSeconds } from '../../base/retry-after.ts';
import type { ChannelKind, DeliveryResult } from './channel.ts';
import { bytesOf, fitted } from './plain-text.ts';
import type { ReceiverAnswer } from './receiver.ts';

type HttpKind = Exclude<ChannelKind, 'email' | 'mqtt' | 'feed'>;

const EXCERPT_BYTES = 1_024;
/** The longest pause that a receiver may request. */
const MAX_PAUSE_MS = DAY_MS;

/**
 * Returns the meaning of `answer` for a notice through this kind of channel. `nowMs` is when it arrived, for dates in
 * `Retry-After`. Secrets must already be removed from the answer: its start becomes the excerpt.
 */
export function deliveryResultOf(
  kind: HttpKind,
  answer: ReceiverAnswer,
  nowMs: number,
): DeliveryResult {
  const { status } = answer;
  const { outcome, detail } = meaningOf(kind, answer);
  return {
    outcome,
    status,
    detail,
    excerpt: excerptOf(answer.body),
    retryAfterMs: outcome === 'retry' ? pauseOf(kind, answer, nowMs) : null,
  };
}

/** Creates the delivery result of an attempt without an HTTP response. */
export function withoutAnswer(outcome: DeliveryResult['outcome'], detail: string): DeliveryResult {
  return { outcome, status: null, detail, excerpt: null, retryAfterMs: null };
}

/** Returns the meaning of a broker's return code (MQTT 3.1.1, 3.2.2.3). */
export function brokerResultOf(code: number): DeliveryResult {
  if (code === 0) return withoutAnswer('delivered', 'The broker accepted it.');
  const why =
    code === 4 || code === 5
      ? 'The broker refuses the user name or the password.'
      : `The broker refuses the connection (code ${code}).`;
  return withoutAnswer('retry', why);
}

type Meaning = Pick<DeliveryResult, 'outcome' | 'detail'>;

function meaningOf(kind: HttpKind, answer: ReceiverAnswer): Meaning {
  const { status } = answer;
  if (status >= 200 && status < 300) return takenOrNot(kind, answer);
  if (status >= 300 && status < 400) {
    const detail =
      `The receiver answered ${status}, which leads to another address. Redirects are not followed: set up the ` +
      'channel with the final address.';
    return { outcome: 'refused', detail };
  }
  if (status === 410) {
    const detail = 'The receiver answered 410 (gone): it does not want any more notifications.';
    return { outcome: 'refused', detail };
  }
  if (status === 429) {
    return {
      outcome: 'retry',
      detail: 'The receiver answered 429: it receives too many requests.',
    };
  }
  const mayPass = status < 400 || status === 408 || status === 425 || status >= 500;
  // Standard Webhooks: every response other than 2xx is a retryable failure, because the receiver may just be being
  // deployed.
  if (mayPass || kind === 'webhook' || (kind === 'apprise' && status === 424)) {
    return { outcome: 'retry', detail: `The receiver answered ${status}.` };
  }
  const detail = SERVICE_WORDS[kind][status] ?? `The receiver refused the message (${status}).`;
  return { outcome: 'refused', detail };
}

/** Telegram also says in the body whether it accepted the message. */
function takenOrNot(kind: HttpKind, { status, body }: ReceiverAnswer): Meaning {
  if (kind === 'telegram' && jsonOf(body)['ok'] === false) {
    return { outcome: 'retry', detail: 'Telegram answered that it did not accept the message.' };
  }
  return { outcome: 'delivered', detail: `The receiver accepted it (${status}).` };
}

const NO_DISCORD_WEBHOOK =
  'Discord does not know this webhook: it was deleted, or its address is wrong. Create a new one in Discord.';
const NO_TELEGRAM_BOT =
  'Telegram does not know this bot token. Ask @BotFather for the token, and set up the channel again.';
const NO_NTFY_ACCESS =
  'The ntfy server does not allow publishing to this topic. Set up the channel with a token that is allowed to.';

/** Documented responses of services that do not change by themselves, and how to fix them. */
const SERVICE_WORDS: Readonly<
  Record<Exclude<HttpKind, 'webhook'>, Readonly<Record<number, string>>>
> = {
  discord: {
    401: NO_DISCORD_WEBHOOK,
    403: NO_DISCORD_WEBHOOK,
    404: NO_DISCORD_WEBHOOK,
  },
  slack: {
    403: 'Slack does not let this webhook post: it was switched off, or the workspace restricts it.',
    404: 'Slack does not know this webhook or its channel: create a new webhook in Slack.',
  },
  telegram: {
    400: 'Telegram refused the message, most often because there is no such chat: check chat_id.',
    401: NO_TELEGRAM_BOT,
    403: 'The Telegram bot may not write to this chat: start it there, or add it to the group again.',
    404: NO_TELEGRAM_BOT,
  },
  apprise: {
    404: 'There is no Apprise API at this address: it ends in /notify and a key.',
  },
  ntfy: {
    401: NO_NTFY_ACCESS,
    403: NO_NTFY_ACCESS,
    404: 'There is no ntfy server at this address.',
  },
};

/**
 * Returns the pause requested by the receiver: `Retry-After`, otherwise seconds in the body. Discord has them in
 * `retry_after`, Telegram in `parameters.retry_after`. The header takes precedence, because older versions of Discord's API
 * have milliseconds in the body.
 */
function pauseOf(kind: HttpKind, { headers, body }: ReceiverAnswer, nowMs: number): number | null {
  const header = retryAfterSeconds(headers['retry-after'], nowMs);
  const seconds = header ?? secondsInBody(kind, jsonOf(body));
  return seconds === null ? null : Math.min(Math.ceil(seconds * 1_000), MAX_PAUSE_MS);
}

function secondsInBody(kind: HttpKind, json: JsonObject): number | null {
  const holder = kind === 'telegram' ? objectOf(json['parameters']) : json;
  const seconds = kind === 'telegram' || kind === 'discord' ? holder['retry_after'] : null;
  return typeof seconds === 'number' && seconds > 0 ? seconds : null;
}

type JsonObject = Readonly<Record<string, unknown>>;

const objectOf = (value: unknown): JsonObject =>
  typeof value === 'object' && value !== null ? (value as JsonObject) : {};

function jsonOf(body: string): JsonObject {
  try {
    return objectOf(JSON.parse(body));
  } catch {
    return {};
  }
}

/** Returns a human-readable start of the response, at most 1 KB; null if there is nothing to read. */
function excerptOf(body: string): string | null {
  const excerpt = fitted(body, { most: EXCERPT_BYTES, sizeOf: bytesOf });
  return excerpt === '' ? null : excerpt;
}
