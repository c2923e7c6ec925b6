// What answers without the framework say to pages of other origins: the same as `hono/cors` says of those with it. A request
// with `Origin` is answered by the framework, so only what stands on every answer is here.

import { HEADERS } from './document-headers.ts';

/** Headers of an answer that a page of an allowed origin may read. */
export const EXPOSED_HEADERS: readonly string[] = Object.keys(HEADERS);

export type CrossOrigin = {
  /** What `Vary` names beside what it names everywhere. */
  readonly varyBy: readonly string[];
  /** Names and values by turns; none where no other origin is allowed. */
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
