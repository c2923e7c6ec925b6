// docs/run is accurate: its commands and options exist, its metrics are answered, and a process of an older version handles
// a newer schema as the pages state.

import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { FAULT_CODES } from '../src/base/fault.ts';
import { migrate, newestVersion, readMigrations } from '../src/data/migrate.ts';
import { openPostgres } from '../src/data/postgres/postgres.ts';
import type { Sql } from '../src/data/sql.ts';
import { openSqlite } from '../src/data/sqlite/sqlite.ts';
import { openStore } from '../src/data/store.ts';
import { noteBackup } from '../src/answer/metrics/process-figures.ts';
import { runCommand } from './support/command.ts';
import { newDatabase } from './support/databases.ts';
import { startService } from './support/service.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = dirname(import.meta.dirname);
const PAGES = globSync('docs/run/*.md', { cwd: ROOT })
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n');

test('every metric that the pages name is answered by a service that has looked something up', async () => {
  const named = new Set(
    [...PAGES.matchAll(/`((?:openshelf|process|nodejs)_[a-z_]+)`/g)].map(([, name = '']) => name),
  );
  assert.ok(named.size >= 10);
  await using service = await startService({ withRetailers: true });
  noteBackup(service.dataDir, Date.now());
  const { upc, url } = service.sandbox.describe();
  await service.lookup(upc, '?include_cross_retailer=true');
  await service.lookup(url.json_ld);
  await service.untilQueueIdle();
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const answered = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name = '']) => name));
  assert.deepEqual(
    [...named].filter((name) => !answered.has(name)),
    [],
  );
});

test('every command and option that the pages name exists', async () => {
  const calls = [...PAGES.matchAll(/\bopenshelf ((?:[a-z-]+)(?: [^`\n]*)?)/g)]
    .map(([, call = '']) => call.split(' '))
    .filter(([name = '']) =>
      /^(?:backup|channel|check|compact|completion|doctor|dump|export|import|keys|load|migrate-store|orgs|quality|restore|serve|takedown|usage|watch)$/.test(
        name,
      ),
    );
  assert.ok(calls.length > 8);
  for (const [name = '', ...words] of calls) {
    const { code, stdout } = await runCommand([name, '--help']);
    assert.equal(code, 0, name);
    for (const option of words.filter((word) => word.startsWith('--') && word !== '--help')) {
      assert.ok(stdout.includes(option), `${name} ${option}`);
    }
  }
});

test('every fault that the pages name is one', () => {
  for (const code of ['overloaded', 'upstream_unavailable', 'quota_exceeded']) {
    assert.ok(PAGES.includes(code));
    assert.ok((FAULT_CODES as readonly string[]).includes(code), code);
  }
});

/** The next version's first migration, of the additive kind. */
function addition(): ReturnType<typeof readMigrations>[number] {
  return {
    version: newestVersion() + 1,
    statements: [
      'create table later_things (id text not null primary key)',
      'alter table listings add column later_word text',
      'alter table ledger_entries add column later_number integer',
    ],
  };
}

for (const kind of ['sqlite', 'postgres'] as const) {
  test(`an older process that runs goes on when the schema grows, one that starts refuses: ${kind}`, async () => {
    using folder = temporaryFolder();
    await using database = kind === 'postgres' ? await newDatabase('migrated') : null;
    const env: Record<string, string> =
      database === null
        ? { OPENSHELF_DATA: folder.path, DATABASE_URL: '' }
        : { DATABASE_URL: database.url };
    await using service = await startService({ withRetailers: true, env });
    const { upc, url } = service.sandbox.describe();
    assert.equal((await service.lookup(url.json_ld)).status, 200);
    assert.equal((await service.lookup(upc)).status, 200);
    await service.untilQueueIdle();
    const open = (): Promise<Sql> =>
      database === null
        ? openSqlite({ path: join(folder.path, 'openshelf.db') })
        : openPostgres({ url: database.url });
    {
      await using newer = await open();
      await migrate(newer, [...readMigrations(kind), addition()]);
    }
    // Stored and fetched, read and written, with the statements prepared before.
    for (let round = 0; round < 3; round += 1) {
      assert.equal((await service.lookup(url.json_ld)).status, 200);
      assert.equal((await service.lookup(upc)).status, 200);
    }
    assert.equal((await service.lookup(url.hosted)).status, 200);
    assert.equal((await service.post(`/v1/products/${upc}/refresh`)).status, 200);
    await service.untilQueueIdle();
    const place =
      database === null
        ? ({ kind: 'sqlite', path: join(folder.path, 'openshelf.db') } as const)
        : ({ kind: 'postgres', url: database.url } as const);
    const known = newestVersion();
    await assert.rejects(
      openStore(place),
      new RegExp(`the data has schema version ${known + 1}, this program knows up to ${known}`),
    );
  });
}
