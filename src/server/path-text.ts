// The text of an identifier in a path, decoded exactly once.

import { FaultError } from '../base/fault.ts';

/**
 * Most characters of path and query. A product address is part of the path, and 8 KiB hold the longest that shops use.
 */
export const MAX_TARGET = 8_192;

/** The path before the identifier of a product. */
export const PRODUCTS = '/v1/products/';

/**
 * The decoded text between `prefix` and `suffix` of the path. FaultError invalid_identifier; the framework's own
 * decoding would pass on what it cannot decode.
 */
export function textOfPath(requestUrl: string, prefix: string, suffix = ''): string {
  const path = new URL(requestUrl).pathname;
  const end = suffix !== '' && path.endsWith(suffix) ? path.length - suffix.length : path.length;
  try {
    return decodeURIComponent(path.slice(prefix.length, end));
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail:
        'The identifier in the path is not valid percent-encoded UTF-8. Percent-encode it once.',
    });
  }
}
