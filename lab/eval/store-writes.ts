// npm run eval:store-writes -- --data DIR [--rounds N] [--at-once N] [--json]: how many refreshed listings a store
// files a second, and on PostgreSQL (DATABASE_URL instead of --data) how much log each costs. Every listing that is
// held is filed again as if it had been read a day later: it changes the data, so take a copy.

import { parseArgs } from 'node:util';

import { withStore } from '../../src/edge/wiring/open-store.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { DAY_MS } from '../../src/base/clock.ts';
import { deleteMissOf, listingChanges } from '../../src/answer/collect/storing/store-listing.ts';
import { writeChanges } from '../../src/data/answers/answer-writes.ts';
import type { Sql } from '../../src/data/sql.ts';
import type { Store } from '../../src/data/store.ts';
import { recordOf } from '../../src/data/answers/listings.ts';
import type { FoundVia } from '../../src/base/listing/stored-listing.ts';

type Figures = {
  readonly listings: number;
  readonly seconds: number;
  readonly commits: number;
  /** Null where the database does not say. */
  readonly logBytes: number | null;
};

/** Bytes of log written so far; null on SQLite. */
async function logPosition(sql: Sql): Promise<number | null> {
  if (sql.dialect === 'sqlite') return null;
  const rows = await sql.all(
    "select cast(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bigint) as position",
  );
  return Number(rows[0]?.['position']);
}

async function fileAgain(store: Store, atOnce: number): Promise<Figures> {
  const rows = await store.sql.all(
    `select retailer, listing_key, url, found_via, fetched_at_ms, record from listings
     where record is not null order by id`,
  );
  const filings = rows.map((row) => ({
    retailer: String(row['retailer']),
    key: String(row['listing_key']),
    url: String(row['url']),
    foundVia: String(row['found_via']) as FoundVia,
    source: 'secondary' as const,
    fetchedAtMs: Number(row['fetched_at_ms']) + DAY_MS,
    ...recordOf(String(row['record'])),
  }));
  const before = await logPosition(store.sql);
  const commits = store.sql.commits();
  const startedAtMs = performance.now();
  let next = 0;
  const writing = Array.from({ length: atOnce }, async () => {
    for (let filing = filings[next]; filing !== undefined; filing = filings[next]) {
      next += 1;
      await writeChanges(store.sql, listingChanges(filing), deleteMissOf(filing));
    }
  });
  await Promise.all(writing);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  const after = await logPosition(store.sql);
  return {
    listings: filings.length,
    seconds,
    commits: store.sql.commits() - commits,
    logBytes: before === null || after === null ? null : after - before,
  };
}

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    rounds: { type: 'string', default: '3' },
    'at-once': { type: 'string', default: '32' },
    json: { type: 'boolean', default: false },
  },
});
const { data } = values;
const config = readConfig(process.env, data === undefined ? {} : { dataDir: data });
const startedAtMs = systemClock.now();
await withStore(config, async (store) => {
  for (let round = 1; round <= Number(values.rounds); round += 1) {
    const figures = await fileAgain(store, Number(values['at-once']));
    const { listings, seconds, commits, logBytes } = figures;
    if (values.json) {
      console.log(JSON.stringify({ round, ...figures }));
      continue;
    }
    const log = logBytes === null ? '' : `, ${Math.round(logBytes / listings)} bytes of log each`;
    console.log(
      `round ${round}: ${listings} listings filed, ${Math.round(listings / seconds)} a second in ` +
        `${commits} commits${log}`,
    );
  }
});
console.error(`${Math.round((systemClock.now() - startedAtMs) / 1_000)} s`);
