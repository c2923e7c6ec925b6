// Finds, at startup, pages of zeros that a crash of the machine or of its disk left in a database file. SQLite reads some
// of them as text without an error, and finds others in the middle of a call.

import { closeSync, existsSync, fstatSync, openSync, readSync } from 'node:fs';

import { StoreUnavailable } from '../sql.ts';

/**
 * A file of up to 64 MiB is read completely, in 40 ms of processor time. Of a larger one, as many pages are read at equal
 * distances, in 60 ms: a zeroed stretch is found if it is longer than a distance.
 */
const MOST_BYTES = 67_108_864;
const PIECE_BYTES = 1_048_576;
/** The page with this byte is never used: the locks are there. */
const LOCK_BYTE = 1_073_741_824;

/** Throws StoreUnavailable if a page of zeros is neither free nor in the log. */
export function refuseZeroedPages(path: string): void {
  const file = openSync(path, 'r');
  try {
    const pageBytes = pageBytesIn(file);
    const { size } = fstatSync(file);
    const zeroed = zeroedPages(file, { size, pageBytes });
    if (zeroed.length === 0) return;
    const known = new Set([...freePages(file, pageBytes), ...pagesInLog(`${path}-wal`, pageBytes)]);
    const lost = zeroed.filter((page) => !known.has(page));
    if (lost.length === 0) return;
    throw new StoreUnavailable(
      `${path} is damaged: ${lost.length} of its ${size / pageBytes} pages have only zeros, the first is page ${lost[0]}. ` +
        'Restore a backup (openshelf restore).',
    );
  } finally {
    closeSync(file);
  }
}

function pageBytesIn(file: number): number {
  const size = bytesAt(file, 16, 2).readUInt16BE();
  return size === 1 ? 65_536 : size;
}

function bytesAt(file: number, at: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  return bytes.subarray(0, readSync(file, bytes, 0, length, at));
}

type Extent = { readonly size: number; readonly pageBytes: number };

function zeroedPages(file: number, { size, pageBytes }: Extent): readonly number[] {
  const isWhole = size <= MOST_BYTES;
  const length = isWhole ? PIECE_BYTES : pageBytes;
  const step = isWhole ? length : Math.ceil(size / MOST_BYTES) * pageBytes;
  const zeros = Buffer.alloc(pageBytes);
  const found: number[] = [];
  for (let at = 0; at < size; at += step) {
    const piece = bytesAt(file, at, length);
    for (let from = 0; from + pageBytes <= piece.length; from += pageBytes) {
      const index = (at + from) / pageBytes;
      if (index === Math.floor(LOCK_BYTE / pageBytes)) continue;
      if (zeros.equals(piece.subarray(from, from + pageBytes))) found.push(index + 1);
    }
  }
  return found;
}

/** Returns the pages on the list of free ones: each page of the list has the number of the next, a count, and that many more. */
function freePages(file: number, pageBytes: number): ReadonlySet<number> {
  const free = new Set<number>();
  for (let page = bytesAt(file, 32, 4).readUInt32BE(); page !== 0 && !free.has(page);) {
    free.add(page);
    const list = bytesAt(file, (page - 1) * pageBytes, pageBytes);
    if (list.length < pageBytes) break;
    const count = Math.min(list.readUInt32BE(4), pageBytes / 4 - 2);
    for (let at = 0; at < count; at += 1) free.add(list.readUInt32BE(8 + 4 * at));
    page = list.readUInt32BE(0);
  }
  return free;
}

const LOG_HEADER = 32;
const FRAME_HEADER = 24;

/** Returns the pages that the log has, whose place in the file may be written later. */
function pagesInLog(path: string, pageBytes: number): readonly number[] {
  if (!existsSync(path)) return [];
  const log = openSync(path, 'r');
  try {
    const found: number[] = [];
    const { size } = fstatSync(log);
    for (let at = LOG_HEADER; at + FRAME_HEADER <= size; at += FRAME_HEADER + pageBytes) {
      found.push(bytesAt(log, at, 4).readUInt32BE());
    }
    return found;
  } finally {
    closeSync(log);
  }
}
