// A named pipe in a test's folder, and a process that reads it to its end.

import { execFileSync, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';

type NamedPipe = AsyncDisposable & {
  readonly path: string;
  /** What was written to it, once its writer has closed it. */
  readonly read: Promise<string>;
};

export function namedPipe(path: string): NamedPipe {
  execFileSync('mkfifo', [path]);
  const reader = spawn('cat', [path], { stdio: ['ignore', 'pipe', 'inherit'] });
  const read = text(reader.stdout);
  return {
    path,
    read,
    async [Symbol.asyncDispose]() {
      reader.kill();
      await read;
    },
  };
}
