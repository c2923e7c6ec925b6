// retailer_w: its sources, in the order in which they are tried.

import type { PageRequest } from '../../../base/listing/page.ts';
import type { RetailerQuestion, RetailerAdapter, Source } from '../adapter.ts';
import {
  barcodeSearchUrl,
  OFFERS_TENANT,
  offersUrl,
  retailerWAddressBook,
  reviewsUrl,
  sellerPageUrl,
} from './address-book.ts';
import { affiliateSource } from './affiliate-source.ts';
import { marketplaceSource } from './marketplace-source.ts';

function pageUrl(question: RetailerQuestion): string | null {
  switch (question.kind) {
    case 'product':
      return retailerWAddressBook.productUrl(question.identifier);
    case 'barcode':
      return barcodeSearchUrl(question.gtin);
    case 'reviews':
      return question.identifier.kind === 'item_id'
        ? reviewsUrl(question.identifier.value, question.page)
        : null;
    case 'seller':
      return sellerPageUrl(question.catalogSellerId);
    case 'offers':
    case 'restriction':
    case 'fulfillment_eligibility':
      return null;
  }
}

const pages: Source = {
  name: 'page',
  needs: [],
  isAuthoritative: true,
  readerOf: (kind) => (kind === 'barcode' ? 'search' : kind),
  request: (question) => {
    const url = pageUrl(question);
    return url === null ? null : { url, accept: 'html' };
  },
};

/** The site's own query for all sellers. Its hash changes with site releases, so it is a setting. */
const offers: Source = {
  name: 'page_offers',
  needs: ['OFFERS_HASH'],
  isAuthoritative: true,
  takes: ['offers'],
  readerOf: () => 'offers',
  request: (question, access): PageRequest | null => {
    if (question.kind !== 'offers' || question.identifier.kind !== 'item_id') return null;
    const hash = access.credentials['OFFERS_HASH'] ?? '';
    const url = offersUrl(question.identifier.value, hash);
    if (url === null) return null;
    const headers = {
      'x-apollo-operation-name': 'GetAllSellerOffers',
      'x-o-platform': 'rweb',
      'x-o-bu': OFFERS_TENANT,
      'x-o-mart': 'B2C',
      'x-o-segment': 'oaoh',
      wm_mp: 'true',
    };
    return { url, accept: 'json', headers };
  },
};

export const retailerWAdapter: RetailerAdapter = {
  slug: 'retailer_w',
  pagePricesFrom: 'state',
  book: retailerWAddressBook,
  sources: [affiliateSource, marketplaceSource, pages, offers],
};
