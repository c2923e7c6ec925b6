// A change as the feed of an organization shows it. Pure.

import type { Change, ChangedValue } from './changes.ts';
import type { Known } from './watch.ts';

/** Prices are US cents. */
export type FeedBody = {
  readonly field: string;
  readonly retailer: string;
  readonly url: string | null;
  readonly title: string | null;
  readonly gtin: string | null;
  readonly before: ChangedValue;
  readonly after: ChangedValue;
  readonly observedAtMs: number;
};

/** What the feed says of a change. */
export function feedBody({ field, before, after }: Change, known: Known, atMs: number): FeedBody {
  const { retailer, url, title, gtin } = known;
  const place = { retailer, url: url === '' ? null : url, title, gtin };
  return { field, ...place, before, after, observedAtMs: atMs };
}
