// Requests to retailer_h's gateway: one operation, its variables, and the fields used by the readers. Prices depend on a
// store and deliveries on a zip code; the operator configures both.

import type { PageRequest } from '../../../base/listing/page.ts';
import { retailerHGatewayUrl, RETAILER_H_ORIGIN } from './address-book.ts';

/** Maximum hits per search: requests for more get 403. */
const PAGE_SIZE = 24;

type StoreAndZip = { readonly storeId: string; readonly zipCode: string };

const PRODUCT_FIELDS = `
  itemId
  identifiers { itemId productLabel brandName canonicalUrl modelNumber upc upcGtin13 storeSkuNumber parentId productType isSuperSku }
  pricing(storeId: $storeId) { value original message specialBuy unitOfMeasure }
  availabilityType { type discontinued status buyable }
  media { images { url sizes type subType } }
  reviews { ratingsReviews { averageRating totalReviews } }
  badges(storeId: $storeId) { name label }
  fulfillment(storeId: $storeId, zipCode: $zipCode) {
    backordered
    fulfillmentOptions {
      type
      fulfillable
      services {
        type
        deliveryTimeline
        deliveryDates { startDate endDate }
        hasFreeShipping
        freeDeliveryThreshold
        totalCharge
        locations { isAnchor locationId storeName inventory { isInStock isOutOfStock isLimitedQuantity quantity } }
      }
    }
  }`;

const DETAIL_FIELDS = `
  details { description highlights descriptiveAttributes { name value } }
  specificationGroup { specTitle specifications { specName specValue } }
  taxonomy { breadCrumbs { label url } }
  info { hidePrice quantityLimit returnable prop65Warning productDepartment }`;

const PRODUCT_QUERY = `query productClientOnlyProduct($itemId: String!, $storeId: String, $zipCode: String) {
  product(itemId: $itemId) {${PRODUCT_FIELDS}${DETAIL_FIELDS}
  }
}`;

const SEARCH_QUERY = `query searchModel($keyword: String, $storeId: String, $zipCode: String, $startIndex: Int, $pageSize: Int) {
  searchModel(keyword: $keyword, storeId: $storeId, storefilter: ALL, channel: DESKTOP) {
    searchReport { totalProducts }
    metadata { searchRedirect }
    products(startIndex: $startIndex, pageSize: $pageSize) {${PRODUCT_FIELDS}
    }
  }
}`;

type Operation = {
  readonly operationName: string;
  readonly variables: Readonly<Record<string, string | number>>;
  readonly query: string;
};

function gatewayRequest(operation: Operation, path: string): PageRequest {
  return {
    url: retailerHGatewayUrl(operation.operationName),
    accept: 'json',
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-experience-name': 'general-merchandise',
      'x-hd-dc': 'origin',
      'x-debug': 'false',
      'x-current-url': path,
      origin: RETAILER_H_ORIGIN.origin,
      referer: RETAILER_H_ORIGIN.href,
    },
    body: JSON.stringify(operation),
  };
}

/** Requests the product with an item id, for a store and zip code. */
export function productRequest(itemId: string, storeAndZip: StoreAndZip): PageRequest {
  const variables = { itemId, ...storeAndZip };
  const operation = { operationName: 'productClientOnlyProduct', variables, query: PRODUCT_QUERY };
  return gatewayRequest(operation, `/p/${itemId}`);
}

/** Requests a text search, for a store and zip code. */
export function searchRequest(keyword: string, storeAndZip: StoreAndZip): PageRequest {
  const variables = { keyword, ...storeAndZip, startIndex: 0, pageSize: PAGE_SIZE };
  const operation = { operationName: 'searchModel', variables, query: SEARCH_QUERY };
  return gatewayRequest(operation, `/s/${encodeURIComponent(keyword)}`);
}
