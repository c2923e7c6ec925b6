// retailer_a's Selling Partner API: the catalog by barcode, offers, restrictions and inbound eligibility.

import type { SimulatedAnswer } from '../answer.ts';
import { expiredAnswer, failedAnswer, foundBy } from '../api-failures.ts';
import { refusal, troubleAt } from '../simulated-retailer.ts';
import type { RetailerState } from '../simulated-retailer.ts';
import { printedCode } from '../market/codes.ts';
import type { Sides } from '../market/goods.ts';
import type { MarketListing } from '../market/market.ts';
import type { OfferCondition } from '../market/offers.ts';
import type { ListingView } from '../market/listing-view.ts';
import { listingViewAt } from '../market/listing-view.ts';
import { apiAnswer } from '../request.ts';
import type { ShopRequest } from '../request.ts';

/** The id of the US marketplace. */
const MARKETPLACE = 'ATVPDKIKX0DER';

function fault(status: number, code: string, message: string, details = ''): SimulatedAnswer {
  return apiAnswer(status, { errors: [{ code, message, details }] });
}

/** Answers a request. Null: no address of this API. */
export function sellingAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer | null {
  const { pathname, searchParams } = request.url;
  const catalogId = /^\/catalog\/2022-04-01\/items\/([A-Z0-9]{10})$/.exec(pathname)?.[1];
  const offersId = /^\/products\/pricing\/v0\/items\/([A-Z0-9]{10})\/offers$/.exec(pathname)?.[1];
  const isCatalog = pathname === '/catalog/2022-04-01/items' || catalogId !== undefined;
  const isRestrictions = pathname === '/listings/2021-08-01/restrictions';
  const isEligibility = pathname === '/fba/inbound/v1/eligibility/itemPreview';
  if (!isCatalog && offersId === undefined && !isRestrictions && !isEligibility) return null;
  const failed = failedAnswer(state.failing, { api: 'selling_partner' }, request);
  if (failed !== null) return failed;
  const token = request.headers['x-amz-access-token'] ?? null;
  const stored = state.tokens.check('selling_partner', token, request.atMs);
  if (stored === 'expired') return expiredAnswer('selling_partner');
  if (stored === 'unknown') {
    const details = 'The access token you provided is revoked, malformed or invalid.';
    return fault(403, 'Unauthorized', 'Access to requested resource is denied.', details);
  }
  if (isCatalog && catalogId === undefined) return catalogSearch(state, request);
  if (isRestrictions) return restrictionsAnswer(state, request);
  const asin = catalogId ?? offersId ?? searchParams.get('asin') ?? '';
  const isEmpty = state.failing.get('selling_partner') === 'empty';
  const listing = isEmpty ? null : state.market.find('retailer_a', asin);
  if (listing === null || troubleAt(listing) === 'gone') {
    return fault(
      404,
      'NOT_FOUND',
      `Requested item '${asin}' not found in marketplace ${MARKETPLACE}.`,
    );
  }
  const refused = refusal(state, listing, request);
  if (refused !== null) return refused;
  const view = listingViewAt(state.market, listing, request.atMs);
  if (isEligibility) return apiAnswer(200, { payload: eligibilityOf(view) });
  if (offersId === undefined) return apiAnswer(200, catalogItem(view));
  if (troubleAt(listing) === 'offers_unavailable') {
    return fault(503, 'ServiceUnavailable', 'The service is temporarily unavailable.');
  }
  return apiAnswer(200, { payload: offersOf(view) });
}

