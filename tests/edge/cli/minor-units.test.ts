// Prices in currencies of every number of decimals, from a file through the store, its packed years and two exports into another
// store (D87): no amount changes.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { MINOR_DIGITS } from '../../../src/base/listing/money/currencies.ts';
import { decimalText, decimalsOf } from '../../../src/base/listing/money/minor-units.ts';
import { runCommand } from '../../support/command.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const HEADER = 'retailer,retailer_id,url,gtin,observed_at,price,currency,in_stock';
const LISTINGS = 12;
const START_MS = Date.UTC(2024, 10, 1);

/** Returns 300 lines as an export writes them, in every currency and of every size. */
function linesOf(random: () => number): readonly string[] {
  return Array.from({ length: 300 }, (_, at) => {
    // Half of them in a currency that has not two decimals.
    const currency = pick(random, at % 2 === 0 ? CODES : OTHERS);
    const cents = 1 + integerBelow(random, 10 ** (1 + integerBelow(random, 13)));
    const price = decimalText({ cents, currency });
    const observedAt = new Date(START_MS + at * 7 * 3_600_000).toISOString();
    return `retailer_w,${700_000 + (at % LISTINGS)},,,${observedAt},${price},${currency ?? ''},true`;
  });
}

const CODES = [...MINOR_DIGITS.keys(), null];
const OTHERS = [...MINOR_DIGITS.keys()].filter((code) => decimalsOf(code) !== 2);

async function run(args: readonly string[]) {
  const done = await runCommand([...args]);
  assert.equal(done.code, 0, done.err.join('\n'));
  return done;
}

test('300 prices of all currencies are the same after store, compaction, export and import', async () => {
  using folder = temporaryFolder();
  const seed = seedOf(872);
  const lines = linesOf(randomFrom(seed));
  const file = join(folder.path, 'first.csv');
  writeFileSync(file, `${[HEADER, ...lines].join('\n')}\n`);
  const [first, second] = [join(folder.path, 'first'), join(folder.path, 'second')];
  await run(['import', file, '--data', first]);
  await run(['compact', '--data', first]);
  await run(['check', '--data', first]);
  const csv = (await run(['export', '--data', first])).out;
  assert.equal(csv[0], HEADER);
  assert.deepEqual(csv.slice(1).toSorted(), lines.toSorted(), `seed ${seed}`);
  const jsonl = (await run(['export', '--data', first, '--format', 'jsonl'])).out;
  for (const line of jsonl) {
    const { price, currency } = JSON.parse(line) as { price: number; currency: string | null };
    const whole = price * 10 ** decimalsOf(currency);
    assert.ok(Math.abs(whole - Math.round(whole)) <= whole * 1e-12, line);
  }
  for (const [name, exported] of [
    ['csv', csv],
    ['jsonl', jsonl],
  ] as const) {
    const moved = join(folder.path, `moved.${name}`);
    writeFileSync(moved, `${exported.join('\n')}\n`);
    const target = `${second}-${name}`;
    await run(['import', moved, '--data', target]);
    const again = (await run(['export', '--data', target])).out;
    assert.deepEqual(again.toSorted(), csv.toSorted(), `${name}, seed ${seed}`);
  }
});
