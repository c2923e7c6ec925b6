// Converts retailer_w's page of a marketplace seller to its profile. The page does not state the seller's state or the age
// of the account: these are null.

import type { Page, PageVerdict } from '../../../base/listing/page.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { EMPTY_SELLER } from '../../../base/listing/seller.ts';
import type { SellerProfile } from '../../../base/listing/seller.ts';
import type { UnknownWords } from '../../../base/listing/vocabularies/unknown-words.ts';
import { boolAt, listAt } from '../../page-data/json/json-path.ts';
import { countAt, lineAt, starsAt } from '../../page-data/json/json-values.ts';
import { sellerPageUrl } from './address-book.ts';
import { absenceOf, isState, partsOf, readPageState } from './page-state.ts';
import { sellerOf } from './state-seller.ts';

function locationOf(seller: unknown): SellerProfile['location'] {
  const location = {
    city: lineAt(seller, 'city', 200),
    state: lineAt(seller, 'state', 200),
    postalCode: lineAt(seller, 'postalCode', 40),
    country: lineAt(seller, 'country', 100) ?? lineAt(seller, 'countryCode', 100),
  };
  return Object.values(location).every((part) => part === null) ? null : location;
}

/** Paths of the item count in the modules of the page. */
const COUNTS = [
  'configs.itemStacks.count',
  'configs.itemStacks.totalItemCount',
  'configs.itemStacks.aggregatedCount',
  'configs.itemStacks.itemStacks.0.count',
  'configs.itemStacks.paginationV2.totalItemCount',
];

/**
 * Returns the number of listings: the largest count of the item lists, because the whole shop's list includes the others.
 */
function listingsOf(initial: unknown): number | null {
  const modules = ['contentLayout.modules', 'data.contentLayout.modules'].flatMap((path) =>
    listAt(initial, path, 100),
  );
  const counts = modules.flatMap((each) => COUNTS.flatMap((path) => countAt(each, path) ?? []));
  return counts.length === 0 ? null : Math.max(...counts);
}

/** Reads a seller page, or the GraphQL reply with the same content. */
export function readSellerPage(page: Page, words: UnknownWords): PageVerdict<RetailerAnswer> {
  const state = readPageState(page, words);
  if (!isState(state)) return state;
  const { seller: node } = partsOf(state.initial);
  if (node === null) return absenceOf(state, 'seller');
  const { name, hexId, catalogId, type, isPro, rating, reviewCount } = sellerOf(node);
  if (name === null && hexId === null && catalogId === null) {
    return { kind: 'unreadable', why: 'a seller without a name and a number' };
  }
  const ratingCount = countAt(node, 'sellerReviews.totalReviewCount') ?? reviewCount;
  const average = starsAt(node, 'sellerReviews.averageOverallRating') ?? rating;
  const seller: SellerProfile = {
    ...EMPTY_SELLER,
    sellerId: hexId,
    catalogSellerId: catalogId,
    name,
    rating: ratingCount === 0 ? null : average,
    ratingCount,
    activeListings: listingsOf(state.initial),
    sellerType: type === null ? null : type === '1p' ? 'FIRST_PARTY' : 'EXTERNAL',
    proSeller: isPro ?? boolAt(node, 'proSeller'),
    profileUrl: catalogId === null ? null : sellerPageUrl(catalogId),
    location: locationOf(node),
  };
  return { kind: 'read', value: { kind: 'seller', seller }, notes: { missing: [], remarks: [] } };
}
