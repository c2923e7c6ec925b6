// Two search engines: SearXNG's JSON and Brave's API. They find the product pages of every retailer and shop, and mix in
// other pages.

import type { SimulatedAnswer } from './answer.ts';
import type { SimulatedRetailer } from './simulated-retailer.ts';
import { searchListings } from './simulated-retailer.ts';
import { KNOWN_SLUGS } from '../src/base/retailer.ts';
import type { KnownSlug } from '../src/base/retailer.ts';
import type { Market } from './market/market.ts';
import { apiAnswer } from './request.ts';
import type { ShopRequest } from './request.ts';
import { SANDBOX_ACCESS } from './tokens.ts';
import { addressOf } from './world.ts';

type Hit = { readonly url: string; readonly title: string; readonly text: string };

const A_PAGE = 10;

export function searchProviderAnswer(
  market: Market,
  retailers: Readonly<Record<KnownSlug, SimulatedRetailer>>,
  request: ShopRequest,
): SimulatedAnswer | null {
  const { pathname, searchParams } = request.url;
  const query = searchParams.get('q') ?? '';
  if (pathname === '/res/v1/web/search') {
    if (request.headers['x-subscription-token'] !== SANDBOX_ACCESS.apiKey) {
      return apiAnswer(422, {
        type: 'ErrorResponse',
        error: { code: 'SUBSCRIPTION_TOKEN_INVALID' },
      });
    }
    const results = hitsFor(market, retailers, query).map(({ url, title, text }) => ({
      url,
      title,
      description: text,
    }));
    return apiAnswer(200, { type: 'search', query: { original: query }, web: { results } });
  }
  if (pathname !== '/search') return null;
  // SearXNG answers with JSON only if its settings allow it and the request says so.
  if (searchParams.get('format') !== 'json') return apiAnswer(403, { error: 'format not allowed' });
  const results = hitsFor(market, retailers, query).map(({ url, title, text }, at) => ({
    url,
    title,
    content: text,
    engine: 'sandbox',
    engines: ['sandbox'],
    positions: [at + 1],
    score: 1 / (at + 1),
    category: 'general',
    thumbnail: null,
  }));
  return apiAnswer(200, {
    query,
    number_of_results: 0,
    results,
    answers: [],
    corrections: [],
    infoboxes: [],
    suggestions: [],
    unresponsive_engines: [],
  });
}

/** Returns product pages that match a query, between an article and a category page that do not. */
function hitsFor(
  market: Market,
  retailers: Readonly<Record<KnownSlug, SimulatedRetailer>>,
  query: string,
): readonly Hit[] {
  const site = /(?:^|\s)site:(\S+)/i.exec(query)?.[1]?.toLowerCase() ?? '';
  const [siteHost = ''] = site.split('/');
  const words = query
    .replace(/(?:^|\s)site:\S+/i, ' ')
    .replaceAll('"', ' ')
    .trim();
  const isAsked = (address: string): boolean => {
    const { hostname } = new URL(address);
    return siteHost === '' || hostname === siteHost || hostname.endsWith(`.${siteHost}`);
  };
  const pages = KNOWN_SLUGS.flatMap((slug) =>
    searchListings(market, slug, words, 3).map((listing) => ({
      url: retailers[slug].address(market, listing),
      title: listing.product.title,
      text: `Buy ${listing.product.title}.`,
    })),
  );
  const shops = searchListings(market, 'retailer_w', words, 3).flatMap(({ product }) =>
    product.atShop === null
      ? []
      : [{ url: addressOf(product.atShop), title: product.title, text: product.description }],
  );
  const noise = KNOWN_SLUGS.map((slug) => ({
    url: `${market.origins[slug].page}/guides/how-to-choose`,
    title: 'How to choose',
    text: words,
  }));
  const fitting = [...pages, ...shops].filter(({ url }) => isAsked(url));
  const [unrelated, ...rest] = noise.filter(({ url }) => isAsked(url));
  return [...(unrelated === undefined ? [] : [unrelated]), ...fitting, ...rest].slice(0, A_PAGE);
}
