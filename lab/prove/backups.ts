// Promise 11: backups restore. Copies that were made while calls were written come back by `openshelf restore` with
// everything that was answered before; a migration that is killed goes on; a database of the last release is brought up
// to date.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';

import { integerBelow, randomFrom, seedOf } from '../../tests/support/random.ts';
import { runProgram } from '../../tests/support/program.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { startCharging } from './charging.ts';
import { lookAt } from './looked-at.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 11;
const RELEASE = new URL('../../tests/release/0.1.0/', import.meta.url);

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
      `${kills} starts on a database of 0.1.0 killed (${killed} in the middle): each came up to date with every row, check clean`,
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

async function migrationKills(count: number, random: () => number, problems: Problems) {
  using folder = temporaryFolder();
  const old = join(folder.path, 'old.db');
  writeRelease(old);
  const before = rowsOf(old);
  // How long one takes that nobody kills, from its first line on.
  const whole = await openUntil(copyOf(old, join(folder.path, 'whole.db')), null);
  let middle = 0;
  for (let kill = 0; kill < count; kill += 1) {
    const path = copyOf(old, join(folder.path, `killed-${kill}.db`));
    const ended = await openUntil(path, integerBelow(random, Math.ceil(whole.tookMs)));
    if (!ended.isOpen && versionOf(path) > 0) middle += 1;
    await (await storeAt(path))[Symbol.asyncDispose]();
    using held = lookAt(path);
    problems.check(held.isMigrated(), `kill ${kill}: it is not up to date`);
    for (const problem of await held.problems()) problems.note(`kill ${kill}: ${problem}`);
    const after = rowsOf(path);
    for (const [table, rows] of before) {
      problems.check(after.get(table) === rows, `kill ${kill}: ${table} has other rows`);
    }
  }
  return middle;
}

function writeRelease(path: string): void {
  const text = (name: string) => readFileSync(new URL(name, RELEASE), 'utf8');
  const database = new DatabaseSync(path);
  database.exec(`${text('sqlite.sql')}\nbegin;\n${text('rows.sql')}\ncommit;`);
  database.close();
}

function copyOf(path: string, copy: string): string {
  copyFileSync(path, copy);
  return copy;
}

/** Tables whose rows no migration changes -> how many rows they have and what stands in them. */
function rowsOf(path: string): ReadonlyMap<string, string> {
  const database = new DatabaseSync(path);
  const columns = {
    ledger: 'request_id, organization_id, tokens, balance_after',
    balances: 'organization_id, month, used, reserved',
    api_keys: 'id, secret_sha256',
    listings: 'id, record',
  };
  const rows = Object.entries(columns).map(([table, names]) => {
    const found = database.prepare(`select ${names} from ${table} order by 1, 2`).all();
    return [table, JSON.stringify(found)] as const;
  });
  database.close();
  return new Map(rows);
}

function versionOf(path: string): number {
  const database = new DatabaseSync(path);
  const row = database.prepare('select max(version) as version from schema_versions').get();
  database.close();
  return Number(row?.['version']);
}

/** Opens the store in a process that is killed so long after it began (ms); null: not at all. */
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
