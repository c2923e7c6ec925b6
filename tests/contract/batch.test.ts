// A batch of lookups against the simulated market (D72, D74): the answer to each line, and its cost.

import assert from 'node:assert/strict';

import { BatchAnswer } from '../../src/answer/wire/batch.ts';
import { ProductRecord } from '../../src/answer/wire/record/product-record.ts';
import { contractService, refused, type Call } from './support/contract-service.ts';
import { proves } from './support/proves.ts';

const contract = contractService();

const BATCH = '/v1/products/batch';

/** Sends each line, given as text or as an object to be written as JSON. */
function send(lines: readonly unknown[], query = '', call: Call = {}) {
  const texts = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  return contract.call(`${BATCH}${query}`, { method: 'POST', body: texts.join('\n'), ...call });
}

async function batch(lines: readonly unknown[], query = '', call: Call = {}) {
  const { status, body } = await send(lines, query, call);
  assert.equal(status, 200, JSON.stringify(body));
  return (body['lines'] as readonly unknown[]).map((line) => BatchAnswer.parse(line));
}

/** The tokens spent by the answers, to compare with the organization's `left` before and after. */
const spent = (answers: readonly BatchAnswer[]): number =>
  answers.reduce((sum, { product }) => sum + (product?.tokens_consumed ?? 0), 0);

/** Returns what is the same at every request. */
function lasting(record: unknown) {
  const { tokens_remaining: _, ...rest } = ProductRecord.parse(record);
  return rest;
}

proves('D72p', 'each line has the record that its lookup alone has, and is echoed', async () => {
  const { item_id: item, gtin, asin } = contract.world;
  const lines = [
    { id: item },
    { id: gtin, include_cross_retailer: true, identifier_match: 'any' },
    { id: asin, include_history: 'false', format: 'asin' },
  ];
  await batch(lines);
  await contract.untilQueueIdle();
  const answers = await batch(lines);
  const alone = [
    await contract.record(item),
    await contract.record(gtin, '?include_cross_retailer=true&identifier_match=any'),
    await contract.record(asin, '?include_history=false&format=asin'),
  ];
  assert.deepEqual(
    answers.map(({ line, input, status }) => ({ line, input, status })),
    lines.map((input, at) => ({ line: at + 1, input, status: 200 })),
  );
  assert.deepEqual(
    answers.map(({ product }) => lasting(product)),
    alone.map(lasting),
  );
});

proves('D72p', 'an answer that is kept is given to a line only while it is right', async () => {
  const { item_id: item, asin } = contract.world;
  const lines = [{ id: item }, { id: asin }];
  const given = async () => {
    const text = await (await fetch(`${contract.service.url}/metrics`)).text();
    return Number(/^openshelf_prepared_answers_total (\d+)/m.exec(text)?.[1] ?? 0);
  };
  for (let round = 0; round < 4; round += 1) {
    await batch(lines);
    await contract.untilQueueIdle();
  }
  const before = await given();
  const left = await contract.left();
  const kept = await batch(lines);
  assert.equal(await given(), before + 2);
  assert.equal(await contract.left(), left - 2);
  contract.clock.advance(60_000);
  const { body } = await contract.refresh(item, '?include_offers_reviews=false');
  const [anew, other] = await batch(lines);
  assert.deepEqual(anew?.product?._freshness, body['_freshness']);
  assert.notDeepEqual(anew?.product?._freshness, kept[0]?.product?._freshness);
  assert.equal(other?.status, 200);
});

