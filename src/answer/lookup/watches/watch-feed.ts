// The changes of everything that an organization watches, from where it last stopped reading.

import type { Clock } from '../../../base/clock.ts';
import { FaultError, type Fault } from '../../../base/fault.ts';
import type { Store } from '../../../data/store.ts';
import type { Feed, FeedChange } from '../../../rules/watches/stored-watch.ts';

export type WatchFeed = {
  /** Returns the changes after a number, oldest first. FaultError cursor_expired if some of them have been deleted. */
  changes(organizationId: string, after: number, limit: number): Promise<readonly FeedChange[]>;
  feed(organizationId: string): Promise<Feed>;
};

type WatchFeedParts = {
  readonly store: Pick<Store, 'watches'>;
  readonly clock: Pick<Clock, 'now'>;
};

export function createWatchFeed({ store: { watches }, clock }: WatchFeedParts): WatchFeed {
  return {
    async changes(organizationId, after, limit) {
      const found = await watches.findChanges(organizationId, after, limit);
      // The feed is read after the changes, so that the caller learns if old ones were deleted before they could be read.
      const { lastSeq, prunedSeq } = await watches.feedOf(organizationId);
      if (after < prunedSeq) throw new FaultError(CURSOR_EXPIRED);
      // Numbers are times. One above the last stored may belong to a change that was lost with newer data.
      if (after > Math.max(lastSeq, clock.now())) throw new FaultError(NO_SUCH_CURSOR);
      return found;
    },
    feed: (organizationId) => watches.feedOf(organizationId),
  };
}

const CURSOR_EXPIRED: Fault = {
  code: 'cursor_expired',
  parameter: 'cursor',
  detail:
    'Changes after this cursor have expired and were deleted (OPENSHELF_KEEP_CHANGES_DAYS). Read your ' +
    'watches with GET /v1/watches, then call GET /v1/changes without a cursor to continue from now.',
};

const NO_SUCH_CURSOR: Fault = {
  code: 'invalid_parameter',
  parameter: 'cursor',
  detail: 'Invalid cursor. Pass the "next" value of the previous response unchanged.',
};
