// Standard output as commands write to it: every line is written completely, or an error ends the command. On standard
// error, a line that cannot be written is lost, and the service continues.

import { fstatSync, writeFileSync } from 'node:fs';
import { Writable } from 'node:stream';

import { createLog } from '../../base/log.ts';
import { explainError } from './system-error.ts';

const STDOUT = 1;

/**
 * Returns a function that writes each line; `exit` ends the program. A file or a device is written to synchronously, because a
 * stream does not report a disk that took only a part.
 */
export function standardOutput(exit: (code: number) => never): (line: string) => void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // If the reader of a pipe has exited (`openshelf ... | head`), the command has not failed.
    if (error.code === 'EPIPE') exit(0);
    process.stderr.write(`openshelf: ${explainError(error, [])}\n`);
    exit(1);
  });
  const place = fstatSync(STDOUT);
  const isFile = place.isFile() || (place.isCharacterDevice() && !process.stdout.isTTY);
  return isFile
    ? (line) => writeFileSync(STDOUT, `${line}\n`)
    : (line) => void process.stdout.write(`${line}\n`);
}

/**
 * Returns standard output for more than fits into memory: the writer waits for its reader. A file or a device is written to
 * as by `standardOutput`.
 */
export function standardOutputBytes(): Writable {
  const place = fstatSync(STDOUT);
  const isFile = place.isFile() || (place.isCharacterDevice() && !process.stdout.isTTY);
  return new Writable({
    write(piece: Uint8Array, _encoding, done) {
      if (!isFile) process.stdout.write(piece, done);
      else {
        try {
          writeFileSync(STDOUT, piece);
          done();
        } catch (error) {
          done(error instanceof Error ? error : new Error(String(error)));
        }
      }
    },
  });
}

/**
 * Maximum bytes of lines waiting for their reader. Without the limit, a pager or a collector that stopped reading made the
 * service buffer all of them.
 */
const MOST_WAITING = 4_194_304;

const READER =
  'The reader of standard error (a pager, a collector) had stopped: check it. The service kept running.';

/** Returns a function that writes one or several lines. Reports how many were lost, when there is room again. */
export function standardError(
  to: Pick<Writable, 'write' | 'writableLength'>,
  mostWaiting = MOST_WAITING,
): (lines: string) => void {
  let lost = 0;
  const log = createLog((line) => void to.write(line));
  return (lines) => {
    if (to.writableLength > mostWaiting) {
      lost += lines.split('\n').length;
      return;
    }
    if (lost > 0)
      log.warn('log lines were lost, because nothing read them', {
        lines: lost,
        advice: READER,
      });
    lost = 0;
    to.write(`${lines}\n`);
  };
}
