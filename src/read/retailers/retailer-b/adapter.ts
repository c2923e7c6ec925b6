// retailer_b: its sources, in the order they are tried. Its APIs (products by SKU or UPC, open-box offers by SKU) share one
// key.

import { wireForms } from '../../../base/identifiers/gtin.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import type { PageRequest } from '../../../base/listing/page.ts';
import type { RetailerAdapter, Access, Source } from '../adapter.ts';
import { barcodeSearch, productPages } from '../page-sources.ts';
import { retailerBOperation } from './operations.ts';
import { retailerBAddressBook, searchUrl, API_ORIGIN, isSku } from './address-book.ts';

const NEEDS = ['API_KEY'] as const;

/** The fields requested: all fields would be ten times as many bytes. */
const FIELDS = [
  'sku,upc,name,type,manufacturer,modelNumber,productId,active,regularPrice,salePrice,onSale',
  'onlineAvailability,orderable,inStorePickup,freeShipping,shippingCost,shippingWeight',
  'weight,height,width,depth,customerReviewAverage,customerReviewCount,condition,preowned',
  'marketplace,sellerId,categoryPath,bestSellingRank,image,largeImage,shortDescription,longDescription',
  'details.name,details.value',
].join(',');

function get(path: string, query: Readonly<Record<string, string>>, access: Access): PageRequest {
  const apiKey = access.credentials['API_KEY'] ?? '';
  const search = new URLSearchParams({ ...query, apiKey, format: 'json' });
  return { url: `${API_ORIGIN}${path}?${search.toString()}`, accept: 'json' };
}

/**
 * Builds the request for products by SKU or UPC. It includes inactive products, because one that left the catalog is gone,
 * not unknown (D24).
 */
function byAttribute(name: 'sku' | 'upc', value: string, access: Access): PageRequest {
  const query = { show: FIELDS, pageSize: '10' };
  return get(`/v1/products(${name}=${value}&active=*)`, query, access);
}

function skuOf(identifier: Identifier): string | null {
  return identifier.kind === 'retailer_b_sku' && isSku(identifier.value) ? identifier.value : null;
}

/** The API supports SKU and UPC; product ids and EANs require the pages. */
const productsSource: Source = {
  name: 'products',
  needs: NEEDS,
  isOfficial: true,
  isAuthoritative: true,
  readerOf: () => 'api:products',
  operationOf: retailerBOperation,
  request: (question, access) => {
    if (question.kind === 'product') {
      const sku = skuOf(question.identifier);
      return sku === null ? null : byAttribute('sku', sku, access);
    }
    if (question.kind !== 'barcode') return null;
    const { upc } = wireForms(question.gtin);
    return upc === null ? null : byAttribute('upc', upc, access);
  },
};

const openBoxSource: Source = {
  name: 'open_box',
  account: 'products',
  needs: NEEDS,
  isOfficial: true,
  isAuthoritative: true,
  readerOf: () => 'api:open_box',
  operationOf: retailerBOperation,
  request: (question, access) => {
    const sku = question.kind === 'offers' ? skuOf(question.identifier) : null;
    return sku === null ? null : get(`/beta/products/${sku}/openBox`, {}, access);
  },
};

export const retailerBAdapter: RetailerAdapter = {
  slug: 'retailer_b',
  pagePricesFrom: 'state',
  book: retailerBAddressBook,
  sources: [
    productsSource,
    openBoxSource,
    productPages(retailerBAddressBook),
    barcodeSearch(searchUrl),
  ],
};
