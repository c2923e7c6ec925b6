import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { openApp } from '../../src/app.ts';
import { openSandbox, withSandbox } from '../../src/cli/serve.ts';
import { readConfig } from '../../src/config.ts';
import { issueKey } from '../../src/metering/keys.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** What moves with the day, the hour or the call. */
const MOVING = new Set([
  'current_price',
  'buybox_price',
  'price_history',
  'stats',
  '_freshness',
  'tokens_remaining',
]);

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
