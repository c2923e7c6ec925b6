// npm run lab -- workbook [--rows N] [--soffice PROGRAM]: a supplier's workbook of N rows (300) becomes a sorted workbook of
// answers, which LibreOffice (`soffice` of libreoffice-calc) opens and writes again. Values, types, formats, the filter, what
// stays in place, widths and links must be the same in both. Memory is measured while a table of 10,000 rows is written.

import { execFileSync } from 'node:child_process';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openSandbox } from '../../src/edge/cli/sandbox-config.ts';
import { tableColumns } from '../../src/edge/runs/result-table.ts';
import { writeTable } from '../../src/edge/sheets/write-table.ts';
import { runCommand } from '../../tests/support/command.ts';
import { supplierWorkbook } from '../../tests/support/supplier-workbook.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { tabsOf, type BookCell, type BookTab } from '../../tests/support/workbook-parts.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '300' },
    soffice: { type: 'string', default: 'soffice' },
  },
});
const rows = Number(values.rows);
const products = Math.min(50_000, rows * 2 + 50);
const SEED = 20_261_201;
const MANY = 10_000;

using scratch = temporaryFolder();
const { path: folder } = scratch;
const failures: string[] = [];

function check(what: string, wrong: readonly string[], figure: string): void {
  console.log(`${wrong.length === 0 ? 'ok    ' : 'FAILED'} ${what}: ${figure}`);
  for (const each of wrong.slice(0, 5)) console.log(`       ${each}`);
  if (wrong.length > 0) failures.push(what);
}

async function codes(): Promise<readonly string[]> {
  await using market = await openSandbox({ seed: SEED, products });
  const { catalog } = market.market();
  return catalog
    .filter(({ trouble, gtin14 }) => trouble === null && gtin14.startsWith('00'))
    .slice(0, rows)
    .map(({ gtin14 }) => gtin14.slice(2));
}

const PROFILE = join(folder, 'profile');

function soffice(...args: readonly string[]): void {
  const profile = `-env:UserInstallation=file://${PROFILE}`;
  execFileSync(values.soffice, [profile, '--headless', ...args], {
    stdio: 'pipe',
    timeout: 300_000,
  });
}

/** A program of LibreOffice: what stays in place belongs to a window, which a conversion does not open. */
const SAVE = `<?xml version="1.0" encoding="UTF-8"?>
<script:module xmlns:script="http://openoffice.org/2000/script" script:name="Module1" script:language="StarBasic">
Sub Save(source, target)
  Dim how(0) As New com.sun.star.beans.PropertyValue
  Dim none()
  document = StarDesktop.loadComponentFromURL(source, "_blank", 0, none())
  how(0).Name = "FilterName"
  how(0).Value = "Calc MS Excel 2007 XML"
  document.storeToURL(target, how())
  document.close(True)
  StarDesktop.terminate()
End Sub
</script:module>
`;

/** Has LibreOffice open the workbook in a window and save it again. Returns the path. */
function savedAgain(file: string): string {
  const target = join(folder, 'again.xlsx');
  // The module is there since LibreOffice first used the folder.
  writeFileSync(join(PROFILE, 'user/basic/Standard/Module1.xba'), SAVE);
  soffice(`macro:///Standard.Module1.Save("file://${file}","file://${target}")`);
  return target;
}

/** LibreOffice names colours and the locale of a currency its own way. */
const plainFormat = (code: string): string =>
  code
    .toUpperCase()
    .replaceAll(/\[\$\$-[\dA-F]+\]/g, '$')
    .replaceAll(/["\\]/g, '');

function cellText(cell: BookCell | null): string {
  if (cell === null) return 'empty';
  const { type, value, format, link } = cell;
  const shown = type === 'number' ? Number(value).toPrecision(12) : String(value);
  return `${type} ${shown} as ${plainFormat(format)}${link === null ? '' : ` to ${link}`}`;
}

function differences(ours: BookTab, theirs: BookTab): readonly string[] {
  return ours.rows.flatMap((row, line) =>
    row.flatMap((cell, at) => {
      const [mine, other] = [cellText(cell), cellText(theirs.rows[line]?.[at] ?? null)];
      return mine === other ? [] : [`row ${line + 1}, column ${at + 1}: ${mine}; ${other}`];
    }),
  );
}

// First, before other work has taken memory that this could use.
const columns = tableColumns(['Item', 'Cost'], { hasProfits: true });
const many = async function* () {
  for (let line = 0; line < MANY; line += 1) {
    yield columns.map(({ kind }, at) =>
      kind === 'link' ? `https://shop.example/p/${line}` : at % 3 === 0 ? `text ${line}` : line / 7,
    );
  }
};
const before = process.memoryUsage.rss();
let most = 0;
const watching = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 5);
const begin = performance.now();
await writeTable(join(folder, 'many.xlsx'), 'xlsx', { columns, rows: many() });
clearInterval(watching);
const grown = Math.round((most - before) / 1_048_576);
check(
  `memory for ${MANY} rows`,
  grown <= 150 ? [] : [`${grown} MiB`],
  `${grown} MiB more, ${((performance.now() - begin) / 1_000).toFixed(1)} s, ${columns.length} columns`,
);

const input = join(folder, 'list.xlsx');
const out = join(folder, 'out.xlsx');
const upcs = await codes();
writeFileSync(input, supplierWorkbook(upcs));
const market = ['--sandbox', '--seed', String(SEED), '--products', String(products)];
const start = performance.now();
const { code, stderr } = await runCommand([
  'lookup',
  '--file',
  input,
  '--out',
  out,
  '--sort',
  'profit:desc',
  '--profits',
  '--changes',
  ...market,
  '--data',
  join(folder, 'data'),
]);
const seconds = ((performance.now() - start) / 1_000).toFixed(0);
check('the run is complete', code === 0 ? [] : [stderr], `${upcs.length} rows in ${seconds} s`);

const ours = await tabsOf(readFileSync(out));
soffice('--convert-to', 'ods', '--outdir', folder, out);
const { size } = statSync(join(folder, 'out.ods'));
check('it opens as a document of another format', size > 0 ? [] : ['empty'], `${size} bytes`);
const theirs = await tabsOf(readFileSync(savedAgain(out)));
check(
  'the tabs have their names',
  ours.map(({ name }) => name).join() === theirs.map(({ name }) => name).join() ? [] : ['others'],
  theirs.map(({ name }) => name).join(', '),
);
for (const [at, tab] of ours.entries()) {
  const other = theirs[at];
  if (other === undefined) continue;
  const cells = tab.rows.flat().filter((cell) => cell !== null);
  const links = cells.filter(({ link }) => link !== null).length;
  check(
    `"${tab.name}": values, types, formats and links`,
    differences(tab, other),
    `${cells.length} cells, ${links} links, ${new Set(cells.map(({ format }) => format)).size} formats`,
  );
  const kept = ({ frozen, filter, marked }: BookTab) => `${frozen}, ${filter}, ${marked}`;
  check(
    `"${tab.name}": first row, filter and marks`,
    kept(tab) === kept(other) ? [] : [kept(other)],
    kept(tab),
  );
  const off = tab.widths.filter((width, n) => Math.abs(width - (other.widths[n] ?? 0)) > 1);
  check(`"${tab.name}": widths`, off.map(String), `${tab.widths.length} columns`);
}

process.exitCode = failures.length === 0 ? 0 : 1;
