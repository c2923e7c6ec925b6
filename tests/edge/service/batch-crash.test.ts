// A service that is killed within a batch: answers already sent are sent again unchanged, and each line is charged once.

import assert from 'node:assert/strict';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { once } from 'node:events';
import { test } from 'node:test';

import { openApp } from '../../../src/edge/app.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openCrashStage } from '../../support/crash-stage.ts';
import { serveProgram } from '../../support/program.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { openWaitingShop } from '../../support/waiting-shop.ts';

type Answer = { readonly line: number; readonly replayed: boolean; readonly product: unknown };

const FLAGS = [
  'include_history',
  'include_stats',
  'include_fee_breakdown',
  'include_cross_retailer',
  'include_price_series',
];

/** Each flag on or off: 32 lookups of one product. */
const linesOf = (id: string) =>
  Array.from({ length: 2 ** FLAGS.length }, (_, n) => ({
    id,
    ...Object.fromEntries(FLAGS.map((flag, bit) => [flag, ((n >> bit) & 1) === 1])),
  }));

/** Returns complete lines of the answer, until it ends or breaks off; `onLine` receives the number so far. */
async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  onLine: (count: number) => void = () => undefined,
): Promise<readonly Answer[]> {
  const asked = httpRequest(`${url}/v1/products/batch`, { method: 'POST', headers, agent: false });
  const answers: Answer[] = [];
  asked.end(body);
  try {
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    let text = '';
    for await (const piece of response.setEncoding('utf8')) {
      text += String(piece);
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n')) {
        answers.push(JSON.parse(text.slice(0, at)) as Answer);
        text = text.slice(at + 1);
        onLine(answers.length);
      }
    }
  } catch (error) {
    if (error instanceof assert.AssertionError) throw error;
  }
  return answers;
}

test('kill -9 within batches with a key: every line is answered and charged once, and a line that was sent before is repeated unchanged', async (t) => {
  const seed = seedOf(20_261_123);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = shiftedClock();
  await using stage = await openCrashStage(clock.now);
  await using shop = await openWaitingShop();
  const { folder, sandbox, data, key } = stage;
  const env = {
    ...stage.env,
    OPENSHELF_ORIGINS: `${stage.env['OPENSHELF_ORIGINS']},${shop.origin}`,
  };
  const headers = { authorization: `Bearer ${key}`, 'idempotency-key': 'sheet' };
  const ofProducts = Object.values(sandbox.describe().url).flatMap((url) => linesOf(url ?? ''));
  // Answers are sent in line order, so none after this one is sent, and the batch does not end, before its shop answers.
  const waitsAt = Math.floor(ofProducts.length * 0.75);
  const lines = ofProducts.toSpliced(waitsAt, 0, { id: shop.product });
  const body = lines.map((line) => JSON.stringify(line)).join('\n');
  const reported = new Map<number, unknown>();
  for (let round = 0; round < 2; round += 1) {
    await using service = await serveProgram(['--port', '0', ...data], env);
    // First among new answers, then among the repeated ones.
    const killAfter = 5 + integerBelow(random, round === 0 ? 40 : reported.size - 5);
    const killed: Promise<unknown>[] = [];
    const answers = await send(service.url, headers, body, (count) => {
      if (count === killAfter) killed.push(service.stop('SIGKILL'));
    });
    assert.equal(killed.length, 1, 'the kill met the batch under way');
    await Promise.all(killed);
    for (const { line, product, replayed } of answers) {
      if (reported.has(line)) {
        assert.deepEqual(product, reported.get(line));
        assert.equal(replayed, true);
      }
      reported.set(line, product);
    }
  }
  // Records of a dead process expire after 20 s: the restarted service runs that much later.
  clock.advance(20_001);
  shop.answer();
  const overrides = { dataDir: folder, port: 0 };
  const config = withSandbox(readConfig({ OPENSHELF_ORIGINS: shop.origin }, overrides), sandbox);
  await using app = await openApp(config, { clock });
  const answers = await send((await app.listen()).url, headers, body);
  assert.equal(answers.length, lines.length);
  for (const { line, product, replayed } of answers) {
    assert.notEqual(product, null, String(line));
    if (!reported.has(line)) continue;
    assert.deepEqual(product, reported.get(line));
    assert.equal(replayed, true);
  }
  const [row] = await app.store.sql.all(
    "select count(*) as charges from ledger where kind = 'charge'",
  );
  assert.equal(Number(row?.['charges']), lines.length);
  assert.deepEqual(await checkStore(app.store.sql), []);
  await app.stop(1_000);
  t.diagnostic(`${lines.length} lines, ${reported.size} of them reported before the kills`);
});
