// How many requests official sources may get in 24 hours, as their documentation and clients say (D79). None names an hour at
// which the count begins anew, so the 24 hours slide.

import { KNOWN_SLUGS } from '../../base/retailer.ts';
import { ADAPTERS } from './adapters.ts';

const DAILY_CALLS: Readonly<Record<string, number>> = {
  'retailer_b.products': 50_000,
  'retailer_e.browse': 5_000,
  'retailer_w.affiliate': 5_000,
};

/** The official sources that have a key of their own, as `<slug>.<name>`. */
export const LIMITED_SOURCES: readonly string[] = KNOWN_SLUGS.flatMap((slug) =>
  ADAPTERS[slug].sources
    .filter(({ isOfficial, account }) => isOfficial === true && account === undefined)
    .map(({ name }) => `${slug}.${name}`),
);

/** The operator's limits by source; null: none. */
export type SourceLimits = ReadonlyMap<string, number | null>;

/** Returns the limit in force: the operator's, or else the documented one; null if there is none. */
export function limitIn(limits: SourceLimits, source: string): number | null {
  const own = limits.get(source);
  return own === undefined ? (DAILY_CALLS[source] ?? null) : own;
}
