// What callers create and name: malformed ids, names that no database stores, count limits under concurrent calls, and the
// same Idempotency-Key for another body.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import { OWN_SHOP } from '../contract/support/own-shop.ts';
import { startWatchService } from '../support/watch-service.ts';

test('an id or a name with a NUL is refused and is not a failure of the store', async () => {
  await using running = await startWatchService();
  const watch = await running.watch({ identifier: `${OWN_SHOP}/p` });
  const ids: readonly (readonly [string, string])[] = [
    ['GET', '/v1/watches/a%00b'],
    ['PATCH', '/v1/watches/wat_%00'],
    ['DELETE', '/v1/watches/a%00b'],
    ['POST', '/v1/watches/a%00b/test'],
    ['GET', '/v1/watches/a%00b/deliveries'],
    ['POST', `/v1/watches/${watch}/deliveries/a%00b/replay`],
    ['GET', '/v1/channels/a%00b'],
    ['PATCH', '/v1/channels/a%00b'],
    ['DELETE', '/v1/channels/a%00b'],
    ['POST', '/v1/channels/a%00b/test'],
  ];
  for (const [method, path] of ids) {
    const { status, body } = await running.call(method, path, method === 'PATCH' ? {} : undefined);
    assert.deepEqual([status, body['code']], [404, 'not_found'], `${method} ${path}`);
  }
  const channel = { kind: 'ntfy', url: 'https://ntfy.sh/abc' };
  const bodies: readonly (readonly [string, object, string])[] = [
    ['/v1/channels', { ...channel, name: 'a\0b' }, 'invalid_parameter'],
    ['/v1/channels', { ...channel, name: 'a\ud800b' }, 'invalid_parameter'],
    [
      '/v1/watches',
      { identifier: `${OWN_SHOP}/p`, channels: ['chn_\0'.padEnd(26, 'a')] },
      'invalid_parameter',
    ],
    ['/v1/watches', { identifier: `${OWN_SHOP}/p\0` }, 'invalid_identifier'],
    ['/v1/watches', { addresses: [`${OWN_SHOP}/p`, `${OWN_SHOP}/\0q`] }, 'invalid_identifier'],
  ];
  for (const [path, sent, code] of bodies) {
    const { status, body } = await running.call('POST', path, sent);
    assert.deepEqual([status, body['code']], [400, code], JSON.stringify(sent));
  }
});

test('an id of a key with a NUL is not found', async () => {
  await using running = await startWatchService();
  const key = await running.service.newKey({ organization: 'ops', note: null, scopes: ['admin'] });
  for (const action of ['revoke', 'rotate']) {
    const { status } = await running.service.post(`/v1/admin/keys/a%00b/${action}`, {
      authorization: `Bearer ${key}`,
    });
    assert.equal(status, 404, action);
  }
});

test('a path for browsers that names a key with a NUL is a path that has ended', async () => {
  await using running = await startWatchService();
  const claim = { key: 'a\0b', until: Number.MAX_SAFE_INTEGER, what: 'x' };
  const payload = Buffer.from(JSON.stringify(claim)).toString('base64url');
  for (const kind of ['pictures', 'sparklines']) {
    const { status, body } = await running.call('GET', `/console/${kind}/${payload}.x`);
    assert.deepEqual([status, body['code']], [404, 'not_found'], kind);
  }
});

test('a page of watches ends at a megabyte, and the pages after it have the others', async () => {
  await using running = await startWatchService();
  const made: string[] = [];
  for (let watch = 0; watch < 45; watch += 1) {
    const addresses = Array.from(
      { length: 15 },
      (_, at) => `${OWN_SHOP}/${watch}/${at}/${'a'.repeat(4_000)}`,
    );
    made.unshift(await running.watch({ addresses, below: 0.01 }));
  }
  const sizes: number[] = [];
  const listed: string[] = [];
  for (let next: string | null = null; next !== null || sizes.length === 0;) {
    const cursor = next === null ? '' : `&cursor=${next}`;
    const { body } = await running.call('GET', `/v1/watches?limit=500${cursor}`);
    const page = body as {
      readonly watches: readonly { id: string }[];
      readonly next: string | null;
    };
    const { watches } = page;
    listed.push(...watches.map(({ id }) => id));
    sizes.push(JSON.stringify(watches).length);
    ({ next } = page);
  }
  assert.deepEqual(listed.toSorted(), made.toSorted());
  assert.ok(Math.max(...sizes) < 1_200_000, String(sizes));
});

