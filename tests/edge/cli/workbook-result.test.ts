// A supplier's workbook becomes a workbook that opens ready to use: its own cells as they were, ours with formats, sorted.

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { startService } from '../../support/service.ts';
import { openSandbox } from '../../../src/edge/cli/sandbox-config.ts';
import { shopHosts } from '../../../src/read/retailers/addresses/public-origins.ts';
import { runCommand } from '../../support/command.ts';
import {
  supplierCents,
  supplierWorkbook,
  SUPPLIER_HEADINGS,
} from '../../support/supplier-workbook.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { tabsOf } from '../../support/workbook-parts.ts';

const MARKET = ['--sandbox', '--products', '60', '--seed', '7'];
const ROWS = 24;

async function codes(): Promise<readonly string[]> {
  await using market = await openSandbox({ seed: 7, products: 60 });
  const { catalog } = market.market();
  return catalog
    .filter(({ trouble, gtin14 }) => trouble === null && gtin14.startsWith('00'))
    .slice(0, ROWS)
    .map(({ gtin14 }) => gtin14.slice(2));
}

test('a supplier’s workbook is previewed, and its result is a workbook with types, formats, a filter, links and names', async () => {
  using folder = temporaryFolder();
  const [input, out] = [join(folder.path, 'list.xlsx'), join(folder.path, 'out.xlsx')];
  const upcs = await codes();
  writeFileSync(input, supplierWorkbook(upcs));
  const preview = await runCommand(['lookup', '--file', input, '--preview', ...MARKET]);
  assert.equal(preview.code, 0, preview.stderr);
  const shown = preview.out.join('\n');
  assert.match(shown, new RegExp(`5 +${upcs[0]} +1\\.50`));
  assert.match(shown, new RegExp(`14 +${upcs[9]} +4\\.83`));
  assert.doesNotMatch(shown, new RegExp(`${upcs[10]}`));
  assert.match(shown, /A cost in "Your cost" is for one unit of what the code identifies/);

  const wrong = await runCommand([
    'lookup',
    '--file',
    input,
    '--out',
    out,
    '--sort',
    'gain',
    ...MARKET,
  ]);
  assert.equal(wrong.code, 1);
  assert.match(wrong.stderr, /no column "gain" to sort by\. The columns: Item no\., .*profit/);

  const data = ['--data', join(folder.path, 'data')];
  const { code, stderr } = await runCommand([
    'lookup',
    '--file',
    input,
    '--out',
    out,
    '--sort',
    'profit:desc',
    '--profits',
    ...MARKET,
    ...data,
  ]);
  assert.equal(code, 0, stderr);
  const [table, notes] = await tabsOf(readFileSync(out));
  assert.ok(table !== undefined);
  const [head = [], ...rows] = table.rows;
  const names = head.map((cell) => cell?.value);
  assert.deepEqual(names.slice(0, SUPPLIER_HEADINGS.length), SUPPLIER_HEADINGS);
  assert.equal(rows.length, ROWS);
  assert.equal(table.frozen, 'A2');
  assert.match(table.filter ?? '', new RegExp(`^A1:[A-Z]+${ROWS + 1}$`));
  assert.equal(table.widths.length, names.length);

  const at = (name: string): number => names.indexOf(name);
  for (const cells of rows) {
    const index = Number(cells[0]?.value) - 1;
    const types = cells.slice(0, 9).map((cell) => [cell?.type, cell?.format]);
    assert.deepEqual(types, [
      ['number', '000000'],
      ['text', 'General'],
      ['text', 'General'],
      index % 2 === 0 ? ['text', 'General'] : ['number', '000000000000'],
      index % 4 === 0 ? ['number', '"$"#,##0.00'] : ['text', 'General'],
      ['boolean', 'General'],
      ['number', 'd-mmm-yy'],
      ['number', '0.0%'],
      ['number', 'General'],
    ]);
    assert.equal(cells[6]?.value, 46_082 + index);
    assert.equal(cells[at('identifier')]?.value, upcs[index]);
    assert.equal(cells[at('unit_cost')]?.value, supplierCents(index) / 100);
    assert.match(cells[at('profit')]?.format ?? '$', /\$/);
    assert.match(cells[at('roi_percent')]?.format ?? '%', /%/);
    assert.match(cells[at('refreshed_at')]?.format ?? '', /yyyy/);
    const link = cells[at('best_url')];
    assert.equal(link?.link, link === null ? undefined : new URL(String(link?.value)).href);
    const [profit, cost] = ['profit', 'unit_cost'].map((name) => Number(cells[at(name)]?.value));
    const roi = cells[at('roi_percent')]?.value;
    // A percentage is a share in a workbook; of a sale of one piece it is profit by cost.
    if (cells[at('cost_factor')] === null && roi !== undefined) {
      assert.ok(Math.abs(Number(roi) - (profit ?? 0) / (cost ?? 1)) < 0.0002, `${index}`);
    }
  }
  const profits = rows.map((cells) => Number(cells[at('profit')]?.value ?? -1e9));
  assert.deepEqual(
    profits,
    profits.toSorted((a, b) => b - a),
  );

  const hosts = Object.values(shopHosts());
  for (const host of hosts) assert.ok(at(`${host} price`) > 0, host);
  assert.deepEqual(
    names
      .filter((name) => String(name).endsWith(' profit'))
      .map((name) => String(name).split(' ')[0]),
    hosts.slice(0, 3),
  );
  const texts = [...table.rows, ...(notes?.rows ?? [])].flat().map((cell) => String(cell?.value));
  assert.deepEqual(
    texts.filter((text) => /retailer_[a-z]\b/.test(text)),
    [],
  );
});

