// openshelf export: every price observation that is held, as a file that `openshelf import` takes back
// unchanged (docs/history-files.md).

import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

import { withStore } from '../app.ts';
import { givenOf } from '../lookup/import-history.ts';
import { countHeld, readHeld } from '../store/imported-history.ts';
import type { Store } from '../store/store.ts';
import { entryLine, FILE_FORMATS, headerLine, type FileFormat } from '../wire/history-file.ts';
import {
  DONE,
  FAILED,
  printJson,
  textOption,
  UsageError,
  wordOption,
  type Command,
  type CommandInput,
} from './command.ts';
import { heldConfigOf } from './held-data.ts';
import { createProgress } from './progress-bar.ts';

export const exportCommand: Command = {
  name: 'export',
  summary: 'write the price history that is held to a file or stdout',
  usage: [
    'Usage: openshelf export [--output FILE] [--data DIR] [--format csv|jsonl] [--json]',
    '',
    '  --output FILE  instead of stdout; it appears when it is complete',
    '  --format F     csv or jsonl (default csv, or as the name of FILE tells)',
    '  --data DIR     the data folder (default OPENSHELF_DATA, else ./data)',
    '  --json         print how many rows were written as one JSON object; needs --output',
    '',
    'Works while a server runs. `openshelf import` takes the file back, here or elsewhere.',
  ].join('\n'),
  options: {
    output: { type: 'string' },
    format: { type: 'string' },
    data: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (input) => {
    const { values, io } = input;
    const output = textOption(values, 'output');
    if (values['json'] === true && output === undefined) {
      throw new UsageError('--json needs --output: without it the rows are on stdout');
    }
    const named = output !== undefined && /\.(?:jsonl|ndjson)$/i.test(output) ? 'jsonl' : 'csv';
    const format = wordOption(values, 'format', FILE_FORMATS) ?? named;
    const rows = await withStore(await heldConfigOf(input), (store) =>
      writeAll(input, store, format),
    );
    if (rows === null) return FAILED;
    if (values['json'] === true) printJson(io, { rows, format, file: output });
    else if (output !== undefined) io.out(`${rows} rows written to ${output}`);
    return DONE;
  },
};

/** Rows that were written; null when told to stop, and then no file is left. */
async function writeAll(
  { values, io }: CommandInput,
  store: Store,
  format: FileFormat,
): Promise<number | null> {
  const output = textOption(values, 'output');
  const bar = createProgress(io, await countHeld(store.sql));
  const sink = output === undefined ? { write: io.out, keep() {}, drop() {} } : openFile(output);
  let rows = 0;
  try {
    const header = headerLine(format);
    if (header !== null) sink.write(header);
    for await (const page of readHeld(store.sql)) {
      if (io.stop.aborted) break;
      sink.write(page.map((held) => entryLine(givenOf(held), format)).join('\n'));
      rows += page.length;
      if (output !== undefined) bar.at(rows, `${rows} rows`);
    }
    if (!io.stop.aborted) sink.keep();
  } finally {
    bar.end();
    sink.drop();
  }
  if (!io.stop.aborted) return rows;
  io.err('stopped: the export is not complete.');
  return null;
}

type Sink = {
  readonly write: (lines: string) => void;
  /** The file is complete: it takes its name. */
  readonly keep: () => void;
  /** Removes what is not complete. */
  readonly drop: () => void;
};

function openFile(path: string): Sink {
  const part = `${path}.part`;
  const file = openSync(part, 'w', 0o600);
  let isOpen = true;
  const close = () => {
    if (isOpen) closeSync(file);
    isOpen = false;
  };
  return {
    write: (lines) => void writeSync(file, `${lines}\n`),
    keep() {
      fsyncSync(file);
      close();
      renameSync(part, path);
    },
    drop() {
      close();
      rmSync(part, { force: true });
    },
  };
}
