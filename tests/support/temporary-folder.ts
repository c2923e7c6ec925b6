// A folder that is removed when the test, or the evaluation, is over.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export type TemporaryFolder = Disposable & { readonly path: string };

/** Creates a folder in `within`; by default in the system's folder for temporary files. */
export function temporaryFolder(within: string = tmpdir()): TemporaryFolder {
  const path = mkdtempSync(join(within, 'openshelf-test-'));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}
