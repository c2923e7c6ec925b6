// Promise 4: no paid call is lost or charged twice by a crash. Compared id by id: every answered call is in the ledger
// exactly once, with its tokens and its observation, and nothing else is except calls that the crash cut off.

import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { command, withClient } from '../../tests/support/databases.ts';
import { startPostgres } from '../../tests/support/postgres-server.ts';
import { integerBelow, randomFrom, seedOf } from '../../tests/support/random.ts';
import { storeAt } from '../../tests/support/stores.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { checkStore } from '../../src/data/maintenance/check.ts';
import { ledgerProblems, startCharging, type Charging } from './charging.ts';
import { killedReservations } from './killed-reservations.ts';
import { lookAt } from './looked-at.ts';
import { createProblems, type Problems } from './problems.ts';
import type { Proof } from './proof.ts';

const SEED = 20_261_122;

export const crashes: Proof = {
  name: 'crashes',
  promise: 4,
  says: 'No paid call is lost or charged twice by a crash.',
  run: async ({ isLong, say }) => {
    const random = randomFrom(seedOf(SEED));
    const counts = isLong
      ? { kills: 1_000, torn: 1_000, recoveries: 100 }
      : { kills: 3, torn: 30, recoveries: 1 };
    const problems = createProblems();
    const killed = await killRounds(counts.kills, random, { problems, say });
    const prefixes = await tornLogs(counts.torn, random, problems);
    say(`${counts.torn} torn logs`);
    const freed = await killedReservations(problems);
    say(`reservations of killed processes free after ${freed.join(' and ')} ms`);
    const recovered = await recoveries(counts.recoveries, random, { problems, say });
    return problems.result([
      `seed ${seedOf(SEED)}`,
      `${counts.kills} kill -9 on SQLite: ${killed} answered calls, each once in the ledger`,
      `${counts.torn} torn logs: ${prefixes} different prefixes, each consistent`,
      `tokens that killed processes had reserved: free after ${Math.max(...freed)} ms`,
      `${counts.recoveries} crash recoveries of PostgreSQL: ${recovered} answered calls, each once in the ledger`,
    ]);
  },
};

type Watched = { readonly problems: Problems; readonly say: (line: string) => void };

/** How often one database is reused: its whole ledger is read and compared after each kill. */
const ROUNDS_OF_ONE = 25;

async function killRounds(count: number, random: () => number, { problems, say }: Watched) {
  let answered = 0;
  for (let from = 0; from < count; from += ROUNDS_OF_ONE) {
    using folder = temporaryFolder();
    const path = join(folder.path, 'openshelf.db');
    const runs: Charging[] = [];
    for (let round = from; round < Math.min(count, from + ROUNDS_OF_ONE); round += 1) {
      // Every sixth process is killed while it opens the store.
      const after = round % 6 === 5 ? 0 : 1 + integerBelow(random, 150);
      const run = startCharging(path, `k${round}`, (sofar, child) => {
        if (sofar >= after) child.kill('SIGKILL');
      });
      await run.ended;
      problems.check(run.child.signalCode === 'SIGKILL', `round ${round} ended by itself`);
      runs.push(run);
      answered += run.answered.size;
      if (!existsSync(path)) continue;
      using held = lookAt(path);
      if (!held.isMigrated()) {
        const isNothingLost = runs.every((each) => each.answered.size === 0);
        problems.check(isNothingLost, `after kill ${round}: calls were answered without tables`);
        continue;
      }
      for (const problem of await held.problems()) problems.note(`after kill ${round}: ${problem}`);
      for (const problem of ledgerProblems(held.ledger(), held.instants(), runs)) {
        problems.note(`after kill ${round}: ${problem}`);
      }
    }
    say(`${Math.min(count, from + ROUNDS_OF_ONE)} of ${count} kills`);
  }
  return answered;
}

/**
 * The log is truncated at any byte, and in every third one an earlier byte is flipped; the opened database must be a prefix
 * of it.
 */
