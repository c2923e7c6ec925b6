// Stored channels and deliveries of notices through them. Types only.

import type { ChannelKind } from './channel.ts';
import type { ChannelSchedule } from './schedule.ts';

export type Channel = {
  readonly id: string;
  readonly organizationId: string;
  readonly kind: ChannelKind;
  readonly name: string;
  /** The part of the target that a person may see. */
  readonly hint: string;
  /** The encrypted target. */
  readonly sealedTarget: string;
  readonly createdAtMs: number;
  readonly pausedAtMs: number | null;
  /** A mail address whose owner has not confirmed it. Nothing but requests to confirm it is sent there. */
  readonly isUnconfirmed: boolean;
  /** When it may send; null for always. */
  readonly schedule: ChannelSchedule | null;
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
  'id' | 'organizationId' | 'kind' | 'name' | 'hint' | 'sealedTarget' | 'createdAtMs' | 'schedule'
>;

export type DeliveryState = 'waiting' | 'delivered' | 'given_up';

export type Delivery = {
  readonly id: string;
  readonly organizationId: string;
  readonly channelId: string;
  readonly watchId: string;
  readonly noticeId: string;
  /** The subject of the watch. Notices about one subject are sent in order. */
  readonly subject: string;
  readonly state: DeliveryState;
  readonly attempts: number;
  /** When it was first attempted; null if not yet attempted. */
  readonly sinceMs: number | null;
  /** When it is attempted next; 0 means immediately. */
  readonly nextAtMs: number;
  readonly createdAtMs: number;
  readonly triedAtMs: number | null;
  readonly deliveredAtMs: number | null;
  readonly status: number | null;
  readonly detail: string | null;
  readonly excerpt: string | null;
};
