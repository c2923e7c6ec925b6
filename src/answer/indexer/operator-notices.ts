// Notifies the operator of what has to be fixed in the installation, through the channel that a setting names: once when it
// begins and once when it is over. The deliveries themselves are the record of what was sent.

import { HOUR_MS, type Clock } from '../../base/clock.ts';
import type { Log } from '../../base/log.ts';
import { madeId } from '../../data/made-id.ts';
import type { Store } from '../../data/store.ts';
import { insertNoticeToDeliver } from '../../data/watches/notices-to-deliver.ts';
import type { Channel, Delivery } from '../../rules/channels/stored-channel.ts';
import {
  judgeInstallation,
  type InstallationFigures,
  type Judged,
} from '../../rules/installation-troubles.ts';
import { textBody } from '../../rules/watches/notice.ts';

type OperatorNoticeParts = {
  readonly store: Pick<Store, 'sql' | 'channels' | 'watches'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Pick<Log, 'warn'>;
  readonly installation: () => Promise<InstallationFigures>;
  /** The name of this machine. */
  readonly host: string;
  /** The id of the channel; null if the operator wants no notices. */
  readonly channelId: string | null;
};

/** More notices than one channel gets of the operator's troubles in the time for which deliveries are stored. */
const MOST_SENT = 200;
/** The watch of notices that belong to none. */
const NO_WATCH = '';

/** Returns what a background round calls. At most once an hour it reads the figures. */
export function createOperatorNotices(parts: OperatorNoticeParts): () => Promise<void> {
  let atMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = parts.clock.now();
    if (parts.channelId === null || Math.abs(nowMs - atMs) < HOUR_MS) return;
    atMs = nowMs;
    await notifyOperator(parts, parts.channelId);
  };
}

async function notifyOperator(parts: OperatorNoticeParts, channelId: string): Promise<void> {
  const { store, log, installation, host } = parts;
  const channel = await store.channels.findOfAny(channelId);
  if (channel === null || channel.isUnconfirmed || channel.pausedAtMs !== null) {
    log.warn(unusableText(channelId));
    return;
  }
  const sent = await sentThrough(parts, channel);
  const isOpen = (name: string) => sent.get(name)?.isOpen ?? false;
  const changed = judgeInstallation(await installation(), host, isOpen).filter(
    ({ name, problem }) => isOpen(name) !== (problem !== null),
  );
  for (const judged of changed) {
    await store.sql.write(noticeOf(parts, channel, judged, sent.get(judged.name)?.newest ?? null));
  }
}

/** The sentence about a channel through which the operator cannot be notified. */
export function unusableText(channelId: string): string {
  return (
    `The operator is not notified: the channel ${channelId} is deleted, paused or not confirmed. ` +
    'Set OPENSHELF_OPERATOR_CHANNEL to an id that openshelf channel list prints.'
  );
}

type Sent = {
  readonly newest: Delivery;
  /** Whether the operator knows of the trouble: a notice that the receiver never accepted does not count. */
  readonly isOpen: boolean;
};

/** Returns what was sent about each trouble, by its name. */
async function sentThrough(
  { store }: OperatorNoticeParts,
  { id, organizationId }: Channel,
): Promise<ReadonlyMap<string, Sent>> {
  const page = { limit: MOST_SENT, after: null };
  const found = await store.channels.findDeliveries(organizationId, NO_WATCH, page);
  const own = Map.groupBy(
    found.filter(({ channelId }) => channelId === id),
    ({ subject }) => subject,
  );
  const sent = new Map<string, Sent>();
  for (const [name, [newest, ...older]] of own) {
    if (newest === undefined) continue;
    const last = [newest, ...older].find(({ state }) => state !== 'given_up');
    const notice = last === undefined ? null : await store.watches.findNotice(last.noticeId);
    sent.set(name, { newest, isOpen: notice?.kind === 'failing' });
  }
  return sent;
}

/** Two processes that judge alike write the same notice, which is stored once. */
function noticeOf(
  { clock }: OperatorNoticeParts,
  { id, organizationId }: Channel,
  { name, title, problem }: Judged,
  previous: Delivery | null,
) {
  const kind = problem === null ? 'works_again' : 'failing';
  const text = problem ?? 'This is no longer so.';
  return insertNoticeToDeliver({
    id: madeId('ntc', `${kind}\n${id}\n${name}\n${previous?.id ?? ''}`),
    organizationId,
    watchId: NO_WATCH,
    listingId: null,
    kind,
    body: textBody({ title: `openshelf: ${problem === null ? `over: ${title}` : title}`, text }),
    atMs: clock.now(),
    channels: [id],
    identifiers: [name],
  });
}
