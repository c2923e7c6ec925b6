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

/** Maximum number of identifiers in one call, and of results on one page. */
const MOST = 20;
const CATALOG = '/catalog/2022-04-01/items';

function limit(name: string, perSecond: number, burst: number): CallLimit {
  return { name: `retailer_a.selling_partner ${name}`, perSecond, burst };
}

const SEARCH_CATALOG = limit('searchCatalogItems', 2, 2);
const ITEM_OFFERS = limit('getItemOffers', 0.5, 1);
const ITEM_OFFERS_BATCH = limit('getItemOffersBatch', 0.1, 1);
const RESTRICTIONS = limit('getListingsRestrictions', 5, 10);
const ELIGIBILITY = limit('getItemEligibilityPreview', 1, 1);

/** Returns the operation of a request; null if nothing is known of its limits. */
export function sellingPartnerOperation(request: PageRequest): ApiOperation | null {
  const url = new URL(request.url);
  const { pathname } = url;
  if (pathname === CATALOG) return catalogSearch(request, url);
  if (pathname === '/listings/2021-08-01/restrictions') return { limit: RESTRICTIONS };
  if (pathname === '/fba/inbound/v1/eligibility/itemPreview') return { limit: ELIGIBILITY };
  const [, asin] = /^\/products\/pricing\/v0\/items\/([A-Z0-9]{10})\/offers$/.exec(pathname) ?? [];
  return asin === undefined ? null : itemOffers(request, url, asin);
}

/** A search by one identifier. Those of the same type are searched together. */
function catalogSearch(request: PageRequest, { searchParams }: URL): ApiOperation {
  const item = searchParams.get('identifiers') ?? '';
  const isByAsin = searchParams.get('identifiersType') === 'ASIN';
  const query = new URLSearchParams(searchParams);
  query.set('pageSize', String(MOST));
  query.delete('identifiers');
  const ofAll = (items: readonly string[], more = {}): PageRequest => {
    const search = new URLSearchParams({
      identifiers: items.join(','),
      ...Object.fromEntries(query),
      ...more,
    });
    const url = new URL(`${CATALOG}?${search.toString()}`, request.url);
    return { ...request, url: url.href, operation: null };
  };
  const together: AskedTogether = {
    kind: `searchCatalogItems ${query.toString()}`,
    item,
    most: MOST,
    limit: SEARCH_CATALOG,
    request: ofAll,
    next: (items, page) => {
      const pageToken = textAt(jsonBody(page), NEXT);
      return pageToken === null ? null : ofAll(items, { pageToken });
    },
    shares: isByAsin ? itemsByAsin : itemsByCode,
  };
  return { limit: SEARCH_CATALOG, together };
}

const NEXT = 'pagination.nextToken';

const itemsByAsin: AskedTogether['shares'] = (pages, asins) =>
  itemsOfEach(pages, new Map(asins.map((asin) => [asin, asin])), (item) => {
    return [(textAt(item, 'asin') ?? '').toUpperCase()];
  });

const itemsByCode: AskedTogether['shares'] = (pages, codes) =>
  itemsOfEach(pages, new Map(codes.map((code) => [code, readGtin(code)])), codesOf);

/** Splits the items of a search by the identifiers that they state. `wanted` has the normal form of each identifier. */
function itemsOfEach(
  pages: readonly Page[],
  wanted: ReadonlyMap<string, string | null>,
  statedBy: (item: unknown) => readonly string[],
): (identifier: string) => Page | null {
  const [first] = pages;
  const roots = pages.map(jsonBody);
  if (first === undefined || !roots.every((root) => Array.isArray(at(root, 'items')))) {
    return () => first ?? null;
  }
  const all = roots
    .flatMap((root) => listAt(root, 'items', MOST))
    .map((item) => ({ item, stated: statedBy(item) }));
  const asked = new Set(wanted.values());
  // An item that states none of the requested identifiers, or is on a page that was not read, may be the item that an
  // identifier without items would have found.
  const isOpen =
    textAt(roots.at(-1), NEXT) !== null ||
    all.some(({ stated }) => !stated.some((each) => asked.has(each)));
  return (identifier) => {
    const own = wanted.get(identifier) ?? null;
    const found = all.filter(({ stated }) => own !== null && stated.includes(own));
    if (found.length === 0 && isOpen) return null;
    const items = found.map(({ item }) => item);
    return withJsonBody(first, { numberOfResults: items.length, items });
  };
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
