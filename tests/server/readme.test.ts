import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { openApp } from '../../src/edge/app.ts';
import { systemClock } from '../../src/edge/wiring/clocks.ts';
import { readConfig } from '../../src/edge/config.ts';
import { issueKey } from '../../src/data/metering/keys.ts';
import { untilQueueIdle } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { openSandbox, withSandbox, withSandboxSearch } from '../../src/edge/cli/sandbox-config.ts';

/** Fields that change with the day, the hour or the call. */
const MOVING = new Set([
  'current_price',
  'buybox_price',
  // Stated only on days on which the price is below it.
  'msrp',
  'price_history',
  'stats',
  '_freshness',
  'tokens_remaining',
]);

type Step = { readonly method: string; readonly path: string; readonly tokens: number };

/** Returns the calls of the walk through the API, with the costs that the page states. */
function stepsOf(page: string): readonly Step[] {
  const [, walk = '', costs = ''] = /```sh\n(V1=[\s\S]*?)```\n\n((?:\d\. .*\n)+)/.exec(page) ?? [];
  const tokens = [...costs.matchAll(/^\d\. (\d+) tokens:/gm)].map(([, count]) => Number(count));
  const calls = [...walk.matchAll(/ask (-X POST )?"\$V1(\/[^"]*)"/g)];
  assert.equal(calls.length, tokens.length);
  return calls.map(([, post, path = ''], at) => ({
    method: post === undefined ? 'GET' : 'POST',
    path,
    tokens: tokens[at] ?? Number.NaN,
  }));
}

test('no line of the README that is pasted has a comment: the shell of macOS takes it for arguments', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const blocks = [...readme.matchAll(/```sh\n([^]*?)```/g)].map(([, block = '']) => block);
  assert.ok(blocks.length >= 4);
  const commented = blocks
    .flatMap((block) => block.split('\n'))
    .filter((line) => /(?:^|\s)#/.test(line));
  assert.deepEqual(commented, []);
});

test('the walk through the API costs what the page says and leads from indexing to ok', async () => {
  const page = readFileSync(new URL('../../docs/use/lookups.md', import.meta.url), 'utf8');
  const steps = stepsOf(page);
  assert.equal(steps.length, 8);
  using folder = temporaryFolder();
  await using sandbox = await openSandbox();
  const plain = withSandbox(readConfig({}, { dataDir: folder.path, port: 0 }), sandbox);
  await using app = await openApp(withSandboxSearch(plain, sandbox));
  const { url } = await app.listen();
  const key = await issueKey(app.store.accounts, { organization: 'me', note: null }, Date.now());
  const statuses: string[][] = [];
  let seller = '';
  let spent = 0;
  for (const { method, path, tokens } of steps) {
    const response = await fetch(`${url}/v1${path.replace('$SELLER', seller)}`, {
      method,
      headers: { authorization: `Bearer ${key.text}` },
    });
    const text = await response.text();
    assert.equal(response.status, 200, `${path} ${text}`);
    const body = JSON.parse(text) as Record<string, unknown>;
    assert.equal(body['tokens_consumed'], tokens, path);
    spent += tokens;
    const cells = body['cross_retailer'] as Record<string, { status: string }> | undefined;
    if (cells !== undefined) {
      statuses.push(Object.values(cells).map(({ status }) => status));
      await untilQueueIdle(app, systemClock);
    }
    const [, met] = /"seller_id":"([0-9]+)"/.exec(text) ?? [];
    if (body['offers'] !== undefined) seller = met ?? seller;
    if (path === '/usage') assert.equal(body['tokens_used'], spent);
  }
  assert.match(page, new RegExp(`\\b${spent} in total`));
  const [first = [], second = []] = statuses;
  assert.ok(first.filter((status) => status === 'indexing').length >= 5, first.join());
  assert.deepEqual(
    second,
    Array.from({ length: 7 }, () => 'ok'),
  );
  await app.stop(1_000);
});

test('the curl of the README asks for a page of the demo and gets what is printed below it', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const path = /'http:\/\/127\.0\.0\.1:8790(\/v1\/products\/[^']+)'/.exec(readme)?.[1];
  const printed = /```json\n([\s\S]*?)\n```/.exec(readme)?.[1];
  assert.ok(path !== undefined && printed !== undefined);
  using folder = temporaryFolder();
  await using sandbox = await openSandbox();
  const config = withSandbox(readConfig({}, { dataDir: folder.path, port: 0 }), sandbox);
  await using app = await openApp(config);
  const { url } = await app.listen();
  const key = await issueKey(app.store.accounts, { organization: 'me', note: null }, Date.now());
  const response = await fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${key.text}` },
  });
  const got = (await response.json()) as Record<string, unknown>;
  assert.equal(response.status, 200, JSON.stringify(got));
  for (const [name, value] of Object.entries(JSON.parse(printed) as Record<string, unknown>)) {
    assert.ok(name in got, name);
    if (MOVING.has(name) || name === '_meta') continue;
    assert.deepEqual(got[name], value, name);
  }
  await app.stop(1_000);
});
