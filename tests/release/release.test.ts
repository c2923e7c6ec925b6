// A database that the release before made opens with today's code, and answers as it did then: on SQLite and on
// PostgreSQL. The folders beside this file were made by `build/release-database.ts`.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';

import { openApp } from '../../src/edge/app.ts';
import { readConfig } from '../../src/edge/config.ts';
import { isKnownSlug } from '../../src/base/retailer.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { newDatabase, withClient } from '../support/databases.ts';
import { shown } from '../support/origin-names.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Recorded = {
  readonly madeAtMs: number;
  readonly key: string;
  readonly answers: readonly {
    readonly path: string;
    readonly status: number;
    readonly body: object;
  }[];
};

const RELEASES = globSync('*/answers.json', { cwd: import.meta.dirname }).map((path) =>
  basename(join(path, '..')),
);

for (const release of RELEASES) {
  const text = (name: string) =>
    shown(readFileSync(join(import.meta.dirname, release, name), 'utf8'));

  test(`${release}: a SQLite database of the release answers as it did`, async () => {
    using folder = temporaryFolder();
    const dataDir = folder.path;
    const database = new DatabaseSync(join(dataDir, 'openshelf.db'));
    database.exec(`${text('sqlite.sql')}\nbegin;\n${text('rows.sql')}\ncommit;`);
    database.close();
    await answersAsBefore(
      { OPENSHELF_DATA: dataDir },
      JSON.parse(text('answers.json')) as Recorded,
    );
  });

  test(`${release}: a PostgreSQL database of the release answers as it did`, async () => {
    await using database = await newDatabase('empty');
    await withClient(database.url, (client) =>
      client.query(
        `${text('postgres.sql')}\nset standard_conforming_strings = on;\n${text('rows.sql')}`,
      ),
    );
    await answersAsBefore(
      { DATABASE_URL: database.url },
      JSON.parse(text('answers.json')) as Recorded,
    );
  });
}

/** Everything is held: nobody is asked, so that no answer can come from anywhere else. */
async function answersAsBefore(
  env: Readonly<Record<string, string>>,
  { madeAtMs, key, answers }: Recorded,
): Promise<void> {
  const clock = shiftedClock(madeAtMs + 60_000);
  // A proxy that is not there: jobs that the release left on the queue reach nobody.
  const nowhere = { OPENSHELF_EGRESS_PROXY: 'http://127.0.0.1:1' };
  const config = readConfig({ ...env, ...nowhere, PORT: '0' });
  await using app = await openApp(config, { clock });
  assert.deepEqual(await checkStore(app.store.sql), []);
  const { url } = await app.listen();
  for (const { path, status, body } of answers) {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(response.status, status, path);
    assert.deepEqual(comparable(await response.json()), comparable(body), path);
  }
  await app.stop(1_000);
}

/** Fields of a cell's identity that the release did not have yet. */
const LATER = ['disputed', 'note'];
/** Fields of any answer that it did not have. */
const ADDED = ['best_price', 'unit_price', 'counted', 'sales_rank', 'offers_complete'];
/** How sure the matcher is: a later model may judge the same listings better. What they agree in stays (D59). */
const SCORES = ['data_quality_score'];
/** What the release took from retailer_w's history in every record (D29), and from confirmed rows only with `all`. */
const OF_HISTORY = ['stats', 'price_history'];

/**
 * Without the balance, because the recorded calls cost tokens themselves; without what was added since; without scores;
 * and without how other shops are tied to a barcode, which the release took for proof (D57).
 */
function comparable(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body), function drop(this: unknown, name, value: unknown) {
    const holder = typeof this === 'object' && this !== null ? this : {};
    if (name === 'tokens_remaining' || ADDED.includes(name) || SCORES.includes(name))
      return undefined;
    if (OF_HISTORY.includes(name) && !isOfRetailerW(holder)) return undefined;
    if ('page_barcode' in holder && LATER.includes(name)) return undefined;
    const isOfShop = 'retailer' in holder && !isKnownSlug(String(holder.retailer));
    return isOfShop && ['identity_state', 'identity'].includes(name) ? undefined : value;
  });
}

function isOfRetailerW(record: object): boolean {
  const { _meta: meta } = record as { readonly _meta?: { readonly price_source?: string } };
  if (meta !== undefined) return meta.price_source === 'retailer_w';
  // The figures of all retailers together count other rows than they did (D62).
  return !('retailer' in record && record.retailer === 'all');
}
