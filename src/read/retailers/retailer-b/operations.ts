// The limit of retailer_b's API, which all calls of a key share, and how products are asked for by several SKUs in one call.
// Pure.

import type { ApiOperation, CallLimit, Page, PageRequest } from '../../../base/listing/page.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { jsonBody, withJsonBody } from '../json-body.ts';

/** A page has up to 100 rows. A product has some kilobytes, and twenty wait less for each other. */
const MOST = 20;
/** Five calls in any second: none follow each other at once. */
const LIMIT: CallLimit = { name: 'retailer_b.products calls', perSecond: 5, burst: 1 };

/** Returns the operation of a request. The API documents lists of SKUs, not of barcodes. */
export function retailerBOperation(request: PageRequest): ApiOperation {
  const url = new URL(request.url);
  const path = decodeURIComponent(url.pathname);
  const [, sku, rest = ''] = /^\/v1\/products\(sku=(\d+)(&.*)?\)$/.exec(path) ?? [];
  if (sku === undefined) return { limit: LIMIT };
  const query = new URLSearchParams(url.search);
  query.set('pageSize', String(MOST));
  const ofAll = (skus: readonly string[]): PageRequest => {
    const filter = encodeURI(`/v1/products(sku in(${skus.join(',')})${rest})`);
    return { ...request, url: `${url.origin}${filter}?${query.toString()}`, operation: null };
  };
  const kind = `retailer_b.products ${rest} ${query.toString()}`;
  const together = { kind, item: sku, most: MOST, limit: LIMIT, request: ofAll, shares: rowsBySku };
  return { limit: LIMIT, together };
}

/** A SKU without a row is one that the catalog does not have. */
function rowsBySku([page]: readonly Page[]): (sku: string) => Page | null {
  const root = page === undefined ? null : jsonBody(page);
  return (sku) => {
    if (page === undefined || !Array.isArray(at(root, 'products'))) return page ?? null;
    const products = listAt(root, 'products', MOST).filter((row) => textAt(row, 'sku') === sku);
    return withJsonBody(page, { total: products.length, products });
  };
}
