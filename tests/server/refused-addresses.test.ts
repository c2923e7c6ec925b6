import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { after, before, test } from 'node:test';

import { startService, type Service } from '../support/service.ts';

let service: Service;
/** Addresses to which any socket of this process was told to connect, except the service itself. */
const connected: string[] = [];
// oxlint-disable-next-line typescript/unbound-method -- put back as it was, and called with its own `this`
const connect = Socket.prototype.connect;

before(async () => {
  service = await startService();
  const own = new URL(service.url).port;
  Socket.prototype.connect = function (this: Socket, ...args: unknown[]): Socket {
    const text = JSON.stringify(args[0]);
    if (!text.includes(`"port":${own}`) && !text.includes(`"port":"${own}"`)) connected.push(text);
    return Reflect.apply(connect, this, args);
  };
});

after(async () => {
  Socket.prototype.connect = connect;
  await service[Symbol.asyncDispose]();
});

/** Returns addresses that must be refused by their text alone: no name is resolved for them. */
function refusedAddresses(): readonly string[] {
  const file = new URL('../vectors/ssrf.tsv', import.meta.url);
  const own = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split('\t'))
    .filter(([, must, , redirects]) => must === 'refuse' && (redirects ?? '') === '')
    .map(([, , address = '""']) => JSON.parse(address) as string);
  const more = new URL('../../../shared/vectors/ssrf-cases.jsonl', import.meta.url);
  if (!existsSync(more)) return own;
  const further = readFileSync(more, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as { must: string; url: string; redirects?: unknown })
    .filter(({ must, redirects }) => must === 'refuse' && redirects === undefined)
    .map(({ url }) => url);
  return [...own, ...further];
}

/** Lone surrogates cannot be written in a path. */
function encoded(address: string): string | null {
  try {
    return encodeURIComponent(address);
  } catch {
    return null;
  }
}

test('an address that is refused opens no socket, encoded once or twice, and is a 4xx without a bill', async (t) => {
  let asked = 0;
  for (const address of refusedAddresses()) {
    const once = encoded(address);
    if (once === null || once === '' || once.length > 7_500) continue;
    for (const id of [once, encodeURIComponent(once)]) {
      if (id.length > 8_000) continue;
      const { status, body } = await service.get(`/v1/products/${id}`);
      assert.ok([400, 404, 414].includes(status), `${address}: ${status} ${JSON.stringify(body)}`);
      assert.equal(body['tokens_consumed'], 0);
      asked += 1;
    }
  }
  t.diagnostic(`${asked} requests`);
  assert.ok(asked > 200);
  assert.deepEqual(connected, []);
});
