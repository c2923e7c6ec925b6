// Standard output as commands write to it: every line whole, or an error that ends the command.

import { fstatSync, writeFileSync } from 'node:fs';

import { explainError } from './system-error.ts';

const STDOUT = 1;

/**
 * Takes each line; `exit` ends the program. A file or a device is written to at once, because a stream says nothing of a disk
 * that took a part only.
 */
export function standardOutput(exit: (code: number) => never): (line: string) => void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    // When the reader of a pipe has ended (`openshelf ... | head`), the command has not failed.
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
