// The file of a sheet. Standard input is saved to a file next to the output while the run needs it, because a sheet is read
// more than once.

import { createReadStream, createWriteStream, rmSync, statSync } from 'node:fs';
import { pipeline } from 'node:stream/promises';

import type { SheetSource } from '../../sheets/sheet.ts';

/** `named` is a path, or `-`. On disposal, removes the file that it has saved. */
export async function sheetFile(
  named: string,
  out: string,
  stop: AbortSignal,
): Promise<SheetSource & AsyncDisposable> {
  if (named !== '-') {
    const about = statSync(named);
    if (about.isDirectory()) throw new Error(`${named} is a folder. Specify a file in it.`);
    if (!about.isFile()) {
      throw new Error(
        `${named} is not a regular file. Use - and pipe it in: it is read more than once.`,
      );
    }
    return { ...sourceOf(named, named), [Symbol.asyncDispose]: () => Promise.resolve() };
  }
  const copy = `${out}.input`;
  try {
    await pipeline(process.stdin, createWriteStream(copy, { mode: 0o600 }), { signal: stop });
  } catch (error) {
    rmSync(copy, { force: true });
    throw error;
  }
  return {
    ...sourceOf('standard input', copy),
    [Symbol.asyncDispose]: () => {
      rmSync(copy, { force: true });
      return Promise.resolve();
    },
  };
}

function sourceOf(name: string, path: string): SheetSource {
  return { name, bytes: () => createReadStream(path) };
}
