// openshelf import FILE: adds a user's own price history to the data (docs/use/sheets.md).

import { statSync } from 'node:fs';

import { createTakenDownHosts } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import { steadyClock } from '../../wiring/clocks.ts';
import { withStore } from '../../wiring/open-store.ts';
import { databaseName } from '../../../data/postgres/database-url.ts';
import { openImportProgress } from '../../../data/maintenance/import-progress.ts';
import type { Store } from '../../../data/store.ts';
import { FILE_FORMATS } from '../../../answer/wire/history/history-file.ts';
import {
  answer,
  DONE,
  FAILED,
  onlyOptionsOf,
  STOPPED,
  type Command,
  type CommandInput,
} from '../command.ts';
import { configOf } from '../data-folder.ts';
import { importFile, readHead, type BadLine, type ImportReport } from './import-file.ts';
import { currencyOption, DATA_OPTION, onePositional, wordOption } from '../options.ts';
import { createProgress } from '../progress-bar.ts';

/** Maximum bad lines listed in the JSON; every one of them is named on stderr. */
const MAX_LISTED = 1_000;

export const importCommand: Command = {
  name: 'import',
  summary: 'add your own price history to the data',
  synopsis: [
    'FILE [--format csv|jsonl] [--currency CODE] [--data DIR] [--json]',
    '--barcodes [FILE] [--data DIR] [--json]',
  ],
  positionals: {
    FILE:
      'a file with one row per line: retailer, retailer_id or url or gtin, observed_at, price, currency, ' +
      'in_stock (docs/use/sheets.md)',
  },
  options: {
    format: {
      value: 'F',
      help: 'csv or jsonl (default: determined by the name of FILE or its first character)',
    },
    currency: { value: 'CODE', help: 'the currency of prices whose row states none, such as USD' },
    barcodes: {
      help:
        'FILE is a dump of Open Food Facts or a sister database (JSONL or CSV, also .gz): ' +
        'store its name for each barcode',
    },
    data: DATA_OPTION,
    json: { help: 'print the counts and the bad lines as one line of JSON' },
  },
  notes: [
    'Works while a server runs. A line that cannot be imported is reported on stderr; the others are imported.',
    'Importing the same file again adds nothing. If the import is interrupted, run the same command again to continue.',
    'The exit code is 1 when a line was bad or the import was stopped.',
  ],
  run: async (input) => {
    if (input.values['barcodes'] === true) {
      onlyOptionsOf(importCommand, '--barcodes', input.values);
      const { importBarcodes } = await import('./import-barcodes.ts');
      return await importBarcodes(input);
    }
    onePositional(input.positionals, 'FILE');
    wordOption(input.values, 'format', FILE_FORMATS);
    currencyOption(input.values, []);
    return await withStore(configOf(input), (store, nowMs) => runImport(input, store, nowMs));
  },
};

async function runImport(input: CommandInput, store: Store, nowMs: number): Promise<number> {
  const { values, positionals, io } = input;
  const file = onePositional(positionals, 'FILE');
  const format = wordOption(values, 'format', FILE_FORMATS) ?? null;
  const currency = currencyOption(values, []) ?? null;
  const about = statSync(file);
  if (about.isDirectory()) throw new Error(`${file} is a folder. Specify a file in it.`);
  if (!about.isFile())
    throw new Error(`${file} is not a regular file. An import may have to read it twice.`);
  const head = await readHead(file, { format, needsCurrency: currency === null });
  const bar = createProgress(io, about.size);
  if (head.ignored.length > 0)
    bar.note(`Columns that are not imported: ${head.ignored.join(', ')}`);
  const listed: BadLine[] = [];
  const { dataDir, databaseUrl } = configOf(input);
  const target = databaseUrl === null ? [] : [databaseName(databaseUrl)];
  const options = [head.layout.format, currency ?? '', ...target];
  const progress = openImportProgress(dataDir, file, options);
  try {
    const report = await importFile({
      store,
      hosts: await createTakenDownHosts(store.sql, steadyClock),
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

type FileNotes = { readonly ignored: readonly string[]; readonly listed: readonly BadLine[] };

function tell(input: CommandInput, report: ImportReport, notes: FileNotes): void {
  const { rows, added, unchanged, bad, isWhole, resumedAfterLine } = report;
  const json = {
    complete: isWhole,
    rows,
    added,
    unchanged,
    bad,
    bad_lines: notes.listed,
    ignored_columns: notes.ignored,
    resumed_after_line: resumedAfterLine,
  };
  const after = resumedAfterLine === null ? '' : ` (continued after line ${resumedAfterLine})`;
  answer(input, json, [
    `${rows} rows: ${added} added, ${unchanged} stored before, ${bad} bad${after}`,
  ]);
  if (!isWhole) input.io.err(STOPPED);
}
