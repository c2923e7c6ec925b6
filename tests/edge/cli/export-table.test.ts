// The history as a table: each price with its product, and only what was requested.

import assert from 'node:assert/strict';
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { readSheet } from 'read-excel-file/node';

import { runCommand } from '../../support/command.ts';
import { namedPipe } from '../../support/pipe.ts';
import { startService } from '../../support/service.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const DAY = 86_400_000;
const dayBefore = (days: number) => new Date(Date.now() - days * DAY).toISOString().slice(0, 10);

test('each price has title, brand, barcode and identity, in Parquet and in a workbook alike', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const { upc } = service.sandbox.describe();
  const { body } = await service.lookup(upc);
  await service.untilQueueIdle();
  const env = service.dataEnv;
  const parquet = join(folder.path, 'a.parquet');
  const written = await runCommand(['export', '--output', parquet, '--json'], { env });
  assert.equal(written.code, 0, written.stderr);
  const rows = await parquetReadObjects({ file: await asyncBufferFromFile(parquet) });
  assert.equal(rows.length, written.json['rows']);
  const own = rows.find(({ retailer }) => retailer === 'retailer_w');
  assert.deepEqual(
    [own?.['title'], own?.['brand'], own?.['gtin'], own?.['price'], own?.['identity']],
    [body['title'], body['brand'], body['gtin'], body['current_price'], 'confirmed'],
  );
  const workbook = join(folder.path, 'a.xlsx');
  assert.equal((await runCommand(['export', '--output', workbook], { env })).code, 0);
  const [head, ...cells] = await readSheet(workbook);
  assert.deepEqual(head, Object.keys(rows[0] ?? {}));
  // A time is a text there, and a date in a workbook.
  assert.deepEqual(
    cells.map((row) => row.map((cell) => (cell instanceof Date ? toSecond(cell) : cell))),
    rows.map((row) => Object.values(row)),
  );
});

/** A date in a workbook is a share of a day, which is not exact to a millisecond. */
const toSecond = (date: Date): string =>
  new Date(Math.round(date.getTime() / 1_000) * 1_000).toISOString();

test('an export of a retailer, a product or some days has these only', async () => {
  await using service = await startService({ withRetailers: true });
  const { upc } = service.sandbox.describe();
  await service.lookup(upc);
  await service.lookup(service.sandbox.describe().url.json_ld);
  await service.untilQueueIdle();
  const lines = async (...args: readonly string[]) => {
    const { code, out, stderr } = await runCommand(['export', ...args], { env: service.dataEnv });
    assert.equal(code, 0, stderr);
    return out.slice(1);
  };
  const all = await lines();
  const ofOne = await lines('--retailer', 'retailer_a');
  assert.ok(ofOne.length > 0 && ofOne.every((line) => line.startsWith('retailer_a,')));
  const [, asin = ''] = ofOne[0]?.split(',') ?? [];
  assert.deepEqual(
    await lines('--product', asin),
    ofOne.filter((line) => line.includes(asin)),
  );
  const ofProduct = await lines('--product', upc);
  assert.ok(ofProduct.length >= 5 && ofProduct.length < all.length);
  assert.ok(ofProduct.every((line) => line.includes(upc)));
  assert.deepEqual(await lines('--from', dayBefore(1)), all);
  assert.deepEqual(await lines('--to', dayBefore(2)), []);
});

test('an export of a barcode has every price that its history shows, those of pages that print no barcode too', async () => {
  await using service = await startService({ withRetailers: true });
  const { gtin } = service.sandbox.describe().retailers.retailer_e.trouble['no_barcode'] ?? {};
  assert.ok(gtin !== undefined);
  await service.lookup(gtin);
  await service.untilQueueIdle();
  const path = `/v1/products/${gtin}/history?timeframe=all&retailer=all`;
  const { observations } = (await service.get(path)).body as {
    observations: readonly { readonly retailer: string; readonly price: number | null }[];
  };
  const shown = observations.map(({ retailer, price }) => `${retailer} ${price?.toFixed(2) ?? ''}`);
  const args = ['export', '--product', gtin, '--format', 'jsonl'];
  const { out } = await runCommand(args, { env: service.dataEnv });
  const rows = out.map(
    (line) => JSON.parse(line) as { retailer: string; price: number | null; gtin: string | null },
  );
  const exported = rows.map(({ retailer, price }) => `${retailer} ${price?.toFixed(2) ?? ''}`);
  assert.deepEqual(exported.toSorted(), shown.toSorted());
  assert.ok(rows.some((row) => row.retailer === 'retailer_e' && row.gtin === null));
});

for (const [args, said] of [
  [['--from', '2026-02-30'], /--from takes a day/],
  [['--from', '2026-02-02', '--to', '2026-02-01'], /--to is before --from/],
  [['--format', 'xlsx'], /--output is missing/],
  [['--output', 'a.ods'], /\.csv, \.jsonl, \.xlsx or \.parquet/],
] as const) {
  test(`export ${args.join(' ')} is bad usage, and says what would do`, async () => {
    await using service = await startService();
    const { code, stderr } = await runCommand(['export', ...args], { env: service.dataEnv });
    assert.equal(code, 2);
    assert.match(stderr, said);
  });
}

test('a product that is not one is refused, and no file is left', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  const path = join(folder.path, 'a.xlsx');
  const args = ['export', '--output', path, '--product', 'lamp', '--json'];
  const { code, json } = await runCommand(args, { env: service.dataEnv });
  assert.deepEqual([code, json['code'], existsSync(path)], [1, 'invalid_identifier', false]);
});

test('an export goes into a pipe, which stays one; a table for people is refused there', async () => {
  using folder = temporaryFolder();
  await using service = await startService();
  await service.lookup(service.sandbox.describe().url.json_ld);
  await service.untilQueueIdle();
  await using pipe = namedPipe(join(folder.path, 'pipe'));
  const env = service.dataEnv;
  const table = await runCommand(['export', '--output', pipe.path, '--format', 'xlsx'], { env });
  assert.equal(table.code, 1);
  assert.match(table.stderr, /is a pipe or a device\. Specify a file/);
  const { code, stderr } = await runCommand(['export', '--output', pipe.path], { env });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^\d+ rows? written to .*pipe$/m);
  const { stdout } = await runCommand(['export'], { env });
  assert.equal(await pipe.read, stdout);
  assert.ok(lstatSync(pipe.path).isFIFO());
});
