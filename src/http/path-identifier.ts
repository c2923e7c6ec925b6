// The identifier that stands in a path, whatever stands behind it.

import { FaultError } from '../domain/fault.ts';

const PREFIX = '/v1/products/';

/**
 * The identifier between `/v1/products/` and `suffix`, decoded exactly once from the raw path. The
 * framework's own decoding is tolerant: it hands on what it cannot decode.
 */
export function pathIdentifier(requestUrl: string, suffix = ''): string {
  const path = new URL(requestUrl).pathname.replace(/\/$/, '');
  const raw = path.slice(PREFIX.length, path.length - suffix.length);
  try {
    return decodeURIComponent(raw);
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail: 'The identifier is not valid percent-encoded UTF-8: encode it once.',
    });
  }
}
