// A request that declares no body has none, whatever its method: the server does not wait for one, and the connection
// continues.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

/** Returns the statuses of the answers to all of them, sent at once on one connection. */
async function statusesOf(service: Service, requests: readonly string[]): Promise<string[]> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  let answers = '';
  socket.setEncoding('latin1').on('data', (text: string) => (answers += text));
  const head = `Host: shelf.example\r\nAuthorization: Bearer ${service.key}\r\n`;
  const close = 'GET /livez HTTP/1.1\r\nHost: shelf.example\r\nConnection: close\r\n\r\n';
  socket.write(requests.map((line) => `${line} HTTP/1.1\r\n${head}\r\n`).join('') + close);
  await once(socket, 'close');
  return answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];
}

test('a request without a word of a body is answered at once, and so is what follows it', async () => {
  await using service = await startService();
  const requests = ['POST /v1/watches', 'PATCH /v1/watches/none', 'POST /v1/products/batch'];
  const following = ['DELETE /v1/watches/none', 'GET /v1/usage'];
  const statuses = await statusesOf(service, [...requests, ...following]);
  assert.deepEqual(statuses.slice(3), ['404', '200', '200']);
  for (const status of statuses.slice(0, 3)) assert.match(status, /^4\d\d$/);
});
