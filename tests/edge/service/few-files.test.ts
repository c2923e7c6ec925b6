// A process with a limit on open files: callers who open connections take none of those that the service itself needs.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { test } from 'node:test';

import { fewFilesText } from '../../../src/edge/wiring/open-doors.ts';
import { isOnPostgres } from '../../support/databases.ts';
import { serveSandbox } from '../../support/program.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const hasPrlimit = spawnSync('prlimit', ['--version']).status === 0;
const MOST_FILES = 600;

/** An idle connection: it starts a request and goes no further. */
async function begun(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  socket.write('GET /livez HTTP/1.1\r\n');
  return socket;
}

test('connections are as many as are wanted, as far as the files of the process reach besides its own', () => {
  const rows = [
    [4_096, null, 4_096],
    [4_096, 65_536, 4_096],
    [4_096, 4_096, 3_840],
    [4_096, 1_024, 768],
    [100, 1_024, 100],
    [4_096, 256, 64],
    [4_096, 2, 1],
  ] as const;
  for (const [wanted, files, expected] of rows) {
    const [, most] = /at most (\d+) connections/.exec(fewFilesText(wanted, files) ?? '') ?? [];
    assert.equal(Number(most ?? wanted), expected, `${wanted} with ${files}`);
  }
});

test(
  'clients without a key that open more connections than the process may have files end neither it nor the reading of pages',
  { skip: !hasPrlimit || isOnPostgres() },
  async () => {
    using folder = temporaryFolder();
    const withLimit = ['prlimit', `--nofile=${MOST_FILES}:${MOST_FILES}`];
    const env = { OPENSHELF_METRICS: '127.0.0.1:0' };
    await using running = await serveSandbox(folder.path, env, withLimit);
    const port = Number(new URL(running.url).port);
    const metrics = Number(new URL(running.metricsUrl ?? '').port);
    const sockets: Socket[] = [];
    using cleanup = new DisposableStack();
    cleanup.defer(() => sockets.forEach((socket) => socket.destroy()));
    while (sockets.length < MOST_FILES + 50) {
      sockets.push(await begun(port), await begun(metrics));
    }
    const page = 'https://www.lanternworks.example/p/enamel-planter-box-24-1000';
    const answer = await fetch(`${running.url}/v1/products/${encodeURIComponent(page)}`, {
      headers: { authorization: `Bearer ${running.key}` },
    });
    assert.equal(answer.status, 200, await answer.text());
    assert.match(running.stderr(), /may open 600 files, so it accepts at most 344 connections/);
    assert.equal(await running.stop('SIGTERM'), 0);
  },
);
