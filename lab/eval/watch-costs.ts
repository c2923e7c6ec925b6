// What comparing and watching cost in processor time: a comparison of what is held against a lookup of it, in pairs; and a service
// with many watches that are not due against the same service without them. Run with npm run eval:watch-costs, --watches 10000.

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';

import { median } from '../bench/measurement.ts';
import { HOUR_MS } from '../../src/base/clock.ts';
import { insertWatch } from '../../src/data/watches/watch-writes.ts';
import { wantedOf } from '../../src/answer/wire/watches/watches.ts';
import { startService } from '../../tests/support/service.ts';

const { values } = parseArgs({
  options: {
    watches: { type: 'string', default: '10000' },
    seconds: { type: 'string', default: '30' },
    pairs: { type: 'string', default: '15' },
    calls: { type: 'string', default: '200' },
    asks: { type: 'boolean', default: false },
  },
});

/** Processor time of this process with all its threads, ms. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

if (values.asks) await askAsTold();
else await measure();

/** The client, in a process of its own: it asks for a path as often as it is told to. */
async function askAsTold(): Promise<void> {
  for await (const [message] of messages()) {
    const { url, key, calls } = message as { url: string; key: string; calls: number };
    const headers = { authorization: `Bearer ${key}` };
    for (let call = 0; call < calls; call += 1) {
      const response = await fetch(url, { headers });
      await response.arrayBuffer();
      if (response.status !== 200) throw new Error(`${url}: ${response.status}`);
    }
    process.send?.('done');
  }
}

async function* messages() {
  for (;;) yield await once(process, 'message');
}

async function measure(): Promise<void> {
  const env = {
    OPENSHELF_MAX_WATCHES: '1000000',
    OPENSHELF_MAX_WATCHED_ADDRESSES: '1000000',
    OPENSHELF_MAX_WATCHES_OF_PRODUCT: '1000000',
  };
  await using service = await startService({ withRetailers: true, env });
  const key = await service.newKey({
    organization: 'load',
    note: null,
    monthlyQuota: 100_000_000,
    throttlePerMinute: 1_000_000,
    throttleBurst: 100_000,
  });
  const { upc } = service.sandbox.describe();
  const product = `${service.url}/v1/products/${upc}`;
  const client = fork(import.meta.filename, ['--asks'], { stdio: 'inherit' });
  const ask = async (url: string, calls: number): Promise<number> => {
    const before = cpuMs();
    const done = once(client, 'message');
    client.send({ url, key, calls });
    await done;
    return (cpuMs() - before) / calls;
  };
  const lookup = `${product}?include_cross_retailer=true`;
  const compare = `${product}/compare?cost=5`;
  await ask(lookup, 1);
  await service.untilQueueIdle();
  const calls = Number(values.calls);
  await ask(lookup, calls);
  await ask(compare, calls);
  const pairs: (readonly [number, number])[] = [];
  for (let pair = 0; pair < Number(values.pairs); pair += 1) {
    pairs.push([await ask(lookup, calls), await ask(compare, calls)]);
  }
  const ratios = pairs.map(([first, second]) => second / first);
  const us = (ms: number): string => `${(ms * 1_000).toFixed(0)} µs`;
  console.log(
    `held lookup with cells ${us(median(pairs.map(([first]) => first)))}, held comparison ` +
      `${us(median(pairs.map(([, second]) => second)))}; ratio ${median(ratios).toFixed(2)} ` +
      `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)})`,
  );
  client.kill();

  const seconds = Number(values.seconds);
  const idle = async (): Promise<number> => {
    const before = cpuMs();
    await wait(seconds * 1_000);
    return (cpuMs() - before) / (seconds * 10);
  };
  const none = await idle();
  await addWatches(service.app, Number(values.watches));
  const many = await idle();
  console.log(
    `idle service: ${none.toFixed(2)} % of a core; with ${values.watches} watches that are not due ${many.toFixed(2)} %, ` +
      `${(many - none).toFixed(2)} % more`,
  );
}

type App = Awaited<ReturnType<typeof startService>>['app'];

/** Each of a page of its own, as if each had been checked just now: they are due from an hour on. */
async function addWatches({ store }: App, count: number): Promise<void> {
  const organization = await store.accounts.findOrganization('load');
  const [key] = await store.accounts.listKeys(organization?.id ?? '');
  const { rules, channels, failingAfter } = wantedOf({ identifier: 'https://shop.example/p' });
  const nowMs = Date.now();
  const watches = Array.from({ length: count }, (_, at) =>
    insertWatch({
      id: `wat_${at}`,
      organizationId: organization?.id ?? '',
      keyId: key?.id ?? '',
      identifiers: [`https://shop${at % 100}.example/p/${at}`],
      gtin: null,
      seed: at,
      retailer: 'any',
      intervalMs: 6 * HOUR_MS,
      rules,
      channels,
      failingAfter,
      pausedAtMs: null,
      nextAtMs: nowMs + HOUR_MS,
      createdAtMs: nowMs,
    }),
  );
  for (let at = 0; at < count; at += 500) await store.sql.write(watches.slice(at, at + 500));
  await wait(2_000);
}
