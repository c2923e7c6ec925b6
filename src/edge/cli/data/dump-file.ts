// The file of a dump: written under another name until it is complete, compressed if its name indicates it, readable only by
// its owner; and read line by line, compressed or not. `-` is standard output and standard input.

import {
  createReadStream,
  createWriteStream,
  existsSync,
  fsyncSync,
  openSync,
  closeSync,
  rmSync,
  statSync,
} from 'node:fs';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import { DumpRefused, MAX_LINE_BYTES } from '../../../data/maintenance/dump-format.ts';
import { lockFile } from '../../../data/file-lock.ts';
import { giveName, syncFolder } from '../../../data/sqlite/whole-file.ts';
import { standardOutputBytes } from '../standard-output.ts';

export const STANDARD = '-';

/**
 * Writes a new file. It gets its name if `isComplete` returns, after the last piece, that all of them are there; else nothing
 * is left. Returns its size in bytes. Throws if a file of that name exists.
 */
export async function writeDumpFile(
  file: string,
  pieces: AsyncIterable<string>,
  isComplete: () => boolean,
): Promise<number> {
  refuseExisting(file);
  using _alone = lockFile(file);
  const part = `${file}.part`;
  rmSync(part, { force: true });
  try {
    const sink = createWriteStream(part, { flags: 'wx', mode: 0o600 });
    await writeInto(sink, pieces, file.endsWith('.gz'));
    if (!isComplete()) return 0;
    const written = openSync(part, 'r+');
    fsyncSync(written);
    closeSync(written);
    refuseExisting(file);
    giveName(part, file);
    syncFolder(file);
    return statSync(file).size;
  } finally {
    rmSync(part, { force: true });
  }
}

function refuseExisting(file: string): void {
  if (existsSync(file)) throw new Error(`${file} already exists: choose another file name`);
}

/** Writes to standard output, no faster than its reader reads. */
export async function writeDumpOut(pieces: AsyncIterable<string>): Promise<void> {
  await writeInto(standardOutputBytes(), pieces, false);
}

async function writeInto(
  sink: Writable,
  pieces: AsyncIterable<string>,
  isCompressed: boolean,
): Promise<void> {
  const source = Readable.from(pieces, { objectMode: true, highWaterMark: 1 });
  await (isCompressed ? pipeline(source, createGzip(), sink) : pipeline(source, sink));
}

/** Yields the lines of a file or of standard input. Reading ends with an error when `stop` is aborted. */
export async function* dumpLinesIn(file: string, stop: AbortSignal): AsyncGenerator<string> {
  if (file !== STANDARD && statSync(file).isDirectory()) {
    throw new Error(`${file} is a folder. Specify a file in it.`);
  }
  const input = file === STANDARD ? process.stdin : createReadStream(file);
  const end = () => void input.destroy(new Error('Stopped.'));
  stop.addEventListener('abort', end, { once: true });
  try {
    yield* linesOf(await uncompressed(input));
  } catch (error) {
    throw readProblem(error);
  } finally {
    stop.removeEventListener('abort', end);
    input.destroy();
  }
}

function readProblem(error: unknown): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'Z_BUF_ERROR') return new DumpRefused('is cut off', { cause: error });
  if (code === 'Z_DATA_ERROR')
    return new DumpRefused('is damaged: it cannot be decompressed', { cause: error });
  return error;
}

/** The first bytes of a gzip file. */
const GZIP = Buffer.from([0x1f, 0x8b]);

async function uncompressed(input: AsyncIterable<Uint8Array>): Promise<AsyncIterable<Uint8Array>> {
  const pieces = input[Symbol.asyncIterator]();
  let head = Buffer.alloc(0);
  while (head.length < GZIP.length) {
    const next = await pieces.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const all = (async function* () {
    yield head;
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield next.value;
    }
  })();
  if (!head.subarray(0, GZIP.length).equals(GZIP)) return all;
  const opened = createGunzip();
  // An error of either stream becomes a read error of the last one.
  pipeline(Readable.from(all), opened).catch(() => undefined);
  return opened;
}

const LINE_FEED = 10;
/** `}`, the last line's final character. Rows end with a bracket. */
const CLOSING_BRACE = 125;

async function* linesOf(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let begun: Uint8Array[] = [];
  let length = 0;
  let isFirst = true;
  for await (const piece of pieces) {
    let from = 0;
    for (let at = piece.indexOf(LINE_FEED); at !== -1; at = piece.indexOf(LINE_FEED, from)) {
      yield textOf([...begun, piece.subarray(from, at)]);
      isFirst = false;
      begun = [];
      length = 0;
      from = at + 1;
    }
    if (from === piece.length) continue;
    begun.push(piece.subarray(from));
    length += piece.length - from;
    if (length >= MAX_LINE_BYTES) {
      throw new DumpRefused(`is damaged: a line has more than ${MAX_LINE_BYTES} bytes`);
    }
  }
  if (length === 0) return;
  // The last line may lack its line end. Any other has one, unless it was cut off.
  if (!isFirst && begun.at(-1)?.at(-1) !== CLOSING_BRACE) {
    throw new DumpRefused('is cut off in the middle of a line');
  }
  yield textOf(begun);
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function textOf(pieces: readonly Uint8Array[]): string {
  try {
    return UTF8.decode(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
  } catch (error) {
    throw new DumpRefused('is damaged: it is not UTF-8 text', { cause: error });
  }
}
