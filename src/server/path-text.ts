// The identifier in a route's path: of a product, or of a seller.

import { FaultError } from '../base/fault.ts';

/**
 * Maximum characters of path and query. A product address is part of the path, and 8 KiB fit the longest that shops use.
 */
export const MAX_TARGET = 8_192;

/** The path before a product identifier. */
export const PRODUCTS = '/v1/products/';

/** The index of an identifier among the path's segments. */
const PLACE = PRODUCTS.split('/').length - 1;

/**
 * Returns the identifier in a path, decoded exactly once. FaultError invalid_identifier; a parameter that cannot be decoded
 * would be passed on as it is.
 */
export function identifierIn(path: string): string {
  try {
    return decodeURIComponent(path.split('/', PLACE + 1)[PLACE] ?? '');
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail:
        'The identifier in the path is not valid percent-encoded UTF-8. Percent-encode it once.',
    });
  }
}
