// openshelf import --barcodes [FILE]: stores the names in a dump of Open Food Facts or one of its sister databases (D86).
// The file, which may have many gigabytes unpacked, is read as a stream: only one batch of rows is in memory.

import { createReadStream, statSync } from 'node:fs';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

import { createTakenDownHosts } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import { BARCODE_DATABASES } from '../../../base/identity-facts.ts';
import { parseJson } from '../../../read/page-data/json/bounded-json.ts';
import { readDumpRow } from '../../../read/barcode-databases/open-facts.ts';
import {
  createBarcodeFacts,
  type BarcodeFacts,
  type ImportedFacts,
} from '../../../data/answers/barcode-facts.ts';
import { textLines } from '../../sheets/text-lines.ts';
import { steadyClock } from '../../wiring/clocks.ts';
import { withStore } from '../../wiring/open-store.ts';
import { answer, DONE, FAILED, UsageError, type CommandInput } from '../command.ts';
import { configOf } from '../data-folder.ts';
import { createProgress } from '../progress-bar.ts';

const AT_ONCE = 500;

export async function importBarcodes(input: CommandInput): Promise<number> {
  const config = configOf(input);
  const { barcodeDatabases: wanted } = config;
  const [file = typeof wanted === 'string' ? undefined : wanted.file] = input.positionals;
  if (file === undefined)
    throw new UsageError('Specify the dump: openshelf import --barcodes FILE.');
  const bar = createProgress(input.io, statSync(file).size);
  const { counts, isWhole } = await withStore(config, async (store, nowMs) => {
    const { isTakenDown } = await createTakenDownHosts(store.sql, steadyClock);
    return await importDump(file, createBarcodeFacts(store.sql), {
      nowMs,
      isTakenDown,
      stop: input.io.stop,
      onBatch: (bytes, { stored }) => bar.at(bytes, `${stored} products`),
    });
  }).finally(() => bar.end());
  answer(input, counts, [
    `${counts.stored} of ${counts.rows} rows stored; the others have no name or no product barcode, or were taken down.`,
    ...(isWhole ? [] : ['Stopped. Run the same command again.']),
  ]);
  return isWhole ? DONE : FAILED;
}

type Counts = { readonly rows: number; readonly stored: number };

type ImportOptions = {
  readonly nowMs: number;
  /** What was taken down is not stored again. */
  readonly isTakenDown: (host: string) => boolean;
  readonly stop: AbortSignal;
  /** Gets the bytes of the file that have been read. */
  readonly onBatch: (bytes: number, counts: Counts) => void;
};

/** Rejects if the file cannot be read or unpacked; what was stored before stays. */
async function importDump(
  file: string,
  facts: Pick<BarcodeFacts, 'importAll'>,
  { nowMs, isTakenDown, stop, onBatch }: ImportOptions,
): Promise<{ readonly counts: Counts; readonly isWhole: boolean }> {
  const source = createReadStream(file);
  let [rows, stored] = [0, 0];
  let batch: ImportedFacts[] = [];
  const write = async () => {
    await facts.importAll(batch, nowMs);
    stored += batch.length;
    batch = [];
    onBatch(source.bytesRead, { rows, stored });
  };
  for await (const row of rowsOf(file, source)) {
    rows += 1;
    const read = readDumpRow(row);
    if (read !== null && !isTakenDown(BARCODE_DATABASES[read.facts.source].host)) batch.push(read);
    if (rows % AT_ONCE === 0) await write();
    if (stop.aborted) break;
  }
  await write();
  return { counts: { rows, stored }, isWhole: !stop.aborted };
}

/**
 * The first line shows the format: JSON lines, or the column names of a CSV whose columns are separated by tabs and never
 * quoted.
 */
async function* rowsOf(file: string, source: Readable): AsyncGenerator {
  const bytes = file.endsWith('.gz') ? pipeline(source, createGunzip(), () => {}) : source;
  let names: readonly string[] | null = null;
  for await (const { line, text: written } of textLines(bytes.setEncoding('utf8'))) {
    // Programs that save a text as UTF-8 may begin it with a mark.
    const text = line === 1 ? (written?.replace(/^\ufeff/, '') ?? null) : written;
    if (line === 1 && text?.startsWith('{') === false) names = text.split('\t');
    else if (text === null) yield null;
    else yield names === null ? parseJson(text) : namedBy(names, text.split('\t'));
  }
}

function namedBy(names: readonly string[], values: readonly string[]): unknown {
  return Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));
}
