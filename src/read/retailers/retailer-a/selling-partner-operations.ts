// The operations of retailer_a's Selling Partner API: the documented limits of their calls, and how catalog items and offers
// are asked for in one call. An operation follows from the address of a request. Pure.

import { readGtin, type Gtin14 } from '../../../base/identifiers/gtin.ts';
import type {
  ApiOperation,
  AskedTogether,
  CallLimit,
  Page,
  PageRequest,
} from '../../../base/listing/page.ts';
import { at, listAt, numberAt, textAt } from '../../page-data/json/json-path.ts';
import { jsonBody, withJsonBody } from '../json-body.ts';

/** Identifiers of one call, and results of one page: what the API takes at most. */
const MOST = 20;
const CATALOG = '/catalog/2022-04-01/items';

function limit(name: string, perSecond: number, burst: number): CallLimit {
  return { name: `retailer_a.selling_partner ${name}`, perSecond, burst };
}

const SEARCH_CATALOG = limit('searchCatalogItems', 2, 2);
const CATALOG_ITEM = limit('getCatalogItem', 2, 2);
const ITEM_OFFERS = limit('getItemOffers', 0.5, 1);
const ITEM_OFFERS_BATCH = limit('getItemOffersBatch', 0.1, 1);
const RESTRICTIONS = limit('getListingsRestrictions', 5, 10);
const ELIGIBILITY = limit('getItemEligibilityPreview', 1, 1);

export function sellingPartnerOperation(request: PageRequest): ApiOperation | null {
  const url = new URL(request.url);
  const { pathname } = url;
  if (pathname === CATALOG) return catalogSearch(request, url);
  if (pathname === '/listings/2021-08-01/restrictions') return { limit: RESTRICTIONS };
  if (pathname === '/fba/inbound/v1/eligibility/itemPreview') return { limit: ELIGIBILITY };
  const [, catalogAsin] = /^\/catalog\/2022-04-01\/items\/([A-Z0-9]{10})$/.exec(pathname) ?? [];
  if (catalogAsin !== undefined) return catalogItem(request, url, catalogAsin);
  const [, asin] = /^\/products\/pricing\/v0\/items\/([A-Z0-9]{10})\/offers$/.exec(pathname) ?? [];
  return asin === undefined ? null : itemOffers(request, url, asin);
}

type Searched = { readonly type: string; readonly item: string };

/** How identifiers of one type are searched together; the rest of the query is that of the request. */
function searchedTogether(
  request: PageRequest,
  query: URLSearchParams,
  { type, item }: Searched,
): Omit<AskedTogether, 'shares'> {
  const rest = new URLSearchParams(query);
  rest.delete('identifiers');
  rest.set('identifiersType', type);
  rest.set('pageSize', String(MOST));
  const ofAll = (items: readonly string[], more = {}): PageRequest => {
    const search = new URLSearchParams({ identifiers: items.join(','), ...more });
    for (const [name, value] of rest) search.set(name, value);
    const url = new URL(`${CATALOG}?${search.toString()}`, request.url);
    return { ...request, url: url.href, operation: null };
  };
  return {
    kind: `searchCatalogItems ${rest.toString()}`,
    item,
    most: MOST,
    limit: SEARCH_CATALOG,
    request: ofAll,
    next: (items, page) => {
      const pageToken = textAt(jsonBody(page), 'pagination.nextToken');
      return pageToken === null ? null : ofAll(items, { pageToken });
    },
  };
}

/** A search by one code. It is shared only if its answer can be told from those of the others: by the codes of the items. */
function catalogSearch(request: PageRequest, { searchParams }: URL): ApiOperation {
  const item = searchParams.get('identifiers') ?? '';
  const type = searchParams.get('identifiersType') ?? '';
  if (!/^\d{8,14}$/.test(item)) return { limit: SEARCH_CATALOG };
  const together = searchedTogether(request, searchParams, { type, item });
  return { limit: SEARCH_CATALOG, together: { ...together, shares: itemsByCode } };
}