function catalogSearch(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const { market } = state;
  const query = request.url.searchParams;
  if ((query.get('marketplaceIds') ?? '') === '') {
    return fault(400, 'InvalidInput', 'marketplaceIds is required');
  }
  const type = query.get('identifiersType') ?? '';
  const codes = (query.get('identifiers') ?? '').split(',').filter(Boolean).slice(0, 20);
  if (codes.length > 0 && type === '')
    return fault(400, 'InvalidInput', 'identifiersType is required');
  const hits = codes.flatMap((code): readonly MarketListing[] => {
    if (type === 'ASIN') return [market.find('retailer_a', code)].filter((one) => one !== null);
    const product = market.productOf(code.padStart(14, '0'));
    return product === null ? [] : market.listingsOf('retailer_a', product);
  });
  const found = foundBy(state, 'selling_partner', hits);
  const [first] = found;
  const refused = first !== undefined && found.length === 1 ? refusal(state, first, request) : null;
  if (refused !== null) return refused;
  const items = found
    .filter((listing) => troubleAt(listing) !== 'gone')
    .map((listing) => catalogItem(listingViewAt(market, listing, request.atMs)));
  return apiAnswer(200, { numberOfResults: items.length, pagination: {}, items });
}

function sidesOf(sides: Sides, pounds: number): object {
  const inches = (value: number): object => ({ unit: 'inches', value });
  return {
    height: inches(sides.height),
    length: inches(sides.length),
    width: inches(sides.width),
    weight: { unit: 'pounds', value: pounds },
  };
}

function ranksOf({ salesRanks, origin }: ListingView): object {
  const [department, ...narrower] = salesRanks.map(({ category, rank }) => ({
    title: category,
    link: `${origin}/gp/bestsellers/1`,
    rank,
  }));
  return {
    marketplaceId: MARKETPLACE,
    classificationRanks: narrower.map((each) => ({ classificationId: '1000', ...each })),
    displayGroupRanks: [{ websiteDisplayGroup: 'household_display_on_website', ...department }],
  };
}

/** The narrowest category, with those that contain it. */
function classOf({ categories }: ListingView['product']): object {
  return categories.reduce<object>(
    (parent, displayName, at) => ({
      displayName,
      classificationId: `${1_000 + at}`,
      ...(at === 0 ? {} : { parent }),
    }),
    {},
  );
}

function catalogItem(view: ListingView): object {
  const { product, listing } = view;
  const gtin = listing.publishedGtin;
  const code = gtin === null ? null : printedCode(gtin);
  const identifiers =
    code === null ? [] : [{ identifierType: code.length === 12 ? 'UPC' : 'EAN', identifier: code }];
  return {
    asin: listing.id,
    attributes: {
      supplier_declared_dg_hz_regulation: [
        {
          value: product.hazmat === null ? 'not_applicable' : 'transportation',
          marketplace_id: MARKETPLACE,
        },
      ],
      ...(product.packCount === null
        ? {}
        : { item_package_quantity: [{ value: product.packCount, marketplace_id: MARKETPLACE }] }),
    },
    dimensions: [
      {
        marketplaceId: MARKETPLACE,
        item: sidesOf(product.sides, product.pounds),
        package: sidesOf(product.packageSides, product.packagePounds),
      },
    ],
    identifiers: [{ marketplaceId: MARKETPLACE, identifiers }],
    images: [
      {
        marketplaceId: MARKETPLACE,
        images: view.images.map((link, at) => ({
          variant: at === 0 ? 'MAIN' : `PT0${at}`,
          link,
          height: 500,
          width: 500,
        })),
      },
    ],
    classifications: [{ marketplaceId: MARKETPLACE, classifications: [classOf(product)] }],
    productTypes: [
      { marketplaceId: MARKETPLACE, productType: product.categories[1].toUpperCase() },
    ],
    salesRanks: view.salesRanks.length === 0 ? [] : [ranksOf(view)],
    summaries: [
      {
        marketplaceId: MARKETPLACE,
        brand: product.brand,
        itemName: product.title,
        manufacturer: product.brand,
        modelNumber: product.model,
        partNumber: product.mpn,
        ...(product.packCount === null ? {} : { packageQuantity: product.packCount }),
        itemClassification: 'BASE_PRODUCT',
      },
    ],
  };
}

const SUB_CONDITIONS: Readonly<Record<OfferCondition, string>> = {
  new: 'new',
  used_like_new: 'like_new',
  used_good: 'good',
  refurbished: 'refurbished',
};

