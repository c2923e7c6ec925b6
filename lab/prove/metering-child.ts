// A process of the proof of promises 5 and 6: makes charges, or throttled requests, on the store given as its argument,
// when told to.

import { createMetering } from '../../src/data/metering/metering.ts';
import { consume } from '../../src/data/metering/throttle.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { answerLines } from './children.ts';

export type Charges = {
  readonly kind: 'charges';
  readonly key: string;
  readonly prefix: string;
  readonly count: number;
};

/** One request of each, at its time (microseconds). */
export type Requests = {
  readonly kind: 'requests';
  readonly of: readonly {
    readonly id: string;
    readonly perMinute: number;
    readonly burst: number;
    readonly nowUs: number;
  }[];
};

const [place = ''] = process.argv.slice(2);
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
await using store = await storeAt(place);
const metering = createMetering({ accounts: store.accounts, sql: store.sql, clock });

async function charged({ key, prefix, count }: Charges): Promise<number> {
  const caller = await metering.authenticate(`Bearer ${key}`);
  const calls = Array.from({ length: count }, async (_, number) => {
    const requestId = `${prefix}-${number}`;
    await metering.charge(caller, { requestId, route: 'GET /v1/products/{id}', tokens: 1 });
  });
  const ended = await Promise.allSettled(calls);
  return ended.filter(({ status }) => status === 'fulfilled').length;
}

async function admitted({ of }: Requests): Promise<readonly boolean[]> {
  return await Promise.all(
    of.map(async ({ id, nowUs, ...limits }) => {
      const statement = consume(id, { name: 'throttle', spared: 0, ...limits }, nowUs);
      return (await store.sql.write([statement])).done;
    }),
  );
}

await answerLines((value) => {
  const wanted = value as Charges | Requests;
  return wanted.kind === 'charges' ? charged(wanted) : admitted(wanted);
});
