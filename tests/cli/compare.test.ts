// openshelf compare says in words what speaks against a price, and why there is none.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { CELL_STATUSES } from '../../src/product/cell.ts';
import { WARNINGS } from '../../src/product/warnings.ts';
import type { ComparisonBody } from '../../src/wire/compare.ts';
import { runCommand } from '../support/command.ts';
import { startService } from '../support/service.ts';

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
  assert.match(before.stdout, /(?:not asked yet|cannot be asked for a barcode here)$/m);
  assert.doesNotMatch(before.stdout, CODE);
  await service.untilQueueIdle();
  const { json } = await runCommand(['compare', upc, '--json'], { env });
  const said = (json as ComparisonBody).rows.flatMap(({ warnings }) => warnings);
  assert.ok(said.includes('unconfirmed') && said.includes('no_fees'), said.join());
  const after = await runCommand(['compare', upc], { env });
  assert.match(after.stdout, /retailer_a .*barcode not confirmed$/m);
  assert.doesNotMatch(after.stdout, CODE);
});
