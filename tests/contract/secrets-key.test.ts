// Channels without OPENSHELF_SECRETS_KEY (D74): on PostgreSQL everything that needs the key is refused with its own code that
// names the setting, and everything else works; on SQLite the key is created with the first channel.

import assert from 'node:assert/strict';

import { ChannelMade, DeliveryList } from '../../src/answer/wire/watches/channels.ts';
import { WatchAnswer } from '../../src/answer/wire/watches/watches.ts';
import { isOnPostgres } from '../support/databases.ts';
import { startService } from '../support/service.ts';
import { contractService, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const contract = contractService();
const URL_OF_HOOK = 'https://hooks.shop.example/one';
const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

const sent = (method: string, body: unknown, once?: string): Call => ({
  method,
  body: JSON.stringify(body),
  headers: {
    'content-type': 'application/json',
    ...(once === undefined ? {} : { 'idempotency-key': once }),
  },
});

async function refusedForTheKey(path: string, call: Call): Promise<void> {
  const answer = await contract.call(path, call);
  const { detail, title } = refused(answer, 503, 'secrets_key_missing');
  assert.match(String(detail), /OPENSHELF_SECRETS_KEY .*openssl rand -base64 32/, path);
  assert.doesNotMatch(`${String(title)} ${String(detail)}`, /shop /i);
  assert.ok(Number(answer.headers.get('retry-after')) > 0, path);
}

const KINDS: readonly Readonly<Record<string, string>>[] = [
  { kind: 'webhook', url: URL_OF_HOOK },
  { kind: 'webhook', url: URL_OF_HOOK, secret: SECRET },
  { kind: 'ntfy', url: 'https://ntfy.shop.example/topic' },
  { kind: 'discord', url: 'https://discord.com/api/webhooks/1/abcdefghijklmnop' },
];

proves(
  'D74b',
  'a channel without a key is refused by its own code; what is wrong stays 400',
  async () => {
    for (const [at, body] of KINDS.entries()) {
      for (const once of [undefined, `channel-${at}`]) {
        const call = sent('POST', body, once);
        if (isOnPostgres()) await refusedForTheKey('/v1/channels', call);
        else ChannelMade.parse(await contract.ok('/v1/channels', call));
      }
    }
    const wrong = sent('POST', { kind: 'webhook', url: 'http://127.0.0.1/a' });
    refused(await contract.call('/v1/channels', wrong), 400, 'url_not_allowed');
    const list = await contract.ok('/v1/channels');
    assert.equal((list['channels'] as []).length, isOnPostgres() ? 0 : 2 * KINDS.length);
  },
);

proves('D74b', 'a channel made with a key stays readable and removable without one', async () => {
  const env = {
    ...contract.service.dataEnv,
    OPENSHELF_SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  };
  // With a database file the second service would share the folder and therefore the key.
  if (!isOnPostgres()) return;
  await using withKey = await startService({ env, clock: contract.clock });
  const make = async () => {
    const { method = 'POST', headers = {}, body = '' } = sent('POST', KINDS[2], 'made-with');
    const authorization = `Bearer ${withKey.key}`;
    const answer = await fetch(`${withKey.url}/v1/channels`, {
      method,
      headers: { ...headers, authorization },
      body,
    });
    return ChannelMade.parse(await answer.json()).channel.channel_id;
  };
  const id = await make();
  const path = `/v1/channels/${id}`;
  await refusedForTheKey('/v1/channels', sent('POST', KINDS[2], 'made-with'));
  await refusedForTheKey(`${path}/test`, { method: 'POST' });
  await refusedForTheKey(path, sent('PATCH', { url: 'https://ntfy.shop.example/other' }));
  assert.equal(await make(), id, 'the channel is as it was');
  const watched = { identifier: '614141000005', below: 0.01, channels: [id] };
  const made = await contract.ok('/v1/watches', sent('POST', watched));
  const watch = `/v1/watches/${WatchAnswer.parse(made).watch.id}`;
  await contract.ok(`${watch}/test`, { method: 'POST' });
  await contract.app.deliverNotices();
  const [delivery] = DeliveryList.parse(await contract.ok(`${watch}/deliveries`)).deliveries;
  assert.match(delivery?.detail ?? '', /OPENSHELF_SECRETS_KEY/);
  await contract.ok(path, sent('PATCH', { name: 'renamed' }));
  await contract.ok(path, sent('PATCH', { paused: true }));
  await contract.ok(path, { method: 'DELETE' });
});
