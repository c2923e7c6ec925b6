// A notice and its deliveries through the channels of its watch, written together.

import type { Notice } from '../../rules/watches/stored-watch.ts';
import { insertDelivery } from './channel-writes.ts';
import type { Statement } from '../sql.ts';
import { insertNotice } from './watch-writes.ts';

/** `channels` are the ids of the channels to send it through; `identifiers` are the watched identifiers. */
type NoticeToDeliver = Notice & {
  readonly channels: readonly string[];
  readonly identifiers: readonly string[];
};

/** Inserts a notice. Inserting it again changes nothing. */
export function insertNoticeToDeliver({
  channels,
  identifiers,
  ...notice
}: NoticeToDeliver): readonly Statement[] {
  const subject = identifiers.join(' ').slice(0, 500);
  // All processes write them in the same order, so that two that write deliveries to the same channels never deadlock.
  const ids = [...new Set(channels)].toSorted();
  return [insertNotice(notice), ...ids.map((id) => insertDelivery(notice, id, subject))];
}