proves('D72p D72v', 'a line that cannot be answered says why, and harms no other', async () => {
  const { item_id: item, retailers, trouble } = contract.world;
  const lines = [
    'not JSON',
    '["an array"]',
    { id: 'nope' },
    { id: 12345678905 },
    { id: '\ud800' },
    {},
    { id: item, upc: '1' },
    { id: item, include_offers: 'maybe' },
    { id: item, include_offers: [true] },
    { id: item, force_refresh: true },
    { id: `https://shop.example/${'x'.repeat(9_000)}` },
    { id: '99999999999' },
    { id: retailers.retailer_w.trouble['offers_unavailable']?.id ?? '', include_offers: true },
    { id: trouble.disallowed },
    { id: 'http://127.0.0.1/' },
    { id: item, include_seller_context: false },
  ];
  const answers = await batch(lines);
  assert.deepEqual(
    answers.map(({ status, problem }) => [status, problem?.code ?? null]),
    [
      [400, 'invalid_parameter'],
      [400, 'invalid_parameter'],
      [400, 'invalid_identifier'],
      [400, 'invalid_identifier'],
      [400, 'invalid_identifier'],
      [400, 'invalid_parameter'],
      [400, 'unknown_parameter'],
      [400, 'invalid_parameter'],
      [400, 'invalid_parameter'],
      [400, 'force_refresh_requires_retailer'],
      [414, 'uri_too_long'],
      [404, 'not_found'],
      [503, 'offers_unavailable'],
      [422, 'source_unusable'],
      [400, 'url_not_allowed'],
      [200, null],
    ],
  );
  assert.equal(answers[0]?.input, 'not JSON');
  for (const { problem, status } of answers) assert.equal(problem?.status ?? 200, status);
});

proves('D72p', 'a line that forces a fetch needs the scope that its call needs', async () => {
  const { item_id: item } = contract.world;
  const key = await contract.newKey({
    organization: 'readers',
    note: null,
    scopes: ['products:read'],
  });
  const forced = { id: item, retailer: 'retailer_w', force_refresh: true };
  const answers = await batch([forced, { id: item }], '', { key });
  assert.deepEqual(
    answers.map(({ status, problem }) => [status, problem?.code ?? null]),
    [
      [403, 'insufficient_scope'],
      [200, null],
    ],
  );
  const own = await batch([forced]);
  assert.equal(own[0]?.product?._meta.price_source, 'retailer_w');
});

proves('D72q', 'the order is that of the lines, or that in which they are finished', async () => {
  const { item_id: item, url } = contract.world;
  await contract.ok(`/v1/products/${item}`);
  const bad = { id: 'nope' };
  // A page not requested before: it takes longer than stored answers.
  const slow = { id: url['hosted'] ?? '' };
  const sent = await batch([slow, { id: item }, bad, '', { id: item }], '?order=sent');
  assert.deepEqual(
    sent.map(({ line }) => line),
    [1, 2, 3, 5],
  );
  const forced = { id: item, retailer: 'retailer_w', force_refresh: true };
  const finished = await batch([forced, bad, forced], '?order=finished');
  assert.deepEqual(
    finished.map(({ line }) => line),
    [2, 1, 3],
  );
  refused(await send([bad], '?order=random'), 400, 'invalid_parameter');
});

proves(
  'D72r',
  'what is asked twice is charged once, whatever the order of its fields',
  async () => {
    const { item_id: item } = contract.world;
    const lines = [
      { id: item, include_cross_retailer: true, include_stats: false },
      { id: item },
      { include_stats: '0', id: item, include_cross_retailer: 'TRUE' },
      { id: 'nope' },
      { id: 'nope' },
    ];
    for (const order of ['sent', 'finished']) {
      const before = await contract.left();
      const answers = await batch(lines, `?order=${order}`);
      const inOrder = answers.toSorted((one, other) => one.line - other.line);
      assert.deepEqual(
        inOrder.map(({ duplicate_of: first }) => first),
        [null, null, 1, null, 4],
      );
      const { tokens_consumed: _, ...repeated } = inOrder[2]?.product ?? assert.fail();
      const { tokens_consumed: charged, ...first } = inOrder[0]?.product ?? assert.fail();
      assert.equal(charged, 3);
      assert.deepEqual(repeated, first);
      assert.equal(spent(answers), 3 + 1);
      assert.equal(await contract.left(), before - 4);
    }
  },
);

proves('D72s', 'where the tokens end the lines say so, and the batch goes on', async () => {
  const { item_id: item, asin } = contract.world;
  await batch([{ id: item }, { id: asin }]);
  await contract.untilQueueIdle();
  const key = await contract.newKey({ organization: 'poor', note: null, monthlyQuota: 3 });
  const lines = [
    { id: item },
    { id: item, include_offers: true },
    { id: item, include_stats: false },
    { id: asin },
  ];
  const answers = await batch(lines, '', { key });
  assert.equal(spent(answers), 3);
  assert.deepEqual(
    answers.map(({ status, problem }) => [status, problem?.code ?? null]),
    [
      [200, null],
      [429, 'quota_exceeded'],
      [200, null],
      [200, null],
    ],
  );
  assert.ok((answers[1]?.retry_after ?? 0) > 0);
  assert.equal((await contract.ok('/v1/usage', { key }))['tokens_used'], 3);
});

