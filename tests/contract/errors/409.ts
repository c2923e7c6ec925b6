import assert from 'node:assert/strict';

import { contractService, productPath, refused } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService();

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });

proves(
  'D21a D16c',
  'the same key and request are answered again, free, and marked as a replay',
  async () => {
    const target = productPath(contract.world.upc, '?include_stats=0&include_history=0');
    const first = await contract.call(target, keyed('a'));
    const left = await contract.left();
    assert.equal(first.headers.get('idempotency-replayed'), null);
    for (const again of [
      target,
      productPath(contract.world.upc, '?include_history=0&include_stats=0'),
    ]) {
      const second = await contract.call(again, keyed('a'));
      assert.equal(second.status, 200);
      assert.equal(second.headers.get('idempotency-replayed'), 'true');
      assert.deepEqual(second.body, first.body);
    }
    assert.equal(await contract.left(), left);
  },
);

proves('D21a', 'after 24 hours the key is new', async () => {
  const target = productPath(contract.world.url.json_ld);
  await contract.ok(target, keyed('day'));
  contract.clock.advance(24 * 3_600_000 + 1_000);
  const later = await contract.call(target, keyed('day'));
  assert.equal(later.headers.get('idempotency-replayed'), null);
  assert.equal(later.status, 200);
});

proves('D21b', 'the same key with another request is 409', async () => {
  await contract.ok(productPath(contract.world.upc), keyed('b'));
  for (const [target, method] of [
    [productPath(contract.world.upc, '?include_stats=0'), 'GET'],
    [productPath(contract.world.gtin), 'GET'],
    [productPath(contract.world.upc, '/history'), 'GET'],
    [productPath(contract.world.upc, '/refresh'), 'POST'],
  ] as const) {
    const answer = await contract.call(target, { ...keyed('b'), method });
    refused(answer, 409, 'idempotency_conflict');
  }
});

proves(
  'D21c',
  'while the first call runs, the second is 409 with Retry-After: 1, or its replay',
  async () => {
    const target = productPath(contract.world.variant_url);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => contract.call(target, keyed('c'))),
    );
    const first = answers.filter(
      ({ status, headers }) => status === 200 && headers.get('idempotency-replayed') === null,
    );
    assert.equal(first.length, 1, 'one call was worked for');
    const running = answers.filter(({ status }) => status === 409);
    assert.ok(running.length > 0);
    for (const answer of running) assert.equal(answer.headers.get('retry-after'), '1');
  },
);

proves('D21d', 'only a 2xx is kept: after a refusal the key is free', async () => {
  refused(await contract.call(productPath('hello!'), keyed('d')), 400, 'invalid_identifier');
  const { broken } = contract.world.trouble;
  refused(await contract.call(productPath(broken), keyed('d')), 503, 'upstream_unavailable');
  const answer = await contract.call(productPath(contract.world.asin), keyed('d'));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('idempotency-replayed'), null);
});

proves('D21e', 'a key is 1 to 255 printable ASCII characters', async () => {
  const target = productPath(contract.world.upc);
  await contract.ok(target, keyed('k'.repeat(255)));
  for (const text of ['k'.repeat(256), 'schlüssel', 'tab\there', '']) {
    const body = refused(await contract.call(target, keyed(text)), 400, 'invalid_parameter');
    assert.equal(body['parameter'], 'Idempotency-Key');
  }
});
