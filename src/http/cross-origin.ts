// What answers without the framework say to pages of other origins: the same as `hono/cors` says of those with it. Only what
// stands on every answer is here; whether the origin of a request is allowed says the framework, or the refusal of a call
// that it never sees.

import { HEADERS } from './document/document-headers.ts';

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