async function tornLogs(count: number, random: () => number, problems: Problems): Promise<number> {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const run = startCharging(path, 't', (sofar, child) => {
    if (sofar >= 150) child.kill('SIGKILL');
  });
  await run.ended;
  const log = readFileSync(`${path}-wal`);
  const whole = join(folder.path, 'whole.db');
  copyFileSync(path, whole);
  copyFileSync(`${path}-wal`, `${whole}-wal`);
  using original = lookAt(whole);
  const all = [...original.ledger().keys()];
  const prefixes = new Set<number>();
  const torn = join(folder.path, 'torn.db');
  for (let round = 0; round < count; round += 1) {
    const cut = log.subarray(0, integerBelow(random, log.length + 1));
    const bytes = Buffer.from(cut);
    if (round % 3 === 0 && bytes.length > 0) {
      const at = integerBelow(random, bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << integerBelow(random, 8));
    }
    copyFileSync(path, torn);
    writeFileSync(`${torn}-wal`, bytes);
    try {
      prefixes.add(await prefixOf(torn, all, problems, round));
    } catch (error) {
      problems.note(`torn log ${round}: ${String(error)}`);
    }
  }
  return prefixes.size;
}

async function prefixOf(
  path: string,
  all: readonly string[],
  problems: Problems,
  round: number,
): Promise<number> {
  using held = lookAt(path);
  // Truncated within the migrations.
  if (!held.isMigrated()) return -1;
  for (const problem of await held.problems()) problems.note(`torn log ${round}: ${problem}`);
  const ids = [...held.ledger().keys()];
  const isPrefix = ids.every((id, at) => id === all[at]);
  problems.check(
    isPrefix,
    `torn log ${round}: ${ids.length} charges are no beginning of the ledger`,
  );
  return ids.length;
}

/** Kills a backend: the server closes every connection and recovers from its log. */
async function recoveries(count: number, random: () => number, { problems, say }: Watched) {
  await using server = await startPostgres([
    'fsync=on',
    'synchronous_commit=on',
    'full_page_writes=on',
  ]);
  await command(server.url, 'create database crashes');
  const url = new URL(server.url);
  url.pathname = '/crashes';
  const runs: Charging[] = [];
  let answered = 0;
  for (let round = 0; round < count; round += 1) {
    const after = 20 + integerBelow(random, 200);
    let isStruck = false;
    const run = startCharging(url.href, `p${round}`, (sofar, child) => {
      if (sofar < after || isStruck) return;
      isStruck = true;
      void strike(url.href).catch((error: unknown) => {
        problems.note(`recovery ${round}: ${String(error)}`);
        child.kill('SIGKILL');
      });
    });
    // It exits at the first call that the store cannot perform.
    await run.ended;
    runs.push(run);
    answered += run.answered.size;
    await recovered(url.href);
    await using store = await storeAt(url.href);
    for (const problem of await checkStore(store.sql))
      problems.note(`recovery ${round}: ${problem}`);
    const rows = await store.sql.all("select request_id, tokens from ledger where kind = 'charge'");
    const ledger = new Map(rows.map((row) => [String(row['request_id']), Number(row['tokens'])]));
    const seen = await store.sql.all('select observed_at_ms from observations');
    const instants = new Set(seen.map((row) => Number(row['observed_at_ms'])));
    for (const problem of ledgerProblems(ledger, instants, runs)) {
      problems.note(`recovery ${round}: ${problem}`);
    }
    if (round % 10 === 9) say(`${round + 1} of ${count} recoveries`);
  }
  return answered;
}

async function strike(url: string): Promise<void> {
  const pid = await withClient(url, async (client) => {
    const { rows } = await client.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where backend_type = 'client backend' and pid <> pg_backend_pid() and datname = 'crashes' limit 1`,
    );
    return rows[0]?.pid ?? 0;
  });
  if (pid === 0) throw new Error('no backend to kill');
  process.kill(pid, 'SIGKILL');
}

/** Resolves when the server accepts connections again. */
async function recovered(url: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      await withClient(url, (client) => client.query('select 1'));
      return;
    } catch (error) {
      if (attempt > 2_000) throw error;
    }
  }
}
