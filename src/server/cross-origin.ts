// The headers that let pages of other origins read answers, for answers that do not pass through the framework. They
// equal what `hono/cors` writes on every answer. Whether the origin of a request is allowed is decided by the
// framework, or by the refusal of a call that the framework never sees.

import { HEADERS } from './document/document-headers.ts';

/** Headers of an answer that a page of an allowed origin may read. */
export const EXPOSED_HEADERS: readonly string[] = Object.keys(HEADERS);

export type CrossOrigin = {
  /** Names that `Vary` has in addition to those on every answer. */
  readonly varyBy: readonly string[];
  /** Header names and values in turn; empty where no other origin is allowed. */
  readonly headers: readonly string[];
};

export function crossOriginOf(origins: readonly string[]): CrossOrigin {
  if (origins.length === 0) return { varyBy: [], headers: [] };
  const exposed = EXPOSED_HEADERS.join(',');
  return {
    varyBy: ['Origin'],
    headers: ['access-control-expose-headers', exposed],
  };
}
