// The readers of retailer_a's answers, by name.

import type { Readers } from '../adapter.ts';
import { readCreatorsItems, readCreatorsSearch } from './creators-api.ts';
import { readOfferList } from './offer-list.ts';
import { readProductPage } from './product-page.ts';
import { readSearchPage } from './search-page.ts';
import { readEligibility, readRestriction } from './seller-context.ts';
import { readCatalogItem, readCatalogSearch } from './selling-partner-api.ts';
import { readItemOffers } from './selling-partner-offers.ts';

export const retailerAReaders: Readers = {
  product: readProductPage,
  search: readSearchPage,
  offers: readOfferList,
  'api:creators_items': readCreatorsItems,
  'api:creators_search': readCreatorsSearch,
  'api:catalog_item': readCatalogItem,
  'api:catalog_search': readCatalogSearch,
  'api:item_offers': readItemOffers,
  'api:restrictions': readRestriction,
  'api:inbound_eligibility': readEligibility,
};
