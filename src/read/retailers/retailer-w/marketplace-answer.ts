// Reads answers of retailer_w's marketplace API (official, for its sellers): the search of the whole catalog by barcode.

import { readGtinWithLostZero } from '../../../base/identifiers/gtin.ts';
import { EMPTY_LISTING } from '../../../base/listing/listing.ts';
import type { Listing } from '../../../base/listing/listing.ts';
import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { at, boolAt, listAt, textAt } from '../../page-data/json/json-path.ts';
import { addressAt, lineAt, moneyAt, proseAt, starsAt } from '../../page-data/json/json-values.ts';
import { titleCondition } from '../../titles/title-condition.ts';
import { jsonBody } from '../json-body.ts';
import { readApiStatus } from '../page-status.ts';
import { retailerWAddressBook } from './address-book.ts';

/** Returns the listing of a hit, with few facts; the barcode only when the answer contains it. */
function hitOf(item: unknown): Listing {
  const itemId = textAt(item, 'itemId')?.trim() ?? '';
  const identifier = { kind: 'item_id', value: itemId, retailer: 'retailer_w' } as const;
  const url = retailerWAddressBook.productUrl(identifier);
  const title = lineAt(item, 'title');
  const code = textAt(item, 'upc') ?? textAt(item, 'gtin');
  const isOthers = boolAt(item, 'isMarketPlaceItem');
  const unit = textAt(item, 'price.currency') ?? 'USD';
  return {
    ...EMPTY_LISTING,
    url,
    itemId: url === null ? null : itemId,
    gtin: code === null ? null : readGtinWithLostZero(code.slice(0, 100)),
    title,
    brand: lineAt(item, 'brand', 300),
    description: proseAt(item, 'description'),
    imageUrl: addressAt(item, 'images.0.url'),
    price: moneyAt(item, 'price.amount', /^[A-Z]{3}$/.test(unit) ? unit : null),
    condition: titleCondition(title),
    rating: starsAt(item, 'customerRating'),
    sellerType: isOthers === null ? null : isOthers ? '3p' : '1p',
  };
}

function complaintOf(root: unknown): string | null {
  return lineAt(root, 'error.0.description', 200) ?? lineAt(root, 'error.0.code', 200);
}

/** Reads a search; `{}` means no hits. */
export function readMarketplaceSearch(page: Page): PageVerdict<RetailerAnswer> {
  const root = jsonBody(page);
  if (page.status === 400) {
    return {
      kind: 'retry',
      why: `the marketplace API refused: ${complaintOf(root) ?? page.status}`,
    };
  }
  const early = readApiStatus(page, /not[ _]found/i.test(complaintOf(root) ?? ''));
  if (early !== null) return early;
  if (typeof root !== 'object' || root === null || Array.isArray(root)) {
    return { kind: 'unreadable', why: 'the response is not an object' };
  }
  const said =
    lineAt(root, 'error.0.description', 200) ?? lineAt(root, 'errors.0.description', 200);
  const hasErrors = listAt(root, 'error', 1).length + listAt(root, 'errors', 1).length > 0;
  if (said !== null || hasErrors) {
    return { kind: 'retry', why: `the marketplace API says: ${said ?? 'an error'}` };
  }
  const items = at(root, 'items');
  if (items !== undefined && items !== null && !Array.isArray(items)) {
    return { kind: 'unreadable', why: 'the items are not a list' };
  }
  const hits = listAt(root, 'items', 100)
    .map(hitOf)
    .filter(({ itemId }) => itemId !== null);
  const value: RetailerAnswer = { kind: 'search', hits, total: hits.length };
  return { kind: 'read', value, notes: { missing: [], remarks: [] } };
}
