// The readers of retailer_t's answers, by name.

import type { Readers } from '../adapter.ts';
import { readProductPage } from './product-page.ts';
import { readRedskyProduct, readRedskySearch, readRedskySummary } from './redsky-answers.ts';

export const retailerTReaders: Readers = {
  product: readProductPage,
  'api:redsky_pdp': readRedskyProduct,
  'api:redsky_summary': readRedskySummary,
  'api:redsky_search': readRedskySearch,
};