/** Returns new offers only, as `ItemCondition=New` requests. */
function offersOf(view: ListingView): object {
  const offers = view.offers.filter((offer) => offer.inStock && offer.condition === 'new');
  const usd = (cents: number): object => ({ CurrencyCode: view.currency, Amount: cents / 100 });
  return {
    ASIN: view.listing.id,
    ItemCondition: 'New',
    status: offers.length === 0 ? 'NoBuyableOffers' : 'Success',
    Summary: { TotalOfferCount: offers.length },
    Offers: offers.map((offer) => ({
      SellerId: offer.seller.id,
      SubCondition: SUB_CONDITIONS[offer.condition],
      ...(offer.isFirstParty
        ? {}
        : {
            SellerFeedbackRating: {
              SellerPositiveFeedbackRating: offer.seller.positivePercent,
              FeedbackCount: offer.seller.ratingCount,
            },
          }),
      ShippingTime: { minimumHours: 24, maximumHours: 48, availabilityType: 'NOW' },
      ListingPrice: usd(offer.cents),
      Shipping: usd(offer.shippingCents),
      ShipsFrom: { Country: 'US' },
      IsFulfilledByAmazon: offer.isFulfilledByRetailer,
      PrimeInformation: { IsPrime: offer.isFulfilledByRetailer, IsNationalPrime: false },
      IsBuyBoxWinner: offer.isBuyBox,
      IsFeaturedMerchant: true,
    })),
  };
}

/** Why the simulated marketplace restricts who may sell a product; the rule is invented. */
type SellingLimit = 'APPROVAL_REQUIRED' | 'NOT_ELIGIBLE';

/**
 * Returns a product's selling limit: of nine products one needs an approval and one is closed to third parties. Null: every
 * seller may sell it.
 */
export function sellingLimitOf(index: number): SellingLimit | null {
  if (index % 9 === 4) return 'APPROVAL_REQUIRED';
  return index % 9 === 7 ? 'NOT_ELIGIBLE' : null;
}

/** The reasons in the answer; the sentences are invented. */
export const SELLING_MESSAGES: Readonly<Record<SellingLimit, string>> = {
  APPROVAL_REQUIRED: 'You need approval to list this product.',
  NOT_ELIGIBLE: 'This product takes no offers from other sellers.',
};

function restrictionOf(reasonCode: string, message: string): object {
  const reasons = [{ message, reasonCode, links: [] }];
  return { marketplaceId: MARKETPLACE, conditionType: 'new_new', reasons };
}

/** The request specifies the seller's account; an unknown ASIN has its own reason. */
function restrictionsAnswer(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const query = request.url.searchParams;
  for (const name of ['asin', 'sellerId', 'marketplaceIds']) {
    if ((query.get(name) ?? '') === '') return fault(400, 'InvalidInput', `${name} is required`);
  }
  const asin = query.get('asin') ?? '';
  const listing = state.market.find('retailer_a', asin);
  if (listing === null || troubleAt(listing) === 'gone') {
    const none = restrictionOf('ASIN_NOT_FOUND', `${asin} is not in this marketplace.`);
    return apiAnswer(200, { restrictions: [none] });
  }
  const refused = refusal(state, listing, request);
  if (refused !== null) return refused;
  const limit = sellingLimitOf(listing.product.index);
  const restrictions = limit === null ? [] : [restrictionOf(limit, SELLING_MESSAGES[limit])];
  return apiAnswer(200, { restrictions });
}

/** The warehouses do not accept flammable goods. */
export const NOT_TAKEN = 'FBA_INB_0097';

function eligibilityOf({ product, listing }: ListingView): object {
  const isEligible = product.hazmat !== 'flammable';
  return {
    asin: listing.id,
    marketplaceId: MARKETPLACE,
    program: 'INBOUND',
    isEligibleForProgram: isEligible,
    ...(isEligible ? {} : { ineligibilityReasonList: [NOT_TAKEN] }),
  };
}
