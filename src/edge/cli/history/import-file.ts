// Imports one price history file into the store, batch by batch. Every line is added, already stored, or reported with its
// number; none is dropped silently. It stops and continues at the end of a batch.

import type { TakenDownHosts } from '../../../answer/collect/coordination/taken-down-hosts.ts';
import {
  createHistoryImport,
  type HistoryImport,
} from '../../../answer/lookup/history/import-history.ts';
import { isStored, type ImportedEntry } from '../../../data/history/imported-history.ts';
import type {
  AddedRow,
  ImportPlace,
  ImportProgress,
} from '../../../data/maintenance/import-progress.ts';
import type { Store } from '../../../data/store.ts';
import {
  readEntry,
  readFields,
  readHeader,
  type EntryRules,
  type FileFormat,
  type Layout,
} from '../../../answer/wire/history/history-file.ts';
import { foreignFormat, startsWith } from '../../sheets/foreign-format.ts';
import { beginningOf, readFileLines, type FileLine, type LineStart } from './file-lines.ts';

export type BadLine = { readonly line: number; readonly reason: string };

type ImportCounts = {
  /** Lines that are neither empty nor the header of a CSV file. */
  readonly rows: number;
  readonly added: number;
  /** Lines already stored with the same values in every field. */
  readonly unchanged: number;
  readonly bad: number;
};

export type ImportReport = ImportCounts & {
  /** The last line that an earlier run completed; null if the file was read from the start. */
  readonly resumedAfterLine: number | null;
  /** False if stopped; the same command continues where it ended. */
  readonly isWhole: boolean;
};

type ImportJob = {
  readonly store: Store;
  readonly hosts: TakenDownHosts;
  readonly file: string;
  readonly head: FileHead;
  readonly rules: EntryRules;
  readonly progress: ImportProgress;
  readonly stop: AbortSignal;
  readonly onBad: (bad: BadLine) => void;
  /** Called after each batch, with the bytes processed and the counts so far. */
  readonly onBatch: (offset: number, counts: ImportCounts) => void;
};

/** Rows of one transaction: it commits in some milliseconds, so that a server on the same data is not blocked. */
const BATCH_ROWS = 1_000;

type FileHead = {
  readonly layout: Layout;
  readonly ignored: readonly string[];
  /** Where the rows begin. */
  readonly start: LineStart;
};

type HeadOptions = {
  /** The format; null to infer it from the file's name or its first character. */
  readonly format: FileFormat | null;
  readonly needsCurrency: boolean;
};

/** Determines a file's layout. Rejects with what is wrong if it cannot be determined. */
export async function readHead(file: string, options: HeadOptions): Promise<FileHead> {
  const { needsCurrency } = options;
  const otherKind = otherKindOf(await beginningOf(file));
  if (otherKind !== null) throw new Error(`${file} ${otherKind}`);
  const jsonLines: FileHead = {
    layout: { format: 'jsonl', needsCurrency },
    ignored: [],
    start: { offset: 0, line: 0 },
  };
  for await (const line of readFileLines(file, { offset: 0, line: 0 }, () => undefined)) {
    const { text, end, number } = line;
    if (text?.trim() === '') continue;
    const format = options.format ?? formatOf(file, text ?? '');
    if (format === 'jsonl') return jsonLines;
    if (text === null) throw new Error(`${file}: line ${number} ${line.why}`);
    const header = readHeader(text, needsCurrency);
    if (!header.ok) throw new Error(`${file}: ${header.why}`);
    return { ...header.value, start: { offset: end, line: number } };
  }
  return jsonLines;
}

/** Identifies a file that does not consist of UTF-8 lines, and what to do; null if it may be such lines. */
function otherKindOf(head: Uint8Array): string | null {
  if (startsWith(head, 'PK')) {
    return 'is a workbook (.xlsx) or another zip archive. Save the sheet as .csv in UTF-8, or export it as .csv here.';
  }
  if (startsWith(head, '\xff\xfe') || startsWith(head, '\xfe\xff')) {
    return 'is UTF-16 (Excel calls it Unicode text). Save it as .csv in UTF-8.';
  }
  return foreignFormat(head);
}

