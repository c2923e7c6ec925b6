// A key that a caller puts in the wrong place: no shop receives it, no one else sees it, and no table contains it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseInput } from '../../src/answer/lookup/steps/parse-input.ts';
import { startService, type Service } from '../support/service.ts';

type More = { readonly body?: string; readonly headers?: Readonly<Record<string, string>> };

async function send({ url, key }: Service, method: string, path: string, more: More = {}) {
  const headers = { authorization: `Bearer ${key}`, ...more.headers };
  const answer = await fetch(`${url}${path}`, { method, ...more, headers });
  return { status: answer.status, body: await answer.text() };
}

/** Returns every table as text. */
async function storedTexts({ app }: Service): Promise<string> {
  const { sql } = app.store;
  const names = await sql.all(
    sql.dialect === 'sqlite'
      ? `select name from sqlite_master where type = 'table'`
      : `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
  );
  const tables = await Promise.all(names.map(({ name }) => sql.all(`select * from "${name}"`)));
  return JSON.stringify(tables);
}

test('an address or an identifier with a key in it is refused in words, whatever way it comes, and kept nowhere', async () => {
  await using service = await startService();
  const { key } = service;
  const page = service.sandbox.describe().url.json_ld;
  const address = `${page}${page.includes('?') ? '&' : '?'}token=${key}`;
  const inPath = encodeURIComponent(address);
  const json = (value: object) => ({
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json' },
  });
  const calls: readonly (readonly [string, string, More?])[] = [
    ['GET', `/v1/products/${inPath}`],
    ['GET', `/v1/products?url=${inPath}`],
    ['GET', `/v1/products?url=${encodeURIComponent(address.replaceAll('_', '%5F'))}`],
    ['GET', `/v1/products/${inPath}/history`],
    ['GET', `/v1/products/${inPath}/compare`],
    ['GET', `/v1/products/${inPath}/reviews`],
    ['POST', `/v1/products/${inPath}/refresh`],
    ['GET', `/v1/products/${key}`],
    ['POST', '/v1/products/batch', json({ id: address })],
    ['POST', '/v1/watches', json({ identifier: address })],
    ['POST', '/v1/watches', json({ addresses: [address] })],
  ];
  for (const [method, path, more] of calls) {
    const { body } = await send(service, method, path, more);
    assert.match(body, /"invalid_identifier"/, `${method} ${path}: ${body}`);
    assert.match(body, /contains an API key/);
  }
  await service.untilQueueIdle();
  const secret = key.split('_').at(-1) ?? assert.fail('no secret');
  assert.ok(!(await storedTexts(service)).includes(secret));
  assert.equal((await service.lookup(page)).status, 200, 'without the key it is answered');
});

test('a key is no Idempotency-Key', async () => {
  await using service = await startService();
  const { upc } = service.sandbox.describe();
  for (const [method, path] of [
    ['GET', `/v1/products/${upc}`],
    ['POST', '/v1/products/batch'],
  ] as const) {
    const { status, body } = await send(service, method, path, {
      headers: { 'idempotency-key': `retry ${service.key}` },
      ...(method === 'POST' ? { body: `{"id":"${upc}"}` } : {}),
    });
    assert.equal(status, 400, body);
    assert.match(body, /contain no API key/);
  }
});

test('what is only like a key is looked up as ever', () => {
  for (const text of [
    'https://shop.example/p?k=osk_live_',
    'https://shop.example/p?k=osk_live_abcdefgh_short',
    'https://shop.example/kosk-live-abcdefgh-0123456789abcdefghijklmnopqrstuv',
  ]) {
    assert.equal(parseInput(text).ok, true, text);
  }
});
