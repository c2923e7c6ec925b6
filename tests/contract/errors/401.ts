import assert from 'node:assert/strict';

import { contractService, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

proves(
  'D15a D16b AU-01 D1c',
  'no key and a wrong key have their codes, and WWW-Authenticate',
  async () => {
    const target = `/v1/products/${contract.world.item_id}`;
    const missing = await contract.call(target, { key: null });
    assert.ok(!('tokens_remaining' in refused(missing, 401, 'missing_api_key')));
    assert.equal(missing.headers.get('www-authenticate'), 'Bearer realm="openshelf"');
    const { key } = contract.service;
    assert.ok(key.startsWith('osk_'));
    const wrong = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    for (const text of [wrong, 'osk_live_nothing', 'x']) {
      const answer = await contract.call(target, { key: text });
      refused(answer, 401, 'invalid_api_key');
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*invalid_token/);
      assert.equal(answer.headers.get('ratelimit'), null, 'the key is not known');
    }
  },
);

proves('D15c', 'a wrong key stays 401 however often it is sent', async () => {
  for (let count = 0; count < 60; count += 1) {
    const answer = await contract.call('/v1/usage', { key: `osk_wrong_${count}` });
    assert.equal(answer.status, 401);
  }
});

proves('D15b', 'an expired key is an invalid one', async () => {
  const request = {
    organization: 'guests',
    note: null,
    expiresAtMs: contract.clock.now() + 60_000,
  };
  const key = await contract.newKey(request);
  await contract.ok('/v1/usage', { key });
  contract.clock.advance(61_000);
  refused(await contract.call('/v1/usage', { key }), 401, 'invalid_api_key');
});

proves('D67a', 'the refusal of a key without Bearer says that it is missing', async () => {
  const { key } = contract.service;
  const answer = await contract.call('/v1/usage', { key: null, headers: { authorization: key } });
  const body = refused(answer, 401, 'invalid_api_key');
  assert.match(String(body['detail']), /Authorization: Bearer osk_live_/);
  assert.match(String(body['detail']), /without the word "Bearer" before it/);
});