function formatOf(file: string, text: string): FileFormat {
  if (/\.(?:jsonl|ndjson|json)$/i.test(file)) return 'jsonl';
  if (/\.(?:csv|tsv)$/i.test(file)) return 'csv';
  return text.trimStart().startsWith('{') ? 'jsonl' : 'csv';
}

type Counts = { -readonly [name in keyof ImportCounts]: number };
type Row = { readonly line: number; readonly entry: ImportedEntry };

/** Imports the lines that no earlier run has imported. */
export async function importFile(job: ImportJob): Promise<ImportReport> {
  const { file, progress, head, store } = job;
  const earlier = await progress.read((row) => isStored(store.sql, row));
  // A new run begins before the header, because the progress's digest covers the header too.
  const start = earlier ?? { offset: 0, line: 0 };
  const counts = countsOf(earlier);
  const history = createHistoryImport(store, job.hosts, job.rules.nowMs);
  let batch: Batch = { rows: [], bad: [] };
  let isWhole = true;
  let added = earlier?.added ?? null;
  let last: FileLine | null = null;
  const flush = async () => {
    if (last === null) return;
    added = (await fileBatch(job, history, batch, counts)) ?? added;
    batch = { rows: [], bad: [] };
    progress.save({ added, offset: last.end, line: last.number, counts });
    job.onBatch(last.end, counts);
  };
  for await (const line of readFileLines(file, start, (bytes) => progress.pass(bytes))) {
    last = line;
    if (line.number <= head.start.line || line.text?.trim() === '') continue;
    counts.rows += 1;
    await readRow(job, history, line, batch);
    if (batch.rows.length + batch.bad.length < BATCH_ROWS) continue;
    await flush();
    last = null;
    isWhole = !job.stop.aborted;
    if (!isWhole) break;
  }
  await flush();
  if (isWhole) progress.forget();
  return { ...counts, isWhole, resumedAfterLine: earlier?.line ?? null };
}

function countsOf(earlier: ImportPlace | null): Counts {
  const { rows = 0, added = 0, unchanged = 0, bad = 0 } = earlier?.counts ?? {};
  return { rows, added, unchanged, bad };
}

type Batch = { readonly rows: Row[]; readonly bad: BadLine[] };

async function readRow(
  { head, rules }: ImportJob,
  history: HistoryImport,
  line: FileLine,
  batch: Batch,
): Promise<void> {
  const refuse = (reason: string) => void batch.bad.push({ line: line.number, reason });
  if (line.text === null) return refuse(line.why);
  const fields = readFields(line.text, head.layout);
  if (!fields.ok) return refuse(fields.why);
  const given = readEntry(fields.value, rules);
  if (!given.ok) return refuse(given.why);
  const resolved = await history.resolve(given.value);
  if (!resolved.ok) return refuse(resolved.why);
  batch.rows.push({ line: line.number, entry: resolved.entry });
}

/** Imports a batch and returns the last row added; null if none was. */
async function fileBatch(
  job: ImportJob,
  history: HistoryImport,
  { rows, bad }: Batch,
  counts: Counts,
): Promise<AddedRow | null> {
  let added: AddedRow | null = null;
  const outcomes = rows.length === 0 ? [] : await history.insert(rows.map((row) => row.entry));
  const refused = [...bad];
  for (const [at, { line, entry }] of rows.entries()) {
    const outcome = outcomes[at];
    if (outcome === 'added') {
      counts.added += 1;
      const { retailer, key, observedAtMs } = entry;
      added = { retailer, key, observedAtMs };
    } else if (outcome === 'unchanged') counts.unchanged += 1;
    else refused.push({ line, reason: 'another price or stock is stored for this instant' });
  }
  counts.bad += refused.length;
  for (const each of refused.toSorted((a, b) => a.line - b.line)) job.onBad(each);
  return added;
}
