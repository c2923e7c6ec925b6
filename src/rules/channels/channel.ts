// A channel: where the notifications of an organization are sent (D71). Where it leads is a secret, because an address may contain a token.
// Types only.

import type { Notice } from '../watches/stored-watch.ts';

export const CHANNEL_KINDS = ['webhook', 'ntfy', 'discord', 'slack', 'telegram', 'email'] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/** Where a channel leads, with the secrets that it needs. It is stored encrypted, and never shown again. */
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
  | { readonly kind: 'email'; readonly to: string };

/** One notice on its way to one receiver. */
export type ChannelMessage = {
  readonly notice: Notice;
  /** The notice as the API shows it: what a webhook carries. */
  readonly data: Readonly<Record<string, unknown>>;
};

/** What a receiver made of a notice. `retry`: worth another attempt; `refused`: another attempt would end the same way. */
export type DeliveryResult = {
  readonly outcome: 'delivered' | 'retry' | 'refused';
  /** The status that the receiver answered; null if it did not answer, or not over HTTP. */
  readonly status: number | null;
  /** A sentence without an address and without a secret. */
  readonly detail: string;
  /** The start of the answer, at most 1 KB, without control characters; null if there was none. */
  readonly excerpt: string | null;
  /** How long the receiver asked to be left alone, ms. */
  readonly retryAfterMs: number | null;
};
