// The readers of retailer_w's answers, by name.

import type { Readers } from '../adapter.ts';
import { readAffiliateItem, readAffiliateSearch } from './affiliate-answer.ts';
import { readAffiliateReviews } from './affiliate-reviews.ts';
import { readMarketplaceSearch } from './marketplace-answer.ts';
import { readOffersAnswer } from './offers-answer.ts';
import { readProductPage } from './product-page.ts';
import { readReviewsPage } from './reviews-page.ts';
import { readSearchPage } from './search-page.ts';
import { readSellerPage } from './seller-page.ts';

export const retailerWReaders: Readers = {
  product: readProductPage,
  search: readSearchPage,
  offers: readOffersAnswer,
  reviews: readReviewsPage,
  seller: readSellerPage,
  'api:affiliate_item': readAffiliateItem,
  'api:affiliate_search': readAffiliateSearch,
  'api:affiliate_reviews': readAffiliateReviews,
  'api:marketplace_search': readMarketplaceSearch,
};