function itemsByCode(pages: readonly Page[]): (code: string) => Page | null {
  const [first] = pages;
  const roots = pages.map(jsonBody);
  if (first === undefined || !roots.every((root) => Array.isArray(at(root, 'items')))) {
    return () => first ?? null;
  }
  const all = roots
    .flatMap((root) => listAt(root, 'items', MOST))
    .map((item) => ({ item, codes: codesOf(item) }));
  // What states no code, or stands on a page that was not read, may be what a code without items would have found.
  const isOpen = all.some(({ codes }) => codes.length === 0) || isUnfinished(roots);
  return (code) => {
    const wanted = readGtin(code);
    const found = all.filter(({ codes }) => wanted !== null && codes.includes(wanted));
    if (found.length === 0 && isOpen) return null;
    const items = found.map(({ item }) => item);
    return withJsonBody(first, { numberOfResults: items.length, items });
  };
}

function isUnfinished(roots: readonly unknown[]): boolean {
  return textAt(roots.at(-1), 'pagination.nextToken') !== null;
}

function codesOf(item: unknown): readonly Gtin14[] {
  return listAt(item, 'identifiers', 30)
    .flatMap((each) => listAt(each, 'identifiers', 50))
    .map((entry) => {
      const field = textAt(entry, 'identifierType') === 'ISBN' ? 'isbn' : 'gtin';
      return readGtin((textAt(entry, 'identifier') ?? '').slice(0, 60), field);
    })
    .filter((code) => code !== null);
}

/** An item by its ASIN: several are a search by ASINs, whose results have the same form. */
function catalogItem(request: PageRequest, { searchParams }: URL, asin: string): ApiOperation {
  const shares: AskedTogether['shares'] = (pages) => {
    const all = pages.map(jsonBody).flatMap((root) => listAt(root, 'items', MOST));
    const [first] = pages;
    return (wanted) => {
      const found = all.find((item) => textAt(item, 'asin') === wanted);
      // The search leaves out what it does not have, for which the item's own address gives a reason.
      return found === undefined || first === undefined ? null : withJsonBody(first, found);
    };
  };
  const together = searchedTogether(request, searchParams, { type: 'ASIN', item: asin });
  return { limit: CATALOG_ITEM, together: { ...together, shares } };
}

/** The offers of an ASIN. A call for several has an answer of its own for each, with its own status. */
function itemOffers(request: PageRequest, { searchParams }: URL, asin: string): ApiOperation {
  const query = Object.fromEntries(searchParams);
  const one = (each: string): object => {
    return { uri: `/products/pricing/v0/items/${each}/offers`, method: 'GET', ...query };
  };
  const together: AskedTogether = {
    kind: `getItemOffersBatch ${searchParams.toString()}`,
    item: asin,
    most: MOST,
    limit: ITEM_OFFERS_BATCH,
    request: (items) => ({
      ...request,
      url: new URL('/batches/products/pricing/v0/itemOffers', request.url).href,
      method: 'POST',
      headers: { ...request.headers, 'content-type': 'application/json' },
      body: JSON.stringify({ requests: items.map(one) }),
      operation: null,
    }),
    shares: ownAnswers,
  };
  return { limit: ITEM_OFFERS, together };
}

function ownAnswers([page]: readonly Page[]): (asin: string) => Page | null {
  const responses = page === undefined ? [] : listAt(jsonBody(page), 'responses', MOST);
  return (asin) => {
    const own = responses.find(
      (each) => (textAt(each, 'request.Asin') ?? textAt(each, 'body.payload.ASIN')) === asin,
    );
    if (page === undefined || own === undefined) return null;
    return withJsonBody(
      page,
      at(own, 'body') ?? {},
      numberAt(own, 'status.statusCode') ?? page.status,
    );
  };
}
