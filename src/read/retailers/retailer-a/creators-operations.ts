// The limit of retailer_a's Creators API, and how items are asked for by several ASINs in one call. Pure.

import type { ApiOperation, CallLimit, Page, PageRequest } from '../../../base/listing/page.ts';
import { listAt, textAt } from '../../page-data/json/json-path.ts';
import { parseScriptJson } from '../../page-data/json/bounded-json.ts';
import { jsonBody, withJsonBody } from '../json-body.ts';

/** Maximum number of ids in one call of the API. */
const MOST = 10;
/** The call limit of a new account, over all of the API. */
const LIMIT: CallLimit = { name: 'retailer_a.creators calls', perSecond: 1, burst: 1 };

export function creatorsOperation(request: PageRequest): ApiOperation {
  const root = parseScriptJson(request.body ?? '');
  const item = textAt(root, 'itemIds.0');
  if (item === null || typeof root !== 'object') return { limit: LIMIT };
  const ofAll = (itemIds: readonly string[]): PageRequest => {
    return { ...request, body: JSON.stringify({ ...root, itemIds }), operation: null };
  };
  const kind = `retailer_a.creators getItems ${JSON.stringify({ ...root, itemIds: [] })}`;
  const together = { kind, item, most: MOST, limit: LIMIT, request: ofAll, shares: itemsByAsin };
  return { limit: LIMIT, together };
}

/** An ASIN has an item, or an error that names it. Of one that has neither nothing is known. */
function itemsByAsin([page]: readonly Page[]): (asin: string) => Page | null {
  const root = page === undefined ? null : jsonBody(page);
  const items = listAt(root, 'itemsResult.items', MOST);
  const errors = listAt(root, 'errors', MOST);
  return (asin) => {
    if (page === undefined) return null;
    const item = items.find((each) => textAt(each, 'asin')?.toUpperCase() === asin);
    if (item !== undefined) return withJsonBody(page, { itemsResult: { items: [item] } });
    const error = errors.find((each) => JSON.stringify(each).includes(asin));
    return error === undefined ? null : withJsonBody(page, { errors: [error] });
  };
}
