// From the page to the operator: a retailer's pages suddenly lose a field and change a word, and on the same day `openshelf
// quality` and /metrics report it.

import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';

import { systemClock } from '../../../src/edge/wiring/clocks.ts';
import { DAY_MS } from '../../../src/base/clock.ts';
import { publicOrigins } from '../../../src/read/retailers/addresses/public-origins.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/server.ts';
import { runCommand } from '../../support/command.ts';
import { lastJson } from '../../support/program.ts';
import { startService, type Service } from '../../support/service.ts';
import { shiftedClock } from '../../support/shifted-clock.ts';

const DAYS_BETWEEN = 3;
const PAGES = 12;
const { page: ORIGIN } = publicOrigins().retailer_w;
// The command uses the machine's clock, so the days before lie in the past.
const clock = shiftedClock(systemClock.now() - DAYS_BETWEEN * DAY_MS);
let isRedesigned = false;
let server: Server;
let market: Sandbox;
let service: Service;

/** The same page after a redesign: no brand, and another word for stock. */
function redesigned(html: string): string {
  return html
    .replaceAll(/"brand"/gi, '"maker"')
    .replaceAll(/"(?:IN|OUT_OF)_STOCK"/g, '"SHELF_STATE_7 <b>"');
}

before(async () => {
  market = await startSandbox({ seed: 7, now: clock.now, retailers: publicOrigins() });
  server = createServer((request, response) => {
    void (async () => {
      const answer = await fetch(`${market.origins[ORIGIN]}${request.url}`);
      const html = await answer.text();
      const type = answer.headers.get('content-type') ?? 'text/html';
      response.writeHead(answer.status, { 'content-type': type });
      response.end(isRedesigned ? redesigned(html) : html);
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const env = { OPENSHELF_ORIGINS: `${ORIGIN}=http://127.0.0.1:${port}` };
  service = await startService({ clock, env });
});

after(async () => {
  await service[Symbol.asyncDispose]();
  await market.close();
  server.close();
});

async function lookUpAll(): Promise<void> {
  const ids = market
    .market()
    .listings('retailer_w')
    .slice(0, PAGES)
    .map(({ id }) => id);
  for (const id of ids) {
    const { status } = await service.lookup(id, '?retailer=retailer_w&force_refresh=true');
    assert.equal(status, 200, id);
  }
}

// Two days are looked at, so that midnight may pass meanwhile.
const quality = (...more: readonly string[]) =>
  runCommand(['quality', '--days', '2', ...more], { env: service.dataEnv });

test('before anything changed nothing is called worse', async () => {
  await lookUpAll();
  clock.advance(DAYS_BETWEEN * DAY_MS);
  await lookUpAll();
  const { code, stdout } = await quality('--strict');
  assert.equal(code, 0, stdout);
  assert.match(stdout, /^verdict: no field is worse than in the week before\n/);
  assert.ok(!stdout.includes('unknown words'), stdout);
});

test('on the day on which a page loses a field the verdict names retailer, page kind and field', async () => {
  isRedesigned = true;
  for (let round = 0; round < 3; round += 1) await lookUpAll();
  const { code, stdout } = await quality();
  assert.equal(code, 0);
  assert.match(stdout, /^verdict: \d+ fields are worse than in the week before\n/);
  const worse = 'worse than the week before: retailer_w product';
  assert.ok(stdout.includes(`${worse} brand 1.00 -> 0.25\n`), stdout);
  assert.ok(stdout.includes(`${worse} availability 1.00 -> 0.25\n`), stdout);
  assert.equal((await quality('--strict')).code, 1, 'a script can ask for the verdict');
});

test('a word that no vocabulary holds is counted and shown, made plain', async () => {
  const { stdout } = await quality();
  const line = /retailer_w product availability: (\d+) answers \(before: 0\), last "(.*)"/.exec(
    stdout,
  );
  assert.equal(Number(line?.[1]), 3 * PAGES, stdout);
  assert.equal(line?.[2], 'SHELF_STATE_7 b');
  const report = lastJson(await quality('--json')) as Record<string, unknown>;
  assert.equal(report['verdict'], 'worse');
  assert.deepEqual(report['unknown_words'], [
    {
      retailer: 'retailer_w',
      page_kind: 'product',
      vocabulary: 'availability',
      answers: 3 * PAGES,
      answers_before: 0,
      last_word: 'SHELF_STATE_7 b',
    },
  ]);
});

test('the metrics of the day say the same, without the word', async () => {
  // A separate day, started at one in the morning: midnight is far away.
  clock.advance(DAY_MS - (clock.now() % DAY_MS) + DAY_MS / 24);
  await lookUpAll();
  const text = await (await fetch(`${service.url}/metrics`)).text();
  const place = 'retailer="retailer_w",page_kind="product"';
  assert.ok(
    text.includes(`openshelf_unknown_words_today{${place},vocabulary="availability"} ${PAGES}\n`),
    text,
  );
  assert.ok(text.includes(`openshelf_field_fill_ratio{${place},field="brand"} 0\n`), text);
  assert.ok(!text.includes('SHELF_STATE'));
});
