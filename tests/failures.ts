// What a run says last of the tests that failed: which, why, and the command that runs it alone.

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import type { Ended } from './contract/reporter.ts';
import { filesOfEntry } from './groups.ts';

/** A suite or a file that failed for nothing but a test in it. */
const ONLY_PARTS = /^\d+ subtests? failed/;

/** Of one run, in the order in which the tests ended; a file is named once with each of its tests. */
export function failureLines(
  root: string,
  database: string,
  ended: readonly Ended[],
): readonly string[] {
  return ended
    .filter(({ ok, todo, why }) => !ok && !todo && !ONLY_PARTS.test(why ?? ''))
    .flatMap(({ file, title, why }) => {
      const files = filesBehind(root, file);
      const told = files.length === 1 ? title : `the process of ${files.length} test files`;
      const isFile = files.length > 1 || title.endsWith(files[0] ?? '');
      return [
        `FAILED on ${database}: ${told}`,
        ...(why === null || why === '' ? [] : [`  ${why}`]),
        `  again: OPENSHELF_TEST_DATABASE=${database} npm test -- ${files.join(' ')}${isFile ? '' : ` ${patternOf(title)}`}`,
      ];
    });
}

/** A dot for each sign that means something in a pattern or within the quotation marks of a shell. */
function patternOf(title: string): string {
  return `--test-name-pattern="${title.replaceAll(/[^\p{L}\p{N} ,:;_-]/gu, '.')}"`;
}

/** A process that ended before its time is told by the file that it was started with, which is gone after the run. */
function filesBehind(root: string, file: string): readonly string[] {
  const own = relative(root, file);
  const isEntry = own.startsWith('..') && existsSync(file);
  const files = isEntry ? filesOfEntry(readFileSync(file, 'utf8')) : [];
  return files.length > 0 ? files : [own];
}
