// openshelf compare states in words what speaks against a price, why there is none, and how often a cost is paid.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CELL_STATUSES } from '../../../src/rules/product/cell.ts';
import { WARNINGS } from '../../../src/rules/product/warnings.ts';
import type { ComparisonBody } from '../../../src/answer/wire/compare.ts';
import { runCommand } from '../../support/command.ts';
import { startService } from '../../support/service.ts';

const CODE = new RegExp(
  `\\b(?:${[...WARNINGS, ...CELL_STATUSES].filter((each) => each.includes('_')).join('|')})\\b`,
);

test('what speaks against a row stands there in words, and no row has a code', async () => {
  await using service = await startService({ withRetailers: true });
  const { upc } = service.sandbox.describe();
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const before = await runCommand(['compare', upc], { env });
  assert.equal(before.stderr, '');
  assert.match(before.stdout, /(?:not queried yet|cannot be queried by barcode)$/m);
  assert.doesNotMatch(before.stdout, CODE);
  await service.untilQueueIdle();
  const { json } = await runCommand(['compare', upc, '--json'], { env });
  const said = (json as ComparisonBody).rows.flatMap(({ warnings }) => warnings);
  assert.ok(said.includes('unconfirmed') && said.includes('no_fees'), said.join());
  const after = await runCommand(['compare', upc], { env });
  assert.match(after.stdout, /retailer_a .*barcode not confirmed$/m);
  assert.doesNotMatch(after.stdout, CODE);
});

test('a set pays its cost once, and with --cost-per piece by the piece, which its row says', async () => {
  await using service = await startService({ withRetailers: true });
  const set = service.sandbox
    .market()
    .listings('retailer_w')
    .find(({ product }) => (product.packCount ?? 1) > 1 && product.trouble === null)?.product;
  assert.ok(set);
  const origins = Object.entries(service.sandbox.origins).map((pair) => pair.join('='));
  const env = { ...service.dataEnv, OPENSHELF_ORIGINS: origins.join(',') };
  const args = ['compare', set.gtin14, '--cost', '2', '--shipping', '0.50'];
  const rowOf = async (more: readonly string[]) => {
    const { json } = await runCommand([...args, ...more, '--json'], { env });
    return (json as ComparisonBody).rows.find(({ retailer }) => retailer === 'retailer_w');
  };
  assert.equal((await rowOf([]))?.outlay, 2.5);
  const pieces = await rowOf(['--cost-per', 'piece']);
  assert.deepEqual(
    [pieces?.cost_factor, pieces?.outlay],
    [set.packCount, 2.5 * (set.packCount ?? 0)],
  );
  const { stdout } = await runCommand([...args, '--cost-per', 'piece'], { env });
  assert.match(stdout, new RegExp(`^retailer_w .*\\b${set.packCount} times the cost$`, 'm'));
  const { code, stderr } = await runCommand([...args, '--cost-per', 'box'], { env });
  assert.equal(code, 2);
  assert.match(stderr, /--cost-per takes code or piece, not "box"/);
});
