// A process that makes metered calls on a store of its own and prints the id of each call once it may be
// answered. `forever`: eight at a time until it is killed or its input ends. `command`: one key made, five
// calls, closed again, as a command does while a server runs.

import { writeSync } from 'node:fs';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import { generateKey } from '../../../src/data/metering/api-key.ts';
import type { Caller } from '../../../src/data/metering/authentication.ts';
import { createMetering, type Metering } from '../../../src/data/metering/metering.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import type { Store } from '../../../src/data/store.ts';
import { storeAt } from '../../support/stores.ts';
import { insertObservation } from '../../../src/data/history/recent-observations.ts';

const [place = '', prefix = '', mode = ''] = process.argv.slice(2);
const clock = { now: () => Date.now(), sleep: () => Promise.resolve() };
const LISTING = listingIdOf('lampshop', prefix);

/** Synchronous: what is printed has left the process before anything else happens. */
function say(line: string): void {
  let left = Buffer.from(`${line}\n`);
  while (left.length > 0) {
    try {
      left = left.subarray(writeSync(1, left));
    } catch (error) {
      // The pipe is full: its reader is slower than this process. Anything else ends the test.
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
    }
  }
}

async function newCaller(store: Store, metering: Metering): Promise<Caller> {
  const settings = { name: 'acme', throttlePerMinute: 60_000_000, monthlyQuota: 1_000_000_000 };
  const organization = await store.accounts.upsertOrganization(settings, clock.now());
  const { id, text, secretSha256 } = generateKey();
  await store.accounts.insertKey({
    id,
    organizationId: organization.id,
    secretSha256,
    scopes: [],
    note: null,
    createdAtMs: clock.now(),
    expiresAtMs: null,
  });
  return metering.authenticate(`Bearer ${text}`);
}

let calls = 0;

/** Like a lookup: tokens reserved, listing and observation in one transaction, settled, answered. */
async function lookup(store: Store, metering: Metering, caller: Caller): Promise<void> {
  const number = (calls += 1);
  const requestId = `${prefix}-${number}`;
  const route = 'GET /v1/products/{id}';
  say(`begun ${requestId}`);
  if (number % 3 === 0) {
    await metering.charge(caller, { requestId, route, tokens: 1 });
    say(`charged ${requestId} 1`);
    return;
  }
  const reservation = await metering.reserve(caller, { requestId, route, maxTokens: 11 });
  if (number % 7 === 0) {
    await reservation.release();
    say(`released ${requestId}`);
    return;
  }
  const price = { cents: 100 + calls, currency: 'USD' };
  const observedAtMs = clock.now() * 1_000 + (calls % 1_000);
  await store.sql.write([
    ...upsertListing({
      retailer: 'lampshop',
      key: prefix,
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: clock.now(),
      listing: { ...EMPTY_LISTING, title: 'Lamp', price },
      notes: { missing: [], remarks: [] },
    }),
    insertObservation({ listingId: LISTING, observedAtMs, price, inStock: true }),
  ]);
  await reservation.settle(6);
  say(`charged ${requestId} 6 ${observedAtMs}`);
}

say('opening');
await using store = await storeAt(place);
const metering = createMetering({ accounts: store.accounts, sql: store.sql, clock });
await metering.sweep();
const caller = await newCaller(store, metering);
if (mode === 'command') {
  for (let n = 0; n < 5; n += 1) await lookup(store, metering, caller);
} else {
  const over = new AbortController();
  process.stdin.on('end', () => over.abort());
  process.stdin.resume();
  const workers = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) await lookup(store, metering, caller);
  });
  await Promise.all(workers);
}
say('closed');
