// Notifies the operator of what has to be fixed in the installation, through the channel that a setting names: once when it
// begins and once when it is over. The deliveries themselves are the record of what was sent.

import { HOUR_MS, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { madeId } from '../../data/made-id.ts';
import type { Store } from '../../data/store.ts';
import { insertNoticeToDeliver } from '../../data/watches/notices-to-deliver.ts';
import type { Channel } from '../../rules/channels/stored-channel.ts';
import { judgeInstallation } from '../../rules/troubles.ts';
import { textBody } from '../../rules/watches/notice.ts';
import type { Installation } from '../metrics/installation.ts';

type OperatorNoticeParts = {
  readonly store: Pick<Store, 'sql' | 'channels' | 'watches'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly installation: Pick<Installation, 'figures'>;
  readonly host: string;
  readonly channelId: string;
};

/** More notices than the operator's channel gets in the time for which deliveries are stored. */
const LATEST = { limit: 200, after: null };
/** The watch of notices that belong to none. */
const NO_WATCH = '';

/** Returns what a background round calls. It judges the installation at most once an hour. */
export function createOperatorNotices(parts: OperatorNoticeParts): () => Promise<void> {
  let atMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = parts.clock.now();
    if (Math.abs(nowMs - atMs) < HOUR_MS) return;
    atMs = nowMs;
    const channel = await parts.store.channels.findOfAny(parts.channelId);
    if (isUsable(channel)) await notifyOperator(parts, channel);
    else parts.log.warn(unusableText(parts.channelId));
  };
}

export const isUsable = (channel: Channel | null): channel is Channel =>
  channel !== null && !channel.isUnconfirmed && channel.pausedAtMs === null;

export const unusableText = (channelId: string): string =>
  `The operator is not notified: the channel ${channelId} is deleted, paused or not confirmed. ` +
  'Set OPENSHELF_OPERATOR_CHANNEL to an id that openshelf channel list prints.';

async function notifyOperator(
  { store, clock, installation, host }: OperatorNoticeParts,
  { id, organizationId }: Channel,
): Promise<void> {
  const found = await store.channels.findDeliveries(organizationId, NO_WATCH, LATEST);
  const own = found.filter(({ channelId }) => channelId === id);
  const sent = Map.groupBy(own, ({ subject }) => subject);
  const open = new Set<string>();
  for (const [title, deliveries] of sent) {
    // What the receiver never accepted is sent again.
    const last = deliveries.find(({ state }) => state !== 'given_up');
    const notice = last === undefined ? null : await store.watches.findNotice(last.noticeId);
    if (notice?.kind === 'failing') open.add(title);
  }
  for (const judged of judgeInstallation(await installation.figures(), host, open)) {
    const { title, isThere, detail, change } = judged;
    if (isThere === open.has(title)) continue;
    const kind = isThere ? ('failing' as const) : ('works_again' as const);
    const sentences = isThere
      ? { title: `openshelf: ${title}`, text: `${detail} ${change}` }
      : { title: `openshelf, solved: ${title}`, text: 'This problem is over.' };
    // Two processes that judge alike write the same notice.
    const noticeId = madeId('ntc', [kind, id, title, sent.get(title)?.[0]?.id].join('\n'));
    const of = { organizationId, watchId: NO_WATCH, listingId: null, kind, atMs: clock.now() };
    const to = { channels: [id], identifiers: [title], body: textBody(sentences) };
    await store.sql.write(insertNoticeToDeliver({ ...of, ...to, id: noticeId }));
  }
}
