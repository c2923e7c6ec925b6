// The demo's watch, and the receiver of its notifications. It shows within a minute what a user's own watch does.

import type { Watching } from '../../wiring/watching.ts';
import { HOUR_MS } from '../../../base/clock.ts';
import { wantedOf } from '../../../answer/wire/watches/watches.ts';
import type { SimulatedReceiver } from '../../../../sandbox/receiver.ts';

const CHANNEL = 'the receiver of this demo';

type Watched = {
  readonly barcode: string;
  /** The present price. */
  readonly cents: number;
};

/**
 * Watches a product for a price below a line that is above the current price, so that the first check fires. If the demo is
 * started again with the same data, it creates a new watch, because its receiver has another port. Returns the line in
 * cents.
 */
export async function makeDemoWatch(
  { manageChannels, manageWatches }: Pick<Watching, 'manageChannels' | 'manageWatches'>,
  owner: { readonly organizationId: string; readonly keyId: string },
  receiver: SimulatedReceiver,
  { barcode, cents }: Watched,
): Promise<number> {
  const { organizationId } = owner;
  const watches = await manageWatches.list(organizationId, 500, null);
  for (const { id, name } of await manageChannels.list(organizationId)) {
    if (name !== CHANNEL) continue;
    const own = watches.filter(({ channels }) => channels.includes(id));
    for (const watch of own) await manageWatches.remove(organizationId, watch.id);
    await manageChannels.remove(organizationId, id);
  }
  const url = `http://${receiver.place}/notices`;
  const wanted = { kind: 'webhook', name: CHANNEL, fields: { url } } as const;
  const { channel } = await manageChannels.add(organizationId, wanted, null);
  // The line is well above the price, because a market that changes hourly may move before the check.
  const line = Math.ceil((cents * 1.25) / 100) * 100;
  const sent = { identifier: barcode, below: line / 100, interval: HOUR_MS };
  // The simulated market is in dollars.
  const body = wantedOf(sent, 'USD');
  await manageWatches.add(owner, { ...body, channels: [channel.id] }, null);
  return line;
}
