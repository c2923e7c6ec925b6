// What a channel's notices cost the store does not grow with how many wait: a receiver that is down for a day has tens of
// thousands, and who writes the next one has everybody's commits wait.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Reception } from '../../src/channels/channel.ts';
import type { Delivery } from '../../src/channels/held-channel.ts';
import {
  insertDelivery,
  writeOutcome,
  type Outcome,
} from '../../src/store/watches/channel-writes.ts';
import { createChannels } from '../../src/store/watches/channels.ts';
import type { Statement } from '../../src/store/sql.ts';
import { openStore } from '../../src/store/store.ts';

const DELIVERED: Reception = {
  outcome: 'delivered',
  status: 204,
  detail: '',
  excerpt: null,
  retryAfterMs: null,
};
const RETRY: Reception = { ...DELIVERED, outcome: 'retry', status: 500 };

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

function outcome(reception: Reception, nextAtMs: number | null): readonly Statement[] {
  const written: Outcome = {
    reception,
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
  /** One row, the newest of the channel, what waits of one subject, or what is due in the order in which it is taken. */
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
