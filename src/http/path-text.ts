// The identifier in a path, decoded exactly once from the raw request line. The framework's own decoding is
// tolerant: it hands on what it cannot decode.

import { FaultError } from '../core/fault.ts';

/** What stands between `prefix` and `suffix` of the path. FaultError invalid_identifier. */
export function textOfPath(requestUrl: string, prefix: string, suffix = ''): string {
  const path = new URL(requestUrl).pathname;
  const end = suffix !== '' && path.endsWith(suffix) ? path.length - suffix.length : path.length;
  try {
    return decodeURIComponent(path.slice(prefix.length, end));
  } catch {
    throw new FaultError({
      code: 'invalid_identifier',
      detail: 'The identifier is not valid percent-encoded UTF-8: encode it once.',
    });
  }
}
