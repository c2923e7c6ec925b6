// Channels and the deliveries of notices through them, as they are stored. Types only.

import type { ChannelKind } from './channel.ts';

export type Channel = {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** The part of where it leads that a person may see. */
  readonly hint: string;
  /** Where it leads, encrypted. */
  readonly sealedTarget: string;
  readonly createdAtMs: number;
  readonly pausedAtMs: number | null;
  /** Failed attempts in a row. */
  readonly failures: number;
  readonly triedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  /** The status of the last attempt; null if there was none, or it was not over HTTP. */
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
  /** What is watched. The notices of one subject are sent in their order. */
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it was first tried; null if it was not tried yet. */
  readonly sinceMs: number | null;
  /** When it is tried next; 0 means at once. */
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly triedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly excerpt: string | null;
};
