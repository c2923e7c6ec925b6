#!/usr/bin/node --max-semi-space-size=16
// The command in the image, which contains the program's compiled code (warm.js) in a folder that Node names after the user
// who wrote it. Any other user gets a link under the name that Node expects.

import { mkdirSync, readdirSync, readlinkSync, symlinkSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

const WARM = '/app/compile-cache';

if (process.env.NODE_COMPILE_CACHE === undefined) {
  try {
    // Threads and further processes find it by this.
    process.env.NODE_COMPILE_CACHE = cacheOf(process.getuid());
    enableCompileCache(process.env.NODE_COMPILE_CACHE);
  } catch {
    // Without a folder to write to there is no cache, and no error.
    delete process.env.NODE_COMPILE_CACHE;
  }
}
await import('./node_modules/openshelf/bin/openshelf.js');

/** Returns a folder that contains the warm cache under the names that Node looks for. */
function cacheOf(user) {
  const folder = join('/tmp', `openshelf-compile-cache-${user}`);
  ensure(() => mkdirSync(folder, { mode: 0o700 }));
  for (const name of readdirSync(WARM)) {
    const link = join(folder, name.replace(/\d+$/, String(user)));
    ensure(() => symlinkSync(join(WARM, name), link));
    if (readlinkSync(link) !== join(WARM, name)) throw new Error(`${link} leads elsewhere`);
  }
  return folder;
}

function ensure(make) {
  try {
    make();
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
}
