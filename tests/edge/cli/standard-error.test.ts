// Unread standard error: a service whose log waits for its reader buffers a limited part of it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { test } from 'node:test';

import { standardError } from '../../../src/edge/cli/standard-output.ts';
import { until } from '../../support/plain-client.ts';

test('of a log that nobody reads a bounded part waits, and the first line after it says how many were lost', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reader = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [log] = (await once(server, 'connection')) as [Socket];
  const err = standardError(log, 10_000);
  let text = '';
  reader.pause();
  reader.setEncoding('latin1').on('data', (piece: string) => (text += piece));
  reader.pause();
  const line = 'x'.repeat(999);
  // The system buffers some megabytes before anything waits.
  for (let sent = 0; sent < 30_000; sent += 1) err(line);
  err(`${line}\n${line}`);
  assert.ok(log.writableLength < 12_000, `${log.writableLength} bytes wait`);
  reader.resume();
  await until(() => log.writableLength === 0);
  err('the first one that is read again');
  log.end();
  await once(reader, 'close');
  server.close();
  const lines = text.trimEnd().split('\n');
  const kept = lines.filter((each) => each === line).length;
  const { message, level, lines: lost } = JSON.parse(lines.at(-2) ?? '') as Record<string, unknown>;
  assert.deepEqual(
    [lines.at(-1), level, message],
    ['the first one that is read again', 'warn', 'log lines were lost, because nothing read them'],
  );
  assert.equal(lost, 30_002 - kept);
});
