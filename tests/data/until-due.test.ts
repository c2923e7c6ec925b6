// Background work waits for what is due and for commits, of this process and of others, and asks nothing meanwhile.

import assert from 'node:assert/strict';
import { lstatSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { openStore } from '../../src/data/store.ts';
import { lockForService } from '../../src/data/sqlite/sqlite.ts';
import { untilDue } from '../../src/data/until-due.ts';
import { steadyClock } from '../../src/edge/wiring/clocks.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { createVirtualClock } from '../support/virtual-clock.ts';

const EVERY_MS = 1_000;

/** Changes that the test makes. */
function changesByHand() {
  const waiting = new Set<() => void>();
  let count = 0;
  const change = () => {
    count += 1;
    for (const call of waiting) call();
    waiting.clear();
  };
  const onNext = (call: () => void) => {
    waiting.add(call);
    return () => void waiting.delete(call);
  };
  return { change, waiting, sql: { changes: () => ({ count: () => count, onNext }) } };
}

const WAITS: readonly (readonly [
  what: string,
  dueAfterMs: number | null,
  changesAtMs: number | null,
  waitsMs: number,
])[] = [
  ['what is overdue', -5, null, EVERY_MS],
  ['what becomes due', 12_350, null, 12_350],
  ['nothing: a suspended machine or a set clock is noticed within a minute', null, null, 61_000],
  ['what is due much later, the same', 3_600_000, null, 61_000],
  ['a commit soon after the work', null, 400, EVERY_MS],
  ['a commit later', null, 30_000, 30_000],
];

for (const [what, dueAfterMs, changesAtMs, waitsMs] of WAITS) {
  test(`waits for ${what}`, async () => {
    const clock = createVirtualClock();
    const { change, waiting, sql } = changesByHand();
    const fromMs = clock.now();
    let asked = 0;
    const findNext = async () => {
      asked += 1;
      return dueAfterMs === null ? null : fromMs + dueAfterMs;
    };
    if (changesAtMs !== null) void clock.sleep(changesAtMs).then(change);
    let wokeMs: number | null = null;
    const waited = untilDue({ clock, sql }, { everyMs: EVERY_MS, findNext }, stopped()).then(() => {
      wokeMs = clock.now() - fromMs;
    });
    for (let at = 0; at < 70_000; at += 50) await clock.advance(50);
    await waited;
    assert.equal(wokeMs, waitsMs);
    assert.ok(asked <= 1, `${asked} questions`);
    assert.equal(waiting.size, 0, 'nothing is left behind');
  });
}

test('where commits may go unnoticed, work looks again after the shortest wait', async () => {
  const clock = createVirtualClock();
  const findNext = () => Promise.reject(new Error('not asked'));
  const sql = { changes: () => null };
  const waited = untilDue({ clock, sql }, { everyMs: EVERY_MS, findNext }, stopped());
  await clock.advance(EVERY_MS);
  await waited;
});

test('the end of the service ends the wait', async () => {
  const stop = new AbortController();
  const { sql, waiting } = changesByHand();
  const clock = createVirtualClock();
  const findNext = () => Promise.resolve(null);
  const waited = untilDue({ clock, sql }, { everyMs: EVERY_MS, findNext }, stop.signal);
  await clock.advance(2 * EVERY_MS);
  stop.abort(new Error('stopped'));
  await assert.rejects(waited, /stopped/);
  assert.equal(waiting.size, 0);
});

test('the service over an SQLite file notices what a command commits, and what it commits itself', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const lock = lockForService(path);
  try {
    await using service = await openStore({ kind: 'sqlite', path, isService: true });
    await using command = await openStore({ kind: 'sqlite', path });
    assert.equal(command.sql.changes(), null);
    for (const writes of [command, service, command]) {
      const noticed = Promise.withResolvers<void>();
      // The first report shows that the file system reports at all.
      while (service.sql.changes() === null) await steadyClock.sleep(1);
      service.sql.changes()?.onNext(noticed.resolve);
      assert.ok(await writes.sql.probe(60_000));
      await noticed.promise;
    }
  } finally {
    lock.close();
  }
});

test('a lock file that was deleted, or is another one meanwhile, is not waited for', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const lock = lockForService(path);
  try {
    await using service = await openStore({ kind: 'sqlite', path, isService: true });
    while (service.sql.changes() === null) await steadyClock.sleep(1);
    rmSync(`${path}.service`);
    writeFileSync(`${path}.service`, '');
    while (service.sql.changes() !== null) await steadyClock.sleep(1);
  } finally {
    lock.close();
  }
});

test('a command changes nothing but the lock file itself, also where another user put a link', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'openshelf.db');
  const other = join(folder.path, 'other');
  writeFileSync(other, '', { mode: 0o644 });
  symlinkSync(other, `${path}.service`);
  const [before, link] = [statSync(other), lstatSync(`${path}.service`)];
  await using command = await openStore({ kind: 'sqlite', path });
  assert.ok(await command.sql.probe(60_000));
  const { mode, mtimeMs, ctimeMs } = statSync(other);
  assert.deepEqual(
    { mode, mtimeMs, ctimeMs },
    { mode: before.mode, mtimeMs: before.mtimeMs, ctimeMs: before.ctimeMs },
  );
  assert.notEqual(lstatSync(`${path}.service`).ctimeMs, link.ctimeMs);
});

function stopped(): AbortSignal {
  return new AbortController().signal;
}
