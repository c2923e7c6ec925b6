// Which calls need no framework, by their path and query: a product by path or by address, its price history and its
// comparison.

import { MAX_TARGET } from '../path-text.ts';

/** Path and query of such a call, as they were sent. */
export type PlainTarget = {
  readonly target: string;
  /** The path's pattern, as metrics and log name it. */
  readonly route: string;
  readonly kind: 'by_id' | 'by_url' | 'history' | 'compare';
  /** The identifier in the path, as it was sent; empty where it is in the query. */
  readonly id: string;
};

/**
 * Path and query in characters that stand for themselves in every address. An identifier has a digit or an escape:
 * names without either may be those of routes.
 */
const TARGET =
  /^\/v1\/products(?:\/(?=[^/?]*[\d%])([\w.~%!$*,:@-]+)(\/history|\/compare)?)?(?:\?[\w.~%!$*,;:@/?=&+-]*)?$/;
/** Dot segments, which are removed from an address however they are written. */
const DOTS = /^(?:\.|%2e)+$/i;

const KINDS = { '/history': 'history', '/compare': 'compare' } as const;

/** Null when the framework has to answer it. */
export function plainTarget(target: string): PlainTarget | null {
  const match = target.length <= MAX_TARGET ? TARGET.exec(target) : null;
  if (match === null) return null;
  const [, id = '', suffix = ''] = match;
  if (id === '') return { target, route: '/v1/products', kind: 'by_url', id };
  if (DOTS.test(id)) return null;
  const kind = suffix === '' ? 'by_id' : KINDS[suffix as keyof typeof KINDS];
  return { target, route: `/v1/products/{id}${suffix}`, kind, id };
}
