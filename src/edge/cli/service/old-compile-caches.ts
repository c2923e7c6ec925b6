// Bounds the space of compiled code on disk. Node never deletes any: each of its versions has a folder of its own, and each
// build of this program adds files to it.

import { promises } from 'node:fs';
import { basename, dirname, join } from 'node:path';

import { DAY_MS } from '../../../base/clock.ts';

const { readdir, rm, stat } = promises;

const UNUSED_MS = 30 * DAY_MS;
/** Some twenty builds. */
const MOST_BYTES = 128 * 1_048_576;

/**
 * Deletes the folders next to `current` to which nothing was added for a month, and `current` itself once it is too large:
 * the next start fills it again. Leaves a folder that the launcher did not choose as it is, and does nothing without one.
 */
export async function removeOldCompileCaches(
  current: string | undefined,
  nowMs: number,
): Promise<void> {
  const all = current === undefined ? '' : dirname(current);
  const isOurs = basename(all) === 'openshelf' || basename(dirname(all)) === 'openshelf';
  if (current === undefined || !isOurs) return;
  for (const name of await readdir(all)) {
    const folder = join(all, name);
    const isOld =
      folder === current
        ? (await bytesIn(folder)) > MOST_BYTES
        : nowMs - (await stat(folder)).mtimeMs > UNUSED_MS;
    if (isOld) await rm(folder, { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    bytes += await stat(join(folder, name)).then(
      ({ size }) => size,
      () => 0,
    );
  }
  return bytes;
}
