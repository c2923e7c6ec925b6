// A connection survives unread request data: after a body that is not needed the next request is answered, and what an answer
// states about its connection is what happens.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openClient } from '../support/plain-client.ts';
import { startService, type Service } from '../support/service.ts';

const MUCH = 'x'.repeat(300_000);

/** Builds a request with a body of known length, or a chunked one. */
function request(
  line: string,
  fields: readonly string[],
  body: string,
  isChunked: boolean,
): string {
  const framing = isChunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`;
  const sent = isChunked ? `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n` : body;
  return [`${line} HTTP/1.1`, 'Host: shelf.example', framing, ...fields, '', sent].join('\r\n');
}

/** Each with the status of its answer. */
const UNREAD: readonly (readonly [what: string, line: string, isKeyed: boolean, status: RegExp])[] =
  [
    ['a body where the route takes none', 'GET /v1/usage', true, /^413$/],
    ['a body for no route', 'POST /v1/nothing', true, /^4\d\d$/],
    ['a body that is too large', 'POST /v1/watches', true, /^413$/],
    ['a body that is too large, and no key', 'PATCH /v1/watches/none', false, /^4\d\d$/],
    ['a file without a key', 'POST /console/sheet', false, /^401$/],
    ['a batch without a key', 'POST /v1/products/batch', false, /^401$/],
    ['a message of an agent that is too large', 'POST /mcp', true, /^413$/],
  ];

test('after a body that is not read the same connection goes on', async () => {
  await using service = await startService();
  const { port } = new URL(service.url);
  for (const [what, line, isKeyed, status] of UNREAD) {
    for (const isChunked of [false, true]) {
      const { socket, until } = openClient(Number(port));
      const key = isKeyed ? [`Authorization: Bearer ${service.key}`] : [];
      socket.write(request(line, key, MUCH, isChunked));
      socket.write('GET /livez HTTP/1.1\r\nHost: shelf.example\r\n\r\n');
      const text = await until('{"status":"ok"}');
      const [first = '', ...others] = text.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
      assert.match(first, status, what);
      assert.deepEqual(others, ['200'], what);
      assert.doesNotMatch(text, /\r\nconnection: close\r\n/i, what);
      // And on.
      socket.write('GET /v1/nothing HTTP/1.1\r\nHost: shelf.example\r\n\r\n');
      await until(/"unknown_route"[^]*\}$/);
      socket.destroy();
    }
  }
});

async function askAsAgent(service: Service, field: string): Promise<string> {
  const { socket, text, until, ended } = openClient(Number(new URL(service.url).port));
  const fields = [
    `Authorization: Bearer ${service.key}`,
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    field,
  ];
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  socket.write(request('POST /mcp', fields, body, false));
  await until('"name":"lookup"');
  if (field.endsWith('close')) await ended;
  socket.destroy();
  return text();
}

test('an agent’s connection is kept or closed as its answer states', async () => {
  await using service = await startService();
  const closed = await askAsAgent(service, 'Connection: close');
  assert.deepEqual(closed.match(/(?<=\r\nconnection: )[\w-]+/gi), ['close']);
  const kept = await askAsAgent(service, 'Connection: keep-alive');
  assert.deepEqual(kept.match(/(?<=\r\nconnection: )[\w-]+/gi), ['keep-alive']);
});
