// Faults of how an answer is obtained: which sources are queried, when, what counts as fresh, what is refused.

import type { Fault } from './fault.ts';

const WHOSE = 'get-history/whose.ts';
const FRESHNESS = 'get-product/over-time/200-freshness.ts';
const IDENTIFIERS = 'get-product/record/200-identifiers.ts';
const BARE_SKU = 'get-product/record/200-bare-sku.ts';
const ANCHOR = 'get-product/record/200-anchor.ts';
const WINDOWS = 'get-product/over-time/200-history.ts';
const CELLS = 'get-product/add-ons/200-cross-retailer.ts';
const OFFERS = 'get-product/add-ons/200-offers.ts';
const REFUSALS = 'get-product/refusals/400.ts';
const MISSES = 'get-product/refusals/404.ts';
const TROUBLE = 'get-product/refusals/503.ts';
const HISTORY = 'get-history/200.ts';
const REFRESH = 'refresh-product/200.ts';
const REFRESH_REFUSALS = 'refresh-product/400.ts';
const REFRESH_TROUBLE = 'refresh-product/503.ts';

export const FAULTS_OF_LOOKUPS: readonly Fault[] = [
  {
    name: 'a retailer_w that does not answer now counts as having nothing',
    file: 'answer/collect/asking/ask-retailer.ts',
    find: 'isOpen ||= !isRuledOut(outcome.fault);',
    replace: '',
    tests: [BARE_SKU],
  },
  {
    name: 'a retailer_w that cannot be asked leaves a SKU open',
    file: 'answer/lookup/lookup-product.ts',
    find: 'outcome.cannotAsk === true &&',
    replace: 'outcome.cannotAsk === null &&',
    tests: [BARE_SKU],
  },
  {
    name: 'the pages of retailer_b alone decide whose number it is',
    file: 'answer/lookup/lookup-product.ts',
    find: ' && hasOfficialSource(key.identifier)',
    replace: '',
    tests: [BARE_SKU],
  },
  {
    name: 'the record does not say who cannot be asked',
    file: 'answer/wire/record/present-record.ts',
    find: '{ not_asked: [...(product.cannotAsk ?? [])] }',
    replace: '{}',
    tests: [BARE_SKU],
  },
  {
    name: 'a forced call is answered with what is stored',
    file: 'answer/lookup/lookup-product.ts',
    find: 'if (lookup.isForced) return null;',
    replace: '',
    tests: [FRESHNESS],
  },
  {
    name: 'a forced call whose fetch fails is answered stale',
    file: 'answer/lookup/lookup-product.ts',
    find: "const isStaleServed = outcome.kind === 'failed' && !lookup.isForced;",
    replace: "const isStaleServed = outcome.kind === 'failed';",
    tests: [TROUBLE, REFRESH_TROUBLE],
  },
  {
    name: 'force_refresh alone is taken',
    file: 'answer/lookup/steps/parse-lookup.ts',
    find: '  if (retailer === undefined) {',
    replace: '  if (retailer === null) {',
    tests: [REFUSALS],
  },
  {
    name: 'what is older than a day is fetched before the answer',
    file: 'answer/lookup/steps/find-stored.ts',
    find: 'return clock.now() - readAtMs <= STALE_MS;',
    replace: 'return clock.now() - readAtMs <= 86_400_000;',
    tests: [FRESHNESS],
  },
  {
    name: 'what is older than a day is never fetched again',
    file: 'answer/lookup/steps/schedule.ts',
    find: 'return isWithheld(stored) || !isDoneSince(addressReadAtMs(stored), nowMs - FRESH_MS, nowMs);',
    replace: 'return isWithheld(stored) || nowMs - addressReadAtMs(stored) > 100 * FRESH_MS;',
    tests: [FRESHNESS],
  },
  {
    name: 'a price is fresh for two days',
    file: 'answer/collect/freshness.ts',
    find: 'export const FRESH_MS = DAY_MS;',
    replace: 'export const FRESH_MS = 2 * DAY_MS;',
    tests: [CELLS],
  },
  {
    name: 'a price is fresh for an hour',
    file: 'answer/collect/freshness.ts',
    find: 'export const FRESH_MS = DAY_MS;',
    replace: 'export const FRESH_MS = DAY_MS / 24;',
    tests: [FRESHNESS],
  },
  {
    name: 'nothing is too old to be served',
    file: 'answer/collect/freshness.ts',
    find: 'export const STALE_MS = 14 * DAY_MS;',
    replace: 'export const STALE_MS = 140 * DAY_MS;',
    tests: [FRESHNESS],
  },
  {
    name: 'the address of another shop may be named anything',
    file: 'answer/lookup/steps/find-stored.ts',
    find: 'retailer !== null && retailer !== slug',
    replace: 'retailer === slug && slug === key.identifier.kind',
    tests: [REFUSALS],
  },
  {
    name: 'a substituted listing is a 200',
    file: 'answer/collect/collect-own.ts',
    find: 'throw substituted(identifier.value, served.key);',
    replace: 'return;',
    tests: [MISSES],
  },
  {
    name: 'an ASIN is not echoed',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: "askedAsin: identifier.kind === 'asin' ? identifier.value : null,",
    replace: "askedAsin: identifier.kind === 'asin' ? 'B000000000' : null,",
    tests: [ANCHOR],
  },
  {
    name: 'asin_match stands on barcodes too',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: "if (identifier.kind !== 'asin') return null;",
    replace: "if (identifier.kind !== 'asin') return { state: 'unknown', matchedAsin: null };",
    tests: [ANCHOR],
  },
  {
    name: 'links stand on item ids',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: "withLinks: identifier.kind !== 'item_id',",
    replace: 'withLinks: true,',
    tests: ['get-product/record/200-links.ts'],
  },
  {
    name: 'the series of another retailer is not named',
    file: 'answer/wire/record/present-record.ts',
    find: "&& anchor.retailer !== 'retailer_w'",
    replace: "&& anchor.retailer === ''",
    tests: ['get-product/over-time/200-price-series.ts'],
  },
  {
    name: 'the windows are always retailer_w’s',
    file: 'answer/lookup/steps/assemble-product.ts',
    find: 'findSinceOf(anchor, fromMs)',
    replace:
      "findSinceOf(listings.find((each) => each.retailer === 'retailer_w') ?? anchor, fromMs)",
    tests: [WINDOWS],
  },
  {
    name: 'retailer_b anchors behind the others',
    file: 'rules/product/source-order.ts',
    find: "'retailer_b',\n  'retailer_h',\n  'retailer_l',\n  'retailer_e',\n  'retailer_a',",
    replace: "'retailer_a',\n  'retailer_h',\n  'retailer_l',\n  'retailer_e',\n  'retailer_b',",
    tests: [ANCHOR],
  },
  {
    name: 'measures come from the anchor first',
    file: 'rules/product/source-order.ts',
    find: 'return byOrder(PHYSICAL_ORDER, [anchor, ...others]);',
    replace: 'return [anchor, ...byOrder(PHYSICAL_ORDER, others)];',
    tests: [ANCHOR],
  },
  {
    name: 'only retailer_w is asked for a barcode',
    file: 'answer/lookup/steps/fetch-missing.ts',
    find: 'if (retailer === null && !isUsable(first.outcome)) {',
    replace: 'if (retailer === null && first.slug === gtin) {',
    tests: [ANCHOR],
  },
  {
    name: 'a mismatch at the first retailer ends the search',
    file: 'answer/lookup/steps/fetch-missing.ts',
    find: "return outcome.kind === 'read' && outcome.identity?.state !== 'mismatch';",
    replace: "return outcome.kind === 'read';",
    tests: ['get-product/refusals/404-mismatch.ts'],
  },
  {
    name: 'a silent retailer makes a barcode unknown',
    file: 'answer/lookup/steps/no-retailer.ts',
    find: 'if (silent.length > 0) {',
    replace: 'if (silent.length > 9) {',
    tests: [TROUBLE],
  },
  {
    name: 'an ASIN that begins with B is retailer_b’s',
    file: 'base/identifiers/parse-identifier.ts',
    find: 'if (isAsinOfB(code)) return [asin(code), productId(code)];',
    replace: 'if (isAsinOfB(code)) return [productId(code), asin(code)];',
    tests: [IDENTIFIERS],
  },
  {
    name: 'a SKU goes before an item id',
    file: 'base/identifiers/parse-identifier.ts',
    find: 'return [itemId(code), sku(code)];',
    replace: 'return [sku(code), itemId(code)];',
    tests: [IDENTIFIERS],
  },
  {
    name: 'eleven digits are not a shortened UPC',
    file: 'base/identifiers/parse-identifier.ts',
    find: "return [itemId(code), gtin('upc12', `0${code}`)];",
    replace: 'return [itemId(code)];',
    tests: [IDENTIFIERS],
  },
  {
    name: 'twelve digits with a wrong check digit are refused',
    file: 'base/identifiers/parse-identifier.ts',
    find: "return [gtin('upc12', code), itemId(code)];",
    replace: "return [gtin('upc12', code)];",
    tests: [IDENTIFIERS],
  },
  {
    name: 'format=ASIN of a book asks for its ISBN',
    file: 'base/identifiers/parse-identifier.ts',
    find: 'return [isAsinOfB(code) || isIsbn10(code) ? asin(code) : null];',
    replace: 'return [isAsinOfB(code) ? asin(code) : isIsbn10(code) ? isbn10(code) : null];',
    tests: [IDENTIFIERS],
  },
  {
    name: 'an item id may have thirteen digits',
    file: 'base/identifiers/parse-identifier.ts',
    find: '/^[0-9]{6,12}$/.test(value)',
    replace: '/^[0-9]{6,13}$/.test(value)',
    tests: [REFUSALS],
  },
  {
    name: 'a bare product id next to retailer= is taken',
    file: 'answer/lookup/steps/parse-lookup.ts',
    find: "if (first.kind === 'retailer_b_product_id' && !fromUrl) throw bareOnly(first);",
    replace: '',
    tests: [REFUSALS],
  },
  {
    name: 'a short number next to retailer=retailer_b is an item id',
    file: 'answer/lookup/steps/parse-lookup.ts',
    find: "if (retailer === 'retailer_b' && sku !== undefined) throw bareOnly(sku);",
    replace: '',
    tests: [REFUSALS],
  },
  {
    name: 'unavailable offers have no Retry-After',
    file: 'answer/lookup/add-ons/live-offers.ts',
    find: 'retryAfterSeconds: cause?.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS,',
    replace: '',
    tests: [OFFERS],
  },
  {
    name: 'offers that cannot be fetched are none',
    file: 'answer/lookup/add-ons/live-offers.ts',
    find: "if (fetched.kind === 'failed') throw unavailable(fetched.fault);",
    replace: "if (fetched.kind === 'failed') return NONE;",
    tests: [OFFERS],
  },
  {
    name: 'a mismatching listing has a history under the code',
    file: 'answer/lookup/history/known-listings.ts',
    find: 'published === null || sameBaseUnit(gtin, published)',
    replace: 'published === null || gtin.length > 0',
    tests: [HISTORY],
  },
  {
    name: 'a seller is fresh for a day',
    file: 'answer/lookup/lookup-seller.ts',
    find: 'const SELLER_FRESH_MS = 7 * DAY_MS;',
    replace: 'const SELLER_FRESH_MS = DAY_MS;',
    tests: ['get-seller/200.ts'],
  },
  {
    name: 'the retailer itself is a seller like any other',
    file: 'answer/lookup/lookup-seller.ts',
    find: 'if (isRetailerItself(id)) throw firstParty();',
    replace: '',
    tests: ['get-seller/404.ts'],
  },
  {
    name: 'a refresh may be answered with a page of a minute ago',
    file: 'answer/lookup/steps/fetch-missing.ts',
    find: 'const sinceMs = isForced ? parts.clock.now() : parts.clock.now() - FRESH_MS;',
    replace: 'const sinceMs = parts.clock.now() - FRESH_MS;',
    tests: [REFRESH],
  },
  {
    name: 'a bare number of retailer_b is refreshed',
    file: 'answer/lookup/steps/parse-lookup.ts',
    find: "return kind === 'retailer_b_sku' || kind === 'retailer_b_product_id';",
    replace: "return kind === 'retailer_b_product_id';",
    tests: [REFRESH_REFUSALS],
  },
  {
    name: 'a seller API that fails knows nothing',
    file: 'answer/collect/asking/seller-context.ts',
    find: "if (outcome.kind === 'failed') throw unavailable(slug, outcome.fault);",
    replace: "if (outcome.kind === 'failed') return null;",
    tests: ['get-product/add-ons/200-seller-context.ts'],
  },
  {
    name: 'cells are never asked for their seller context',
    file: 'answer/collect/asking/seller-context.ts',
    find: 'if (cell.stored === null) return cell;',
    replace: 'if (cell.stored !== undefined) return cell;',
    tests: ['get-product/add-ons/200-seller-context.ts'],
  },
  {
    name: 'a cell is indexing although no job will ask',
    file: 'rules/product/cell.ts',
    find: "awaited.has(retailer) ? 'indexing' : 'error'",
    replace: "awaited.has(retailer) ? 'indexing' : 'indexing'",
    tests: ['get-product/over-time/200-indexing.ts'],
  },
  {
    name: 'the history of an address is retailer_w’s',
    file: 'answer/lookup/history/history-retailer.ts',
    find: 'own !== null && (isFromUrl || gtin === null)',
    replace: 'own !== null && gtin === null',
    tests: [WHOSE],
  },
  {
    name: 'the history of a product without a barcode is retailer_w’s',
    file: 'answer/lookup/history/history-retailer.ts',
    find: 'own !== null && (isFromUrl || gtin === null)',
    replace: 'own !== null && isFromUrl',
    tests: [WHOSE],
  },
  {
    name: 'a shop that was never met has an empty history',
    file: 'answer/lookup/history/history-retailer.ts',
    find: 'if ((await shops.findShopBySlug(slug)) !== null) return;',
    replace: 'if ((await shops.findShopBySlug(slug)) !== undefined) return;',
    tests: [WHOSE],
  },
  {
    name: 'a disputed listing counts in the figures of all',
    file: 'answer/lookup/history/lookup-history.ts',
    find: 'if (tied.disputed.has(each.retailer)) return false;',
    replace: '',
    tests: [WHOSE],
  },
  {
    name: 'an unknown shop counts in the figures of all',
    file: 'answer/lookup/history/lookup-history.ts',
    find: 'const tied = rows.filter((row) => counts(row, own === null));',
    replace:
      'const tied = rows.filter((row) => row.stored !== null) as (typeof rows[number] & { stored: NonNullable<typeof rows[number]["stored"]> })[];',
    tests: [WHOSE],
  },
  {
    name: 'a name is not a retailer in a lookup',
    file: 'answer/lookup/steps/parse-lookup.ts',
    find: 'slugNamed(request.retailer)',
    replace: 'request.retailer',
    tests: [WHOSE],
  },
  {
    name: 'a name is not a retailer in a history',
    file: 'answer/lookup/history/history-retailer.ts',
    find: 'const slug = slugNamed(name);',
    replace: 'const slug = name;',
    tests: [WHOSE],
  },
];
