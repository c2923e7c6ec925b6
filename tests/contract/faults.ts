// The list of faults that the suite must notice: each is one small change to the source, with the test files that fail
// because of it. See mutate.ts.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { FAULTS_OF_ACCOUNTS } from './faults/accounts.ts';
import { FAULTS_OF_AGREEMENT } from './faults/agreement.ts';
import { FAULTS_OF_ANSWERS } from './faults/answers.ts';
import { FAULTS_OF_BARCODES } from './faults/barcodes.ts';
import { FAULTS_OF_OFFICIAL_RECORDS } from './faults/official.ts';
import { FAULTS_OF_CACHED } from './faults/cached.ts';
import { FAULTS_OF_DUMPS } from './faults/dumps.ts';
import { FAULTS_OF_IDENTITY } from './faults/identity.ts';
import { FAULTS_OF_LOOKUPS } from './faults/lookups.ts';
import { FAULTS_OF_PAGES } from './faults/pages.ts';
import { FAULTS_OF_PIPELINE } from './faults/pipeline.ts';
import { FAULTS_OF_SCHEMAS } from './faults/schemas.ts';
import { FAULTS_OF_SOURCES } from './faults/sources.ts';
import { FAULTS_OF_WATCHES } from './faults/watches.ts';
import type { Fault } from './faults/fault.ts';

export const FAULTS: readonly Fault[] = [
  ...FAULTS_OF_ANSWERS,
  ...FAULTS_OF_LOOKUPS,
  ...FAULTS_OF_AGREEMENT,
  ...FAULTS_OF_BARCODES,
  ...FAULTS_OF_OFFICIAL_RECORDS,
  ...FAULTS_OF_IDENTITY,
  ...FAULTS_OF_ACCOUNTS,
  ...FAULTS_OF_PAGES,
  ...FAULTS_OF_SOURCES,
  ...FAULTS_OF_WATCHES,
  ...FAULTS_OF_CACHED,
  ...FAULTS_OF_DUMPS,
  ...FAULTS_OF_PIPELINE,
  ...FAULTS_OF_SCHEMAS,
];

/**
 * Returns duplicate names, texts that do not occur exactly once, and tests that no longer exist. `src`: the source folder.
 */
export function rottenFaults(src: string): readonly string[] {
  const names = FAULTS.map(({ name }) => name);
  const twice = names.filter((name, at) => names.indexOf(name) !== at);
  const tests = [...new Set(FAULTS.flatMap((fault) => fault.tests))];
  const gone = tests.filter((path) => !existsSync(join(import.meta.dirname, path)));
  return [
    ...twice.map((name) => `two faults are called ${name}`),
    ...gone.map((path) => `there is no test file ${path}`),
    ...FAULTS.flatMap(({ name, file, find, replace }) => {
      const count = readFileSync(join(src, file), 'utf8').split(find).length - 1;
      if (count !== 1) return [`${name}: its text stands ${count} times in src/${file}`];
      return find === replace ? [`${name}: changes nothing`] : [];
    }),
  ];
}
