// Stored watches with their notices and feed. Types only.

import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Slug } from '../../base/retailer.ts';
import type { ChangeKind } from './changes.ts';
import type { FeedBody } from './feed.ts';
import type { NoticeContent, NoticeKind } from './notice.ts';
import type { Rules, WatchScope, WatchState } from './watch.ts';

export type WatchTrouble = 'failing' | 'out_of_tokens';

/** The settings of a watch that a caller chose. */
export type WatchSettings = {
  readonly retailer: WatchScope;
  readonly intervalMs: number;
  readonly rules: Rules;
  /** Ids of channels. */
  readonly channels: readonly string[];
  /** After this many consecutive checks without a reading, the watch is reported as failing. */
  readonly failingAfter: number;
  readonly pausedAtMs: number | null;
  /** What the owner sorts watches by. */
  readonly tags: readonly string[];
};

export type NewWatch = WatchSettings & {
  readonly id: string;
  readonly organizationId: string;
  readonly keyId: string;
  readonly identifiers: readonly string[];
  readonly gtin: Gtin14 | null;
  /** Spreads the times at which watches are due; derived from their subjects. */
  readonly seed: number;
  readonly nextAtMs: number;
  readonly createdAtMs: number;
};

export type Watch = NewWatch & {
  readonly state: WatchState;
  readonly version: number;
  readonly roundAtMs: number | null;
  readonly readAtMs: number | null;
  readonly failedRounds: number;
  readonly trouble: WatchTrouble | null;
  readonly reason: string | null;
  /** When it was last checked at its owner's request. */
  readonly lookedAtMs: number | null;
};

/** A retailer that a watch cannot be judged by: the terms of its only source allow no alerts (D81). */
export type NotWatched = { readonly retailer: Slug; readonly source: string };

/** A watch as its owner sees it. */
export type ShownWatch = Watch & { readonly notWatched: readonly NotWatched[] };

/** A notification of a watch. */
export type Notice = {
  readonly id: string;
  readonly organizationId: string;
  readonly watchId: string;
  readonly listingId: string | null;
  readonly kind: NoticeKind;
  readonly body: NoticeContent;
  readonly atMs: number;
};

/** A change in an organization's feed. The numbers of a feed have no gaps. */
export type FeedChange = {
  readonly seq: number;
  readonly kind: ChangeKind;
  readonly body: FeedBody;
};

/** The numbers of the last change, and of the last change that was deleted because of its age. */
export type Feed = { readonly lastSeq: number; readonly prunedSeq: number };
