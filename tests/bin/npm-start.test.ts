// npm start: however npm is ended, the service ends too, without cutting off answers in progress, and the port is free
// afterwards.

import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { test } from 'node:test';

import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = dirname(dirname(import.meta.dirname));

for (const [what, signal, isGroup] of [
  ['SIGTERM to npm alone', 'SIGTERM', false],
  ['SIGINT to npm alone', 'SIGINT', false],
  ['Ctrl-C, which reaches npm and the service, and comes once more from npm', 'SIGINT', true],
  ['SIGHUP, which npm does not pass on', 'SIGHUP', false],
  ['kill -9 of npm', 'SIGKILL', false],
] as const) {
  test(`the service ends and leaves its port: ${what}`, async () => {
    using folder = temporaryFolder();
    const { PATH, HOME } = process.env;
    const npm = spawn('npm', ['start', '--', '--port', '0', '--json', '--data', folder.path], {
      cwd: ROOT,
      env: { PATH, HOME, OPENSHELF_DRAIN_DELAY_MS: '0' },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const ended = once(npm, 'exit');
    const closed = once(npm.stdout, 'close');
    let log = '';
    npm.stderr.on('data', (piece: Buffer) => (log += piece.toString()));
    const { url, pid } = await new Promise<{ url: string; pid: number }>((resolve, reject) => {
      createInterface({ input: npm.stdout }).on('line', (line) => {
        if (line.startsWith('{')) resolve(JSON.parse(line) as { url: string; pid: number });
      });
      npm.once('exit', () => reject(new Error(log)));
    });
    assert.equal((await fetch(`${url}/livez`)).status, 200);
    assert.notEqual(pid, npm.pid);
    process.kill((isGroup ? -1 : 1) * (npm.pid ?? assert.fail()), signal);
    const [code] = (await ended) as [number | null];
    // The pipe closes when the last process holding it has exited.
    await closed;
    if (signal === 'SIGTERM' || signal === 'SIGINT') assert.equal(code, 0, log);
    await assert.rejects(fetch(`${url}/livez`));
    assert.doesNotMatch(log, /"level":"error"/);
    assert.ok(
      !existsSync(join(folder.path, 'openshelf.db-wal')),
      'its log is written into the database',
    );
  });
}

test('where the Node on the PATH does not start, npm scripts go on with that of npm, or say why not', () => {
  using folder = temporaryFolder();
  const tools = join(folder.path, 'tools');
  mkdirSync(tools);
  writeFileSync(join(tools, 'node'), '#!/bin/sh\necho "loader: no libatomic" >&2; exit 127\n', {
    mode: 0o755,
  });
  symlinkSync('/bin/sh', join(tools, 'sh'));
  const started = (npmNode: string) =>
    spawnSync('/bin/sh', ['bin/node.sh', '-p', '1 + 1'], {
      cwd: ROOT,
      env: { PATH: tools, npm_node_execpath: npmNode },
      encoding: 'utf8',
    });
  assert.deepEqual(
    [started(process.execPath).status, started(process.execPath).stdout],
    [0, '2\n'],
  );
  const old = join(folder.path, 'old');
  writeFileSync(old, '#!/bin/sh\necho "why not" >&2; exit 3\n', { mode: 0o755 });
  const { status, stdout, stderr } = started(old);
  assert.deepEqual([status, stdout, stderr], [3, '', 'why not\n']);
});
