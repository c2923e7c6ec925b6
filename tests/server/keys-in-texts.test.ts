// A key in the wrong place: one that a caller puts there reaches no shop and no table, and the operator's own for official
// APIs reach nothing but these APIs.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { DAY_MS } from '../../src/base/clock.ts';
import { parseInput } from '../../src/answer/lookup/steps/parse-input.ts';
import { publicOrigins } from '../../src/read/retailers/addresses/public-origins.ts';
import type { OfficialApi } from '../../sandbox/api-errors.ts';
import { failuresOf, OFFICIAL_APIS } from '../../sandbox/api-failures.ts';
import { newSignedCaller } from '../../sandbox/retailer-w/signature.ts';
import { SANDBOX_ACCESS, SANDBOX_CREDENTIALS } from '../../sandbox/tokens.ts';
import { runCommand } from '../support/command.ts';
import { startService, type Service } from '../support/service.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

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

/** Ids, secrets and keys; the other settings of official APIs are public. */
const SECRETS = [
  SANDBOX_ACCESS.clientId,
  SANDBOX_ACCESS.clientSecret,
  SANDBOX_ACCESS.apiKey,
  SANDBOX_ACCESS.refreshToken,
  SANDBOX_ACCESS.consumerId,
];

/** Headers with a credential, a token or a signature. */
const SECRET_HEADERS = [
  'authorization',
  'x-amz-access-token',
  'wm_sec.access_token',
  'wm_sec.auth_signature',
  'wm_consumer.id',
];

const SLUGS: Readonly<
  Record<OfficialApi, 'retailer_w' | 'retailer_a' | 'retailer_e' | 'retailer_b'>
> = {
  affiliate: 'retailer_w',
  marketplace: 'retailer_w',
  creators: 'retailer_a',
  selling_partner: 'retailer_a',
  browse: 'retailer_e',
  products: 'retailer_b',
};

const OFFICIAL_ORIGINS = new Set(
  Object.values(SLUGS).flatMap((slug) => Object.values(publicOrigins()[slug].api)),
);

test('no credential, token or signature of an official API is in an answer, a log, a metric or the data, however the API fails', async () => {
  const clock = shiftedClock();
  const { caller, privateKey } = newSignedCaller(
    SANDBOX_ACCESS.consumerId,
    SANDBOX_ACCESS.keyVersion,
  );
  const credentials = { ...SANDBOX_CREDENTIALS, OPENSHELF_RETAILER_W_PRIVATE_KEY: privateKey };
  const texts: string[] = [];
  await using service = await startService({
    clock,
    withRetailers: true,
    signedCaller: caller,
    env: { ...credentials, OPENSHELF_HOST_INTERVAL_MS: '250' },
    logTo: (lines) => void texts.push(lines),
  });
  const { sandbox } = service;
  const admin = await service.newKey({ organization: 'operator', note: null, scopes: ['admin'] });
  const ask = async (path: string, key = service.key, method = 'GET') => {
    const answer = await fetch(`${service.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}` },
    });
    texts.push(JSON.stringify([...answer.headers]), await answer.text());
  };
  const { upc, retailers } = sandbox.describe();
  const given = new Set<string>(SECRETS);
  const seen = new Set<string>();
  let asked = 0;
  for (const api of OFFICIAL_APIS) {
    const { url } = retailers[SLUGS[api]];
    for (const kind of failuresOf(api)) {
      sandbox.fail(api, kind);
      // Its other API answers first.
      if (api === 'marketplace') sandbox.fail('affiliate', 'unavailable');
      // No pause of before is left, nor a token.
      clock.advance(2 * DAY_MS);
      const query = `retailer=${SLUGS[api]}&force_refresh=true`;
      await ask(`/v1/products/${upc}?${query}`);
      await ask(
        `/v1/products/${encodeURIComponent(url)}?${query}&include_offers=true&include_seller_context=true`,
      );
      await service.untilQueueIdle();
      await ask('/v1/retailers');
    }
    sandbox.fail(api, null);
    for (const { origin, path, headers } of sandbox.requests().slice(asked)) {
      const sent = SECRET_HEADERS.flatMap((name) => headers[name] ?? []);
      if (OFFICIAL_ORIGINS.has(origin)) {
        for (const value of sent) given.add(value.replace(/^(?:Bearer|Basic) /, ''));
        seen.add(origin);
        continue;
      }
      assert.deepEqual(sent, [], `${origin}${path}`);
      assert.ok(![...given].some((secret) => path.includes(secret)), `${origin}${path}`);
    }
    asked = sandbox.requests().length;
  }
  assert.ok(
    seen.size > OFFICIAL_APIS.length,
    `asked, with the token services: ${[...seen].join()}`,
  );
  for (const path of ['/metrics', '/v1/admin/installation', '/v1/admin/queue', '/openapi.json']) {
    await ask(path, admin);
  }
  using folder = temporaryFolder();
  const origins = Object.entries(sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, ...credentials, OPENSHELF_ORIGINS: origins.join(',') };
  for (const args of [
    ['doctor', '--probe'],
    ['dump', join(folder.path, 'dump')],
  ]) {
    const { code, stdout, stderr } = await runCommand(args, { env });
    assert.notEqual(code, 2, stderr);
    texts.push(stdout, stderr);
  }
  texts.push(readFileSync(join(folder.path, 'dump'), 'latin1'), await storedTexts(service));
  const whole = texts.join('\n');
  assert.ok(whole.length > 100_000 && given.size > 30);
  for (const secret of [...given, privateKey.slice(40, 100), 'sbx.']) {
    for (const form of [secret, encodeURIComponent(secret), btoa(secret)]) {
      const at = whole.indexOf(form);
      assert.equal(at, -1, whole.slice(Math.max(0, at - 200), at + 100));
    }
  }
});
