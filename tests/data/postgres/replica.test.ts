// Reads that may be slightly stale, with a read replica: from the replica while it is known to be up to date, otherwise
// from the primary, and never failing while either is available. One pair of servers for the file; the last test removes
// the primary for good.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';

import type { Clock } from '../../../src/base/clock.ts';
import { openPostgres } from '../../../src/data/postgres/postgres.ts';
import { openReplicated } from '../../../src/data/postgres/read-replica.ts';
import type { Sql, Statement } from '../../../src/data/sql.ts';
import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { command } from '../../support/databases.ts';
import { startPostgresPair, type PostgresPair } from '../../support/postgres-pair.ts';
import { StoreUnavailable } from '../../../src/data/sql.ts';

const steady: Clock = { ...systemClock, now: () => performance.now() };

let pair: PostgresPair;

before(async () => {
  pair = await startPostgresPair();
  await command(pair.primary.url('postgres'), 'create database shelf');
  await command(shelf(), 'create table counts (id text primary key, n bigint not null)');
  await pair.caughtUp();
});
after(() => pair[Symbol.asyncDispose]());

const shelf = () => pair.primary.url('shelf');

/** Closed with its server. */
async function open(): Promise<Awaited<ReturnType<typeof openReplicated>> & AsyncDisposable> {
  const [one, two] = [pair.primary.port, pair.standby.port];
  const url = `postgres://openshelf@127.0.0.1:${one},127.0.0.1:${two}/shelf?target_session_attrs=read-write`;
  const opened = await openReplicated({
    url,
    replicaUrl: pair.standby.url('shelf'),
    clock: steady,
  });
  return { ...opened, [Symbol.asyncDispose]: () => opened.sql[Symbol.asyncDispose]() };
}

async function isFromReplica(sql: Sql): Promise<boolean> {
  const [row] = await sql.all('select pg_is_in_recovery() as follows');
  return row?.['follows'] === 1;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo()));
}

const put = (id: string, n: number): Statement => ({
  text: `insert into counts (id, n) values ($1, $2) on conflict (id) do update set n = excluded.n`,
  params: [id, n],
});

async function stored(sql: Sql, id: string): Promise<number> {
  const [row] = await sql.all('select n from counts where id = $1', [id]);
  return Number(row?.['n'] ?? 0);
}

test('products are read from the replica, and everything else from the primary', async () => {
  await using opened = await open();
  await until(() => isFromReplica(opened.replica));
  assert.equal(await isFromReplica(opened.sql), false);
  assert.ok(opened.answered().replica > 0);
});

test('next to a replica, too, a write that is a whole batch is not held back for others', async () => {
  await using opened = await open();
  const before = opened.sql.commits();
  const whole = opened.sql.write([put('whole', 1)], { isWholeBatch: true });
  await Promise.all([whole, opened.sql.write([put('behind', 1)])]);
  assert.equal(opened.sql.commits() - before, 2);
});

test('the store states whether reads that begin now see what was written', async () => {
  await using opened = await open();
  for (let n = 1; n <= 8; n += 1) {
    await opened.sql.write([put('own', n)]);
    const writtenMs = performance.now();
    await until(async () => {
      const isKnown = opened.hasSince(writtenMs);
      const found = await stored(opened.replica, 'own');
      if (isKnown) assert.equal(found, n);
      return isKnown && (await isFromReplica(opened.replica));
    });
  }
});

test('no read that begins half a second after a write of another process misses it', async () => {
  await using opened = await open();
  await using other = await open();
  await until(() => isFromReplica(opened.replica));
  for (let n = 1; n <= 3; n += 1) {
    // A replica that stopped replaying is the worst case of an old one.
    await command(pair.standby.url('shelf'), 'select pg_wal_replay_pause()');
    await other.sql.write([put('others', n)]);
    const writtenMs = performance.now();
    for (;;) {
      const beganMs = performance.now();
      if ((await stored(opened.replica, 'others')) === n) break;
      assert.ok(beganMs - writtenMs <= 500, `old after ${beganMs - writtenMs} ms`);
    }
    await command(pair.standby.url('shelf'), 'select pg_wal_replay_resume()');
  }
});

test('a replica that replays nothing is not used, and used again when it has caught up', async () => {
  await using opened = await open();
  await until(() => isFromReplica(opened.replica));
  await command(pair.standby.url('shelf'), 'select pg_wal_replay_pause()');
  await opened.sql.write([put('paused', 1)]);
  await until(async () => !(await isFromReplica(opened.replica)));
  for (let round = 1; round <= 50; round += 1) {
    assert.equal(await stored(opened.replica, 'paused'), 1);
    assert.equal(await isFromReplica(opened.replica), false);
  }
  await command(pair.standby.url('shelf'), 'select pg_wal_replay_resume()');
  await until(() => isFromReplica(opened.replica));
  assert.equal(await stored(opened.replica, 'paused'), 1);
});

