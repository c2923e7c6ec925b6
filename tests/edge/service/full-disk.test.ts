// A database that accepts no writes: every call that would be billed is refused and nothing is billed, the operator sees it
// in readiness, metrics and log, and the service recovers by itself when there is room.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { readdirSync, statSync } from 'node:fs';
import { test } from 'node:test';

import { logWriteFailures } from '../../../src/answer/metrics/write-failures.ts';
import { StoreUnavailable, type Database } from '../../../src/data/sql.ts';
import { watchWrites } from '../../../src/data/write-health.ts';
import { command, isOnPostgres } from '../../support/databases.ts';
import { lastJson, runProgram, serveSandbox } from '../../support/program.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

type Probe = { readonly status: number; readonly metrics: string };

async function stateOf(url: string): Promise<Probe> {
  const ready = await fetch(`${url}/readyz`);
  await ready.body?.cancel();
  const metrics = await (await fetch(`${url}/metrics`)).text();
  return { status: ready.status, metrics };
}

const isUp = (metrics: string) => /^openshelf_store_up 1$/m.test(metrics);
const failuresIn = (metrics: string) =>
  [...metrics.matchAll(/^openshelf_store_write_failures_total\{problem="(\w+)"\} (\d+)$/gm)]
    .map(([, problem = '', count]) => [problem, Number(count)] as const)
    .filter(([, count]) => count > 0);

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;

test(
  'a disk without room: 503, a bounded log, not ready; and ready again when there is room',
  { skip: !hasPrlimit || isOnPostgres() },
  async () => {
    using folder = temporaryFolder();
    await using running = await serveSandbox(folder.path);
    const { data, key } = running;
    const headers = { authorization: `Bearer ${key}` };
    const call = async (id: string) => {
      const answer = await fetch(`${running.url}/v1/products/${encodeURIComponent(id)}`, {
        headers,
      });
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
    };
    const page = 'https://www.lanternworks.example/p/enamel-planter-box-24-1000';
    assert.equal((await call(page)).status, 200);
    const largest = Math.max(...readdirSync(data).map((name) => statSync(join(data, name)).size));
    const limit = (size: string) =>
      assert.equal(spawnSync('prlimit', ['--pid', `${running.pid}`, `--fsize=${size}`]).status, 0);
    limit(`${largest + 8_192}:`);
    let refused = 0;
    let answered = 1;
    for (let call_ = 0; call_ < 400 && refused < 50; call_ += 1) {
      const { status, body } = await call(page);
      if (status === 200) answered += 1;
      else {
        refused += 1;
        assert.equal(status, 503, JSON.stringify(body));
        assert.equal(body['code'], 'overloaded');
      }
    }
    assert.equal(refused, 50);
    const full = await stateOf(running.url);
    assert.equal(full.status, 503);
    assert.ok(!isUp(full.metrics));
    const [[problem, count] = ['', 0]] = failuresIn(full.metrics);
    assert.match(problem, /^(?:full|io_error)$/);
    assert.ok(count >= 50, `${count}`);
    assert.equal((await fetch(`${running.url}/livez`)).status, 200);
    limit('unlimited:');
    const again = await stateOf(running.url);
    assert.equal(again.status, 200);
    assert.ok(isUp(again.metrics));
    assert.equal((await call(page)).status, 200);
    answered += 1;
    const lines = running
      .stderr()
      .split('\n')
      .filter((line) => line.includes('could not write'));
    assert.ok(lines.length >= 1 && lines.length <= 10, `${lines.length} lines`);
    assert.match(running.stderr(), /the store can write again/);
    assert.equal(await running.stop('SIGTERM'), 0);
    const check = await runProgram(['check', '--data', data, '--json']);
    assert.deepEqual(lastJson(check), { clean: true, problems: [] });
    const usage = await runProgram(['usage', '--org', 'o', '--data', data, '--json']);
    assert.equal((lastJson(usage) as { readonly calls: number }).calls, answered);
  },
);

test(
  'PostgreSQL without room, read only or damaged: the same',
  { skip: !isOnPostgres() },
  async () => {
    const faults = [
      ['53100', 'full'],
      ['25006', 'read_only'],
      ['58030', 'io_error'],
      ['XX001', 'damaged'],
    ] as const;
    for (const [code, problem] of faults) {
      await using service = await startService();
      const url = service.sandbox.describe().url.json_ld;
      const database = service.dataEnv['DATABASE_URL'] ?? '';
      assert.equal((await service.lookup(url)).status, 200);
      await command(
        database,
        `create function no_room() returns trigger language plpgsql as
        $$ begin raise exception 'No space left on device' using errcode = '${code}'; end $$`,
      );
      // The heartbeat updates an existing row, so it still has room.
      for (const table of ['charges', 'write_probe']) {
        await command(
          database,
          `create trigger no_room before insert on ${table} execute function no_room()`,
        );
      }
      assert.equal((await service.lookup(url)).status, 503);
      const full = await stateOf(service.url);
      assert.equal(full.status, 503, code);
      assert.ok(!isUp(full.metrics), code);
      assert.ok(
        failuresIn(full.metrics).some(([each, count]) => each === problem && count >= 1),
        full.metrics.slice(-300),
      );
      await command(database, 'drop function no_room() cascade');
      const again = await stateOf(service.url);
      assert.equal(again.status, 200, code);
      assert.ok(isUp(again.metrics));
      assert.equal((await service.lookup(url)).status, 200);
    }
  },
);

test('one line a second for one problem, with how many writes it stands for and what to do', async () => {
  let nowMs = 0;
  let isFull = true;
  const database = {
    write: () =>
      isFull
        ? Promise.reject(new StoreUnavailable('full', { problem: 'full' }))
        : Promise.resolve({ done: true, rows: {} }),
  } as unknown as Database;
  const { sql, health } = watchWrites(database);
  const lines: (readonly [string, unknown])[] = [];
  const log = {
    error: (message: string, fields: unknown) => void lines.push([message, fields]),
    info: (message: string, fields: unknown) => void lines.push([message, fields]),
  };
  logWriteFailures(health, log, { now: () => nowMs });
  for (let write = 0; write < 2_000; write += 1) {
    await assert.rejects(sql.write([{ text: 'x' }]));
    nowMs += 1;
  }
  assert.deepEqual(
    lines.map(([, fields]) => (fields as { readonly writes: number }).writes),
    [1, 1_000],
  );
  for (const [, fields] of lines)
    assert.match((fields as { readonly advice: string }).advice, /^Make space on the disk/);
  assert.equal(health.isFailing(), true);
  assert.equal(await sql.probe(), false);
  isFull = false;
  assert.equal(await sql.probe(), true);
  assert.equal(health.isFailing(), false);
  assert.deepEqual(lines.at(-1), ['the store can write again', { failed_writes: 2_001 }]);
});
