// What works here is said as it is: a way out that is open or shut, data that is there or not, settings that are missing.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand } from '../support/command.ts';
import { startService } from '../support/service.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

type Finding = {
  readonly what: string;
  readonly state: string;
  readonly detail: string;
  readonly settings?: readonly string[];
};

const findingsOf = (json: Readonly<Record<string, unknown>>) =>
  json['findings'] as readonly Finding[];

test('an installation that works is sound, and every missing setting is named', async () => {
  await using service = await startService({ withRetailers: true });
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const { code, json } = await runCommand(['doctor', '--json'], { env });
  const findings = findingsOf(json);
  assert.equal(code, 0, JSON.stringify(findings));
  for (const what of ['Node', 'disk', 'store', 'way out', 'clock', 'retailers']) {
    assert.equal(findings.find((each) => each.what === what)?.state, 'ok', what);
  }
  const lacking = findings.filter(({ state }) => state === 'lacking');
  assert.ok(lacking.some(({ settings }) => settings?.includes('OPENSHELF_CONTACT') === true));
  assert.ok(lacking.some(({ settings }) => settings?.includes('OPENSHELF_SEARXNG_URL') === true));
  assert.equal(json['sound'], true);
});

test('a way out that is shut is a failure, with the settings that open it', async () => {
  await using service = await startService();
  const env = { ...service.dataEnv, OPENSHELF_DNS_SERVERS: '127.0.0.1:9' };
  const { code, out } = await runCommand(['doctor'], { env });
  assert.equal(code, 1);
  assert.match(out.join('\n'), /FAILED {3}way out[^]*OPENSHELF_DNS_SERVERS/);
});

test('where there is no data none is made', async () => {
  using folder = temporaryFolder();
  const data = join(folder.path, 'data');
  const { code, json } = await runCommand(['doctor', '--data', data, '--json']);
  assert.equal(code, 0);
  const store = findingsOf(json).find(({ what }) => what === 'store');
  assert.deepEqual([store?.state, existsSync(data)], ['lacking', false]);
});
