// Messages of JSON-RPC 2.0 and the protocol as clients of many languages send them, to /mcp: each is answered, in a form that
// its client accepts.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../../support/service.ts';

let service: Service;
let code: string;
before(async () => {
  service = await startService({ withRetailers: true });
  const sound = service.sandbox.market().catalog.find(({ trouble }) => trouble === null);
  code = sound?.gtin14 ?? '';
});
after(async () => {
  await service[Symbol.asyncDispose]();
});

type Message = {
  readonly id?: unknown;
  readonly result?: Readonly<Record<string, unknown>> & { readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
};
type Told = { readonly status: number; readonly type: string; readonly text: string };

/** Sends a body with these headers only: `fetch` would add its own `Accept`. */
async function post(body: string, headers: Readonly<Record<string, string>>): Promise<Told> {
  const { promise, resolve, reject } = Promise.withResolvers<Told>();
  const call = request(`${service.url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${service.key}`,
      'content-type': 'application/json',
      ...headers,
    },
  });
  call.on('error', reject);
  call.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => (text += piece));
    response.on('end', () => {
      const { statusCode: status = 0, headers: given } = response;
      resolve({ status, type: given['content-type'] ?? '', text });
    });
  });
  call.end(body);
  return await promise;
}

const BOTH = { accept: 'application/json, text/event-stream' };
const PING = { jsonrpc: '2.0', id: 2, method: 'ping' };

async function told(message: unknown, headers: Readonly<Record<string, string>> = BOTH) {
  const { text } = await post(JSON.stringify(message), headers);
  return JSON.parse(text) as Message;
}

const call = (name: string, input: unknown, more: object = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: input, ...more },
});

const JSON_TYPE = 'application/json';
const EVENTS = 'text/event-stream';

for (const [accept, type] of [
  [undefined, JSON_TYPE],
  ['*/*', JSON_TYPE],
  ['application/json', JSON_TYPE],
  ['application/*', JSON_TYPE],
  ['Application/JSON, Text/Event-Stream', JSON_TYPE],
  ['text/html, */*;q=0.8', JSON_TYPE],
  ['application/json; charset=utf-8', JSON_TYPE],
  ['text/event-stream', EVENTS],
  ['text/*', EVENTS],
  ['application/json;q=0, */*', EVENTS],
  ['application/json;q=0.2, text/event-stream', EVENTS],
] as const) {
  test(`Accept: ${accept ?? '(none)'} is answered as ${type}, whatever the message`, async () => {
    const headers: Record<string, string> = accept === undefined ? {} : { accept };
    for (const message of [PING, call('history', { identifier: code })]) {
      const answer = await post(JSON.stringify(message), headers);
      assert.deepEqual([answer.status, answer.type], [200, type], answer.text);
      const text = /^event: message\ndata: (.*)\n\n$/.exec(answer.text)?.[1] ?? answer.text;
      assert.equal((JSON.parse(text) as Message).id, message.id);
    }
  });
}

test('a client that accepts neither form is refused with the reason', async () => {
  assert.equal((await post(JSON.stringify(PING), { accept: 'text/html' })).status, 406);
});

for (const [what, message] of [
  ['params', { ...PING, params: null }],
  ['the params of a list', { ...PING, method: 'tools/list', params: null }],
  ['a cursor', { ...PING, method: 'resources/list', params: { cursor: null } }],
  ['_meta', { ...PING, method: 'tools/list', params: { _meta: null } }],
  ['a progress token', { ...PING, params: { _meta: { progressToken: null } } }],
  ['a member of a response', { ...PING, result: null, error: null }],
  ['an argument of a prompt', prompt({ list: '614141000005, 3', roi: null })],
  ['a capability', initialize({ roots: null, sampling: null })],
] as const) {
  test(`${what} that is null is absent`, async () => {
    const answer = await told(message);
    assert.ok(answer.result !== undefined, JSON.stringify(answer));
  });
}

function prompt(input: unknown) {
  return { ...PING, method: 'prompts/get', params: { name: 'sourcing-list', arguments: input } };
}

function initialize(capabilities: object) {
  const clientInfo = { name: 'test', version: '1', title: null };
  const params = { protocolVersion: '2025-11-25', capabilities, clientInfo };
  return { ...PING, method: 'initialize', params };
}

test('arguments that are null are absent: optional ones are not sent, a required one is missing', async () => {
  const nulls = { retailer: null, currency: null, detail: null };
  const lookup = await told(call('lookup', { identifier: code, ...nulls }));
  assert.equal(lookup.result?.isError, undefined, JSON.stringify(lookup));
  for (const input of [null, {}, { identifier: null }]) {
    const answer = await told(call('lookup', input));
    assert.equal(answer.result?.isError, true);
    assert.match(JSON.stringify(answer), /identifier is missing/);
  }
  const note = { jsonrpc: '2.0', method: 'notifications/initialized', params: null };
  const noted = await post(JSON.stringify(note), BOTH);
  assert.deepEqual([noted.status, noted.text], [202, ''], 'a notification has no answer');
});

