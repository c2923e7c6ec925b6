// Entry point of the thread that reads one uploaded sheet, or writes a workbook, and then exits. A file crafted to use up
// time or memory affects that thread and not the service. The thread has no environment variables, and opens no files or
// sockets.

import { parentPort, workerData } from 'node:worker_threads';

import { SheetProblem } from '../sheets/sheet-row.ts';
import type { SheetAnswer } from '../../answer/wire/sheet.ts';
import { readWholeSheet, type NamedSheet } from './read-whole-sheet.ts';
import { writtenTable } from './written-table.ts';

/** `problem` states what is wrong with the file, for its sender; `tabs` are the sheets of which one has to be chosen. */
export type SheetMessage =
  | { readonly kind: 'read'; readonly answer: SheetAnswer }
  | { readonly kind: 'written'; readonly bytes: Uint8Array }
  | { readonly kind: 'problem'; readonly detail: string; readonly tabs: readonly string[] };

const { sheet, table } = workerData as {
  readonly sheet?: NamedSheet;
  readonly table?: Uint8Array;
};
try {
  if (sheet !== undefined) send({ kind: 'read', answer: await readWholeSheet(sheet) });
  if (table !== undefined) send({ kind: 'written', bytes: await writtenTable(table) });
} catch (error) {
  if (!(error instanceof SheetProblem)) throw error;
  send({ kind: 'problem', detail: error.onPage, tabs: error.tabs });
}

function send(message: SheetMessage): void {
  parentPort?.postMessage(message);
}
