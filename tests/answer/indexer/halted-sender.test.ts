// A process that is suspended with its machine and resumes: another process may meanwhile have sent the notice it was about
// to send.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { DeliveryResult } from '../../../src/rules/channels/channel.ts';
import { MINUTE_MS } from '../../../src/base/clock.ts';
import { createDeliveries } from '../../../src/answer/indexer/deliver-notices.ts';
import { insertChannel } from '../../../src/data/watches/channel-writes.ts';
import { insertNoticeToDeliver } from '../../../src/data/watches/notices-to-deliver.ts';
import { SEALED_WEBHOOK } from '../../support/channel-messages.ts';
import { openMeteredService, type MeteredService } from '../../data/metering/metered-service.ts';

type DeliveryParts = Parameters<typeof createDeliveries>[0];

const DELIVERED: DeliveryResult = {
  outcome: 'delivered',
  status: 204,
  detail: '',
  excerpt: null,
  retryAfterMs: null,
};

const NOTICES = ['ntc_1', 'ntc_2'];

/** A channel with two waiting notices of one product. */
async function openWaiting(): Promise<MeteredService> {
  const service = await openMeteredService();
  const { store, clock, caller } = service;
  const { organizationId } = caller;
  const createdAtMs = clock.now();
  await store.sql.write([
    insertChannel({ id: 'chn_1', organizationId, ...SEALED_WEBHOOK, createdAtMs }, 9),
  ]);
  for (const id of NOTICES) {
    const watched = { watchId: 'wat_1', listingId: null, identifiers: ['lamp'] };
    const about = { organizationId, ...watched, kind: 'test', channels: ['chn_1'] } as const;
    // SAFETY: nobody reads what it says.
    const body = {} as never;
    await store.sql.write(insertNoticeToDeliver({ id, ...about, body, atMs: clock.now() }));
  }
  return service;
}

function senderOf(
  { store, clock }: MeteredService,
  more: Pick<DeliveryParts, 'newToken' | 'send'> & Partial<DeliveryParts>,
) {
  return createDeliveries({
    sql: store.sql,
    channels: store.channels,
    watches: store.watches,
    clock,
    targetOf: () => ({ kind: 'discord', url: 'https://discord.example' }),
    unreadable: DELIVERED,
    tried: () => undefined,
    onError: (what, error) => assert.fail(`${what}: ${String(error)}`),
    ...more,
  });
}

test('a process that stood still for longer than its lease on a channel sends nothing that another one has sent meanwhile', async () => {
  await using service = await openWaiting();
  const { store, clock } = service;
  const sent: string[] = [];
  const send = (by: string): DeliveryParts['send'] => {
    return (_target, { id }) => {
      sent.push(`${id} by ${by}`);
      return Promise.resolve(DELIVERED);
    };
  };
  const other = senderOf(service, { newToken: () => 'other', send: send('the other') });
  let tokens = 0;
  const halted = senderOf(service, {
    newToken: () => `halted ${(tokens += 1)}`,
    send: send('the halted one'),
    watches: {
      // It is suspended while it reads the notice to send.
      findNotice: async (id) => {
        const notice = await store.watches.findNotice(id);
        if (sent.length === 0) {
          clock.advance(MINUTE_MS);
          await other.deliverDue();
        }
        return notice;
      },
    },
  });
  await halted.deliverDue();
  assert.deepEqual(sent, ['ntc_1 by the other', 'ntc_2 by the other']);
});

test('a process that stood still while nobody else sends goes on with a new lease', async () => {
  await using service = await openWaiting();
  const { store, clock } = service;
  const sent: string[] = [];
  let halts = 1;
  let tokens = 0;
  const halted = senderOf(service, {
    newToken: () => `halted ${(tokens += 1)}`,
    send: (_target, { id }) => {
      sent.push(id);
      return Promise.resolve(DELIVERED);
    },
    watches: {
      findNotice: async (id) => {
        if ((halts -= 1) >= 0) clock.advance(MINUTE_MS);
        return await store.watches.findNotice(id);
      },
    },
  });
  await halted.deliverDue();
  assert.deepEqual([sent, tokens], [NOTICES, 2]);
});
