// Where a measured service writes its log: one line per request would distort the figures, and a slow terminal would be
// measured. The log goes to an unnamed file, which disappears with the last process that has it open.

import { randomUUID } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const LAST_BYTES = 2_000;

type ServiceLog = Disposable & {
  /** For the `stdio` of a process. */
  readonly fd: number;
  /** Returns the last log output, for a service that exited by itself. */
  last(): string;
};

export function openServiceLog(): ServiceLog {
  const path = join(tmpdir(), `openshelf-bench-${randomUUID()}.log`);
  const fd = openSync(path, 'ax+', 0o600);
  unlinkSync(path);
  return {
    fd,
    last() {
      const { size } = fstatSync(fd);
      const bytes = Buffer.alloc(Math.min(size, LAST_BYTES));
      readSync(fd, bytes, 0, bytes.length, size - bytes.length);
      return bytes.toString();
    },
    [Symbol.dispose]: () => closeSync(fd),
  };
}
