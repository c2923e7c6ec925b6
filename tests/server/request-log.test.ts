// One line for every answered request, by which an error's request_id can be found, without what was looked up or the key.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { createRequestLog } from '../../src/base/log.ts';
import { createJudge } from '../contract/support/document.ts';
import { startService, type Service } from '../support/service.ts';

type Line = Readonly<Record<string, unknown>>;

/** Calls the service, stops it, and returns its log lines about requests. */
async function linesOf(
  env: Readonly<Record<string, string>>,
  calls: (service: Service) => Promise<void>,
): Promise<{ readonly text: string; readonly lines: readonly Line[] }> {
  let text = '';
  {
    await using service = await startService({ env, logTo: (lines) => (text += `${lines}\n`) });
    await calls(service);
  }
  const lines = text
    .split('\n')
    .filter((line) => line.includes('"answered"'))
    .map((line) => JSON.parse(line) as Line);
  return { text, lines };
}

test('each answered request is one line with its id, route, status, tokens, time and organization', async () => {
  let key = '';
  let id = '';
  const { text, lines } = await linesOf({}, async (service) => {
    ({ key } = service);
    const { url } = service.sandbox.describe();
    const own = { 'x-request-id': 'order-7' };
    await service.lookup(url.json_ld, '?include_stats=true');
    await service.get('/v1/products/hello!', own);
    const refused = await service.get('/v1/usage', { authorization: 'Bearer wrong' });
    id = String(refused.body['request_id']);
    await service.get('/livez');
    await service.get('/no/such/route');
  });
  const short = lines.map(({ method, route, status, tokens, organization }) =>
    [method, route, status, tokens, organization].join(' '),
  );
  assert.deepEqual(short, [
    'GET /v1/products/{id} 200 1 test',
    'GET /v1/products/{id} 400 0 test',
    'GET /v1/usage 401 0 ',
    'GET /livez 200 0 ',
    'GET unknown 404 0 test',
  ]);
  assert.equal(lines[1]?.['request_id'], 'order-7');
  assert.match(String(lines[1]?.['call_id']), /^[0-9a-z]{9}-[0-9a-f]{20}$/);
  assert.equal(lines[2]?.['request_id'], id);
  assert.ok(lines.every(({ ms }) => typeof ms === 'number' && ms >= 0 && ms < 60_000));
  assert.ok(!text.includes(key));
  const written = JSON.stringify(lines);
  for (const part of ['hello', 'include_stats', 'shop', 'no/such', 'osk_']) {
    assert.ok(!written.includes(part), part);
  }
});

test('a refused call is a line too, under its route, and its 503 is as the contract says', async () => {
  const env = { OPENSHELF_TRUST_PROXY: 'true', OPENSHELF_MAX_PER_ADDRESS: '1' };
  const { lines } = await linesOf(env, async (service) => {
    const from = { 'x-forwarded-for': '192.0.2.1' };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.get('/v1/products/4006381333931', from)),
    );
    const refused = answers.filter(({ body }) => body['code'] === 'overloaded');
    assert.ok(refused.length >= 1);
    const document = (await service.get('/openapi.json')).body;
    const judge = createJudge(document);
    for (const { body, headers } of refused) {
      assert.deepEqual([body['code'], body['tokens_consumed']], ['overloaded', 0]);
      assert.equal(headers.get('x-request-id'), body['request_id']);
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      judge.check({
        method: 'GET',
        target: '/v1/products/4006381333931',
        status: 503,
        contentType: headers.get('content-type') ?? '',
        body,
      });
    }
  });
  const refused = lines.filter(({ status }) => status === 503);
  assert.ok(refused.length >= 1);
  assert.ok(refused.every(({ route }) => route === '/v1/products/{id}'));
  assert.equal(new Set(refused.map((line) => line['request_id'])).size, refused.length);
});

test('the setting leaves the lines out', async () => {
  const { lines } = await linesOf({ OPENSHELF_REQUEST_LOG: 'false' }, async (service) => {
    await service.get('/livez');
  });
  assert.deepEqual(lines, []);
});

test('a key that a caller sends as the id of a request is not written', () => {
  let text = '';
  const log = createRequestLog((lines) => (text += lines));
  log.answered({
    requestId: 'osk_live_abcdefgh_0123456789',
    callId: 'c-1',
    method: 'GET',
    route: '/v1',
    status: 200,
    tokens: 0,
    ms: 1.26,
    organization: 'a "quoted" name',
  });
  log.flush();
  assert.equal(JSON.parse(text)['organization'], 'a "quoted" name');
  assert.equal(JSON.parse(text)['ms'], 1.3);
  assert.doesNotMatch(text, /abcdefgh/);
});

test('a stop serves on for its delay, while /readyz says that no calls may be sent here', async () => {
  await using service = await startService();
  assert.equal((await service.get('/readyz')).status, 200);
  const stopping = service.app.stop(10_000, 1_000);
  assert.equal((await service.get('/readyz')).status, 503);
  const { upc } = service.sandbox.describe();
  const answer = await service.get(`/v1/products/${upc}/history`);
  assert.equal(answer.headers.get('connection'), 'keep-alive');
  assert.equal((await service.get('/livez')).status, 200);
  await stopping;
  await assert.rejects(fetch(`${service.url}/livez`));
});
