// A retailer answers for one ASIN with the page of another (D45).

import { FaultError } from '../core/fault.ts';

/** A record of another ASIN than the one sent would pass for its product, so the call is a 404. */
export function substituted(requested: string, served: string): FaultError {
  return new FaultError({
    code: 'identity_mismatch',
    matchedAsin: served,
    detail:
      `The page of ${requested} shows ${served}, a different product. This says nothing about its stock: keep ` +
      'your last known price and stock. Trying again does not help.',
  });
}
