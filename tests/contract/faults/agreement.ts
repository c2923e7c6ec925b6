// Faults in how contradicting listings are resolved.

import type { Fault } from './fault.ts';

const AGREEMENT = 'get-product/over-time/200-agreement.ts';

export const FAULTS_OF_AGREEMENT: readonly Fault[] = [
  {
    name: 'a listing that contradicts the others anchors a barcode',
    file: 'answer/lookup/stored/anchor.ts',
    find: '!published.includes(each) || agreeing.includes(each)',
    replace: 'true',
    tests: [AGREEMENT],
  },
  {
    name: 'a listing that contradicts the others supplies its facts',
    file: 'answer/lookup/stored/other-than-anchor.ts',
    find: 'carriers.filter((each) => agreeing.includes(each))',
    replace: 'carriers',
    tests: [AGREEMENT],
  },
  {
    name: 'an item that is sent is answered without its own cluster',
    file: 'answer/lookup/stored/other-than-anchor.ts',
    find: "isOwn ? 'first' : 'barcode'",
    replace: "'barcode'",
    tests: [AGREEMENT],
  },
  {
    name: 'every guessed listing votes on the stock',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: 'guessed.filter((each) => isStrong(known, each))',
    replace: 'guessed',
    tests: [AGREEMENT],
  },
];
