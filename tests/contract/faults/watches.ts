// Faults of what is compared and watched: profits that are not there, notices that are lost or told twice.

import type { Fault } from './fault.ts';

const COMPARE = 'compare-product.test.ts';
const WATCHES = 'watches.test.ts';

export const FAULTS_OF_WATCHES: readonly Fault[] = [
  {
    name: 'a pack pays for one piece',
    file: 'product/profit.ts',
    find: '(costCents + shippingCents + prepCents) * units',
    replace: '(costCents + shippingCents + prepCents)',
    tests: [COMPARE],
  },
  {
    name: 'a comparison asks behind its answer',
    file: 'wiring/lookups.ts',
    find: '{ ...comparison, held: (lookup) => quiet.held(lookup) }',
    replace: 'comparison',
    tests: [COMPARE],
  },
  {
    name: 'a suspect price is compared without a warning',
    file: 'product/comparison.ts',
    find: 'suspect_price: isSuspect && priceCents !== null',
    replace: 'suspect_price: false',
    tests: [COMPARE],
  },
  {
    name: 'a line is told at every sighting below it',
    file: 'watches/judge.ts',
    find: 'else if (cents < belowCents && (below === null || step(below))) {',
    replace: 'else if (cents < belowCents) {',
    tests: [WATCHES],
  },
  {
    name: 'the watch that was due last pays',
    file: 'collect/store-read.ts',
    find: '(a, b) => due(a) - due(b) || a.createdAtMs - b.createdAtMs',
    replace: '(a, b) => due(b) - due(a) || b.createdAtMs - a.createdAtMs',
    tests: [WATCHES],
  },
  {
    name: 'a watch that reads nothing stays silent',
    file: 'watches/rounds.ts',
    find: 'if (failedRounds >= facts.failingAfter) {',
    replace: 'if (failedRounds > 1_000_000) {',
    tests: [WATCHES],
  },
  {
    name: 'a cursor shows its own change again',
    file: 'store/watches.ts',
    find: 'where organization_id = $1 and seq > $2 order by seq limit $3',
    replace: 'where organization_id = $1 and seq >= $2 order by seq limit $3',
    tests: [WATCHES],
  },
];