test('a run stops at its token limit and says so, and the next one states what changed since', async () => {
  using folder = temporaryFolder();
  await using service = await startService({ withRetailers: true });
  const { catalog } = service.sandbox.market();
  const upcs = catalog
    .filter(({ trouble, gtin14 }) => trouble === null && gtin14.startsWith('00'))
    .slice(0, 6)
    .map(({ gtin14 }) => gtin14.slice(2));
  const [input, out] = [join(folder.path, 'in.txt'), join(folder.path, 'out.jsonl')];
  writeFileSync(input, upcs.join('\n'));
  const run = async (...more: readonly string[]) => {
    const { code, stderr, json } = await runCommand(
      [
        'lookup',
        '--file',
        input,
        '--out',
        out,
        '--url',
        service.url,
        '--changes',
        '--json',
        ...more,
      ],
      { env: { OPENSHELF_API_KEY: service.key } },
    );
    assert.equal(code, 0, stderr);
    const rows = readFileSync(out, 'utf8').trimEnd().split('\n');
    return { stderr, json, rows: rows.map((line) => JSON.parse(line) as Record<string, unknown>) };
  };
  const spent = async () => Number((await service.get('/v1/usage')).body['tokens_used']);
  // Enough for two products and a half.
  const limited = await run('--token-limit', '10');
  assert.ok((await spent()) <= 10, `${await spent()}`);
  assert.match(limited.stderr, /token limit was reached: [34] rows were skipped/);
  const skipped = limited.rows.filter(({ status }) => status === 'skipped');
  assert.equal(skipped.length, limited.json['skipped']);
  assert.match(String(skipped[0]?.['note']), /token limit of the run/);
  assert.deepEqual(new Set(limited.rows.map(({ changed }) => changed)), new Set([null]));

  await run();
  // What is stored changes, as after a week.
  const [one] = upcs;
  const last = readFileSync(`${out}.last`, 'utf8').split('\n');
  const at = last.findIndex((line) => line.includes(`"i":"${one}"`) && line.includes('"r":'));
  const noted = JSON.parse(last[at] ?? '{}') as {
    r: { product: { prices: object; best: object } };
  };
  Object.assign(noted.r.product.best, { price: 1.25 });
  Object.assign(noted.r.product.prices, { retailer_w: 1.25 });
  last[at] = JSON.stringify(noted);
  writeFileSync(`${out}.last`, last.join('\n'));
  const { rows } = await run();
  const changed = String(rows.find(({ identifier }) => identifier === one)?.['changed']);
  assert.match(changed, /best_price 1\.25 → \d+\.\d\d; retailer_w 1\.25 → \d/);
});