test('a read that the replica refuses is answered by the primary', async () => {
  await using opened = await open();
  await until(() => isFromReplica(opened.replica));
  // A standby refuses this function.
  const [row] = await opened.replica.all('select pg_current_wal_lsn()::text as at');
  assert.match(String(row?.['at']), /\//);
});

test('a statement that is wrong fails with what the primary says', async () => {
  await using opened = await open();
  await until(() => isFromReplica(opened.replica));
  await assert.rejects(opened.replica.all('select no_such_column from counts'), /no_such_column/);
});

test('reads go on while the replica is away, and go back to it when it is there again', async () => {
  await using opened = await open();
  await until(() => isFromReplica(opened.replica));
  const stopped = new AbortController();
  const stopping = pair.standby.stop().then(() => stopped.abort());
  while (!stopped.signal.aborted) await stored(opened.replica, 'own');
  await stopping;
  assert.equal(await isFromReplica(opened.replica), false);
  await using started = await open();
  assert.equal(await isFromReplica(started.replica), false);
  await pair.standby.start();
  await until(() => isFromReplica(opened.replica));
  await until(() => isFromReplica(started.replica));
});

test('an address that is not a copy of the primary is refused at the start', async () => {
  await assert.rejects(
    openReplicated({ url: shelf(), replicaUrl: pair.standby.url('postgres'), clock: steady }),
    (error: Error) => {
      assert.ok(error instanceof StoreUnavailable);
      assert.match(error.message, /OPENSHELF_READ_URL.* is not a copy of .*shelf$/);
      return true;
    },
  );
});

test('the primary as its own replica answers everything', async () => {
  const url = shelf();
  const opened = await openReplicated({ url, replicaUrl: url, clock: steady });
  await using _ = opened.sql;
  await until(async () => {
    await stored(opened.replica, 'own');
    return opened.answered().replica > 0;
  });
});

test('a primary that falls silent is left by itself, and reads go on meanwhile', async () => {
  await using opened = await open();
  await opened.sql.write([put('silent', 1)]);
  await until(() => isFromReplica(opened.replica));
  await pair.primary.freeze();
  try {
    // The connections are open, but the server does not respond on them.
    const written = opened.sql.write([put('silent', 2)]);
    const ended = new AbortController();
    const outcome = written
      .catch((error: unknown) => error)
      .finally(() => {
        ended.abort();
      });
    while (!ended.signal.aborted) assert.equal(await stored(opened.replica, 'silent'), 1);
    assert.ok((await outcome) instanceof StoreUnavailable);
  } finally {
    await pair.primary.thaw();
  }
  await until(() =>
    opened.sql.write([put('silent', 3)]).then(
      () => true,
      () => false,
    ),
  );
});

test('a primary that is killed costs no read, and the standby takes writes when it is promoted', async () => {
  await using opened = await open();
  await opened.sql.write([put('kept', 1)]);
  await pair.caughtUp();
  await until(() => isFromReplica(opened.replica));
  await pair.primary.kill();
  for (let round = 1; round <= 200; round += 1) {
    assert.equal(await stored(opened.replica, 'kept'), 1);
  }
  await assert.rejects(opened.sql.write([put('kept', 2)]), StoreUnavailable);
  await assert.rejects(stored(opened.sql, 'kept'), StoreUnavailable);
  assert.equal(await stored(opened.replica, 'kept'), 1);
  await pair.promote();
  await until(async () => {
    assert.ok((await stored(opened.replica, 'kept')) >= 1);
    return opened.sql.write([put('kept', 3)]).then(
      () => true,
      () => false,
    );
  });
  assert.equal(await stored(opened.sql, 'kept'), 3);
  await until(async () => (await stored(opened.replica, 'kept')) === 3);
  // The promoted server is queried as the replica too.
  const before = opened.answered().replica;
  await until(async () => {
    assert.equal(await stored(opened.replica, 'kept'), 3);
    return opened.answered().replica > before;
  });
  // The old primary runs again and accepts writes: a process that knows the new one does not switch back.
  await pair.primary.start();
  await command(
    pair.standby.url('shelf'),
    'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid()',
  );
  await until(() =>
    opened.sql.write([put('kept', 4)]).then(
      () => true,
      () => false,
    ),
  );
  await using direct = await openPostgres({ url: pair.standby.url('shelf') });
  assert.equal(await stored(direct, 'kept'), 4);
  await pair.standby.stop();
  await assert.rejects(opened.sql.write([put('kept', 5)]), StoreUnavailable);
  await assert.rejects(opened.sql.write([put('kept', 5)]), /was the primary before/);
});
