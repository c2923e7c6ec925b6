// Channels and the deliveries of notices through them, as they are held. Types only.

import type { ChannelKind } from './channel.ts';

export type Channel = {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** What a person may see of where it leads. */
  readonly hint: string;
  /** Where it leads, encrypted. */
  readonly sealedTarget: string;
  readonly createdAtMs: number;
  readonly pausedAtMs: number | null;
  /** Attempts in a row that failed. */
  readonly failures: number;
  readonly triedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  /** What the last attempt came to; null: none was made, or it was not over HTTP. */
  readonly status: number | null;
  readonly detail: string | null;
};

export type NewChannel = Pick<
  Channel,
  'id' | 'organizationId' | 'kind' | 'name' | 'hint' | 'sealedTarget' | 'createdAtMs'
>;

export type DeliveryState = 'waiting' | 'delivered' | 'given_up';

export type Delivery = {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly watchId: string;
  readonly noticeId: string;
  /** What is watched: of one subject, notices go out in their order. */
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it was first tried; null: not yet. */
  readonly sinceMs: number | null;
  /** 0: at once. */
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly triedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly excerpt: string | null;
};
