// openshelf export: every stored price observation, as a file that `openshelf import` reads back unchanged
// (docs/use/sheets.md).

import { extname } from 'node:path';

import { withStore } from '../../wiring/open-store.ts';
import { givenOf } from '../../../answer/lookup/history/import-history.ts';
import { createIsTrustedShop } from '../../../read/retailers/addresses/trusted-shops.ts';
import { isStreamPath, openTextOutput, type TextOutput } from '../../sheets/output-file.ts';
import { tableFormatOf, TABLE_FORMATS } from '../../sheets/table-format.ts';
import { lockFile } from '../../../data/file-lock.ts';
import {
  countImported,
  readStoredHistory,
  type ImportedFilter,
} from '../../../data/history/imported-history.ts';
import type { Store } from '../../../data/store.ts';
import {
  entryLine,
  headerLine,
  type FileFormat,
} from '../../../answer/wire/history/history-file.ts';
import {
  counted,
  DONE,
  FAILED,
  printJson,
  UsageError,
  type Command,
  type CommandInput,
  type Io,
} from '../command.ts';
import { configWithData } from '../data-folder.ts';
import { importedFilterOf } from './export-filter.ts';
import { writeExportedTable } from './export-table.ts';
import { DATA_OPTION, requiredOption, textOption, wordOption } from '../options.ts';
import { systemClock } from '../../wiring/clocks.ts';
import { createProgress } from '../progress-bar.ts';

const EXPORT_FORMATS = TABLE_FORMATS;
type ExportFormat = (typeof EXPORT_FORMATS)[number];

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the stored price history to a file or stdout',
  synopsis: [
    '[--output FILE] [--format csv|jsonl|xlsx|parquet] [--retailer SLUG] [--product IDENTIFIER] [--from DAY] [--to DAY] ' +
      '[--data DIR] [--json]',
  ],
  options: {
    output: {
      value: 'FILE',
      help: 'write to this file instead of stdout; it appears when it is complete',
    },
    format: {
      value: 'F',
      help: 'the format: csv, jsonl, xlsx or parquet (default: the ending of FILE, else csv)',
    },
    retailer: { value: 'SLUG', help: 'export only prices of this retailer' },
    product: { value: 'IDENTIFIER', help: 'export only prices of this product' },
    from: { value: 'DAY', help: 'export prices from this day on (UTC), such as 2026-01-31' },
    to: { value: 'DAY', help: 'export prices up to and including this day' },
    data: DATA_OPTION,
    json: { help: 'print how many rows were written as one JSON object; requires --output' },
  },
  notes: [
    'Works while a server runs. openshelf import reads csv and jsonl, here or elsewhere. xlsx and parquet are for',
    'people and programs: they also contain title, brand and how the listing is tied to its barcode, and require',
    '--output.',
  ],
  run: async (input) => {
    const { values, io } = input;
    const output = textOption(values, 'output');
    if (values['json'] === true && output === undefined) {
      throw new UsageError('--json requires --output: without it the rows go to stdout.');
    }
    const format = wordOption(values, 'format', EXPORT_FORMATS) ?? formatOfName(output);
    const filterIn = importedFilterOf(values);
    const config = await configWithData(input);
    using _alone = output === undefined || isStreamPath(output) ? null : lockFile(output);
    const rows = await withStore(config, async (store) => {
      const filter = await filterIn(store);
      return format === 'csv' || format === 'jsonl'
        ? writeAll(input, { store, filter }, format)
        : writeExportedTable(io, {
            store,
            filter,
            format,
            path: requiredOption(values, 'output'),
            isTrusted: createIsTrustedShop([...config.trustedShops, ...config.barcodeShops]),
          });
    });
    if (rows === null) return FAILED;
    if (values['json'] === true) printJson(io, { rows, format, file: output });
    else if (output !== undefined) {
      // /dev/stdout gets only the rows, so the message goes to stderr.
      const say = isStreamPath(output) ? io.err : io.out;
      say(`${counted(rows, 'row')} written to ${output}`);
    }
    return DONE;
  },
};

/**
 * Returns the format for the file extension. The extension of another format is rejected, so that no file contains something
 * other than its name indicates.
 */
function formatOfName(output: string | undefined): ExportFormat {
  const ending = output === undefined ? '' : extname(output).toLowerCase();
  if (output === undefined || ['', '.csv'].includes(ending) || isStreamPath(output)) return 'csv';
  const format = tableFormatOf(output);
  if (format !== null) return format;
  throw new UsageError(
    `--output ${output} ends in ${ending}, but an export is written as .csv, .jsonl, .xlsx or .parquet. Use ` +
      'such a file name, or choose the format with --format.',
  );
}

/** Returns the number of rows written; null if stopped, and then no file is left. */
async function writeAll(
  { values, io }: CommandInput,
  { store, filter }: { readonly store: Store; readonly filter: ImportedFilter },
  format: FileFormat,
): Promise<number | null> {
  const output = textOption(values, 'output');
  const bar = createProgress(io, await countImported(store.sql));
  const sink = output === undefined ? linesTo(io) : openTextOutput(output);
  let rows = 0;
  try {
    const header = headerLine(format);
    if (header !== null) sink.write(`${header}\n`);
    for await (const page of readStoredHistory(store.sql, filter, {
      terms: store.terms,
      now: systemClock.now,
    })) {
      if (io.stop.aborted) break;
      sink.write(page.map((stored) => `${entryLine(givenOf(stored), format)}\n`).join(''));
      rows += page.length;
      if (output !== undefined) bar.at(rows, `${rows} rows`);
    }
    if (!io.stop.aborted) sink.keep();
  } finally {
    bar.end();
    sink.drop();
  }
  if (!io.stop.aborted) return rows;
  io.err('Stopped before the export was complete. No file remains.');
  return null;
}

/** Writes to standard output, which adds line ends itself. */
function linesTo({ out }: Io): TextOutput {
  return { write: (text) => out(text.slice(0, -1)), keep() {}, drop() {} };
}
