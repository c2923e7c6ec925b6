// A channel: where an organization's notifications are sent (D71). Its target is a secret, because an address may contain a
// token. Types, and the services' own addresses.

import type { Notice } from '../watches/stored-watch.ts';

export const CHANNEL_KINDS = [
  'webhook',
  'ntfy',
  'discord',
  'slack',
  'telegram',
  'email',
  'apprise',
  'mqtt',
  'feed',
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** A channel's destination, with the secrets it needs. Stored encrypted, and never shown again. */
export type Target =
  | {
      readonly kind: 'webhook';
      readonly url: string;
      /** `whsec_` and base64, as in Standard Webhooks: the receiver checks signatures with it. */
      readonly signingSecret: string;
    }
  | {
      readonly kind: 'ntfy';
      /** Address of the server, without the topic. */
      readonly server: string;
      readonly topic: string;
      readonly token: string | null;
    }
  | { readonly kind: 'discord'; readonly url: string }
  | { readonly kind: 'slack'; readonly url: string }
  | { readonly kind: 'telegram'; readonly botToken: string; readonly chatId: string }
  | { readonly kind: 'email'; readonly to: string }
  | { readonly kind: 'apprise'; readonly url: string }
  | {
      readonly kind: 'mqtt';
      /** `mqtt://host:port` or `mqtts://host:port`. */
      readonly url: string;
      readonly login: { readonly user: string; readonly password: string } | null;
      /** The beginning of its topics. */
      readonly topic: string;
    }
  /** Notices are sent nowhere: whoever has the token reads them. */
  | { readonly kind: 'feed'; readonly token: string };

export const TELEGRAM_ORIGIN = 'https://api.telegram.org';

/**
 * The origins of the services themselves. Only these may be mapped to another origin for notices (OPENSHELF_ORIGINS).
 * Origins of shops are mapped for reading pages, and no channel of a caller may post to the targets of those mappings.
 */
export const SERVICE_ORIGINS: readonly string[] = [
  TELEGRAM_ORIGIN,
  'https://discord.com',
  'https://hooks.slack.com',
  'https://ntfy.sh',
];

/** A notice addressed to one receiver. */
export type ChannelMessage = {
  readonly notice: Notice;
  /** The notice as returned by the API: the payload of a webhook. */
  readonly data: Readonly<Record<string, unknown>>;
  /** The page of the watch in this installation; null without a public address. */
  readonly watchUrl?: string | null;
  /** The prices of the last days as a line of text; null if there are too few. */
  readonly prices?: string | null;
};

/**
 * The result of delivering a notice. `retry`: worth another attempt; `refused`: another attempt would have the same result.
 */
export type DeliveryResult = {
  readonly outcome: 'delivered' | 'retry' | 'refused';
  /** The receiver's HTTP status; null if it did not respond, or not over HTTP. */
  readonly status: number | null;
  /** A sentence that contains neither an address nor a secret. */
  readonly detail: string;
  /** The start of the answer, at most 1 KB, without control characters; null if there was none. */
  readonly excerpt: string | null;
  /** How long the receiver asked us to wait, ms. */
  readonly retryAfterMs: number | null;
};
