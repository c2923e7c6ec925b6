// A run's closing report of the failed tests: which, why, and the command that runs each alone.

import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import type { Ended } from './contract/reporter.ts';
import { filesOfEntry } from './groups.ts';

/** A suite or a file that failed only because a test in it failed. */
const ONLY_PARTS = /^\d+ subtests? failed/;

/** For one run, in the order in which the tests ended; the file is named with each of its tests. */
export function failureLines(
  root: string,
  database: string,
  ended: readonly Ended[],
): readonly string[] {
  return ended
    .filter(({ ok, todo, why }) => !ok && !todo && !ONLY_PARTS.test(why ?? ''))
    .flatMap(({ file, title, why }) => {
      const files = filesBehind(root, file);
      const name = files.length === 1 ? title : `the process of ${files.length} test files`;
      const isFile = files.length > 1 || title.endsWith(files[0] ?? '');
      return [
        `FAILED on ${database}: ${name}`,
        ...(why === null || why === '' ? [] : [`  ${why}`]),
        `  again: OPENSHELF_TEST_DATABASE=${database} npm test -- ${files.join(' ')}${isFile ? '' : ` ${patternOf(title)}`}`,
      ];
    });
}

/** Replaces each character with a meaning in a pattern or within shell quotation marks by a dot. */
function patternOf(title: string): string {
  return `--test-name-pattern="${title.replaceAll(/[^\p{L}\p{N} ,:;_-]/gu, '.')}"`;
}

/** A process that ended prematurely is reported by the file it was started with, which is removed after the run. */
function filesBehind(root: string, file: string): readonly string[] {
  const own = relative(root, file);
  const isEntry = own.startsWith('..') && existsSync(file);
  const files = isEntry ? filesOfEntry(readFileSync(file, 'utf8')) : [];
  return files.length > 0 ? files : [own];
}
