// A client with `Expect: 100-continue` sends its body when it is told to: every route that reads a body tells it, and one that
// refuses the call answers at once (RFC 9110 10.1.1).

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(async () => {
  await service[Symbol.asyncDispose]();
});

type Sent = {
  readonly target: string;
  readonly body: string;
  readonly length?: number;
  readonly more?: string;
};

/** Sends the head, and the body once it is asked for. Resolves to the statuses of what comes, the last of them final. */
async function statusesOf({
  target,
  body,
  length = body.length,
  more = 'Expect: 100-continue\r\nContent-Type: application/json\r\n',
}: Sent): Promise<readonly number[]> {
  const { promise, resolve, reject } = Promise.withResolvers<readonly number[]>();
  const { port } = new URL(service.url);
  const socket = connect(Number(port), '127.0.0.1');
  let answers = '';
  let isSent = false;
  socket.setEncoding('latin1').on('error', reject);
  socket.on('data', (text: string) => {
    answers += text;
    const statuses = [...answers.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) =>
      Number(status),
    );
    if (statuses[0] === 100 && !isSent) {
      isSent = true;
      socket.write(body);
    }
    if ((statuses.at(-1) ?? 0) < 200) return;
    socket.destroy();
    resolve(statuses);
  });
  const head = `Host: shelf.example\r\nAuthorization: Bearer ${service.key}\r\nContent-Length: ${length}\r\n${more}`;
  socket.write(`${target} HTTP/1.1\r\n${head}\r\n`);
  return await promise;
}

test('each route that reads a body asks for it and answers', async () => {
  for (const [target, body] of [
    ['POST /v1/watches', '{"identifier":"614141000005"}'],
    ['POST /v1/products/batch', '{"id":"614141000005"}\n'],
    ['POST /mcp', '{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['POST /console/sheet?name=a.csv', 'upc\n614141000005\n'],
  ] as const) {
    assert.deepEqual(await statusesOf({ target, body }), [100, 200], target);
  }
  const empty = await statusesOf({ target: 'POST /v1/watches/none/test', body: '{}' });
  assert.deepEqual(empty, [100, 404]);
});

test('a body that would be refused is not asked for', async () => {
  const target = 'POST /v1/watches';
  assert.deepEqual(await statusesOf({ target, body: '', length: 70_000 }), [413]);
  const unknown = 'Expect: 100-continue\r\nContent-Encoding: compress\r\n';
  assert.deepEqual(await statusesOf({ target, body: '', length: 10, more: unknown }), [415]);
  const get = 'GET /v1/usage';
  assert.deepEqual(await statusesOf({ target: get, body: '', length: 10 }), [413]);
});
