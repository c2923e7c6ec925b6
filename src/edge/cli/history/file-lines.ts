// The lines of a file from any offset on, in bounded memory whatever the file is. The first line determines the line ending
// of all.

import { createReadStream } from 'node:fs';

/** Longer than any valid row needs: an address has at most 8 KiB. */
const MAX_LINE_BYTES = 65_536;

export type FileLine = {
  /** From 1. */
  readonly number: number;
  /** The text without its line end; null if it is too long or not UTF-8, as stated in `why`. */
  readonly text: string | null;
  readonly why: string;
  /** Offset of the first byte after its line end. */
  readonly end: number;
};

export type LineStart = { readonly offset: number; readonly line: number };

const LINE_FEED = 10;
const RETURN = 13;

/**
 * Yields the lines from `start` on. `onBytes` gets every byte once, in order. When a line is yielded, it has received exactly
 * the bytes up to the end of that line.
 */
export async function* readFileLines(
  file: string,
  start: LineStart,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<FileLine> {
  const lineEnd = await lineEndOf(file);
  let { offset: end, line: number } = start;
  let pieces: Buffer[] = [];
  let length = 0;
  const take = (piece: Buffer) => {
    onBytes(piece);
    length += piece.length;
    end += piece.length;
    if (length <= MAX_LINE_BYTES) pieces.push(piece);
  };
  const line = (): FileLine => {
    const read = lineOf(length > MAX_LINE_BYTES ? null : Buffer.concat(pieces));
    pieces = [];
    length = 0;
    number += 1;
    return { ...read, number, end };
  };
  for await (const chunk of createReadStream(file, { start: start.offset })) {
    const bytes = chunk as Buffer;
    let from = 0;
    for (let at = bytes.indexOf(lineEnd); at !== -1; at = bytes.indexOf(lineEnd, from)) {
      take(bytes.subarray(from, at + 1));
      from = at + 1;
      yield line();
    }
    if (from < bytes.length) take(bytes.subarray(from));
  }
  if (length > 0) yield line();
}

/**
 * Returns the byte that ends each line. On old Macs, and in what spreadsheets still save for them, that is a lone carriage
 * return.
 */
async function lineEndOf(file: string): Promise<number> {
  const head = await beginningOf(file);
  const first = head.findIndex((byte) => byte === LINE_FEED || byte === RETURN);
  // A carriage return at the end of the file ends its only line.
  return head[first] === RETURN && head[first + 1] !== LINE_FEED ? RETURN : LINE_FEED;
}

/** Returns the beginning of the file: the maximum line length in bytes, plus one. */
export async function beginningOf(file: string): Promise<Uint8Array> {
  const pieces: Buffer[] = [];
  for await (const piece of createReadStream(file, { end: MAX_LINE_BYTES })) {
    pieces.push(piece as Buffer);
  }
  return Buffer.concat(pieces);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });

function lineOf(bytes: Buffer | null): Pick<FileLine, 'text' | 'why'> {
  if (bytes === null) return { text: null, why: `is longer than ${MAX_LINE_BYTES} bytes` };
  try {
    return { text: UTF8.decode(bytes).replace(/\r?\n$|\r$/, ''), why: '' };
  } catch {
    return { text: null, why: 'is not UTF-8' };
  }
}
