// A change as shown in an organization's feed. Pure.

import type { Change, ChangedValue } from './changes.ts';
import type { Known } from './watch.ts';

/** Prices are minor units. */
export type FeedBody = {
  /** The currency of a price; absent for dollars. */
  readonly currency?: string;
  /** The source with terms (D81) that stated one of the values; absent if there is none. Not shown. */
  readonly source?: string;
  readonly field: string;
  readonly retailer: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly gtin: string | null;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
  readonly observedAtMs: number;
};

/** Creates the feed entry for a change. `knownBefore` is the state before it. */
export function feedBody(
  { field, before, after }: Change,
  { known, knownBefore }: { readonly known: Known; readonly knownBefore: Known | null },
  atMs: number,
): FeedBody {
  const { retailer, url, title, gtin, currency } = known;
  const source = known.source ?? knownBefore?.source;
  const place = { retailer, url: url === '' ? null : url, title, gtin };
  const money = field === 'price' && currency !== undefined ? { currency } : {};
  return {
    field,
    ...place,
    ...money,
    ...(source === undefined ? {} : { source }),
    before,
    after,
    observedAtMs: atMs,
  };
}
