// The operator's routes and the paths of pictures, as the document promises them.

import assert from 'node:assert/strict';

import { createHostPauses } from '../../src/data/turns/host-pauses.ts';
import {
  NewOperatorKey,
  OperatorInstallation,
  OperatorKeys,
  OperatorQueue,
  OperatorUsage,
} from '../../src/answer/wire/installation/operation.ts';
import { contractService, productPath } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const contract = contractService();

const newOperator = () =>
  contract.newKey({ organization: 'operator', note: 'console', scopes: ['admin'] });

proves('D15g', 'an operator sees usage, queue and what is missing here, free', async () => {
  const key = await newOperator();
  contract.sandbox.disturb('retailer_b', 'blocked');
  try {
    await contract.record(contract.world.upc, '?include_cross_retailer=true');
    const waiting = OperatorQueue.parse(await contract.ok('/v1/admin/queue', { key }));
    assert.ok(waiting.jobs.length > 0, 'the lookup left jobs behind');
    await contract.untilQueueIdle();
    // Mapped shops are not paced, so another one is paused.
    const pauses = createHostPauses(contract.app.store.sql);
    for (let times = 0; times < 5; times += 1) {
      await pauses.failed('shop.example.com', 'some', null, contract.clock.now());
    }
  } finally {
    contract.sandbox.disturb('retailer_b', null);
  }
  const queue = OperatorQueue.parse(await contract.ok('/v1/admin/queue', { key }));
  assert.equal(queue.tokens_consumed, 0);
  const paused = queue.hosts.find(({ host }) => host === 'shop.example.com');
  assert.deepEqual([paused?.failures, paused?.paused_for], [5, 'one_organization']);
  const usage = OperatorUsage.parse(await contract.ok('/v1/admin/usage', { key }));
  assert.ok(usage.organizations.some(({ tokens }) => tokens > 0));
  const { lacks } = OperatorInstallation.parse(
    await contract.ok('/v1/admin/installation', { key }),
  );
  assert.ok(lacks.length > 0 && lacks.every(({ what }) => what.length > 0));
});

proves('D15g', 'an operator makes a key, replaces it and ends it', async () => {
  const key = await newOperator();
  const post = { method: 'POST', key };
  const query = 'organization=guest&note=phone&expires_in_hours=24';
  const made = NewOperatorKey.parse(await contract.ok(`/v1/admin/keys?${query}`, post));
  assert.equal(made.replaces, null);
  assert.equal((await contract.call('/v1/usage', { key: made.key })).status, 200);
  const next = NewOperatorKey.parse(await contract.ok(`/v1/admin/keys/${made.id}/rotate`, post));
  assert.equal(next.replaces, made.id);
  // Normally written by the hourly housekeeping.
  await contract.app.store.accounts.noteKeyUsed(made.id, '2026-11-20');
  const { keys } = OperatorKeys.parse(await contract.ok('/v1/admin/keys', { key }));
  assert.deepEqual(
    keys.filter(({ organization }) => organization === 'guest').map(({ note }) => note),
    ['phone', 'phone'],
  );
  assert.equal(keys.find(({ id }) => id === made.id)?.last_used, '2026-11-20');
  await contract.ok(`/v1/admin/keys/${next.id}/revoke`, post);
  assert.equal((await contract.call('/v1/admin/keys/unknown0/revoke', post)).status, 404);
});

proves(
  'D15g',
  'a path for the picture of what is stored is free and ends after minutes',
  async () => {
    const { url } = contract.world.retailers.retailer_w;
    await contract.record(url);
    const answer = await contract.ok(productPath(url, '/picture'));
    assert.match(String(answer['picture']), /^\/console\/pictures\//);
    assert.equal(answer['tokens_consumed'], 0);
  },
);
