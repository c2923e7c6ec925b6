// Test files that share a process, one after the other. Alone, each file pays 1 to 1.8 s of processor time until its first
// service answers: the service is loaded, its threads are started, and nothing is compiled.

import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe } from 'node:test';
import { pathToFileURL } from 'node:url';

import { TIMES_VARIABLE, type FileTime } from '../groups.ts';
import { cpuMs, cpuMsOfEnded } from './cpu-time.ts';

/**
 * Registers each file as its own suite, named by its path below `folder`: what it opens before its tests is closed after
 * them.
 */
export function runTogether(folder: string, names: readonly string[]): void {
  const times = process.env[TIMES_VARIABLE] ?? '';
  for (const name of names) {
    describe(name, async () => {
      if (times !== '' && name.startsWith('tests/')) noteTime(name, times);
      await import(pathToFileURL(join(folder, name)).href);
    });
  }
}

/** Parts of a file are included in its time. */
function noteTime(name: string, path: string): void {
  let [clockMs, processorsMs] = [0, 0];
  before(() => {
    [clockMs, processorsMs] = [performance.now(), cpuMs() + cpuMsOfEnded()];
  });
  after(() => {
    const time: FileTime = {
      name,
      clock: (performance.now() - clockMs) / 1_000,
      processors: (cpuMs() + cpuMsOfEnded() - processorsMs) / 1_000,
    };
    appendFileSync(path, `${JSON.stringify(time)}\n`);
  });
}
