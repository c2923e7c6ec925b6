// Refused keys of one address: beyond a number a second their refusals come later, and nothing else about them changes.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';

import { createSlowRefusals } from '../../src/server/listen/slow-refusals.ts';
import { startService, type Service } from '../support/service.ts';

/** Refusals of addresses at the same instant, by a clock that only the test moves. */
function refusals() {
  const clock = { nowMs: 1_000_000 };
  const waited: number[] = [];
  const slow = createSlowRefusals({
    nowMs: () => clock.nowMs,
    sleep: async (ms) => void waited.push(ms),
  });
  /** Returns how long the refusals of an address had to wait. */
  const refuse = async (address: string | null, count: number): Promise<readonly number[]> => {
    waited.length = 0;
    for (let done = 0; done < count; done += 1) await slow(address);
    return [...waited];
  };
  return { clock, refuse };
}

test('twenty refusals of an address are sent at once, later ones twenty a second, and none waits longer than five seconds', async () => {
  const { refuse } = refusals();
  assert.deepEqual(await refuse('192.0.2.1', 20), []);
  assert.deepEqual(await refuse('192.0.2.1', 3), [50, 100, 150]);
  const more = await refuse('192.0.2.1', 1_000);
  assert.equal(more.length, 1_000);
  assert.equal(Math.max(...more), 5_000);
});

test('an address that has been quiet for a second is not slowed down, and neither is any other', async () => {
  const { clock, refuse } = refusals();
  await refuse('192.0.2.1', 30);
  assert.deepEqual(await refuse('192.0.2.2', 20), []);
  clock.nowMs += 2_000;
  assert.deepEqual(await refuse('192.0.2.1', 20), []);
});

test('this machine and an unknown address are never slowed down', async () => {
  const { refuse } = refusals();
  for (const address of ['127.0.0.1', '127.8.9.10', '0:0:0:0', null]) {
    assert.deepEqual(await refuse(address, 500), [], String(address));
  }
});

test('more addresses than are counted share one count, and the counted ones keep theirs', async () => {
  const { clock, refuse } = refusals();
  for (let at = 0; at < 10_000; at += 1) await refuse(`10.0.${at >> 8}.${at & 255}`, 1);
  for (let at = 0; at < 20; at += 1) assert.deepEqual(await refuse(`10.1.0.${at}`, 1), []);
  assert.deepEqual(await refuse('10.1.1.1', 1), [50]);
  assert.deepEqual(await refuse('10.0.0.1', 19), []);
  clock.nowMs += 60_000;
  assert.deepEqual(await refuse('10.1.1.1', 20), [], 'those that are quiet are forgotten');
});

describe('behind a proxy', () => {
  let service: Service;
  before(async () => {
    service = await startService({ env: { OPENSHELF_TRUST_PROXY: 'true' } });
  });
  after(() => service[Symbol.asyncDispose]());

  const ask = async (address: string | null, key: string) => {
    const response = await fetch(`${service.url}/v1/usage`, {
      headers: {
        authorization: `Bearer ${key}`,
        ...(address === null ? {} : { 'x-forwarded-for': `203.0.113.99, ${address}` }),
      },
    });
    const body = (await response.json()) as Record<string, unknown>;
    return [response.status, body['code']];
  };

  test('a refusal that waits is the same refusal, and keeps neither another address nor a good key waiting', async () => {
    const ended: string[] = [];
    const noted = async (who: string, asked: Promise<unknown[]>) => {
      const answer = await asked;
      ended.push(who);
      return answer;
    };
    const many = Array.from({ length: 60 }, () =>
      noted('guesser', ask('198.51.100.7', 'osk_live_wrong')),
    );
    const others = [
      noted('other', ask('198.51.100.8', 'osk_live_wrong')),
      noted('good key', ask('198.51.100.7', service.key)),
      noted('no address', ask(null, 'osk_live_wrong')),
    ];
    const [other, good, unknown] = await Promise.all(others);
    assert.deepEqual(other, [401, 'invalid_api_key']);
    assert.deepEqual(good, [200, undefined]);
    assert.deepEqual(unknown, [401, 'invalid_api_key']);
    assert.ok(ended.length < 63, 'some refusals still wait');
    for (const answer of await Promise.all(many)) {
      assert.deepEqual(answer, [401, 'invalid_api_key']);
    }
  });
});
