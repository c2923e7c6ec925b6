// Faults in what is said of official APIs, and when they are asked (D79).

import type { Fault } from './fault.ts';

const CONDITION = 'get-retailers/200-condition.ts';

export const FAULTS_OF_SOURCES: readonly Fault[] = [
  {
    name: 'the wall of a page is said instead of the failure of the official source',
    file: 'answer/collect/asking/ask-retailer.ts',
    find: 'if (other.official !== undefined) return false;',
    replace: 'if (other.official === undefined) return false;',
    tests: [CONDITION],
  },
  {
    name: 'a daily limit lets one request more through',
    file: 'answer/collect/coordination/source-book.ts',
    find: 'callsIn(own, now()) >= limit',
    replace: 'callsIn(own, now()) > limit',
    tests: [CONDITION],
  },
  {
    name: 'a source that refused the key is asked again at once',
    file: 'answer/collect/asking/source-fault.ts',
    find: 'credentials_refused: LASTING_SECONDS,',
    replace: 'credentials_refused: 0,',
    tests: [CONDITION],
  },
  {
    name: 'a spent limit is free again when the oldest span begins',
    file: 'base/source-state.ts',
    find: 'atMs = fromMs + SPAN_MS + DAY_MS;',
    replace: 'atMs = fromMs + DAY_MS / 2;',
    tests: [CONDITION],
  },
];