test('calls at once make no more watches, addresses and channels than there may be', async () => {
  await using running = await startWatchService({
    OPENSHELF_MAX_WATCHES: '5',
    OPENSHELF_MAX_WATCHED_ADDRESSES: '7',
    OPENSHELF_MAX_CHANNELS: '3',
  });
  const all = Array.from({ length: 12 }, (_, at) => at);
  const statusesOf = async (bodies: readonly object[], path: string) =>
    (await Promise.all(bodies.map((body) => running.call('POST', path, body))))
      .map(({ status }) => status)
      .toSorted((a, b) => a - b);
  const [ok, refused] = [200, 400];
  const pairs = all.map((at) => ({ addresses: [`${OWN_SHOP}/a/${at}`, `${OWN_SHOP}/b/${at}`] }));
  const threePairs = all.map((at) => (at < 3 ? ok : refused));
  assert.deepEqual(await statusesOf(pairs, '/v1/watches'), threePairs, 'seven addresses');
  const single = { identifier: `${OWN_SHOP}/one","two` };
  assert.equal((await running.call('POST', '/v1/watches', single)).status, ok, 'the seventh');
  const { body: list } = await running.call('GET', '/v1/watches');
  for (const { id } of list['watches'] as readonly { readonly id: string }[]) {
    await running.call('DELETE', `/v1/watches/${id}`);
  }
  const singles = all.map((at) => ({ identifier: `${OWN_SHOP}/q/${at}` }));
  assert.deepEqual(
    await statusesOf(singles, '/v1/watches'),
    all.map((at) => (at < 5 ? ok : refused)),
  );
  const channels = all.map((at) => ({ kind: 'ntfy', url: `https://ntfy.sh/topic${at}` }));
  assert.deepEqual(await statusesOf(channels, '/v1/channels'), threePairs);
});

test('a call that the throttle refuses makes nothing, and its Idempotency-Key stays free', async () => {
  await using running = await startWatchService();
  const { service, clock } = running;
  for (const once of [{}, { 'idempotency-key': 'one' }]) {
    const organization = `slow ${Object.keys(once).length}`;
    const limits = { throttlePerMinute: 1, throttleBurst: 1 };
    const key = await service.newKey({ organization, note: null, ...limits });
    const call = (method: string, path: string, body?: unknown) =>
      running.call(method, path, body, { authorization: `Bearer ${key}`, ...once });
    const watch = { identifier: `${OWN_SHOP}/a` };
    const channel = { kind: 'ntfy', url: 'https://ntfy.sh/abc' };
    assert.equal((await call('GET', '/v1/usage')).status, 200);
    for (const [path, body] of Object.entries({ '/v1/watches': watch, '/v1/channels': channel })) {
      const { status, body: said } = await call('POST', path, body);
      assert.deepEqual([status, said['code']], [429, 'throttled'], path);
      clock.advance(61_000);
      const list = Object.values((await call('GET', path)).body)[0];
      assert.deepEqual(list, [], `${path} has what was refused`);
    }
    clock.advance(61_000);
    assert.equal((await call('POST', '/v1/watches', watch)).status, 200);
    clock.advance(61_000);
    const { watches } = (await call('GET', '/v1/watches')).body as { watches: unknown[] };
    assert.equal(watches.length, 1);
  }
});

test('an Idempotency-Key that is used a day later for another watch is a conflict', async () => {
  await using running = await startWatchService();
  const once = { 'idempotency-key': 'daily' };
  const asked = { identifier: `${OWN_SHOP}/a`, below: 5 };
  const first = await running.call('POST', '/v1/watches', asked, once);
  running.clock.advance(DAY_MS + 3_600_000);
  const again = await running.call('POST', '/v1/watches', asked, once);
  assert.equal(again.status, 200);
  assert.deepEqual(
    (again.body['watch'] as { readonly id: string }).id,
    (first.body['watch'] as { readonly id: string }).id,
  );
  for (const other of [
    { ...asked, below: 9 },
    { ...asked, identifier: `${OWN_SHOP}/b` },
  ]) {
    running.clock.advance(DAY_MS + 3_600_000);
    const { status, body } = await running.call('POST', '/v1/watches', other, once);
    assert.deepEqual([status, body['code']], [409, 'idempotency_conflict']);
  }
});

test('one organization has so many watches of a barcode or a page, in whichever list the page stands', async () => {
  await using running = await startWatchService({ OPENSHELF_MAX_WATCHES_OF_PRODUCT: '3' });
  const page = `${OWN_SHOP}/p`;
  const other = (at: number) => `${OWN_SHOP}/other/${at}`;
  const six = [0, 1, 2, 3, 4, 5];
  for (const bodies of [
    six.map((at) => ({ identifier: '614141000005', below: 1 + at })),
    six.map((at) => ({ addresses: [other(at), at < 2 ? page : `${page}?utm_source=${at}`] })),
  ]) {
    const answers = await Promise.all(
      bodies.map((body) => running.call('POST', '/v1/watches', body)),
    );
    const refused = answers.filter(({ status }) => status === 400);
    assert.equal(refused.length, 3);
    for (const { body } of refused) {
      assert.match(String(body['detail']), /3 watches of this product.*WATCHES_OF_PRODUCT/);
    }
  }
  const { status, body } = await running.call('GET', '/v1/watches');
  const [first] = body['watches'] as readonly { readonly id: string }[];
  assert.equal(status, 200);
  await running.call('DELETE', `/v1/watches/${first?.id}`);
  const again = (below: number) => running.call('POST', '/v1/watches', { identifier: page, below });
  assert.equal((await again(1)).status, 200);
  assert.equal((await again(2)).status, 400);
});
