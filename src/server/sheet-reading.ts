// How the console has a sheet read, and the answer while another one is being read.

import type { SheetAnswer } from '../answer/wire/sheet.ts';

/** The choices of a person: a sheet of a workbook, and the column of its products. */
export type SheetChoice = {
  readonly tab?: string | undefined;
  readonly column?: string | undefined;
  readonly cost?: string | undefined;
};

/** Throws a FaultError for a file that cannot be read, and while another sheet is being read. */
export type ReadSheet = (
  name: string,
  bytes: Uint8Array,
  chosen?: SheetChoice,
) => Promise<SheetAnswer>;

/** Writes a table, given as the JSON text of a `SheetTable`, as a workbook. Throws like `ReadSheet`. */
export type WriteWorkbook = (table: Uint8Array) => Promise<Uint8Array>;

export const SHEETS_BUSY = {
  code: 'overloaded',
  detail: 'Other sheets are being read at the moment. Send it again in a second.',
  retryAfterSeconds: 1,
} as const;
