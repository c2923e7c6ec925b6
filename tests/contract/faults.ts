// The list of faults that the suite must notice: each one small change to the source, and the test files that fail
// with it. See mutate.ts.

import { FAULTS_OF_ACCOUNTS } from './faults/accounts.ts';
import { FAULTS_OF_ANSWERS } from './faults/answers.ts';
import { FAULTS_OF_LOOKUPS } from './faults/lookups.ts';
import type { Fault } from './faults/fault.ts';

export const FAULTS: readonly Fault[] = [
  ...FAULTS_OF_ANSWERS,
  ...FAULTS_OF_LOOKUPS,
  ...FAULTS_OF_ACCOUNTS,
];
