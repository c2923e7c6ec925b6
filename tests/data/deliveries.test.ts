// Waiting deliveries of a channel: their cost to the store does not grow with their number (a receiver that is down for a day
// has tens of thousands, and a slow write of the next one makes all commits wait), and none overtakes the one before it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DeliveryResult } from '../../src/rules/channels/channel.ts';
import type { Delivery } from '../../src/rules/channels/stored-channel.ts';
import {
  insertChannel,
  insertDelivery,
  writeOutcome,
} from '../../src/data/watches/channel-writes.ts';
import { createChannels } from '../../src/data/watches/channels.ts';
import type { Statement } from '../../src/data/sql.ts';
import { insertNoticeToDeliver } from '../../src/data/watches/notices-to-deliver.ts';
import { openStore } from '../../src/data/store.ts';
import { SEALED_WEBHOOK } from '../support/channel-messages.ts';
import { openMeteredService } from './metering/metered-service.ts';

const DELIVERED: DeliveryResult = {
  outcome: 'delivered',
  status: 204,
  detail: '',
  excerpt: null,
  retryAfterMs: null,
};
const RETRY: DeliveryResult = { ...DELIVERED, outcome: 'retry', status: 500 };

const DELIVERY: Delivery = {
  id: 'dlv_1',
  organizationId: 'org_1',
  channelId: 'chn_1',
  watchId: 'wtc_1',
  noticeId: 'ntc_1',
  subject: 'product',
  state: 'waiting',
  attempts: 1,
  sinceMs: 1,
  nextAtMs: 1,
  createdAtMs: 1,
  triedAtMs: 1,
  deliveredAtMs: null,
  status: 500,
  detail: null,
  excerpt: null,
};

function outcome(deliveryResult: DeliveryResult, nextAtMs: number | null): readonly Statement[] {
  const written = {
    deliveryResult,
    nowMs: 2,
    nextAtMs,
    failures: 0,
    restUntilMs: 0,
    pauses: false,
  };
  return writeOutcome({ channelId: 'chn_1', token: 'token' }, DELIVERY, written);
}

test('what waits of a channel is not read as a whole by whoever adds to it, takes the next of it, or writes what an attempt came to', async () => {
  await using store = await openStore({ kind: 'sqlite', path: ':memory:' });
  const texts: string[] = [];
  const listening = {
    ...store.sql,
    all: (text: string) => {
      texts.push(text);
      return Promise.resolve([]);
    },
  };
  await createChannels(listening).findNext('chn_1', 2);
  const notice = { id: 'ntc_1', organizationId: 'org_1', watchId: 'wtc_1', atMs: 1 };
  const written = [
    insertDelivery(notice, 'chn_1', 'product'),
    ...outcome(DELIVERED, null),
    ...outcome(RETRY, 3),
  ];
  texts.push(...written.map(({ text }) => text));
  const plans = await Promise.all(
    texts.map((text) =>
      store.sql.all(`explain query plan ${text.replaceAll(/\$\d+/g, 'null')}`).then((rows) => ({
        text,
        steps: rows.map(({ detail }) => String(detail)),
      })),
    ),
  );
  /** One row, the newest of the channel, what waits for one subject, or what is due in delivery order. */
  const isBounded =
    /\(id=\?\)|deliveries_by_seq|deliveries_in_order \(channel_id=\? AND subject=\?|^SEARCH next USING INDEX deliveries_waiting/;
  const unbounded = plans.filter(({ steps }) =>
    steps.some(
      (step) =>
        /TEMP B-TREE/.test(step) || (/^(?:SEARCH|SCAN)/.test(step) && !isBounded.test(step)),
    ),
  );
  assert.ok(plans.length >= 8, `${plans.length} statements`);
  assert.deepEqual(unbounded, []);
});

test('a notice that was written while the attempt before it failed in another process does not overtake it', async () => {
  await using service = await openMeteredService();
  const { store, caller } = service;
  const { organizationId } = caller;
  await store.sql.write([
    insertChannel({ id: 'chn_1', organizationId, ...SEALED_WEBHOOK, createdAtMs: 1 }, 9),
  ]);
  for (const [index, id] of ['ntc_1', 'ntc_2'].entries()) {
    const watched = { watchId: 'wat_1', listingId: null, identifiers: ['lamp'] };
    const about = { organizationId, ...watched, kind: 'test', channels: ['chn_1'] } as const;
    // SAFETY: nobody reads what it says.
    const body = {} as never;
    await store.sql.write(insertNoticeToDeliver({ id, ...about, body, atMs: index + 1 }));
  }
  // The process that failed did not see the newer one yet, so only the first is held back.
  const stored = "update deliveries set next_at_ms = 100 where notice_id = 'ntc_1'";
  await store.sql.write([{ text: stored }]);
  assert.equal(await store.channels.findNext('chn_1', 50), null);
  assert.equal((await store.channels.findNext('chn_1', 150))?.noticeId, 'ntc_1');
});
