// The fault if a retailer answers for one ASIN with the page of another (D45).

import { FaultError } from '../../base/fault.ts';

/** Makes a 404, because a record of another ASIN would pass for the product that was asked for. */
export function substituted(requested: string, served: string): FaultError {
  return new FaultError({
    code: 'identity_mismatch',
    matchedAsin: served,
    detail:
      `The page of ${requested} shows ${served}, a different product. This says nothing about its stock: keep ` +
      'your last known price and stock. Trying again does not help.',
  });
}
