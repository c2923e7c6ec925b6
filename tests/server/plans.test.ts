// Every statement of the service finds its rows by an index, so that its cost does not grow with the store.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';

import type { Clock } from '../../src/base/clock.ts';
import type { Database, SqlValue, Statement } from '../../src/data/sql.ts';
import { openSqliteFile } from '../../src/data/sqlite/connection.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { isOnPostgres } from '../support/databases.ts';
import { startService } from '../support/service.ts';

/**
 * What may be scanned: tables that grow only with the organizations, with the requests in progress, with the operator's
 * takedowns, with the official sources, or with what people chose once; the index used to count the queue; and that of the misses, which are limited to 100,000.
 */
const SMALL = [
  'job_turns',
  'takedowns',
  'feeds',
  'leases',
  'host_slots',
  'host_pauses',
  'source_states',
  'source_calls',
  'page_rules',
];
const COUNTED =
  /^SCAN (?:jobs USING (?:COVERING )?INDEX|misses USING COVERING INDEX misses_by_time)/;
/** Requested by readers of the metrics. */
const COUNTS =
  /^select count\(\*\) as (?:waiting from deliveries where state = 'waiting'$|found from channels )/;
/** The last statement of a housekeeping round. */
const LAST_OF_A_ROUND = 'delete from deliveries where created_at_ms';

/** Rounds of housekeeping follow each other quickly: they wait for nothing that a test waits for. */
const hurried: Clock = {
  ...systemClock,
  sleep: (ms, signal) => systemClock.sleep(Math.min(ms, 500), signal),
};

/** Collects the text of every statement; `round` resolves when a round of housekeeping has ended. */
function listenTo(sql: Database) {
  const texts = new Set<string>();
  const { promise: round, resolve } = Promise.withResolvers<void>();
  const itself = { ...sql };
  Object.assign(sql, {
    all: (text: string, params?: readonly SqlValue[]) => {
      texts.add(text);
      return itself.all(text, params);
    },
    write: (unit: readonly Statement[]) => {
      for (const { text } of unit) texts.add(text);
      if (unit.some(({ text }) => text.startsWith(LAST_OF_A_ROUND))) resolve();
      return itself.write(unit);
    },
  });
  return { texts, round };
}

void test('no statement of a lookup, of background work or of housekeeping scans a large table', async (t) => {
  if (isOnPostgres()) {
    t.skip(
      'SQLite plans a statement before the table has rows; PostgreSQL decides by their number',
    );
    return;
  }
  await using service = await startService({ withRetailers: true, clock: hurried });
  const { app, sandbox } = service;
  const { texts, round } = listenTo(app.store.sql);
  const everything =
    '?include_offers=true&include_cross_retailer=true&include_price_series=true&include_reviews=true' +
    '&include_seller_context=true&include_offers_history=true&identifier_match=any';
  for (const { gtin14 } of sandbox.market().catalog.slice(0, 3)) {
    for (const query of ['', everything, everything]) await service.lookup(gtin14, query);
    await service.untilQueueIdle();
    for (const path of ['history', 'reviews', 'offers', 'offers/history']) {
      await service.get(`/v1/products/${gtin14}/${path}`);
    }
    await service.post(`/v1/products/${gtin14}/refresh`);
  }
  await service.get('/v1/retailers');
  await service.get('/v1/usage');
  await fetch(`${service.url}/metrics`);
  await round;
  const db = openSqliteFile(join(service.dataDir, 'openshelf.db'), {
    readOnly: false,
    busyTimeoutMs: 1_000,
  });
  const tables = new Set(
    db.all("select name from sqlite_schema where type = 'table'").map(({ name }) => String(name)),
  );
  const plans = [...texts].flatMap((text) =>
    db
      .all(`explain query plan ${text.replaceAll(/\$\d+/g, 'null')}`)
      .map(({ detail }) => ({ text, detail: String(detail) })),
  );
  db.close();
  const scans = plans.filter(({ text, detail }) => {
    if (COUNTS.test(text)) return false;
    const table = /^SCAN (\w+)/.exec(detail)?.[1] ?? '';
    return tables.has(table) && !SMALL.includes(table) && !COUNTED.test(detail);
  });
  assert.ok(texts.size > 50, `only ${texts.size} statements were seen`);
  assert.deepEqual(scans, []);
});
