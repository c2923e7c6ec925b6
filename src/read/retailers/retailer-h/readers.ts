// The readers of retailer_h's answers, by name.

import type { Readers } from '../adapter.ts';
import { readGatewayProduct, readGatewaySearch } from './gateway.ts';
import { readProductPage } from './product-page.ts';
import { readReviews } from './reviews.ts';
import { readSearchPage } from './search-page.ts';

export const retailerHReaders: Readers = {
  product: readProductPage,
  search: readSearchPage,
  reviews: readReviews,
  'api:graphql_product': readGatewayProduct,
  'api:graphql_search': readGatewaySearch,
};
