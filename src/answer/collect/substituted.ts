// The fault if a retailer answers for one ASIN with another ASIN's page (D45).

import { FaultError } from '../../base/fault.ts';

/** Returns a 404, because another ASIN's record would pass for the requested product. */
export function substituted(requested: string, served: string): FaultError {
  return new FaultError({
    code: 'identity_mismatch',
    matchedAsin: served,
    detail:
      `The page of ${requested} shows ${served}, a different product. This does not mean that the ` +
      'requested product is out of stock: keep your last known price and stock. Trying again does not ' +
      'help.',
  });
}
