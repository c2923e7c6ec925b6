// retailer_a's Selling Partner API: the catalog by barcode or ASIN, offers of one or several ASINs, restrictions and inbound
// eligibility.

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
import { apiAnswer, jsonOf, textOf } from '../request.ts';
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
  const isBatch = pathname === '/batches/products/pricing/v0/itemOffers';
  const isOfListing = offersId !== undefined || isRestrictions || isEligibility;
  if (!isCatalog && !isBatch && !isOfListing) return null;
  const failed = failedAnswer(state.failing, { api: 'selling_partner' }, request);
  if (failed !== null) return failed;
  const token = request.headers['x-amz-access-token'] ?? null;
  const stored = state.tokens.check('selling_partner', token, request.atMs);
  if (stored === 'expired') return expiredAnswer('selling_partner');
  if (stored === 'unknown') {
    const details = 'The access token you provided is revoked, malformed or invalid.';
    return fault(403, 'Unauthorized', 'Access to requested resource is denied.', details);
  }
  if (isBatch) return offersBatch(state, request);
  if (isCatalog && catalogId === undefined) return catalogSearch(state, request);
  if (isRestrictions) return restrictionsAnswer(state, request);
  const asin = catalogId ?? offersId ?? searchParams.get('asin') ?? '';
  const isEmpty = state.failing.get('selling_partner') === 'empty';
  const listing = isEmpty ? null : state.market.find('retailer_a', asin);
  if (listing === null || troubleAt(listing) === 'gone') {
    return notFound(asin);
  }
  const refused = refusal(state, listing, request);
  if (refused !== null) return refused;
  const view = listingViewAt(state.market, listing, request.atMs);
  if (isEligibility) return apiAnswer(200, { payload: eligibilityOf(view) });
  if (offersId === undefined) return apiAnswer(200, catalogItem(view));
  return offersAnswer(view);
}

const INTERNAL = { code: 'InternalFailure', message: 'An error occurred.', details: '' };

function notFound(asin: string): SimulatedAnswer {
  const message = `Requested item '${asin}' not found in marketplace ${MARKETPLACE}.`;
  return fault(404, 'NOT_FOUND', message);
}

/** Identifiers, or requests, of one call. */
const MOST = 20;

/** Answers several requests for offers: each has its own status, and the call has 200. */
function offersBatch(state: RetailerState, request: ShopRequest): SimulatedAnswer {
  const { requests } = jsonOf(request);
  if (request.method !== 'POST' || !Array.isArray(requests)) {
    return fault(400, 'InvalidInput', 'requests is required');
  }
  if (requests.length === 0 || requests.length > MOST) {
    return fault(400, 'InvalidInput', `requests must have 1 to ${MOST} members`);
  }
  const responses = requests.map((each: Readonly<Record<string, unknown>>) => {
    const MarketplaceId = textOf(each['MarketplaceId']);
    const ItemCondition = textOf(each['ItemCondition']);
    const Asin = /\/items\/([A-Z0-9]{10})\/offers$/.exec(textOf(each['uri']))?.[1] ?? '';
    const listing = state.market.find('retailer_a', Asin);
    const isRight = MarketplaceId === MARKETPLACE && ItemCondition === 'New';
    const answer = !isRight
      ? fault(400, 'InvalidInput', 'MarketplaceId and ItemCondition are required')
      : listing === null || troubleAt(listing) === 'gone'
        ? notFound(Asin)
        : (refusal(state, listing, request) ??
          offersAnswer(listingViewAt(state.market, listing, request.atMs)));
    const isJson = answer.kind === 'page' && answer.type.startsWith('application/json');
    const statusCode = isJson ? answer.status : 500;
    const body = isJson ? (JSON.parse(answer.body) as unknown) : { errors: [INTERNAL] };
    return {
      headers: { 'x-amzn-RequestId': `request-${Asin}` },
      status: { statusCode, reasonPhrase: statusCode === 200 ? 'OK' : 'Error' },
      body,
      request: { MarketplaceId, ItemCondition, Asin },
    };
  });
  return apiAnswer(200, { responses });
}

function offersAnswer(view: ListingView): SimulatedAnswer {
  const { listing } = view;
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
  const codes = (query.get('identifiers') ?? '').split(',').filter(Boolean);
  if (codes.length > MOST) {
    return fault(400, 'InvalidInput', `identifiers must have at most ${MOST} members`);
  }
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
  const there = found.filter((listing) => troubleAt(listing) !== 'gone');
  const pageSize = Math.min(MOST, Number(query.get('pageSize') ?? 10) || 10);
  const from = Number(/^from-(\d+)$/.exec(query.get('pageToken') ?? '')?.[1] ?? 0);
  const items = there
    .slice(from, from + pageSize)
    .map((listing) => catalogItem(listingViewAt(market, listing, request.atMs)));
  const to = from + pageSize;
  const pagination = to < there.length ? { nextToken: `from-${to}` } : {};
  return apiAnswer(200, { numberOfResults: there.length, pagination, items });
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
const SELLING_MESSAGES: Readonly<Record<SellingLimit, string>> = {
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
const NOT_TAKEN = 'FBA_INB_0097';

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
