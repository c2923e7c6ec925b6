// Compares an answer's prices, which are counters, with what was written: a price older than what was acknowledged when the
// request was made is stale, and one whose writing had not begun by the end of the request is wrong.

import { DAY_MS } from '../../../src/base/clock.ts';
import type { Slug } from '../../../src/base/retailer.ts';
import type { NotedListing } from '../../../src/data/answers/listings.ts';

/** A listing whose price counts its writes. */
export type Counted = {
  readonly listing: NotedListing;
  /** The price in cents at which the count begins. */
  readonly fromCents: number;
  /** The newest version whose writing has begun, and the newest acknowledged one. */
  begun: number;
  acknowledged: number;
  /** When the acknowledged version was observed, by the services' clock. */
  seenAtMs: number;
  /** Whether it is in stock, by version. */
  readonly stock: boolean[];
};

/** One barcode: the listing that supplies its price, first, and the listings of other retailers. */
export type Product = {
  /** By the retailer's own id. */
  readonly path: string;
  /** The URL of the first listing's page. */
  readonly url: string;
  readonly gtin: string;
  readonly listings: readonly [Counted, ...Counted[]];
  /** Number of begun and ended changes: odd while one is in progress. */
  steps: number;
};

/** The versions acknowledged at a moment, by retailer. */
export type Least = ReadonlyMap<Slug, number>;

export function acknowledgedOf({ listings }: Product): Least {
  return new Map(listings.map(({ listing, acknowledged }) => [listing.retailer, acknowledged]));
}

type Shown = {
  readonly place: string;
  readonly retailer: string;
  readonly price: number;
  readonly inStock: boolean | null;
};

type Row = { retailer: string; price: number | null; in_stock: boolean | null };
type Bar = { readonly date: string; readonly close: number | null };
type Body = {
  readonly current_price?: number | null;
  readonly in_stock?: boolean | null;
  readonly cross_retailer?: Readonly<Record<string, Row>>;
  readonly rows?: readonly Row[];
  readonly observations?: readonly (Omit<Row, 'retailer'> & { retailer?: string })[];
  readonly timeframe?: string;
  readonly price_history?: { readonly series?: readonly Bar[] };
};

/** Returns the newest price of each retailer, from each place in an answer that states it. */
function shownIn(body: Body, anchor: string): readonly Shown[] {
  const shown: Shown[] = [];
  const show = (place: string, retailer: string, price?: number | null, stock?: boolean | null) => {
    if (typeof price === 'number') shown.push({ place, retailer, price, inStock: stock ?? null });
  };
  show('current_price', anchor, body.current_price, body.in_stock);
  const bars = body.price_history?.series?.toSorted((a, b) => a.date.localeCompare(b.date));
  show('series', anchor, bars?.at(-1)?.close);
  for (const row of Object.values(body.cross_retailer ?? {}))
    show('cell', row.retailer, row.price, row.in_stock);
  for (const row of body.rows ?? []) show('row', row.retailer, row.price, row.in_stock);
  const seen = new Set<string>();
  for (const { retailer = anchor, price, in_stock: stock } of body.observations ?? []) {
    if (!seen.has(retailer)) show('observation', retailer, price, stock);
    seen.add(retailer);
  }
  return shown;
}

type Judged = { readonly compared: number; readonly wrong: readonly string[] };

/** `least`: what was acknowledged before the request, with all its writes complete by now. */
export function judge(text: string, product: Product, least: Least, nowMs: number): Judged {
  // SAFETY: every field is looked at before it is used.
  const body = JSON.parse(text) as Body;
  const [anchor] = product.listings;
  const shown = shownIn(body, anchor.listing.retailer);
  const wrong = shown.flatMap((each) => {
    const counted = product.listings.find(({ listing }) => listing.retailer === each.retailer);
    return counted === undefined ? [] : staleness(each, counted, least);
  });
  const isOld = body.timeframe === '30d' && anchor.seenAtMs < nowMs - 29 * DAY_MS;
  const isMissing = !shown.some(({ retailer }) => retailer === anchor.listing.retailer);
  if (isMissing && !isOld) wrong.push('no price of the first listing');
  return { compared: shown.length, wrong };
}

function staleness(
  { place, price, inStock }: Shown,
  { listing, fromCents, begun, stock }: Counted,
  least: Least,
): readonly string[] {
  const version = Math.round(price * 100) - fromCents;
  const acknowledged = least.get(listing.retailer) ?? 0;
  const name = `${place} of ${listing.retailer}`;
  if (version < acknowledged || version > begun) {
    return [`${name}: version ${version}, not ${acknowledged} to ${begun}`];
  }
  const isRight = inStock === null || inStock === stock[version];
  return isRight ? [] : [`${name}: version ${version} with in_stock ${String(inStock)}`];
}
