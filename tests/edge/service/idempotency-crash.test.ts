import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openApp } from '../../../src/edge/app.ts';
import { readConfig } from '../../../src/edge/config.ts';
import { checkStore } from '../../../src/data/maintenance/check.ts';
import { openCrashStage } from '../../support/crash-stage.ts';
import { serveProgram } from '../../support/program.ts';
import { integerBelow, randomFrom, seedOf } from '../../support/random.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';
import { withSandbox } from '../../../src/edge/cli/sandbox-config.ts';

const CALLS = 600;
const CALLERS = 16;
/** One call in this many is fetched again, so that kills also hit calls between record and answer. */
const FORCED_EVERY = 15;

type Sent = { readonly key: string; readonly path: string; answer: string | null };

type Caller = (key: string, path: string) => Promise<Response>;

const callerOf =
  (url: string, apiKey: string): Caller =>
  (key, path) =>
    fetch(`${url}${path}`, {
      headers: { authorization: `Bearer ${apiKey}`, 'idempotency-key': key },
    });

/**
 * Sends keyed calls until they are used up or the service is gone; returns each with its answer, if that arrived complete.
 */
async function sendUntilGone(
  ask: Caller,
  calls: readonly { readonly key: string; readonly path: string }[],
  onAnswer: (answered: number) => void,
): Promise<readonly Sent[]> {
  const sent: Sent[] = [];
  let answered = 0;
  let isGone = false;
  const waiting = [...calls];
  const caller = async () => {
    for (let call = waiting.shift(); call !== undefined && !isGone; call = waiting.shift()) {
      const one: Sent = { ...call, answer: null };
      sent.push(one);
      try {
        const response = await ask(call.key, call.path);
        const text = await response.text();
        assert.equal(response.status, 200, text);
        one.answer = text;
        answered += 1;
        onAnswer(answered);
      } catch (error) {
        if (error instanceof assert.AssertionError) throw error;
        isGone = true;
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  return sent;
}

test('kill -9 among keyed calls: every answered call is replayed, every key is charged once', async (t) => {
  const seed = seedOf(20_261_121);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const clock = shiftedClock();
  await using stage = await openCrashStage(clock.now);
  const { folder, sandbox, env, data, key } = stage;
  const urls = Object.values(sandbox.describe().url);
  const slugs = new Map<string, string>();
  const sent: Sent[] = [];
  for (let round = 0; round < 2; round += 1) {
    await using service = await serveProgram(['--port', '0', ...data], env);
    const ask = callerOf(service.url, key);
    for (const url of urls) {
      const response = await ask(`warm ${round} ${url}`, `/v1/products/${encodeURIComponent(url)}`);
      const body = (await response.json()) as { _meta: { price_source: string } };
      slugs.set(url, body._meta.price_source);
    }
    const calls = Array.from({ length: CALLS }, (_, n) => {
      const url = urls[n % urls.length] ?? '';
      const forced = `?retailer=${slugs.get(url)}&force_refresh=true`;
      const query = n % FORCED_EVERY === 0 ? forced : '';
      return { key: `${round}-${n}`, path: `/v1/products/${encodeURIComponent(url)}${query}` };
    });
    const killAfter = 50 + integerBelow(random, CALLS - 150);
    const killed: Promise<number | null>[] = [];
    const now = await sendUntilGone(ask, calls, (count) => {
      if (count === killAfter) killed.push(service.stop('SIGKILL'));
    });
    await Promise.all(killed);
    assert.ok(
      now.some((each) => each.answer === null),
      'the kill met running calls',
    );
    sent.push(...now);
  }

  // Claims of a dead process expire after 20 s: the restarted service runs that much later.
  clock.advance(20_001);
  const config = withSandbox(readConfig({}, { dataDir: folder, port: 0 }), sandbox);
  await using app = await openApp(config, { clock });
  const ask = callerOf((await app.listen()).url, key);
  const outcomes = { replayed: 0, anew: 0 };
  for (const call of sent) {
    const response = await ask(call.key, call.path);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    const isReplay = response.headers.get('idempotency-replayed') === 'true';
    if (call.answer !== null) {
      assert.ok(isReplay, `${call.key} was answered`);
      assert.equal(text, call.answer, call.key);
    } else if (isReplay) outcomes.replayed += 1;
    else outcomes.anew += 1;
  }
  const [row] = await app.store.sql.all(
    "select count(*) as charges, sum(tokens) as tokens from ledger where kind = 'charge'",
  );
  const keys = sent.length + 2 * urls.length;
  assert.deepEqual({ ...row }, { charges: keys, tokens: keys });
  assert.deepEqual(await checkStore(app.store.sql), []);
  await app.stop(1_000);
  t.diagnostic(
    `${sent.length} calls; unanswered ones: ${outcomes.replayed} had been charged and were ` +
      `replayed, ${outcomes.anew} had not`,
  );
});