const asText = (input: object): string => JSON.stringify(input);

for (const [what, message, isError] of [
  ['the text of an object', () => call('lookup', asText({ identifier: code })), undefined],
  ['such text with blanks', () => call('lookup', ` ${asText({ identifier: code })}\n`), undefined],
  [
    'such text with null',
    () => call('lookup', asText({ identifier: code, detail: null })),
    undefined,
  ],
  ['text of no arguments', () => call('watches', '{}'), undefined],
  ['no text', () => call('watches', ''), undefined],
  ['the text null', () => call('watches', 'null'), undefined],
  ['text beside _meta', () => call('watches', '{}', { _meta: { progressToken: 1 } }), undefined],
  ['text without what is required', () => call('lookup', '{}'), true],
  ['text for a prompt', () => prompt(asText({ list: '614141000005, 3', roi: 30 })), undefined],
  ["a number for a prompt's text", () => prompt({ list: 614_141_000_005, roi: 30 }), undefined],
] as const) {
  test(`arguments as ${what} are read as the object that they state`, async () => {
    const answer = await told(message());
    assert.equal(answer.error, undefined, JSON.stringify(answer));
    assert.equal(answer.result?.isError, isError, JSON.stringify(answer));
  });
}

for (const [what, params, says] of [
  ['a list', { name: 'lookup', arguments: [{ identifier: '5' }] }, /arguments is not an object/],
  ['a number', { name: 'lookup', arguments: 5 }, /tools\/list returns the arguments of lookup/],
  ['false', { name: 'lookup', arguments: false }, /arguments is not an object/],
  ['a code', { name: 'lookup', arguments: '614141000005' }, /arguments is not an object/],
  ['broken text', { name: 'lookup', arguments: '{"identifier":' }, /arguments is not an object/],
  ['text of a list', { name: 'lookup', arguments: '[{}]' }, /arguments is not an object/],
  ['text of text', { name: 'lookup', arguments: JSON.stringify(asText({})) }, /is not an object/],
  ['no name', { arguments: {} }, /name is not the name of a tool; tools\/list returns the names/],
  ['a number as name', { name: 5 }, /params.name is not the name/],
] as const) {
  test(`a call with ${what} is refused as invalid parameters, in one sentence`, async () => {
    const { error } = await told({ ...PING, method: 'tools/call', params });
    assert.equal(error?.code, -32_602);
    assert.match(error.message, says);
    assert.ok(error.message.length < 150, error.message);
  });
}

test('members that JSON-RPC does not know are passed over, and a notification whose id is null has none', async () => {
  const traced = await told({ ...PING, trace: 'abc', error: null });
  assert.deepEqual(traced, { jsonrpc: '2.0', id: 2, result: {} });
  const note = { jsonrpc: '2.0', id: null, method: 'notifications/initialized' };
  for (const unasked of [note, { jsonrpc: '2.0', id: 9, method: null, result: {}, error: null }]) {
    const { status, text } = await post(JSON.stringify(unasked), BOTH);
    assert.deepEqual([status, text], [202, ''], JSON.stringify(unasked));
  }
});

test('a byte order mark before a message is not part of it', async () => {
  const answer = await post(`\uFEFF${JSON.stringify(PING)}`, BOTH);
  assert.deepEqual(JSON.parse(answer.text), { jsonrpc: '2.0', id: 2, result: {} });
});

test('what is not a message is 400 with the error of JSON-RPC, and its id where it has one', async () => {
  for (const [body, code_, id] of [
    ['no JSON', -32_700, null],
    ['', -32_700, null],
    ['"text"', -32_600, null],
    ['null', -32_600, null],
    [`[${JSON.stringify(PING)}]`, -32_600, null],
    ['{"id":7,"method":"ping"}', -32_600, 7],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32_600, null],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":[1]}', -32_600, 1],
  ] as const) {
    const { status, type, text } = await post(body, BOTH);
    const answer = JSON.parse(text) as Message;
    assert.deepEqual([status, type], [400, JSON_TYPE], text);
    assert.deepEqual([answer.error?.code, answer.id ?? null], [code_, id], text);
  }
});

test('the current revision is answered too: discovery, lists and calls, with null and any Accept', async () => {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  };
  const asked = { 'mcp-protocol-version': '2026-07-28', accept: '*/*' };
  for (const method of ['server/discover', 'tools/list']) {
    const message = { ...PING, method, params: { _meta: meta } };
    const answer = await told(message, { ...asked, 'mcp-method': method });
    assert.ok(answer.result !== undefined, JSON.stringify(answer));
  }
  const answer = await told(call('lookup', { identifier: code, retailer: null }, { _meta: meta }), {
    ...asked,
    'mcp-method': 'tools/call',
    'mcp-name': 'lookup',
  });
  assert.equal(answer.result?.isError, undefined, JSON.stringify(answer));
});
