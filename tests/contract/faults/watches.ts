// Faults of what is compared and watched: profits that are not there, notices that are lost or told twice.

import type { Fault } from './fault.ts';

const COMPARE = 'compare-product.test.ts';

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
];
