// Reads the body of a batch as lines of text, within the limits of D72. It reads on only as the lines are consumed.

import { createHash } from 'node:crypto';

import { FaultError } from '../../base/fault.ts';
import { othersRun } from './others-run.ts';

const MAX_LINES = 10_000;
const MAX_LINE_BYTES = 65_536;

/** Lines, or bytes of lines, that are read between two pauses: a few milliseconds of work. */
const LINES_AT_ONCE = 64;
const BYTES_AT_ONCE = 65_536;

/**
 * Maximum bytes of the rest of a refused batch that are read and dropped. The refusal states that the connection is kept;
 * if the rest were not read, the connection would be closed after the answer, and the client's next call with it.
 */
const MAX_DROPPED = 16 * 1_048_576;

const NEWLINE = 0x0a;

/** The body's hash, unique to each body. */
type ReadBody = { readonly hash: string };

/**
 * Passes on each non-empty line, with its number from 1. FaultError body_too_large, thrown once the rest of the body has
 * arrived too.
 */
export async function readLines(
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  take: (text: string, line: number) => void,
): Promise<ReadBody> {
  const hash = createHash('sha256');
  let begun: Uint8Array[] = [];
  let begunBytes = 0;
  let line = 0;
  let taken = 0;
  let bytes = 0;

  function add(piece: Uint8Array): void {
    begunBytes += piece.length;
    if (begunBytes > MAX_LINE_BYTES + 1) throw tooLongLine(line + 1);
    begun.push(piece);
  }

  function endLine(): void {
    line += 1;
    const [only = new Uint8Array()] = begun;
    const whole = begun.length === 1 ? only : Buffer.concat(begun);
    begun = [];
    begunBytes = 0;
    const text = decode(whole, line).trim();
    if (whole.length > MAX_LINE_BYTES && whole.at(-1) !== 0x0d) throw tooLongLine(line);
    if (text === '') return;
    taken += 1;
    if (taken > MAX_LINES) throw tooManyLines();
    take(text, line);
  }

  let lineAtPause = 0;
  let bytesSincePause = 0;

  /** Empty lines count too, and so do lines that have already arrived. */
  function isPauseDue(lineBytes: number): boolean {
    bytesSincePause += lineBytes;
    const isDue = line - lineAtPause >= LINES_AT_ONCE || bytesSincePause >= BYTES_AT_ONCE;
    if (isDue) [lineAtPause, bytesSincePause] = [line, 0];
    return isDue;
  }

  async function takeChunk(chunk: Uint8Array): Promise<void> {
    hash.update(chunk);
    bytes += chunk.length;
    // Empty lines do not count as lines, but they must be read: their bytes are limited here.
    if (bytes > MAX_LINES * (MAX_LINE_BYTES + 2)) throw tooManyLines();
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, from)) {
      // An encoded batch can have millions of empty lines.
      if (at === from && begunBytes === 0) line += 1;
      else {
        add(chunk.subarray(from, at));
        endLine();
      }
      if (isPauseDue(at + 1 - from)) await othersRun();
      from = at + 1;
    }
    if (from < chunk.length) add(chunk.subarray(from));
  }

  let refused: { readonly error: unknown; droppedBytes: number } | null = null;
  for await (const chunk of body) {
    try {
      if (refused === null) await takeChunk(chunk);
      else refused.droppedBytes += chunk.length;
    } catch (error) {
      refused = { error, droppedBytes: 0 };
    }
    if (refused !== null && refused.droppedBytes > MAX_DROPPED) break;
  }
  if (refused !== null) throw refused.error;
  if (begunBytes > 0) endLine();
  return { hash: hash.digest('hex') };
}

/** Decodes a line. A byte order mark at the start of the body is not part of the first line's text. */
function decode(bytes: Uint8Array, line: number): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8');
  return line === 1 && text.startsWith('\uFEFF') ? text.slice(1) : text;
}

function tooLongLine(line: number): FaultError {
  return new FaultError({
    code: 'body_too_large',
    detail:
      `Line ${line} of the batch has more than ${MAX_LINE_BYTES / 1_024} KB. Nothing was looked up. Each line ` +
      'contains one identifier and its parameters and ends with a newline.',
  });
}

function tooManyLines(): FaultError {
  return new FaultError({
    code: 'body_too_large',
    detail: `The batch has more than ${MAX_LINES} lines. Nothing was looked up. Split it into several batches.`,
  });
}
