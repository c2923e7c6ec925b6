import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openStore } from '../../../src/data/store.ts';
import { openCrashStage } from '../../support/crash-stage.ts';
import { lastJson, runProgram, serveProgram, type Running } from '../../support/program.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';

const CALLS = 1_000;
const CALLERS = 16;

type Answered = { readonly remaining: number; readonly consumed: number };

/**
 * Looks up until the calls are used up or the service is gone; returns the complete answers. If the machine is so slow that a
 * call is refused, which is free, it is repeated.
 */
async function askUntilGone(
  service: Running,
  key: string,
  urls: readonly string[],
  onAnswer: (answered: number) => void,
): Promise<readonly Answered[]> {
  const answered: Answered[] = [];
  let next = 0;
  const caller = async () => {
    while (next < CALLS) {
      const url = urls[next % urls.length] ?? '';
      next += 1;
      try {
        const response = await fetch(`${service.url}/v1/products/${encodeURIComponent(url)}`, {
          headers: { authorization: `Bearer ${key}` },
        });
        const body = (await response.json()) as Record<string, unknown>;
        if (response.status === 503) {
          next -= 1;
          continue;
        }
        assert.equal(response.status, 200, JSON.stringify(body));
        answered.push({
          remaining: Number(body['tokens_remaining']),
          consumed: Number(body['tokens_consumed']),
        });
        onAnswer(answered.length);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return answered;
}

test('kill -9 in the middle of 1,000 metered lookups loses no answered call', async (t) => {
  const seed = seedOf(20_261_120);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  await using stage = await openCrashStage();
  const { folder, sandbox, env, data, key } = stage;
  const urls = Object.values(sandbox.describe().url);
  let answered: readonly Answered[] = [];
  for (let round = 0; round < 2; round += 1) {
    await using service = await serveProgram(['--port', '0', ...data], env);
    const killAfter = 100 + integerBelow(random, 700);
    const killed: Promise<number | null>[] = [];
    const now = await askUntilGone(service, key, urls, (count) => {
      if (count === killAfter) killed.push(service.stop('SIGKILL'));
    });
    await Promise.all(killed);
    assert.ok(now.length >= killAfter && now.length < CALLS, `killed after ${now.length}`);
    answered = [...answered, ...now];
  }
  const check = await runProgram(['check', '--json', ...data], env);
  assert.deepEqual(lastJson(check), { clean: true, problems: [] });
  await using store = await openStore({ kind: 'sqlite', path: `${folder}/openshelf.db` });
  const rows = await store.sql.all("select balance_after from ledger where kind = 'charge'");
  const balances = new Set(rows.map((row) => Number(row['balance_after'])));
  const lost = answered.filter((each) => !balances.has(each.remaining));
  assert.deepEqual(lost, []);
  const consumed = answered.reduce((sum, each) => sum + each.consumed, 0);
  assert.ok(rows.length >= consumed, 'the ledger holds at least what was answered');
  assert.ok(rows.length - consumed <= 2 * CALLERS, 'and at most the calls that ran at each kill');
});
