import assert from 'node:assert/strict';

import { contractService, refused, type Call } from '../support/contract-service.ts';
import { proves } from '../support/proves.ts';

const contract = contractService({ isStill: true });

const BURST = 200;
const LIMITS = { note: null, throttlePerMinute: 1, throttleBurst: BURST };
const json = (body: object | string, method = 'POST'): Call => ({
  method,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

/** Returns how many requests would be admitted now, as the answer to a known key states. */
const leftIn = (headers: Headers): number =>
  Number(/"throttle";r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

/** One call of each refused kind, with its status. */
const REFUSALS: readonly (readonly [status: number, target: string, call?: Call])[] = [
  [400, '/v1/products/hello%20world!'],
  [400, '/v1/products/614141000005?inclde_stats=1'],
  [400, '/v1/products/614141000005?format=EAN&format=UPC'],
  [400, '/v1/products/614141000005', { headers: { 'idempotency-key': 'k'.repeat(300) } }],
  [400, '/v1/products'],
  [400, '/v1/usage?month=1'],
  [400, '/v1/watches', json({ identifer: '614141000005' })],
  [400, '/v1/watches', json('{"identifier":')],
  [400, '/v1/channels', json([])],
  [400, '/v1/products/batch', { method: 'POST', body: '\n' }],
  [403, '/v1/admin/usage'],
  [404, '/v1/products/9901234567899/history'],
  [404, '/v1/watches/wat_nothing'],
  [404, '/v1/usages'],
  [404, `/v1/${'w/'.repeat(4_000)}`],
  [405, '/v1/usage', { method: 'PUT' }],
  [405, '/livez', { method: 'DELETE' }],
  [413, '/v1/usage', json({ a: 1 }, 'DELETE')],
  [413, '/v1/watches', json({ text: 'x'.repeat(70_000) })],
  [414, `/v1/products/${'a'.repeat(9_000)}`],
];

proves(
  'D20f',
  'a refused call of a known key counts in the throttle once, whatever is wrong',
  async () => {
    const key = await contract.newKey({ organization: 'clumsy', ...LIMITS });
    let left = leftIn((await contract.call('/v1/usage', { key })).headers);
    assert.equal(left, BURST - 1);
    for (const [status, target, call = {}] of REFUSALS) {
      const answer = await contract.call(target, { ...call, key });
      const what = `${call.method ?? 'GET'} ${target.slice(0, 60)}`;
      assert.equal(answer.status, status, what);
      left -= 1;
      assert.equal(leftIn(answer.headers), left, what);
      assert.equal(answer.body['tokens_consumed'], 0, what);
      assert.equal(answer.body['tokens_remaining'], 1_000_000, what);
    }
  },
);

const message = (method: string, params: object): object => ({
  jsonrpc: '2.0',
  id: 1,
  method,
  params,
});
const tool = (name: string, input: object): object =>
  message('tools/call', { name, arguments: input });

/** Agent messages: those that are refused, and those answered with one call of a route. */
const MESSAGES: readonly (readonly [object, headers?: Readonly<Record<string, string>>])[] = [
  [tool('lokup', { identifier: '614141000005' })],
  [tool('lookup', {})],
  [tool('lookup', { identifier: 'hello world!' })],
  [tool('compare', { identifier: '614141000005', cost: -1 })],
  [tool('compare', { identifier: '614141000005' }), { 'x-token-budget': '1' }],
  [tool('compare', { identifier: '614141000005' }), { 'x-token-budget': 'much' }],
  [tool('find', { words: 'brass tray' })],
  [message('tools/cal', {})],
  [message('tools/call', { arguments: {} })],
  [{ text: 'no message' }],
  [[message('tools/list', {})]],
  [tool('lookup', {}), { 'content-type': 'text/plain' }],
];

proves(
  'D20f',
  'a refused message of an agent counts once, as its call of a route does',
  async () => {
    const key = await contract.newKey({ organization: 'agents', ...LIMITS });
    let left = leftIn((await contract.call('/v1/usage', { key })).headers);
    for (const [body, headers = {}] of MESSAGES) {
      const answer = await fetch(`${contract.service.url}/mcp`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...headers,
        },
        body: JSON.stringify(body),
      });
      const text = await answer.text();
      left -= 1;
      assert.equal(leftIn(answer.headers), left, `${JSON.stringify(body)} ${text}`);
    }
  },
);

proves('D20f', 'a refused line of a batch counts once, as one that is answered does', async () => {
  const key = await contract.newKey({ organization: 'lines', ...LIMITS });
  await contract.record(contract.world.item_id, '', { key });
  const before = leftIn((await contract.call('/v1/usage', { key })).headers);
  const lines = [
    '{}',
    'no JSON',
    '{"id":"hello world!"}',
    '{"id":"614141000005","inclde_stats":true}',
    `{"id":"${contract.world.item_id}"}`,
  ];
  const call = { method: 'POST', key, body: lines.join('\n') };
  const { body } = await contract.call('/v1/products/batch', call);
  const statuses = (body['lines'] as readonly { readonly status: number }[]).map(
    (each) => each.status,
  );
  assert.deepEqual(statuses, [400, 400, 400, 400, 200]);
  const after = leftIn((await contract.call('/v1/usage', { key })).headers);
  assert.equal(after, before - lines.length - 1);
});

proves('D20g', 'a refusal beyond the throttle is 429, and a wrong key stays 401', async () => {
  const limits = { note: null, throttlePerMinute: 1, throttleBurst: 1 };
  const key = await contract.newKey({ organization: 'tireless', ...limits });
  const [first] = REFUSALS;
  assert.equal((await contract.call(first?.[1] ?? '', { key })).status, 400);
  for (const [, target, call = {}] of REFUSALS) {
    const answer = await contract.call(target, { ...call, key });
    refused(answer, 429, 'throttled');
    assert.ok(Number(answer.headers.get('retry-after')) > 0, target.slice(0, 60));
    assert.equal(leftIn(answer.headers), 0);
  }
  for (let call = 0; call < 5; call += 1) {
    const answer = await contract.call('/v1/usage?month=1', { key: `${key}x` });
    refused(answer, 401, 'invalid_api_key');
  }
  contract.clock.advance(60_000);
  assert.equal((await contract.call('/v1/usages', { key })).status, 404);
});

proves(
  'D20f D20g',
  'of calls at once, refused and charged, exactly the burst is admitted',
  async () => {
    const page = contract.world.item_id;
    const limits = { note: null, throttlePerMinute: 1, throttleBurst: 30 };
    const key = await contract.newKey({ organization: 'crowd', ...limits });
    await contract.record(page);
    const answers = await Promise.all(
      Array.from({ length: 60 }, (_, at) =>
        contract.service.get(
          at % 3 === 0 ? `/v1/products/${page}` : at % 3 === 1 ? '/v1/usages' : '/v1/usage?month=1',
          { authorization: `Bearer ${key}` },
        ),
      ),
    );
    const throttled = answers.filter(({ status }) => status === 429);
    assert.equal(throttled.length, 30);
    const charged = answers.filter(({ status }) => status === 200).length;
    contract.clock.advance(60_000);
    const { body } = await contract.call('/v1/usage', { key });
    assert.equal(body['tokens_used'], charged);
  },
);
