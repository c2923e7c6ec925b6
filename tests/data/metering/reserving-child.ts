// A process that reserves tokens on a store and renews them while it lives. It answers each line of its input with one.

import { createInterface } from 'node:readline';

import { FaultError } from '../../../src/base/fault.ts';
import { keepReservations } from '../../../src/data/metering/keep-reservations.ts';
import { createMetering, type Reservation } from '../../../src/data/metering/metering.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { storeAt } from '../../support/stores.ts';

const [place = '', key = '', requestId = ''] = process.argv.slice(2);
await using store = await storeAt(place);
const { accounts, sql } = store;
const metering = createMetering({ accounts, sql, clock: systemClock });
const stop = new AbortController();
const onError = (what: string) => console.error(what);
const keeping = keepReservations({ metering, store, clock: systemClock, onError }, stop.signal);
let reservation: Reservation | null = null;

async function answerTo(line: string): Promise<unknown> {
  const [what, tokens] = line.split(' ');
  if (what === 'renew') return await metering.renewReservations();
  if (what === 'settle') return await reservation?.settle(Number(tokens));
  const caller = await metering.authenticate(`Bearer ${key}`);
  const call = { requestId, route: 'GET /v1/products/{id}', maxTokens: Number(tokens) };
  reservation = await metering.reserve(caller, call);
  return null;
}

for await (const line of createInterface({ input: process.stdin })) {
  try {
    await answerTo(line);
    console.log('done');
  } catch (error) {
    console.log(error instanceof FaultError ? error.fault.code : String(error));
  }
}
stop.abort();
await keeping.catch(() => undefined);
