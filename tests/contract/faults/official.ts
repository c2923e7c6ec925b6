// Faults in records from official APIs (D78).

import type { Fault } from './fault.ts';

const RECORDS = 'official-records.test.ts';

export const FAULTS_OF_OFFICIAL_RECORDS: readonly Fault[] = [
  {
    name: 'an official hit is read as a page again',
    file: 'answer/collect/collect-barcode.ts',
    find: "const isListing = origin.door === 'official_api';",
    replace: "const isListing = origin.door === 'ucp';",
    tests: [RECORDS],
  },
  {
    name: 'an official answer is not completed',
    file: 'answer/collect/asking/retailer-listing.ts',
    find: 'if (isPriced(listing)) break;',
    replace: 'if (!isPriced(listing)) break;',
    tests: [RECORDS],
  },
  {
    name: 'an official listing cannot be renewed by its barcode',
    file: 'answer/collect/asking/retailer-listing.ts',
    find: 'if (gtin === null) return null;',
    replace: 'if (gtin !== null) return null;',
    tests: [RECORDS],
  },
  {
    name: 'an official listing has no featured offer',
    file: 'read/retailers/retailer-a/selling-partner-offers.ts',
    find: 'offers.find(({ isBuyBox }) => isBuyBox === true)',
    replace: 'offers.find(({ isBuyBox }) => isBuyBox === null)',
    tests: [RECORDS],
  },
];
