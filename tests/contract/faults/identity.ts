// Faults in what barcode databases state of products (D86).

import type { Fault } from './fault.ts';

const TESTS = ['barcode-databases.test.ts'];

export const FAULTS_OF_IDENTITY: readonly Fault[] = [
  {
    name: 'a code is asked about again after three weeks',
    file: 'data/answers/barcode-facts.ts',
    find: 'export const ASK_AGAIN_MS = 30 * DAY_MS;',
    replace: 'export const ASK_AGAIN_MS = 21 * DAY_MS;',
    tests: TESTS,
  },
  {
    name: 'the requests of a minute are not limited',
    file: 'answer/collect/asking/ask-databases.ts',
    find: 'if (slot.isTaken) return true;',
    replace: 'if (slot.isTaken || place > 3) return true;',
    tests: TESTS,
  },
  {
    name: 'a batch asks barcode databases',
    file: 'edge/app.ts',
    find: '{ ...context, onGathering: patience.onGathering }',
    replace: '{ ...context, asksDatabases: true, onGathering: patience.onGathering }',
    tests: TESTS,
  },
  {
    name: 'a redirect leads anywhere',
    file: 'read/barcode-databases/open-facts.ts',
    find: 'return member === null || to?.hostname === URL.parse(url)?.hostname',
    replace: 'return member !== null && to?.hostname === URL.parse(url)?.hostname',
    tests: TESTS,
  },
];
