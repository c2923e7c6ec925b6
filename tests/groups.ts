// Which test files share a process.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** They measure the memory of their own process, which must have done nothing else before. */
const ALONE = /^tests\/(?:server\/sheet|edge\/sheets\/read-sheet)\.test\.ts$/;
/**
 * Files that start services, databases and programs: they start first, so that no process is left with them while the
 * others are idle.
 */
const DEAR =
  /^tests\/(?:answer\/collect|clients|contract|data|edge\/(?:cli|service)|packaging|sandbox)\//;
/** Enough that loading the service is a small part of it, and few enough that the last process ends with the others. */
const FILES_OF_GROUP = 12;

/**
 * The expensive files first, dealt in turn: kept together, four files of the contract that take a third of the run on
 * PostgreSQL would share a process. The other files are grouped with their neighbours, which load the same modules.
 */
export function groupsOf(files: readonly string[]): readonly (readonly string[])[] {
  const dear = files.filter((file) => DEAR.test(file));
  const others = files.filter((file) => !DEAR.test(file) && !ALONE.test(file));
  const hands = Math.ceil(dear.length / FILES_OF_GROUP);
  const dealt = Map.groupBy(dear, (file) => dear.indexOf(file) % hands);
  const neighbours = Map.groupBy(others, (file) =>
    Math.floor(others.indexOf(file) / FILES_OF_GROUP),
  );
  const alone = files.filter((file) => ALONE.test(file)).map((file) => [file]);
  return [...dealt.values(), ...neighbours.values(), ...alone];
}

/** Returns the arguments of `node --test`: a file that runs alone, and for others a file in `folder` that runs them. */
export function entriesOf(
  root: string,
  groups: readonly (readonly string[])[],
  folder: string,
): readonly string[] {
  const together = pathToFileURL(join(root, 'tests', 'support', 'together.ts')).href;
  return groups.map((files, index) => {
    const [first = '', ...others] = files;
    if (others.length === 0) return first;
    const entry = join(folder, `group-${String(index + 1).padStart(2, '0')}.test.mjs`);
    const args = [root, files].map((arg) => JSON.stringify(arg)).join(', ');
    writeFileSync(entry, `import { runTogether } from '${together}';\nrunTogether(${args});\n`);
    return entry;
  });
}

/** Returns the test files that an entry, given as its text, runs. */
export function filesOfEntry(text: string): readonly string[] {
  return [...text.matchAll(/"(tests\/[^"]+\.test\.ts)"/g)].map(([, file = '']) => file);
}

/** The variable with the path where `runTogether` writes times. */
export const TIMES_VARIABLE = 'OPENSHELF_TEST_TIMES';

/**
 * The time of a file, in seconds: elapsed, and processor time, including the processes that it started and has seen end.
 */
export type FileTime = {
  readonly name: string;
  readonly clock: number;
  readonly processors: number;
};

const SHOWN = 25;

/** Returns a line for each of the most expensive files, and one for all. `paths`: by run name, what `runTogether` wrote. */
export function dearestFiles(paths: Readonly<Record<string, string>>): readonly string[] {
  const times = Object.entries(paths)
    .filter(([, path]) => existsSync(path))
    .flatMap(([run, path]) => timesIn(path).map((time) => ({ ...time, run })))
    .toSorted((a, b) => b.processors - a.processors);
  const sumOf = (which: 'clock' | 'processors') =>
    times.reduce((sum, time) => sum + time[which], 0);
  const all = { clock: sumOf('clock'), processors: sumOf('processors'), run: 'all' };
  return [...times.slice(0, SHOWN), { ...all, name: `${times.length} files` }].map(
    ({ name, run, clock, processors }) =>
      `# ${processors.toFixed(1).padStart(7)} s of processors ${clock.toFixed(1).padStart(7)} s  ${name} (${run})`,
  );
}

function timesIn(path: string): readonly FileTime[] {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as FileTime);
}
