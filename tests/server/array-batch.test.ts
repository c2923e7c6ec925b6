// A batch as one JSON array, as clients generated from the OpenAPI document send it: the same answers as to lines, as an array.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { startService, type Service } from '../support/service.ts';

let service: Service;
let codes: readonly string[];
before(async () => {
  service = await startService({ withRetailers: true });
  codes = service.sandbox
    .market()
    .catalog.filter(({ trouble }) => trouble === null)
    .slice(0, 3)
    .map(({ gtin14 }) => gtin14);
  for (const code of codes) await service.lookup(code);
  await service.untilQueueIdle();
});
after(async () => {
  await service[Symbol.asyncDispose]();
});

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
  query = '',
) {
  const response = await fetch(`${service.url}/v1/products/batch${query}`, {
    method: 'POST',
    body,
    headers: { authorization: `Bearer ${service.key}`, ...headers },
  });
  const text = await response.text();
  return { status: response.status, type: response.headers.get('content-type'), text, response };
}

type Row = Readonly<Record<string, unknown>>;
const linesOf = () => [{ id: codes[0] }, { id: 'nothing' }, { id: codes[1], include_stats: false }];

/** What is the same whenever it is asked. */
const lasting = ({ product, problem, ...rest }: Row) => ({
  ...rest,
  title: (product as Row | null)?.['title'],
  code: (problem as Row | null)?.['code'],
});

for (const [what, body, headers] of [
  ['as JSON', () => JSON.stringify(linesOf()), { 'content-type': 'application/json' }],
  ['as text, as fetch names it', () => JSON.stringify(linesOf()), {}],
  ['as JSON lines', () => JSON.stringify(linesOf()), { 'content-type': 'application/x-ndjson' }],
  ['over several lines', () => JSON.stringify(linesOf(), null, 2), {}],
  ['after blanks', () => `\r\n  \t${JSON.stringify(linesOf())}\n\n`, {}],
  ['after a byte order mark', () => `\uFEFF${JSON.stringify(linesOf())}`, {}],
  [
    'in gzip',
    () => new Uint8Array(gzipSync(JSON.stringify(linesOf()))),
    { 'content-encoding': 'gzip' },
  ],
] as const) {
  test(`an array sent ${what} is answered as an array, element by element as lines are`, async () => {
    const lines = await send(
      linesOf()
        .map((line) => JSON.stringify(line))
        .join('\n'),
    );
    assert.equal(lines.type, 'application/x-ndjson');
    const expected = lines.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Row);
    const { status, type, text } = await send(body(), headers);
    assert.deepEqual([status, type], [200, 'application/json'], text);
    const answers = JSON.parse(text) as readonly Row[];
    assert.deepEqual(answers.map(lasting), expected.map(lasting));
    assert.equal(answers.length, 3);
  });
}

test('an array of one, and one of a thousand, are answered as arrays', async () => {
  assert.equal(
    (JSON.parse((await send(`[${JSON.stringify({ id: codes[0] })}]`)).text) as Row[]).length,
    1,
  );
  const many = Array.from({ length: 1_000 }, () => ({ id: codes[0], include_history: false }));
  const answers = JSON.parse((await send(JSON.stringify(many))).text) as readonly Row[];
  assert.deepEqual(
    answers.map(({ line }) => line),
    many.map((_, at) => at + 1),
  );
});

test('the same batch is replayed by its key, as an array and as lines', async () => {
  const headers = { 'idempotency-key': 'array' };
  const first = await send(JSON.stringify(linesOf()), headers);
  const again = await send(JSON.stringify(linesOf()), headers);
  const replayed = (text: string) =>
    (JSON.parse(text) as readonly Row[]).map((row) => row['replayed']);
  assert.deepEqual(replayed(first.text), [false, false, false]);
  assert.deepEqual(replayed(again.text), [true, false, true]);
});

test('what begins as an array and is none is refused, as are an empty and a too large one', async () => {
  for (const [body, status, code] of [
    ['[{"id":"614141000005"}', 400, 'invalid_parameter'],
    ['[1]\n[2]', 400, 'invalid_parameter'],
    ['['.repeat(200_000), 400, 'invalid_parameter'],
    [`${'['.repeat(50_000)}${']'.repeat(50_000)}`, 413, 'body_too_large'],
    ['[]', 400, 'invalid_parameter'],
    [JSON.stringify([{ id: 'x'.repeat(70_000) }]), 413, 'body_too_large'],
    [JSON.stringify(Array.from({ length: 60_000 }, () => ({ id: 'x' }))), 413, 'body_too_large'],
    [`[${' '.repeat(1_100_000)}]`, 413, 'body_too_large'],
  ] as const) {
    const answer = await send(body);
    assert.equal(answer.status, status, answer.text.slice(0, 300));
    assert.equal((JSON.parse(answer.text) as Row)['code'], code);
  }
});

test('the document describes the array first, which generators take, and then the lines', async () => {
  const { body } = await service.get('/openapi.json');
  const paths = body['paths'] as Readonly<Record<string, { readonly post: Operation }>>;
  const { requestBody, responses } = paths['/v1/products/batch']?.post ?? assert.fail();
  for (const { content } of [requestBody, responses['200'] ?? assert.fail()]) {
    assert.deepEqual(Object.keys(content), ['application/json', 'application/x-ndjson']);
    const { type, items } = content['application/json']?.schema ?? {};
    assert.deepEqual([type, items], ['array', content['application/x-ndjson']?.schema]);
  }
});

type Content = Readonly<Record<string, { readonly schema: Row }>>;
type Operation = {
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content: Content }>>;
};
