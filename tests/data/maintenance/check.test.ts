import assert from 'node:assert/strict';
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { after, before, test } from 'node:test';

import { EMPTY_LISTING } from '../../../src/base/listing/listing.ts';
import type { Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import {
  debit,
  insertBalance,
  grantTokens,
  insertReservation,
} from '../../../src/data/accounts/balances.ts';
import { insertCharge } from '../../../src/data/accounts/charges.ts';
import { listingIdOf } from '../../../src/data/answers/listings.ts';
import { upsertListing } from '../../../src/data/answers/listing-writes.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore } from '../../../src/data/store.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/temporary-folder.ts';
import { insertObservation } from '../../../src/data/history/recent-observations.ts';

const NOON = Date.parse('2026-03-14T12:00:00Z');

/** A store with one of everything, closed again; returns the path. */
async function makeStore(folder: string): Promise<string> {
  const path = join(folder, 'openshelf.sqlite');
  await using store = await openStore({ kind: 'sqlite', path });
  const { sql } = store;
  const { id } = await store.accounts.upsertOrganization({ name: 'acme' }, NOON);
  await store.accounts.insertKey({
    id: 'key00001',
    organizationId: id,
    secretSha256: '0'.repeat(64),
    scopes: [],
    note: null,
    createdAtMs: NOON,
    expiresAtMs: null,
  });
  const account = { organizationId: id, month: '2026-03' };
  const charge = { requestId: 'r1', keyId: 'key00001', tokens: 6, route: 'GET /', atMs: NOON };
  await sql.write([insertBalance(account), debit(account, 6), ...insertCharge(account, charge)]);
  await sql.write([
    ...insertReservation(account, { requestId: 'r2', tokens: 9, leaseUntilMs: NOON + 60_000 }),
  ]);
  await grantTokens(sql, { organizationId: id, tokens: 50, requestId: 'g1', nowMs: NOON });
  const listing = {
    ...EMPTY_LISTING,
    gtin: '00012345678905' as Gtin14,
    price: { cents: 100, currency: 'USD' },
  };
  await sql.write([
    ...upsertListing({
      retailer: 'lampshop',
      key: 'lamp',
      url: 'https://lampshop.example/lamp',
      foundVia: 'submitted_url',
      fetchedAtMs: NOON,
      listing,
      notes: { missing: [], remarks: [] },
    }),
    insertObservation({
      listingId: listingIdOf('lampshop', 'lamp'),
      observedAtMs: NOON,
      price: listing.price,
      inStock: true,
    }),
  ]);
  assert.deepEqual(await checkStore(sql), []);
  return path;
}

let kept: TemporaryFolder;
let sound = '';

before(async () => {
  kept = temporaryFolder();
  sound = await makeStore(kept.path);
});

after(() => kept[Symbol.dispose]());

/** Copies the store into its own folder; returns its path. */
function copyInto(folder: string): string {
  const path = join(folder, 'openshelf.sqlite');
  copyFileSync(sound, path);
  return path;
}

test('each way in which a store can disagree with itself is one sentence', async () => {
  const damages: readonly [string, RegExp][] = [
    ['update balances set used = used + 1', /acme 2026-03: 7 tokens used; .* sum to 6/],
    ['update balances set calls = 0', /0 calls; the number of charges in the ledger is 1/],
    ['update balances set granted = 49', /49 tokens granted; the grants sum to 50/],
    ['update balances set reserved = 8', /8 tokens reserved; the reservations sum to 9/],
    ["delete from charges where request_id = 'r1'", /6 tokens used; .* sum to 0/],
    ['delete from balances', /0 tokens used; .* sum to 6/],
    ['delete from reservations', /9 tokens reserved; the reservations sum to 0/],
    ["update charge_batches set month = '2026-04'", /2026-04: 0 tokens used/],
    ["update charge_batches set key_id = 'other'", /ledger r1: the key does not belong/],
    ['update usage_days set tokens = 7', /day 20526, GET \/: 1 tokens and 0 calls more/],
    ['delete from usage_days', /-6 tokens and -1 calls more than in the ledger/],
    ['insert into idempotency_space select id, 9 from organizations', /0 bytes, 9 counted/],
    ['delete from api_keys', /charge_batches has a row that points to no row of api_keys/],
    ['delete from listings', /observation .* no listing/],
    ['update observations set in_stock = 0', /price while out of stock/],
    ["update listings set record = '{'", /lampshop lamp: the record is not readable/],
    ["update listings set record = '{}'", /the record is not readable/],
    ["update listings set gtin14 = '00012345678904'", /00012345678904 is not a GTIN-14/],
    ["update listings set gtin14 = '00036000291452'", /the record has barcode/],
    ['update listings set price_cents = 1', /the record has price 100, the column 1/],
    [
      "insert into takedowns values ('lampshop.example', 1, null, 0)",
      /^lampshop\.example is taken down and 1 of its listings are stored: run `openshelf takedown` for it again/m,
    ],
  ];
  for (const [damage, expected] of damages) {
    using folder = temporaryFolder();
    const path = copyInto(folder.path);
    const db = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    db.exec(damage);
    db.close();
    await using store = await openStore({ kind: 'sqlite', path });
    const problems = await checkStore(store.sql);
    assert.match(problems.join('\n'), expected, damage);
  }
});

test('a damaged file is reported, not thrown', async () => {
  using folder = temporaryFolder();
  const path = copyInto(folder.path);
  // Overwrites the page that holds the listings' rows.
  const db = new DatabaseSync(path);
  const root = db.prepare("select rootpage from sqlite_schema where name = 'listings'").get();
  const bytes = Number(db.prepare('pragma page_size').get()?.['page_size']);
  db.close();
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(bytes, 0xa5), 0, bytes, (Number(root?.['rootpage']) - 1) * bytes);
  closeSync(file);
  await using store = await openStore({ kind: 'sqlite', path });
  assert.match((await checkStore(store.sql)).join('\n'), /database file: /);
});

test('a hundred problems of one kind are twenty and a count', async () => {
  using folder = temporaryFolder();
  const path = copyInto(folder.path);
  const db = new DatabaseSync(path);
  const insert = db.prepare(
    `insert into listings (id, retailer, listing_key, url, found_via, outcome, checked_at_ms, gtin14)
     values (?, 'r', ?, '', '', '', 0, 'x')`,
  );
  for (let n = 0; n < 1_234; n += 1) insert.run(`id${n}`, `${n}`);
  db.close();
  await using store = await openStore({ kind: 'sqlite', path });
  const problems = await checkStore(store.sql);
  assert.equal(problems.length, 21);
  assert.equal(problems.at(-1), '... and 1214 more of this kind');
});
