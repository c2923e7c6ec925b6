// serve with several processes, as an operator starts it: over a PostgreSQL, killed and stopped from outside.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { newDatabase } from '../../support/databases.ts';
import { runCommand, serveCommand } from '../../support/command.ts';
import { runProgram, serveProgram } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OFFLINE = { OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };

/** Returns the child processes of a process. */
function childrenOf(pid: number): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' }).split('\n');
  const pairs = lines.map((line) => line.trim().split(/\s+/).map(Number));
  return pairs.flatMap(([child = 0, parent]) => (parent === pid ? [child] : []));
}

async function statusOf(url: string): Promise<number | null> {
  try {
    // A new connection: one that is kept open stays with the worker it was assigned to.
    const response = await fetch(url, { headers: { connection: 'close' } });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return null;
  }
}

/** Asks until a condition holds; each round waits for an answer. */
async function until(url: string, what: string, holds: () => boolean): Promise<void> {
  for (let round = 0; round < 20_000; round += 1) {
    if (holds()) return;
    await statusOf(url);
  }
  assert.fail(what);
}

test('workers share a port, one that is killed is started again, and a stop ends all of them', async () => {
  await using database = await newDatabase('empty');
  const env = { ...OFFLINE, DATABASE_URL: database.url };
  await using service = await serveProgram(['--port', '0', '--workers', '2'], env);
  const ready = `${service.url}/readyz`;
  try {
    assert.equal(await statusOf(ready), 200);
    const [first, second] = childrenOf(service.pid);
    assert.ok(first !== undefined && second !== undefined);
    process.kill(first, 'SIGKILL');
    await until(ready, 'no worker in its place', () => {
      const now = childrenOf(service.pid);
      return now.length === 2 && !now.includes(first) && now.includes(second);
    });
    assert.equal(await statusOf(ready), 200);
  } finally {
    const workers = childrenOf(service.pid);
    assert.equal(await service.stop('SIGTERM'), 0);
    for (const pid of workers) assert.throws(() => process.kill(pid, 0), `worker ${pid} is left`);
  }
});

test('a worker that is killed while the parent answers a message of it does not end the parent', () => {
  const program = fileURLToPath(new URL('./dying-worker.ts', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  assert.match(stdout, /^Worker 1 exited \(SIGKILL\)/);
});

test('a worker for which no process can be started is started when one can', () => {
  const program = fileURLToPath(new URL('./unstarted-worker.ts', import.meta.url));
  const options = { encoding: 'utf8', timeout: 120_000 } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [program], options);
  assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  const [killed, failed, ...rest] = stdout.trimEnd().split('\n');
  assert.match(killed ?? '', /^Worker 1 exited \(SIGKILL\)/);
  assert.match(failed ?? '', /^Worker 1 exited \(spawn \/nowhere\/node ENOENT\)/);
  assert.deepEqual(rest, ['A worker answers again.']);
});

test('when the parent is killed its workers end too', async () => {
  await using database = await newDatabase('empty');
  const env = { ...OFFLINE, DATABASE_URL: database.url };
  await using service = await serveProgram(['--port', '0', '--workers', '2'], env);
  const workers = childrenOf(service.pid);
  assert.equal(workers.length, 2);
  await service.stop('SIGKILL');
  await until(`${service.url}/livez`, 'workers are left', () =>
    workers.every((pid) => !isAlive(pid)),
  );
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

test('a start that cannot succeed ends with its reason', async () => {
  await using database = await newDatabase('empty');
  const env = { ...OFFLINE, DATABASE_URL: database.url, HOST: '192.0.2.1' };
  const done = await runProgram(['serve', '--port', '0', '--workers', '2'], env);
  assert.equal(done.code, 1);
  assert.match(done.stderr, /192\.0\.2\.1 is not an address of this machine/);
});

test('an embedded database is one process’s: more of them, or half of one, are refused with the way out', async () => {
  using folder = temporaryFolder();
  for (const flags of [
    ['--workers', '2'],
    ['--role', 'api'],
  ]) {
    const done = await runCommand(['serve', '--port', '0', '--data', folder.path, ...flags]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /embedded database belongs to.*DATABASE_URL|DATABASE_URL/);
  }
  for (const flags of [
    ['--workers', '0'],
    ['--role', 'cook'],
  ]) {
    const done = await runCommand(['serve', '--port', '0', '--data', folder.path, ...flags]);
    assert.equal(done.code, 1);
    assert.match(done.stderr, /OPENSHELF_(?:WORKERS|ROLE) \(--(?:workers|role)\)/);
  }
});

test('an indexer answers health and metrics, and says where everything else is', async () => {
  await using database = await newDatabase('empty');
  const env = { ...OFFLINE, DATABASE_URL: database.url, OPENSHELF_ROLE: 'indexer' };
  const service = await serveCommand(['--port', '0'], env);
  try {
    assert.equal(await statusOf(`${service.url}/readyz`), 200);
    assert.equal(await statusOf(`${service.url}/metrics`), 200);
    const response = await fetch(`${service.url}/v1/products/036000291452`);
    assert.equal(response.status, 404);
    assert.match(await response.text(), /unknown_route.*role api/);
  } finally {
    assert.equal(await service.stop(), 0);
  }
});

test('an SQLite database has one service: a second is refused, commands are not, and one that was killed stands in no way', async () => {
  using folder = temporaryFolder();
  const env = { ...OFFLINE, OPENSHELF_DATA: folder.path, OPENSHELF_DRAIN_DELAY_MS: '0' };
  await using killed = await serveProgram(['--port', '0'], env);
  const refused = await runProgram(['serve', '--port', '0'], env);
  assert.equal(refused.code, 1, refused.stdout);
  assert.match(refused.stderr, /Another service uses .*openshelf\.db.*\(DATABASE_URL\)/);
  const key = await runCommand(['keys', 'create', '--org', 'acme'], { env });
  assert.equal(key.code, 0, key.stderr);
  assert.equal(await statusOf(`${killed.url}/readyz`), 200);
  await killed.stop('SIGKILL');
  await using next = await serveProgram(['--port', '0'], env);
  assert.equal(await next.stop('SIGTERM'), 0);
});

test('a start removes what killed processes had begun to write an hour ago, and nothing else', async () => {
  using folder = temporaryFolder();
  const env = { ...OFFLINE, OPENSHELF_DATA: folder.path, OPENSHELF_DRAIN_DELAY_MS: '0' };
  const drafts = [
    'openshelf.db.7.part',
    'openshelf.db.7.part-wal',
    'takedowns.json.8.part',
    'secrets.key.9',
  ];
  const others = ['openshelf.db.9.bak', 'takedowns.json.copy', 'secrets.key.old', 'stock.7.part'];
  for (const name of [...drafts, ...others]) {
    writeFileSync(join(folder.path, name), '');
    utimesSync(join(folder.path, name), 1_000, 1_000);
  }
  writeFileSync(join(folder.path, 'openshelf.db.8.part'), '');
  await using service = await serveProgram(['--port', '0'], env);
  assert.equal(await service.stop('SIGTERM'), 0);
  const left = new Set(readdirSync(folder.path));
  assert.ok(left.isSupersetOf(new Set([...others, 'openshelf.db.8.part'])), [...left].join(' '));
  assert.ok(left.isDisjointFrom(new Set(drafts)), [...left].join(' '));
});
