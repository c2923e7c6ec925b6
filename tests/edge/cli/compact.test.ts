// openshelf compact: an export is the same before, after and during it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { DAY_MS } from '../../../src/base/clock.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openStore, type Store } from '../../../src/data/store.ts';
import { runCommand, type CommandOptions } from '../../support/command.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const LAUNCHER = fileURLToPath(new URL('../../../bin/openshelf.js', import.meta.url));
const LISTINGS = 40;
const DAYS = 200;

const openshelf = (args: readonly string[], options: CommandOptions = {}) =>
  runCommand(args, { watched: true, ...options });

/** A data folder with a history of some listings, imported as a user would. */
async function folderWithHistory(path: string): Promise<string> {
  const today = Math.floor(Date.now() / DAY_MS);
  const lines = ['retailer,retailer_id,observed_at,price,currency,in_stock'];
  for (let listing = 0; listing < LISTINGS; listing += 1) {
    for (let day = 1; day <= DAYS; day += 1) {
      const at = new Date((today - day) * DAY_MS + listing).toISOString();
      lines.push(`retailer_w,${100_000 + listing},${at},${10 + (day % 7)}.00,USD,true`);
    }
  }
  const file = join(path, 'history.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  const data = join(path, 'data');
  const done = await openshelf(['import', file, '--data', data]);
  assert.equal(done.code, 0, done.err.join('\n'));
  return data;
}

async function exported(data: string): Promise<readonly string[]> {
  const done = await openshelf(['export', '--data', data]);
  assert.equal(done.code, 0, done.err.join('\n'));
  return done.out;
}

const open = (data: string) => openStore({ kind: 'sqlite', path: join(data, 'openshelf.db') });

async function countOf({ sql }: Store, table: string): Promise<number> {
  return Number((await sql.all(`select count(*) as n from ${table}`))[0]?.['n']);
}

test('it says what it did, shows how far it is, and an export is the same after it', async () => {
  using folder = temporaryFolder();
  const data = await folderWithHistory(folder.path);
  const before = await exported(data);
  assert.equal(before.length, 1 + LISTINGS * DAYS);
  const stopped = await openshelf(['compact', '--data', data, '--json'], { stopped: true });
  assert.equal(stopped.code, 1);
  assert.match(stopped.out.at(-1) ?? '', /"complete":false,"folded":0/);
  const done = await openshelf(['compact', '--data', data, '--json']);
  assert.equal(done.code, 0, done.err.join('\n'));
  const folded = LISTINGS * (DAYS - 3);
  assert.deepEqual(JSON.parse(done.out.at(-1) ?? ''), {
    complete: true,
    folded,
    forgotten: 0,
    problems: [],
  });
  assert.match(done.status.at(-2) ?? '', new RegExp(`^\\[#{30}\\] 100% {2}${folded} observations`));
  assert.deepEqual(await exported(data), before);
  const again = await openshelf(['compact', '--data', data]);
  assert.deepEqual(again.out, ['0 observations compacted']);
  const check = await openshelf(['check', '--data', data, '--json']);
  assert.deepEqual(JSON.parse(check.out.at(-1) ?? ''), { clean: true, problems: [] });
});

test('only what the settings do not keep is deleted, and it is said', async () => {
  using folder = temporaryFolder();
  const data = await folderWithHistory(folder.path);
  const before = await exported(data);
  const env = { OPENSHELF_KEEP_BARS_YEARS: '1', OPENSHELF_KEEP_OBSERVATIONS_DAYS: '181' };
  const file = join(folder.path, 'old.csv');
  const old =
    'retailer,retailer_id,observed_at,price,currency\nretailer_w,100000,2001-02-03,1,USD\n';
  writeFileSync(file, old);
  assert.equal((await openshelf(['import', file, '--data', data])).code, 0);
  const done = await openshelf(['compact', '--data', data], { env });
  assert.match(done.out.join('\n'), /compacted, 1 deleted by the retention settings$/);
  assert.deepEqual(await exported(data), before);
  const refused = await openshelf(['compact', '--data', data], {
    env: { OPENSHELF_KEEP_OBSERVATIONS_DAYS: '30' },
  });
  assert.match(refused.err.join('\n'), /OPENSHELF_KEEP_OBSERVATIONS_DAYS must be .* from 181/);
});

test('kill -9 in the middle of it loses nothing and leaves nothing twice', async (t) => {
  const seed = seedOf(20_261_122);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  using folder = temporaryFolder();
  const data = await folderWithHistory(folder.path);
  const before = await exported(data);
  await using store = await open(data);
  const env = { PATH: process.env['PATH'], OPENSHELF_DATA: data };
  let packed = 0;
  for (let round = 0; round < 3; round += 1) {
    const enough = packed + 1 + integerBelow(random, 25);
    const child = spawn(process.execPath, [LAUNCHER, 'compact'], {
      cwd: folder.path,
      env,
      stdio: 'ignore',
    });
    const ended = once(child, 'exit');
    while ((packed = await countOf(store, 'packed_observations')) < enough) {
      if (child.exitCode !== null) break;
      // After its own commit, so that the other process gets its turn.
      await store.sql.probe();
    }
    child.kill('SIGKILL');
    await ended;
    assert.deepEqual(await exported(data), before, `round ${round}`);
    assert.deepEqual(await checkStore(store.sql), []);
  }
  assert.ok(packed > 0);
  const done = await openshelf(['compact', '--data', data]);
  assert.equal(done.code, 0, done.err.join('\n'));
  assert.equal(await countOf(store, 'observations'), 3 * LISTINGS);
  assert.deepEqual(await exported(data), before);
});

test('--vacuum makes the file as small as its content, alone, on a disk with room, and a kill undoes it', async () => {
  using folder = temporaryFolder();
  const data = await folderWithHistory(folder.path);
  const before = await exported(data);
  const path = join(data, 'openshelf.db');
  {
    await using store = await open(data);
    await store.sql.write([
      { text: "insert into write_probe values (1, printf('%.*c', 40000000, 'x'))" },
    ]);
    await store.sql.write([{ text: 'delete from write_probe' }]);
    const used = await openshelf(['compact', '--vacuum', '--data', data]);
    assert.equal(used.code, 1);
    assert.match(used.err.join('\n'), /another process has it open/);
  }
  const bytes = statSync(path).size;
  assert.ok(bytes > 40_000_000, `${bytes}`);
  const killed = spawn(process.execPath, [LAUNCHER, 'compact', '--vacuum', '--data', data], {
    cwd: folder.path,
    stdio: 'ignore',
  });
  const ended = once(killed, 'exit');
  // From here on it writes: the temporary file has no name, so the log is what can be seen of it.
  while (killed.exitCode === null && logBytes(path) === 0) await setImmediate();
  killed.kill('SIGKILL');
  await ended;
  assert.deepEqual(await exported(data), before);
  const done = await openshelf(['compact', '--vacuum', '--data', data, '--json']);
  assert.equal(done.code, 0, done.err.join('\n'));
  const { bytes_after: after } = JSON.parse(done.out.at(-1) ?? '') as { bytes_after: number };
  assert.equal(statSync(path).size, after);
  assert.ok(after < 4_000_000, `${after}`);
  assert.deepEqual(await exported(data), before);
  const check = await openshelf(['check', '--data', data, '--json']);
  assert.deepEqual(JSON.parse(check.out.at(-1) ?? ''), { clean: true, problems: [] });
  const server = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' };
  const refused = await openshelf(['compact', '--vacuum'], { env: server });
  assert.equal(refused.code, 2);
  assert.match(refused.err.join('\n'), /--vacuum is for SQLite\. PostgreSQL reuses free space/);
});

function logBytes(path: string): number {
  return statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;
}
