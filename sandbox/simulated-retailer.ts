// The parts of a simulated retailer: the address of a listing, its facts, and the answers to requests. The failures
// that all retailers share are decided here.

import type { KnownSlug } from '../src/base/retailer.ts';
import { htmlAnswer } from './answer.ts';
import type { SimulatedAnswer } from './answer.ts';
import type { FailingApis } from './api-failures.ts';
import type { Market, MarketListing } from './market/market.ts';
import type { ListingTruth } from './market/listing-truth.ts';
import type { RetailerTrouble } from './market/trouble-kinds.ts';
import type { ListingView } from './market/listing-view.ts';
import { escapeHtml } from './markup.ts';
import { apiAnswer } from './request.ts';
import type { ShopRequest } from './request.ts';
import type { SignedCaller } from './retailer-w/signature.ts';
import type { Tokens } from './tokens.ts';

/** A retailer's state between requests; everything else follows from the market and the instant. */
export type RetailerState = {
  readonly market: Market;
  readonly tokens: Tokens;
  /** The caller whose signature retailer_w's affiliate API accepts; null: none. */
  readonly signedCaller: SignedCaller | null;
  /** When a throttled address was first requested, in milliseconds. */
  readonly throttledSince: Map<string, number>;
  /** Official APIs that currently fail in one way. */
  readonly failing: FailingApis;
  /** Whether every page refuses, and only the official APIs answer. */
  readonly isApisOnly: boolean;
  /** Retailers that currently fail entirely. */
  readonly disturbed: Map<KnownSlug, Disturbance>;
};

/**
 * How a whole retailer fails: a bot wall on every page, no connections, status 500, answers that never end, or a
 * robots.txt that forbids everything.
 */
export type Disturbance = 'blocked' | 'down' | 'broken' | 'slow' | 'disallowed';

export type SimulatedRetailer = {
  readonly slug: KnownSlug;
  /** The public address of a listing's page. */
  readonly address: (market: Market, listing: MarketListing) => string;
  readonly truth: (view: ListingView) => ListingTruth;
  /** Its page for suspected bots, with its usual status. */
  readonly wall: (market: Market) => SimulatedAnswer;
  /** Null: not found. */
  readonly answer: (state: RetailerState, request: ShopRequest) => SimulatedAnswer | null;
};

const THROTTLE_MS = 2_000;

export function troubleAt(listing: MarketListing): RetailerTrouble | null {
  const { trouble } = listing.product;
  return trouble?.slug === listing.slug ? trouble.kind : null;
}

type PageShapes = {
  readonly page: () => SimulatedAnswer;
  readonly wall: (status: 'usual' | 200) => SimulatedAnswer;
  readonly gone: () => SimulatedAnswer;
};

/** Returns the page of a listing, changed by the listing's trouble if it has one. */
export function pageOrTrouble(
  state: RetailerState,
  listing: MarketListing,
  request: ShopRequest,
  shapes: PageShapes,
): SimulatedAnswer {
  const kind = troubleAt(listing);
  if (kind === 'blocked') return shapes.wall('usual');
  if (kind === 'wall_in_200') return shapes.wall(200);
  if (kind === 'gone') return shapes.gone();
  if (kind === 'redesigned') return redesigned(shapes.page());
  return refusal(state, listing, request) ?? shapes.page();
}

/** Returns the current failure that pages and APIs share: throttled, broken, slow, down. Null: no failure now. */
export function refusal(
  state: RetailerState,
  listing: MarketListing,
  request: ShopRequest,
): SimulatedAnswer | null {
  switch (troubleAt(listing)) {
    case 'throttled': {
      const key = `${listing.slug} ${listing.id} ${request.url.pathname}`;
      const since = state.throttledSince.get(key) ?? request.atMs;
      state.throttledSince.set(key, since);
      const isOver = request.atMs - since >= THROTTLE_MS;
      return isOver
        ? null
        : apiAnswer(
            429,
            { errors: [{ code: 429, message: 'Too many requests' }] },
            { 'retry-after': '2' },
          );
    }
    case 'broken':
      return htmlAnswer(500, '<h1>Something went wrong on our side</h1>');
    case 'slow':
      return { kind: 'stalled', head: '<!doctype html>\n<html lang="en-US">\n<head>\n' };
    case 'down':
      return { kind: 'reset' };
    default:
      return null;
  }
}

/** The markers by which readers recognize a page: state objects, structured data, ids and classes. */
const LANDMARKS: readonly (readonly [RegExp, string])[] = [
  [/__NEXT_DATA__|__PRELOADED_STATE__|__APOLLO_STATE__|__TGT_DATA__/g, '__page_model__'],
  [/__PRELOADED_QUERIES__/g, '__page_queries__'],
  [/ApolloSSRDataTransport/g, 'PageModelTransport'],
  [/application\/(?:ld\+)?json/g, 'text/x-page-model'],
  [/ itemprop="/g, ' data-prop="'],
  [/"og:/g, '"page:'],
  [/ (id|class|data-testid|data-automation-id|data-asin|name)="/g, ' $1="v9-'],
  // The scripts' own property names change with the template.
  [/"([a-zA-Z_]+)":/g, '"v9_$1":'],
];

/** Returns the same page with every landmark renamed: the facts are still there, under names that no reader knows. */
function redesigned(answer: SimulatedAnswer): SimulatedAnswer {
  if (answer.kind !== 'page') return answer;
  const body = LANDMARKS.reduce((text, [from, to]) => text.replaceAll(from, to), answer.body);
  return { ...answer, body };
}

/** Returns the block page of the network that serves some retailers. */
export function accessDenied(status: 'usual' | 200, reference: string): SimulatedAnswer {
  return htmlAnswer(
    status === 200 ? 200 : 403,
    `<HTML><HEAD><TITLE>Access Denied</TITLE></HEAD><BODY><H1>Access Denied</H1>
You don't have permission to access this page on this server.<P>Reference #${reference}</BODY></HTML>
`,
  );
}

/** Returns a whole page of a retailer. */
export function retailerPage(title: string, head: string, body: string): string {
  return `<!doctype html>
<html lang="en-US">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
${head}
</head>
<body>
${body}
</body>
</html>
`;
}

/**
 * Returns the listings that a retailer's site search finds, best first, at most `most`; a barcode finds its own product
 * only.
 */
export function searchListings(
  market: Market,
  slug: KnownSlug,
  text: string,
  most: number,
): readonly MarketListing[] {
  const query = text.trim();
  const digits = query.replaceAll(/[\s-]/g, '');
  if (/^\d{8,14}$/.test(digits)) {
    const product = market.productOf(digits.padStart(14, '0'));
    return product === null ? [] : market.listingsOf(slug, product);
  }
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found: MarketListing[] = [];
  for (const listing of market.listings(slug)) {
    const title = listing.product.title.toLowerCase();
    if (words.every((word) => title.includes(word))) found.push(listing);
    if (found.length === most) break;
  }
  return found;
}
