// Pictures through the service: by a path signed for one stored product, for minutes, and only if the bytes are a picture.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import { MINUTE_MS, systemOffset } from '../support/picture-shop.ts';
import { openPictureShop, PICTURE_SHOP, type PictureShop } from '../support/picture-shop.ts';
import { startService, type Service } from '../support/service.ts';

let shop: PictureShop;
let service: Service;
const clock = systemOffset();

before(async () => {
  shop = await openPictureShop();
  service = await startService({
    clock,
    env: { OPENSHELF_ORIGINS: `${PICTURE_SHOP}=${shop.url}` },
  });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await shop.close();
});

async function pathOf(name: string): Promise<string> {
  const id = `${PICTURE_SHOP}/p/${name}`;
  assert.equal((await service.lookup(id)).status, 200);
  const { status, body } = await service.get(`/v1/products/${encodeURIComponent(id)}/picture`);
  assert.equal(status, 200, JSON.stringify(body));
  assert.equal(body['tokens_consumed'], 0);
  return String(body['picture']);
}

const load = (path: string) => fetch(`${service.url}${path}`);

test('the path answers the picture without a key, with the type of its bytes, sandboxed and kept for minutes', async () => {
  const answer = await load(await pathOf('png'));
  assert.equal(answer.status, 200);
  assert.equal(answer.headers.get('content-type'), 'image/png');
  assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/);
  assert.match(answer.headers.get('cache-control') ?? '', /^private, max-age=600$/);
  assert.deepEqual(Buffer.from(await answer.arrayBuffer()), shop.png);
  await load(await pathOf('png'));
  assert.equal(shop.asked('/png'), 1, 'a second look is answered from memory');
});

test('a picture that many load at once is asked for once', async () => {
  const path = await pathOf('held');
  const loads = Array.from({ length: 20 }, () => load(path));
  for (let round = 0; !/kind="fetching"} 20$/m.test(await metricsOf(service)); round += 1) {
    assert.ok(round < 2_000, 'twenty loads are under way');
  }
  shop.answer();
  const statuses = (await Promise.all(loads)).map(({ status }) => status);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.equal(shop.asked('/held'), 1);
});

const metricsOf = async ({ url }: Service): Promise<string> =>
  await (await fetch(`${url}/metrics`)).text();

test('what is not a picture is not sent on, whatever the shop calls it', async () => {
  for (const name of ['svg', 'html', 'lie']) {
    const answer = await load(await pathOf(name));
    const { code } = (await answer.json()) as { code: string };
    assert.deepEqual([answer.status, code], [422, 'source_unusable'], name);
  }
  const large = await load(await pathOf('large'));
  assert.equal(large.status, 503, 'more than 2 MiB');
  assert.equal((await load(await pathOf('gone'))).status, 404);
});

test('a product without a picture, and one that is not held, have no path', async () => {
  const none = `${PICTURE_SHOP}/p/none`;
  assert.equal((await service.lookup(none)).status, 200);
  for (const id of [none, '614141000005', `${PICTURE_SHOP}/p/never-looked-up`]) {
    const { status, body } = await service.get(`/v1/products/${encodeURIComponent(id)}/picture`);
    assert.equal(status, 200);
    assert.deepEqual([body['picture'], body['expires_at']], [null, null], id);
  }
});

test('a path that was changed, has ended, or whose key was revoked is 404', async () => {
  const path = await pathOf('png');
  const [head = '', payload = '', signature = ''] =
    /^(.*\/)([^.]+)\.(.+)$/.exec(path)?.slice(1) ?? [];
  const other = Buffer.from(
    Buffer.from(payload, 'base64url').toString().replace('/png', '/svg'),
  ).toString('base64url');
  const wrong = [
    `${head}${other}.${signature}`,
    `${head}${payload}.${signature.slice(0, -2)}xx`,
    `${head}${payload}`,
    `${head}${payload}.`,
    `${head}x.y.z`,
    `${head}%00`,
  ];
  for (const each of wrong) assert.equal((await load(each)).status, 404, each);
  const key = await service.newKey({ organization: 'test', note: null });
  const asKey = { authorization: `Bearer ${key}` };
  const id = encodeURIComponent(`${PICTURE_SHOP}/p/png`);
  const own = String((await service.get(`/v1/products/${id}/picture`, asKey)).body['picture']);
  assert.equal((await load(own)).status, 200);
  await service.app.store.accounts.revokeKey(key.slice(9, 17), clock.now());
  assert.equal((await load(own)).status, 404);
  assert.equal((await load(path)).status, 200);
  clock.pass(11 * MINUTE_MS);
  assert.equal((await load(path)).status, 404);
});

test('with OPENSHELF_PICTURES=false there is no path, and none that was given before holds', async () => {
  const env = { OPENSHELF_ORIGINS: `${PICTURE_SHOP}=${shop.url}`, OPENSHELF_PICTURES: 'false' };
  await using silent = await startService({ env });
  const id = `${PICTURE_SHOP}/p/png`;
  assert.equal((await silent.lookup(id)).status, 200);
  const { body } = await silent.get(`/v1/products/${encodeURIComponent(id)}/picture`);
  assert.equal(body['picture'], null);
  assert.equal((await fetch(`${silent.url}/console/pictures/x.y`)).status, 404);
});
