// How items of retailer_w's affiliate API are asked for by several ids in one call. The API states no limit a second. Pure.

import type { ApiOperation, Page, PageRequest } from '../../../base/listing/page.ts';
import { at, listAt, textAt } from '../../page-data/json/json-path.ts';
import { jsonBody, withJsonBody } from '../json-body.ts';
import { AFFILIATE_BASE } from './address-book.ts';

/** Maximum number of ids in one call of the API. */
const MOST = 20;

/** Returns the operation of a request for an item; null for any other. */
export function affiliateOperation(request: PageRequest): ApiOperation | null {
  const { origin, pathname, search } = new URL(request.url);
  const [, id] = /\/items\/(\d+)$/.exec(pathname) ?? [];
  if (id === undefined) return null;
  const ofAll = (ids: readonly string[]): PageRequest => {
    const query = new URLSearchParams({
      ids: ids.join(','),
      ...Object.fromEntries(new URLSearchParams(search)),
    });
    return { ...request, url: `${AFFILIATE_BASE}/items?${query.toString()}`, operation: null };
  };
  const kind = `retailer_w.affiliate items ${origin}${search}`;
  const together = { kind, item: id, most: MOST, limit: null, request: ofAll, shares: itemsById };
  return { limit: null, together };
}

/** An id without an item is one that the catalog does not have. */
function itemsById([page]: readonly Page[]): (id: string) => Page | null {
  const root = page === undefined ? null : jsonBody(page);
  return (id) => {
    if (page === undefined || !Array.isArray(at(root, 'items'))) return page ?? null;
    const items = listAt(root, 'items', MOST).filter((item) => textAt(item, 'itemId') === id);
    return withJsonBody(page, { items });
  };
}