proves(
  'D72s',
  'what lines set aside and give back again is there for the lines after them',
  async () => {
    const item = contract.world.item_id;
    await batch([{ id: item }]);
    const key = await contract.newKey({ organization: 'tight', note: null, monthlyQuota: 7 });
    const unknown = ['990000101', '990000102', '990000103'];
    const lines = [...unknown.map((id) => ({ id, include_offers: true })), { id: item }];
    const answers = await batch(lines, '', { key });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [404, 404, 404, 200],
    );
    assert.equal(spent(answers), 1);
  },
);

proves('D72t', '10,000 lines of 64 KB are taken, and nothing beyond', async () => {
  const bad = '{}';
  // Invalid lines count towards the throttle too: an ordinary one would take a quarter of an hour.
  const limits = { throttlePerMinute: 1_000_000, throttleBurst: 1_000_000 };
  const key = await contract.newKey({ organization: 'wide', note: null, ...limits });
  const most = await batch(
    Array.from({ length: 10_000 }, () => bad),
    '',
    { key },
  );
  assert.equal(most.length, 10_000);
  const before = await contract.left();
  const tooMany = await send([
    { id: contract.world.item_id },
    ...Array.from({ length: 10_000 }, () => bad),
  ]);
  refused(tooMany, 413, 'body_too_large');
  const padded = (bytes: number) => {
    const line = JSON.stringify({ id: contract.world.item_id });
    return line + ' '.repeat(bytes - line.length);
  };
  refused(await send([padded(65_537)]), 413, 'body_too_large');
  assert.equal(await contract.left(), before, 'nothing of them was looked up');
  const [longest] = await batch([`${padded(65_536)}\r`]);
  assert.equal(longest?.status, 200);
  refused(await send(['', ' ']), 400, 'invalid_parameter');
  refused(await send([bad], '', { key: null }), 401, 'missing_api_key');
});

proves(
  'D72u',
  'with a key what was finished is free the next time, and the rest is looked up',
  async () => {
    const { item_id: item, asin } = contract.world;
    const key = await contract.newKey({ organization: 'again', note: null, monthlyQuota: 1 });
    const headers = { 'idempotency-key': 'sheet-1' };
    const lines = [{ id: item }, { id: asin }, { id: item }];
    const first = await batch(lines, '', { key, headers });
    const codes = (answers: readonly BatchAnswer[]) =>
      answers.map(({ problem, replayed }) => problem?.code ?? replayed);
    const paid = first.filter(({ product }) => product?.tokens_consumed === 1);
    assert.equal(paid.length, 1, 'one token, one line');
    await contract.newKey({ organization: 'again', note: null, monthlyQuota: 10 });
    const second = await batch(lines, '', { key, headers });
    assert.ok(second.every(({ status }) => status === 200));
    for (const { line, product } of paid) {
      const again = second.find((each) => each.line === line);
      assert.deepEqual(again?.product, product);
      assert.equal(again?.replayed, true);
    }
    assert.equal((await contract.ok('/v1/usage', { key }))['tokens_used'], 2);
    assert.deepEqual(codes(await batch(lines, '', { key, headers })), [true, true, true]);
    assert.equal((await contract.ok('/v1/usage', { key }))['tokens_used'], 2);
    refused(await send(lines.slice(1), '', { key, headers }), 409, 'idempotency_conflict');
    refused(await send(lines, '?order=finished', { key, headers }), 409, 'idempotency_conflict');
    refused(await contract.lookup(item, '', { key, headers }), 409, 'idempotency_conflict');
  },
);

proves('D72u', 'two batches with one key at once are charged once', async () => {
  const key = await contract.newKey({ organization: 'twice', note: null });
  const { item_id: item, asin, gtin } = contract.world;
  const headers = { 'idempotency-key': 'sheet-2' };
  const lines = [{ id: item }, { id: asin }, { id: gtin }];
  const both = await Promise.all([
    batch(lines, '', { key, headers }),
    batch(lines, '', { key, headers }),
  ]);
  for (const answers of both) {
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
  }
  assert.equal((await contract.ok('/v1/usage', { key }))['tokens_used'], 3);
});
