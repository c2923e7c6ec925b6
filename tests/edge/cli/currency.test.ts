// The commands answer in a requested currency, and say which (D87).

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { runCommand } from '../../support/command.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

test('lookup, history, compare, watch and a sheet take --currency', async () => {
  await using service = await startService({ withRetailers: true });
  const page = service.sandbox.describe().trouble.foreign_currency;
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const run = (...args: readonly string[]) => runCommand(args, { env });
  const { json } = await run('lookup', page, '--currency', 'native', '--json');
  const { currency, current_price: price } = json;
  assert.equal(currency, 'EUR');
  const text = `${Number(price).toFixed(2)} EUR`;
  assert.match(
    (await run('lookup', page, '--currency', 'eur')).stdout,
    new RegExp(`price +${text}`),
  );
  assert.match((await run('lookup', page)).stdout, /native price +[\d.]+ EUR/);
  assert.ok((await run('history', page, '--currency', 'EUR')).stdout.includes(text));
  assert.ok((await run('compare', page, '--currency', 'EUR')).stdout.includes(text));
  const usual = await runCommand(['lookup', page, '--json'], {
    env: { ...env, OPENSHELF_CURRENCY: 'EUR' },
  });
  assert.equal(usual.json['current_price'], price);
  const order = ['--org', 'test', '--below', '10', '--currency', 'eur', '--json'];
  const watched = await run('watch', 'add', page, ...order);
  const { below, currency: its } = watched.json;
  assert.deepEqual([below, its], [10, 'EUR']);
  for (const args of [
    ['lookup', page],
    ['history', page],
    ['compare', page],
  ]) {
    const { code, stderr } = await run(...args, '--currency', 'euro');
    assert.equal(code, 2);
    assert.match(stderr, /--currency takes an ISO 4217 code such as USD or native, not "euro"/);
  }
  using folder = temporaryFolder();
  const [sheet, out] = [join(folder.path, 'in.csv'), join(folder.path, 'out.csv')];
  writeFileSync(sheet, `url,cost\n${page},"€ 9,50"\n`);
  const { code, stderr } = await run('lookup', '--file', sheet, '--out', out, '--currency', 'EUR');
  assert.equal(code, 0, stderr);
  const [head = '', row = ''] = readFileSync(out, 'utf8').trim().split(/\r?\n/);
  assert.match(head, /,currency$/);
  assert.match(row, /,EUR$/);
  assert.ok(row.includes(',9.5,') && row.includes(`,${Number(price)},`), row);
});
