// A folder that is gone when the test, or the evaluation, is over.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = Disposable & { readonly path: string };

/** `within`: where it is made; the folder of the system for such folders unless stated. */
export function temporaryFolder(within: string = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(within, 'openshelf-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
