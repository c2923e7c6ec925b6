// How the console has a sheet read, and the answer while another one is being read.

import type { SheetAnswer } from '../answer/wire/sheet.ts';

/** `tab` names a sheet of a workbook. Throws a FaultError for a file that cannot be read, and while another sheet is being read. */
export type ReadSheet = (
  name: string,
  bytes: Uint8Array,
  tab?: string | null,
) => Promise<SheetAnswer>;

export const SHEETS_BUSY = {
  code: 'overloaded',
  detail: 'Other sheets are being read at the moment. Send it again in a second.',
  retryAfterSeconds: 1,
} as const;
