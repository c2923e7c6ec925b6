import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { sweepReservations } from '../../../src/data/accounts/balances.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import type { Sql } from '../../../src/data/sql.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { newStorePlace, storeAt } from '../../support/stores.ts';

const CHILD = fileURLToPath(new URL('./charging-child.ts', import.meta.url));

type Run = {
  readonly child: ChildProcess;
  readonly lines: string[];
  readonly ended: Promise<unknown>;
};

/** Starts a child; `onLine` receives each line, with the number of acknowledged calls so far. */
function run(args: readonly string[], onLine: (line: string, answered: number) => void): Run {
  const child = spawn(process.execPath, [CHILD, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines: string[] = [];
  let answered = 0;
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (line) => {
    lines.push(line);
    if (line.startsWith('charged ')) answered += 1;
    onLine(line, answered);
  });
  return { child, lines, ended: Promise.all([once(child, 'close'), once(reader, 'close')]) };
}

type Answered = {
  readonly id: string;
  readonly tokens: number;
  readonly observedAtMs: number | null;
};

/** Returns complete lines; the last may have been cut off by the kill and then counts as not answered. */
function answeredIn(lines: readonly string[]): readonly Answered[] {
  return lines.flatMap((line) => {
    const match = /^charged (\S+) (1|6 (\d{16}))$/.exec(line);
    if (match === null) return [];
    const [, id = '', rest = '', at] = match;
    return [
      { id, tokens: rest === '1' ? 1 : 6, observedAtMs: at === undefined ? null : Number(at) },
    ];
  });
}

/** Checks that every answered call is in the ledger with its tokens, and that its observation is stored. */
async function assertStored(sql: Sql, answered: readonly Answered[]): Promise<void> {
  const ledger = await sql.all("select request_id, tokens from ledger where kind = 'charge'");
  const tokens = new Map(ledger.map((row) => [row['request_id'], row['tokens']]));
  const observations = await sql.all('select observed_at_ms from observations');
  const seen = new Set(observations.map((row) => row['observed_at_ms']));
  for (const each of answered) {
    assert.equal(tokens.get(each.id), each.tokens, each.id);
    assert.ok(each.observedAtMs === null || seen.has(each.observedAtMs), each.id);
  }
}

test('kill -9 twelve times in the middle of metered calls: no answered call is lost', async (t) => {
  const seed = seedOf(9);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using place = await newStorePlace();
  const answered: Answered[] = [];
  for (let round = 0; round < 12; round += 1) {
    // Every fourth is killed while it opens the store.
    const after = round % 4 === 0 ? 0 : 1 + integerBelow(random, 150);
    const { child, lines, ended } = run([place.name, `k${round}`, 'forever'], (_, count) => {
      if (count >= after) child.kill('SIGKILL');
    });
    await ended;
    assert.equal(child.signalCode, 'SIGKILL');
    answered.push(...answeredIn(lines));
    await using store = await storeAt(place.name);
    assert.deepEqual(await checkStore(store.sql), [], `after kill ${round}`);
    await assertStored(store.sql, answered);
  }
  await using store = await storeAt(place.name);
  const left = await sweepReservations(store.sql, Date.now() + 60_000);
  const [balance] = await store.sql.all(
    'select cast(sum(used) as bigint) as used, cast(sum(reserved) as bigint) as held from balances',
  );
  assert.equal(balance?.['held'], 0);
  assert.ok(Number(balance['used']) >= answered.reduce((sum, { tokens }) => sum + tokens, 0));
  assert.deepEqual(await checkStore(store.sql), []);
  t.diagnostic(`${answered.length} answered calls kept, ${left} reservations swept`);
});

test('commands write while a server writes without pause: nobody fails, nothing is lost', async (t) => {
  await using place = await newStorePlace();
  const started = Promise.withResolvers<void>();
  const server = run([place.name, 'server', 'forever'], (_, count) => {
    if (count === 20) started.resolve();
  });
  await Promise.race([started.promise, server.ended]);
  const commands = [0, 1].map(async (who) => {
    const lines: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const command = run([place.name, `command${who}-${n}`, 'command'], () => undefined);
      await command.ended;
      assert.equal(command.child.exitCode, 0);
      assert.equal(command.lines.at(-1), 'closed');
      lines.push(...command.lines);
    }
    return lines;
  });
  const lines = (await Promise.all(commands)).flat();
  server.child.stdin?.end();
  await server.ended;
  assert.equal(server.lines.at(-1), 'closed');
  assert.equal(answeredIn(lines).length, 8 * 5);
  await using store = await storeAt(place.name);
  await assertStored(store.sql, [...answeredIn(lines), ...answeredIn(server.lines)]);
  assert.deepEqual(await checkStore(store.sql), []);
  t.diagnostic(`${answeredIn(server.lines).length} calls of the server meanwhile`);
});
