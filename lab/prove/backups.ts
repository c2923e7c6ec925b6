// Promise 11: backups restore. Copies that were made while calls were written are restored by `openshelf restore` with
// everything that was answered before; a migration that is killed leaves the store as it was, and the next start runs it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { TABLES } from '../../src/data/maintenance/tables.ts';
import { newestVersion } from '../../src/data/migrate.ts';
import { fillStore } from '../../tests/support/filled-store.ts';
import { integerBelow, randomFrom, seedOf } from '../../tests/support/random.ts';
import { runProgram } from '../../tests/support/program.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { startCharging } from './charging.ts';
import { lookAt } from './looked-at.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 11;

export const backups: Proof = {
  name: 'backups',
  promise: 11,
  says: 'Backups restore, and migrations survive a crash.',
  run: async ({ isLong, say }) => {
    const problems = createProblems();
    const random = randomFrom(seedOf(SEED));
    const [copies, kills] = isLong ? [50, 50] : [2, 4];
    const kept = await hotBackups(copies, problems, say);
    const killed = await migrationKills(kills, random, problems);
    return problems.result([
      `seed ${seedOf(SEED)}`,
      `${copies} hot backups restored: ${kept} charges, all that were answered before each, check clean`,
      `${kills} starts with a migration to run killed (${killed} in the middle): each had every row and all of the migration or nothing, and ended with all of it`,
    ]);
  },
};

async function hotBackups(count: number, problems: Problems, say: (line: string) => void) {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const started = Promise.withResolvers<void>();
  const run = startCharging(join(data, 'openshelf.db'), 'b', (answered) => {
    if (answered === 20) started.resolve();
  });
  await Promise.race([started.promise, run.ended]);
  let kept = 0;
  for (let copy = 0; copy < count; copy += 1) {
    const file = join(folder.path, `copy-${copy}.db`);
    const target = join(folder.path, `restored-${copy}`);
    const before = [...run.answered];
    const made = await runProgram(['backup', file, '--data', data]);
    const restored = await runProgram(['restore', file, '--data', target]);
    problems.check(made.code === 0, `backup ${copy}: ${made.stderr}`);
    problems.check(restored.code === 0, `restore ${copy}: ${restored.stderr}`);
    using held = lookAt(join(target, 'openshelf.db'));
    for (const problem of await held.problems()) problems.note(`restore ${copy}: ${problem}`);
    const ledger = held.ledger();
    for (const [id, { tokens }] of before) {
      problems.check(ledger.get(id) === tokens, `restore ${copy}: ${id} is missing`);
    }
    for (const id of ledger.keys()) {
      problems.check(run.begun.has(id), `restore ${copy}: ${id} was never begun`);
    }
    kept += before.length;
    if (copy % 10 === 9) say(`${copy + 1} of ${count} backups`);
  }
  run.child.stdin?.end();
  await run.ended;
  return kept;
}

const CHILD = fileURLToPath(new URL('./opening-child.ts', import.meta.url));

/**
 * Every kill leaves the schema either before or after the migration, never in between, and the next start ends with it
 * applied.
 */
async function migrationKills(count: number, random: () => number, problems: Problems) {
  using folder = temporaryFolder();
  const old = join(folder.path, 'old.db');
  const before = await filledStore(old, random);
  // The duration of an uninterrupted run, from its first line on.
  const whole = await openUntil(copyOf(old, join(folder.path, 'whole.db')), null);
  let middle = 0;
  for (let kill = 0; kill < count; kill += 1) {
    const path = copyOf(old, join(folder.path, `killed-${kill}.db`));
    const ended = await openUntil(path, integerBelow(random, Math.ceil(whole.tookMs)));
    if (!ended.isOpen && logBytes(path) > 0) middle += 1;
    problems.check(
      !ended.isOpen || isMigrated(path),
      `kill ${kill}: it reported success too early`,
    );
    problems.check(keepsRows(path, before), `kill ${kill}: other rows after the kill`);
    await openUntil(path, null);
    problems.check(isMigrated(path), `kill ${kill}: it is not up to date`);
    problems.check(keepsRows(path, before), `kill ${kill}: other rows after the migration`);
  }
  return middle;
}

/** Creates a store with rows in every table; table -> its content. */
async function filledStore(path: string, random: () => number) {
  await using store = await storeAt(path);
  await fillStore(store.sql, random);
  return rowsOf(path);
}

function copyOf(path: string, copy: string): string {
  copyFileSync(path, copy);
  return copy;
}

const logBytes = (path: string): number =>
  statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0;

/** Table -> its rows, without the column that the migration adds. */
function rowsOf(path: string): ReadonlyMap<string, string> {
  using database = new DatabaseSync(path);
  return new Map(
    TABLES.map(({ name, key, columns }) => {
      const text = `select ${columns.join(', ')} from ${name} order by ${key.join(', ')}`;
      const statement = database.prepare(text);
      // Row numbers exceed the integers that JavaScript represents exactly.
      statement.setReadBigInts(true);
      const rows = statement.all().map((row) => Object.values(row).map(String));
      return [name, JSON.stringify(rows)] as const;
    }),
  );
}

function keepsRows(path: string, before: ReadonlyMap<string, string>): boolean {
  const after = rowsOf(path);
  return [...before].every(([table, rows]) => after.get(table) === rows);
}

/** Returns whether the whole migration is applied. Throws if only a part of it is. */
function isMigrated(path: string): boolean {
  using database = new DatabaseSync(path);
  const rows = database.prepare('select max(version) as version from openshelf_migrations').all();
  const isNext = Number(rows[0]?.['version']) === newestVersion() + 1;
  const tables = database.prepare("select 1 from sqlite_schema where name = 'later_words'").all();
  if (tables.length !== Number(isNext)) throw new Error(`${path}: half of a migration`);
  return isNext;
}

/** Migrates the store in a process that is killed this long after it began (ms); null: not at all. */
async function openUntil(path: string, killAfterMs: number | null) {
  const child = spawn(process.execPath, [CHILD, path], { stdio: ['ignore', 'pipe', 'ignore'] });
  const ended = once(child, 'close');
  let begunAtMs = 0;
  let isOpen = false;
  child.stdout.on('data', (piece) => {
    if (begunAtMs === 0) {
      begunAtMs = performance.now();
      if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    }
    if (String(piece).includes(' open')) isOpen = true;
  });
  await ended;
  return { isOpen, tookMs: performance.now() - begunAtMs };
}
