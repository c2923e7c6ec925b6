// Sessions of the console (D93) as the holder of their key sees them; tests/server/sessions.test.ts attacks them.

import assert from 'node:assert/strict';

import { SessionList } from '../../src/answer/wire/installation/sessions.ts';
import { contractService } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const contract = contractService();

proves(
  'D93g',
  'a key lists its sessions and ends each of them, free, and no other key does',
  async () => {
    const { service } = contract;
    const newKey = () => contract.newKey({ organization: 'sessions', note: null });
    const [key, stranger] = [await newKey(), await newKey()];
    const signedIn = await fetch(`${service.url}/console/session`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, origin: service.url, 'user-agent': 'Walker/1' },
    });
    const begun = (await signedIn.json()) as { session_id: string; token: string };
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? '';
    const session = { cookie, authorization: `Session ${begun.token}` };
    await service.get('/v1/usage', session);
    const [seen] = SessionList.parse(await contract.ok('/v1/sessions', { key })).sessions;
    assert.deepEqual([seen?.id, seen?.user_agent], [begun.session_id, 'Walker/1']);
    const own = SessionList.parse((await service.get('/v1/sessions', session)).body);
    assert.equal(own.sessions[0]?.is_current, true);
    const path = `/v1/sessions/${begun.session_id}`;
    assert.equal((await contract.call(path, { method: 'DELETE', key: stranger })).status, 404);
    const ended = await contract.ok(path, { method: 'DELETE', key });
    assert.deepEqual([ended['ended'], ended['tokens_consumed']], [true, 0]);
    assert.equal((await service.get('/v1/usage', session)).status, 401);
  },
);
