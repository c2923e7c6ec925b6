// Faults of an answer's content: prices, stock, nulls, windows, ties, fields that were not requested.

import type { Fault } from './fault.ts';

const RECORD = 'get-product/record/200-record.ts';
const HELD = 'get-product/record/200-stored.ts';
const PAGES = 'get-product/record/200-written-pages.ts';
const STOCK = 'get-product/record/200-stock.ts';
const WINDOWS = 'get-product/over-time/200-history.ts';
const CELLS = 'get-product/add-ons/200-cross-retailer.ts';
const LINKS = 'get-product/record/200-links.ts';
const OFFERS = 'get-product/add-ons/200-offers.ts';
const ANCHOR = 'get-product/record/200-anchor.ts';
const HISTORY = 'get-history/200.ts';
const REVIEWS = 'get-reviews/200.ts';
const SELLER = 'get-seller/200.ts';
const ARCHIVE = 'get-product/over-time/200-archived-offers.ts';
const BARS = 'get-product/over-time/200-price-series.ts';
const SELLING = 'get-product/add-ons/200-seller-context.ts';
const FEES = 'get-product/add-ons/200-fees.ts';
const REFRESH = 'refresh-product/200.ts';

export const FAULTS_OF_ANSWERS: readonly Fault[] = [
  {
    name: 'every amount is off by one cent',
    file: 'base/dollars.ts',
    find: 'return Number(`${cents}e-2`);',
    replace: 'return Number(`${cents + 1}e-2`);',
    tests: [HELD],
  },
  {
    name: 'a price of what is sold out is shown',
    file: 'rules/product/shown-price.ts',
    find: 'money.currency !== currency || listing.inStock === false) return null;',
    replace: 'money.currency !== currency) return null;',
    tests: [HELD],
  },
  {
    name: 'every currency counts as dollars',
    file: 'rules/product/shown-price.ts',
    find: 'if (money === null || money.currency !== currency || listing',
    replace: 'if (money === null || listing',
    tests: [HELD],
  },
  {
    name: 'a currency that is not dollars is not told',
    file: 'rules/product/compose.ts',
    find: 'nativePrice: otherPriceOf(listing, currency),',
    replace: 'nativePrice: null,',
    tests: [PAGES],
  },
  {
    name: 'an unknown price is 0',
    file: 'answer/wire/hundredths.ts',
    find: 'return cents === null ? null : amountIn(cents, currency);',
    replace: 'return amountIn(cents ?? 0, currency);',
    tests: [HELD],
  },
  {
    name: 'one retailer out of stock is enough for false',
    file: 'rules/product/compose.ts',
    find: 'if (known.includes(true)) return true;\n  return known.length > 0 ? false : null;',
    replace: 'if (known.includes(false)) return false;\n  return known.length > 0 ? true : null;',
    tests: [STOCK],
  },
  {
    name: 'unknown stock is out of stock',
    file: 'rules/product/compose.ts',
    find: 'return known.length > 0 ? false : null;',
    replace: 'return false;',
    tests: [PAGES],
  },
  {
    name: 'the weight of the box goes first',
    file: 'base/listing/listing.ts',
    find: "['weightAssembledLbs', 'weightPackageLbs', 'weightLbs']",
    replace: "['weightPackageLbs', 'weightAssembledLbs', 'weightLbs']",
    tests: [HELD],
  },
  {
    name: 'the weight of the box never fills in',
    file: 'base/listing/listing.ts',
    find: "['weightAssembledLbs', 'weightPackageLbs', 'weightLbs']",
    replace: "['weightAssembledLbs', 'weightLbs']",
    tests: [HELD],
  },
  {
    name: 'the sides of the box never fill in',
    file: 'base/listing/listing.ts',
    find: "['dimensionsAssembled', 'dimensionsPackage', 'dimensions']",
    replace: "['dimensionsAssembled', 'dimensions']",
    tests: [HELD],
  },
  {
    name: 'a weight of something unsaid goes before that of the box',
    file: 'base/listing/listing.ts',
    find: "['weightAssembledLbs', 'weightPackageLbs', 'weightLbs']",
    replace: "['weightAssembledLbs', 'weightLbs', 'weightPackageLbs']",
    tests: [HELD],
  },
  {
    name: 'shipping at unknown cost is free',
    file: 'answer/wire/record/present-record.ts',
    find: 'free: shipping.cost === null ? null : shipping.cost === 0',
    replace: 'free: shipping.cost === null || shipping.cost === 0',
    tests: [HELD],
  },
  {
    name: 'any sales tag is a number a month',
    file: 'answer/wire/record/present-record.ts',
    find: 'estimated_sales: product.soldTag === null ? null : estimatedSales(product.soldTag),',
    replace:
      'estimated_sales: product.soldTag === null ? null : Number.parseInt(product.soldTag, 10) || 0,',
    tests: [HELD],
  },
  {
    name: 'the two kinds of seller are exchanged',
    file: 'answer/wire/record/present-record.ts',
    find: "return type === '1p' ? 'first_party' : 'third_party';",
    replace: "return type === '1p' ? 'third_party' : 'first_party';",
    tests: [ANCHOR],
  },
  {
    name: 'weight and title come from one source',
    file: 'answer/wire/record/present-record.ts',
    find: 'weight_lbs_source: product.sources.weightLbs,',
    replace: 'weight_lbs_source: product.sources.title,',
    tests: [ANCHOR],
  },
  {
    name: 'retailer_b is not marked where it resolved',
    file: 'answer/wire/record/present-record.ts',
    find: "...(product.resolvedByRetailerB ? { source: 'retailer_b' as const } : {}),",
    replace: '',
    tests: [RECORD],
  },
  {
    name: 'retailer_b is marked on every record',
    file: 'answer/wire/record/present-record.ts',
    find: 'product.resolvedByRetailerB ?',
    replace: 'true ?',
    tests: [RECORD],
  },
  {
    name: 'retailer= lets others fill in',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: 'onlyAnchor ? { ...beside, carriers: [] } : beside',
    replace: 'beside',
    tests: [ANCHOR, RECORD],
  },
  {
    name: 'links stand on item id lookups',
    file: 'rules/product/compose.ts',
    find: 'if (!withLinks ||',
    replace: 'if (',
    tests: [LINKS],
  },
  {
    name: 'a window begins a day early',
    file: 'rules/history/daily-bars.ts',
    find: 'const from = daysBefore(today, days - 1);',
    replace: 'const from = daysBefore(today, days);',
    tests: [WINDOWS],
  },
  {
    name: 'the average is that of low and high',
    file: 'rules/history/daily-bars.ts',
    find: 'averageCents: Math.round(closes / held.length),',
    replace: 'averageCents: held.reduce((sum, bar) => sum + bar.lowCents, 0) / held.length,',
    tests: [WINDOWS],
  },
  {
    name: 'covered days count observations',
    file: 'rules/history/daily-bars.ts',
    find: 'daysCovered: held.length,',
    replace: 'daysCovered: held.reduce((sum, bar) => sum + bar.observations, 0),',
    tests: [WINDOWS],
  },
  {
    name: 'a bar closes with its first price',
    file: 'rules/history/daily-bars.ts',
    find: 'closeCents: cents,',
    replace: 'closeCents: span?.closeCents ?? cents,',
    tests: [WINDOWS],
  },
  {
    name: 'a bar opens with its last price',
    file: 'rules/history/daily-bars.ts',
    find: 'openCents: span?.openCents ?? cents,',
    replace: 'openCents: cents,',
    tests: [REFRESH],
  },
  {
    name: 'bars stand oldest first',
    file: 'rules/history/daily-bars.ts',
    find: 'return bars.toReversed();',
    replace: 'return bars;',
    tests: [REFRESH],
  },
  {
    name: 'an empty window is zero',
    file: 'rules/history/daily-bars.ts',
    find: 'if (held.length === 0) return null;',
    replace:
      'if (held.length === 0) return { lowCents: 0, highCents: 0, averageCents: 0, daysCovered: 0, observationCount: 0 };',
    tests: [STOCK],
  },
  {
    name: 'a year has 366 days',
    file: 'rules/history/daily-bars.ts',
    find: "'1y': 365",
    replace: "'1y': 366",
    tests: [HISTORY],
  },
  {
    name: 'the current price of a history is the oldest',
    file: 'rules/history/history-stats.ts',
    find: '.toSorted((a, b) => b.observedAtMs - a.observedAtMs)[0];',
    replace: '.toSorted((a, b) => a.observedAtMs - b.observedAtMs)[0];',
    tests: [HISTORY],
  },
  {
    name: 'a mismatch is confirmed',
    file: 'rules/product/identity.ts',
    find: "return { state: 'mismatch', method: method ?? 'page_barcode', pageBarcode, checkedAtMs };",
    replace: "return { state: 'confirmed', method, pageBarcode, checkedAtMs };",
    tests: [CELLS],
  },
  {
    name: 'a confirmed row is unconfirmed',
    file: 'rules/product/identity.ts',
    find: 'if (pageBarcode === barcode) {',
    replace: 'if (pageBarcode !== barcode) {',
    tests: [CELLS],
  },
  {
    name: 'retailer_a can be confirmed',
    file: 'rules/product/identity.ts',
    find: 'if (method === null || !isTrusted) return unconfirmed;',
    replace: 'if (!isTrusted) return unconfirmed;',
    tests: [CELLS],
  },
  {
    name: 'the confirmed filter drops nothing',
    file: 'rules/product/cell.ts',
    find: "return match === 'any' ? cells : cells.filter(",
    replace: "return match === 'any' || match === 'confirmed' ? cells : cells.filter(",
    tests: [CELLS],
  },
  {
    name: 'a stale cell is ok',
    file: 'rules/product/cell.ts',
    find: "const status = isFresh ? 'ok' : 'stale';",
    replace: "const status = 'ok';",
    tests: [CELLS],
  },
  {
    name: 'a mismatch keeps its facts',
    file: 'rules/product/cell.ts',
    find: "if (identity.state === 'mismatch') {\n    // D35",
    replace: "if (identity.state === 'confirmed' && identity.method === null) {\n    // D35",
    tests: [CELLS],
  },
  {
    name: 'an absent listing is an error',
    file: 'rules/product/cell.ts',
    find: "if (answer !== null && answer.status !== 'ok') {",
    replace: "if (answer !== null && answer.status === 'blocked') {",
    tests: [CELLS],
  },
  {
    name: 'a row that was never tied has a time of comparison',
    file: 'answer/wire/record/cells.ts',
    find: 'const checkedAtMs = isResolved ? value.checkedAtMs : null;',
    replace: 'const checkedAtMs = value.checkedAtMs ?? 0;',
    tests: [CELLS],
  },
  {
    name: 'first-party retailers have a seller context',
    file: 'answer/wire/record/present-facts.ts',
    find: 'if (!isMarketplace(retailer)) return null;',
    replace: '',
    tests: [CELLS],
  },
  {
    name: 'a sold-out offer has a price',
    file: 'base/listing/offer.ts',
    find: 'if (inStock === false || price?.currency !== currency',
    replace: 'if (price?.currency !== currency',
    tests: [OFFERS],
  },
  {
    name: 'an offer names its seller by the 32 characters',
    file: 'answer/wire/record/offer.ts',
    find: 'seller_id: offer.sellerId ?? offer.sellerIdHex,',
    replace: 'seller_id: offer.sellerIdHex ?? offer.sellerId,',
    tests: [OFFERS],
  },
  {
    name: 'retailer_a’s offers have retailer_w’s shape',
    file: 'answer/wire/record/offer.ts',
    find: "const present = retailer === 'retailer_a' ? ofA : presentOfferOfW;",
    replace: 'const present = presentOfferOfW;',
    tests: [OFFERS],
  },
  {
    name: 'offers_count is what the listing states',
    file: 'answer/wire/record/present-record.ts',
    find: 'offers_count: product.offersCount,',
    replace: 'offers_count: product.totalOffers,',
    tests: [OFFERS],
  },
  {
    name: 'three stars are positive',
    file: 'rules/product/review-summary.ts',
    find: 'positive: within(4, 5), neutral: within(3, 3)',
    replace: 'positive: within(3, 5), neutral: within(3, 3)',
    tests: [REVIEWS],
  },
  {
    name: 'the status of a seller is guessed',
    file: 'answer/wire/seller.ts',
    find: 'status: seller.status,',
    replace: "status: seller.status ?? 'ACTIVE',",
    tests: [SELLER],
  },
  {
    name: 'archived offers stand oldest first',
    file: 'data/answers/offers.ts',
    find: 'order by observed_at_ms desc, place limit $3',
    replace: 'order by observed_at_ms, place limit $3',
    tests: [ARCHIVE],
  },
  {
    name: 'a thousand archived offers are shown',
    file: 'answer/lookup/add-ons/offers-history.ts',
    find: 'const MAX_ARCHIVED = 500;',
    replace: 'const MAX_ARCHIVED = 1_000;',
    tests: [ARCHIVE],
  },
  {
    name: 'the count of archived offers is that of the rows shown',
    file: 'answer/lookup/add-ons/offers-history.ts',
    find: 'offers.length < MAX_ARCHIVED ? offers.length : await store.offers.countOffers(listing.id);',
    replace: 'offers.length;',
    tests: [ARCHIVE],
  },
  {
    name: 'an archived offer that was sold out has a former price',
    file: 'answer/wire/record/offers-history.ts',
    find: 'const isShown = inStock !== false && wasPrice?.currency === currency;',
    replace: 'const isShown = inStock !== undefined && wasPrice?.currency === currency;',
    tests: [ARCHIVE],
  },
  {
    name: 'no former price is known',
    file: 'answer/lookup/add-ons/offers-history.ts',
    find: 'wasPrice: offer.wasPrice ?? before',
    replace: 'wasPrice: null',
    tests: [ARCHIVE],
  },
  {
    name: 'any shop has a series',
    file: 'answer/lookup/add-ons/product-add-ons.ts',
    find: 'const own = ofRetailerW(stored);',
    replace: 'const own: StoredListing | null = anchor;',
    tests: [BARS],
  },
  {
    name: 'the series ends after half a year',
    file: 'answer/lookup/add-ons/product-add-ons.ts',
    find: 'findSinceOf(own, 0)',
    replace: 'findSinceOf(own, Date.now() - 180 * 86_400_000)',
    tests: [BARS],
  },
  {
    name: 'no answer means no restriction',
    file: 'rules/product/selling-rules.ts',
    find: 'if (known.length === 0) return null;',
    replace: '',
    tests: [SELLING],
  },
  {
    name: 'who allows is listed among those who restrict',
    file: 'rules/product/selling-rules.ts',
    find: 'restriction?.flag === true',
    replace: 'restriction?.flag !== undefined',
    tests: [SELLING],
  },
  {
    name: 'fees are those of twice the price',
    file: 'rules/fees/listing-fees.ts',
    find: 'const baseCents = priceCents !== null && priceCents > 0 ? priceCents : null;',
    replace: 'const baseCents = priceCents !== null && priceCents > 0 ? 2 * priceCents : null;',
    tests: [FEES],
  },
  {
    name: 'the breakdown of fees is shown unasked',
    file: 'answer/wire/record/present.ts',
    find: '...(options.includeFeeBreakdown === true',
    replace: '...(options.includeFeeBreakdown !== undefined',
    tests: [FEES],
  },
];
