// openshelf import FILE: a user's own price history into the data (docs/history-files.md).

import { statSync } from 'node:fs';

import { withStore } from '../app.ts';
import { isCurrencyCode } from '../listing/currencies.ts';
import { databaseName } from '../store/postgres/database-url.ts';
import { openImportProgress } from '../store/maintenance/import-progress.ts';
import type { Store } from '../store/store.ts';
import { FILE_FORMATS } from '../wire/history-file.ts';
import {
  configOf,
  DONE,
  FAILED,
  onePositional,
  printJson,
  textOption,
  UsageError,
  wordOption,
  type Command,
  type CommandInput,
  type Values,
} from './command.ts';
import { importFile, readHead, type BadLine, type ImportReport } from './import-file.ts';
import { createProgress } from './progress-bar.ts';

/** Bad lines that the JSON lists; every one of them is a line of stderr. */
const MAX_LISTED = 1_000;

export const importCommand: Command = {
  name: 'import',
  summary: 'add your own price history to the data',
  usage: [
    'Usage: openshelf import FILE [--data DIR] [--format csv|jsonl] [--currency CODE] [--json]',
    '',
    '  FILE             one row a line: retailer, retailer_id or url or gtin, observed_at, price,',
    '                   currency, in_stock (docs/history-files.md)',
    '  --format F       csv or jsonl; otherwise told by the name or the first character',
    '  --currency CODE  of prices whose row names none, e.g. USD',
    '  --data DIR       the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json           print the counts and the bad lines as one JSON object on one line',
    '',
    'Works while a server runs. A line that cannot be imported is named on stderr and the others go',
    'in. The same file again adds nothing; after a stop the same call goes on where it ended.',
    'Exit code 1 when a line was bad or the import was stopped.',
  ].join('\n'),
  options: {
    format: { type: 'string' },
    currency: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  takesWords: true,
  run: async (input) => {
    onePositional(input.positionals, 'FILE');
    wordOption(input.values, 'format', FILE_FORMATS);
    currencyOption(input.values);
    return await withStore(configOf(input), (store, nowMs) => runImport(input, store, nowMs));
  },
};

function currencyOption(values: Values): string | null {
  const code = textOption(values, 'currency')?.toUpperCase() ?? null;
  if (code === null || isCurrencyCode(code)) return code;
  throw new UsageError('--currency takes an ISO 4217 code such as USD');
}

async function runImport(input: CommandInput, store: Store, nowMs: number): Promise<number> {
  const { values, positionals, io } = input;
  const file = onePositional(positionals, 'FILE');
  const format = wordOption(values, 'format', FILE_FORMATS) ?? null;
  const currency = currencyOption(values);
  const about = statSync(file);
  if (!about.isFile()) throw new Error(`${file} is no file: an import may have to read it twice`);
  const head = await readHead(file, { format, needsCurrency: currency === null });
  const bar = createProgress(io, about.size);
  if (head.ignored.length > 0) bar.note(`not imported: ${head.ignored.join(', ')}`);
  const listed: BadLine[] = [];
  const { dataDir, databaseUrl } = configOf(input);
  const target = databaseUrl === null ? [] : [databaseName(databaseUrl)];
  const options = [head.layout.format, currency ?? '', ...target];
  const progress = openImportProgress(dataDir, file, options);
  try {
    const report = await importFile({
      store,
      file,
      head,
      progress,
      rules: { currency, nowMs },
      stop: io.stop,
      onBad: (bad) => {
        if (listed.length < MAX_LISTED) listed.push(bad);
        bar.note(`line ${bad.line}: ${bad.reason}`);
      },
      onBatch: (offset, counts) => bar.at(offset, `${counts.rows} rows`),
    });
    bar.end();
    tell(input, report, { ignored: head.ignored, listed });
    return report.bad === 0 && report.isWhole ? DONE : FAILED;
  } finally {
    bar.end();
  }
}

type Told = { readonly ignored: readonly string[]; readonly listed: readonly BadLine[] };

function tell({ values, io }: CommandInput, report: ImportReport, told: Told): void {
  const { rows, added, unchanged, bad, isWhole, resumedAfterLine } = report;
  if (values['json'] === true) {
    printJson(io, {
      complete: isWhole,
      rows,
      added,
      unchanged,
      bad,
      bad_lines: told.listed,
      ignored_columns: told.ignored,
      resumed_after_line: resumedAfterLine,
    });
    return;
  }
  const after = resumedAfterLine === null ? '' : ` (went on after line ${resumedAfterLine})`;
  io.out(`${rows} rows: ${added} added, ${unchanged} held before, ${bad} bad${after}`);
  if (!isWhole) io.err('stopped: the same call goes on where this one ended.');
}
