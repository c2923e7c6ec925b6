// Faults of what a page states: its offers when no list of all sellers can be requested, and unreadable pages.

import type { Fault } from './fault.ts';

const OFFERS = 'get-product/add-ons/200-offers.ts';
const PAGE_OFFERS = 'get-product/add-ons/200-offers-of-the-page.ts';
const MISSES = 'get-product/refusals/404.ts';
const RANKS = 'get-product/record/200-sales-rank.ts';
const MOVED = 'moved-address.test.ts';
const HANDED_IN = 'pages.test.ts';
const CANDIDATES = 'candidates.test.ts';
const DOORS = 'doors.test.ts';
const UNUSABLE = 'get-product/refusals/422.ts';

export const FAULTS_OF_PAGES: readonly Fault[] = [
  {
    name: 'a candidate that contradicts what was taken passes for it',
    file: 'read/candidates/candidates.ts',
    find: 'return named !== null && isSameAmount(named, price);',
    replace: 'return named !== null;',
    tests: [CANDIDATES],
  },
  {
    name: 'text that a page hides is shown with its candidates',
    file: 'read/candidates/page-texts.ts',
    find: 'if (inner?.isHidden === true || text',
    replace: 'if (text',
    tests: [CANDIDATES],
  },
  {
    name: 'the page of a shop that is read as product JSON has candidates',
    file: 'answer/lookup/page-candidates.ts',
    find: 'return isHosted ?',
    replace: "return url === '' ?",
    tests: [CANDIDATES],
  },
  {
    name: 'candidates are read without a limit',
    file: 'server/routes/products/candidates.ts',
    find: 'await metering.takeCandidates(caller);',
    replace: '',
    tests: [CANDIDATES],
  },
  {
    name: 'a product page that cannot be read is not a product page',
    file: 'read/retailers/generic/read-page.ts',
    find: "if (unread !== null) return { kind: 'unreadable', why: unread } as const;",
    replace: '',
    tests: [UNUSABLE],
  },
  {
    name: 'every page without product data is called unreadable',
    file: 'read/page-data/unread-product.ts',
    find: 'html.headings.length === 0 && isShell(html.html)',
    replace: 'html.html !== ""',
    tests: [MISSES, UNUSABLE],
  },
  {
    name: 'a page that was a product and has changed is missing',
    file: 'answer/collect/collect-page.ts',
    find: 'return isChanged ? REDESIGNED : outcomeOfVerdict(result.verdict);',
    replace: 'return outcomeOfVerdict(result.verdict);',
    tests: [UNUSABLE],
  },
  {
    name: 'what a page states passes for the list of all sellers',
    file: 'answer/lookup/add-ons/live-offers.ts',
    find: 'const live = { retailer, offers, isComplete: false };',
    replace: 'const live = { retailer, offers, isComplete: true };',
    tests: [PAGE_OFFERS],
  },
  {
    name: 'where the configured list fails the page stands in for it',
    file: 'answer/lookup/add-ons/live-offers.ts',
    find: 'if (isForbidden) return',
    replace: "if (fetched.kind === 'failed') return",
    tests: [PAGE_OFFERS, OFFERS],
  },
  {
    name: 'offers of a page are those of the page that is stored',
    file: 'answer/lookup/add-ons/live-offers.ts',
    find: 'await collect.collect(key, sinceMs, context);',
    replace: 'await collect.collect(key, 0, context);',
    tests: [PAGE_OFFERS],
  },
  {
    name: 'the part of a list that a page states is counted as the list',
    file: 'answer/collect/storing/store-offers.ts',
    find: '...(isPartial ? [] : [',
    replace: '...(listingId === "" ? [] : [',
    tests: [PAGE_OFFERS],
  },
  {
    name: 'a first-party anchor has no offers, whoever else sells the product',
    file: 'rules/product/compose.ts',
    find: 'isAsked ? [anchor] : isOnlyRetailer ? [] : marketplaceListings(input)',
    replace: 'isAsked ? [anchor] : []',
    tests: [PAGE_OFFERS],
  },
  {
    name: 'retailer= of a first-party shop brings the offers of others',
    file: 'rules/product/compose.ts',
    find: 'isAsked ? [anchor] : isOnlyRetailer ? [] : marketplaceListings(input)',
    replace: 'isAsked ? [anchor] : marketplaceListings(input)',
    tests: [PAGE_OFFERS],
  },
  {
    name: 'only the first sales rank of a page is read',
    file: 'base/listing/vocabularies/sales-rank.ts',
    find: 'return [...ranks.values()].slice(0, MOST_RANKS);',
    replace: 'return [...ranks.values()].slice(0, 1);',
    tests: [RANKS],
  },
  {
    name: 'cells have no sales rank',
    file: 'answer/wire/record/cells.ts',
    find: 'sales_rank: presentSalesRank(listing?.salesRank ?? []),',
    replace: 'sales_rank: presentSalesRank([]),',
    tests: [RANKS],
  },
  {
    name: 'no sales rank is an empty list',
    file: 'answer/wire/record/present-facts.ts',
    find: 'if (ranks.length === 0) return null;',
    replace: '',
    tests: [RANKS],
  },
  {
    name: 'another product is filed under the old listing',
    file: 'answer/collect/storing/store-moved.ts',
    find: "if (compared === 'none_shared') return true;",
    replace: "if (compared === 'none_shared') return false;",
    tests: [MOVED],
  },
  {
    name: 'another default variant is another product',
    file: 'read/page-data/schema-org/schema-org-product.ts',
    find: 'codes: codesIn([...products, ...variants], context),',
    replace: 'codes: [],',
    tests: [MOVED],
  },
  {
    name: 'a corrected title at a new address is another product',
    file: 'answer/collect/storing/store-moved.ts',
    find: 'return before.intersection(now).size * 2 <= Math.min(before.size, now.size);',
    replace: 'return true;',
    tests: [MOVED],
  },
  {
    name: 'one reading of another product ends the old listing',
    file: 'base/listing/stored-listing.ts',
    find: 'return readAtMs - sinceMs >= HOUR_MS;',
    replace: 'return readAtMs >= sinceMs;',
    tests: [MOVED],
  },
  {
    name: 'a watch made later is about what the address showed first',
    file: 'answer/lookup/watches/watch-questions.ts',
    find: 'return storedListing === null ? null : shownAt(listings, storedListing);',
    replace: 'return storedListing;',
    tests: [MOVED],
  },
  {
    name: 'a history is of what the address showed first',
    file: 'answer/lookup/history/known-listings.ts',
    find: 'if (own === null || own.movedToId === null) return own;',
    replace: 'return own;',
    tests: [MOVED],
  },
  {
    name: 'a moved address is never read again after an answer',
    file: 'answer/lookup/steps/schedule.ts',
    find: '...(isAnchorRead ? [] : [from])',
    replace: '...(isAnchorRead ? [] : [anchor])',
    tests: [MOVED],
  },
  {
    name: "a page that was handed in is everybody's",
    file: 'answer/collect/hand-in.ts',
    find: '      owner,\n      fetchedAtMs: capturedAtMs,',
    replace: '      owner: { ...owner, isShared: true },\n      fetchedAtMs: capturedAtMs,',
    tests: [HANDED_IN],
  },
  {
    name: 'a cart is read like any page',
    file: 'read/handed-in/read-handed-in.ts',
    find: "if (sign !== null) return { kind: 'private', sign };",
    replace: '',
    tests: [HANDED_IN],
  },
  {
    name: 'a page may say that it is another item',
    file: 'answer/collect/hand-in.ts',
    find: 'if (canonical !== null && !isOfKey(canonical, key, listing))',
    replace: "if (canonical === '')",
    tests: [HANDED_IN],
  },
  {
    name: 'sixty-one pages fit in a minute',
    file: 'data/metering/forced-refreshes.ts',
    find: 'PAGES_LIMIT = 60',
    replace: 'PAGES_LIMIT = 61',
    tests: [HANDED_IN],
  },
  {
    name: 'a page may come from the future',
    file: 'answer/collect/hand-in.ts',
    find: 'if (statedMs > nowMs + SET_BACK_MS)',
    replace: 'if (statedMs < 0)',
    tests: [HANDED_IN],
  },
  {
    name: 'an older page replaces a newer one',
    file: 'answer/collect/storing/store-listing.ts',
    find: 'if (readAtMs !== null && readAtMs > facts.fetchedAtMs) {',
    replace: 'if (readAtMs === 0) {',
    tests: [HANDED_IN],
  },
  {
    name: 'any organization may delete a page',
    file: 'data/answers/own-facts.ts',
    find: "where organization_id = $1 and ($2 = '' or id = $2)",
    replace: "where ($1 <> '' and $2 = '' and organization_id = $1) or id = $2",
    tests: [HANDED_IN],
  },
  {
    name: 'a watch of pages that are handed in asks the shop',
    file: 'answer/lookup/watches/manage-watches.ts',
    find: 'nextAtMs: isHandedIn === true ? NEVER_DUE_MS : nowMs,',
    replace: 'nextAtMs: nowMs,',
    tests: [HANDED_IN],
  },
  {
    name: 'a megabyte more of HTML is accepted',
    file: 'server/routes/products/handed-in.ts',
    find: 'if (html.byteLength > MAX_HTML)',
    replace: 'if (html.byteLength > MAX_HTML + MIB)',
    tests: [HANDED_IN],
  },
  {
    name: 'an endpoint is asked whose page robots.txt forbids',
    file: 'egress/chain.ts',
    find: 'if (hop === 0 && chain.insteadOf !== undefined) {',
    replace: 'if (hop === 1 && chain.insteadOf !== undefined) {',
    tests: [DOORS],
  },
  {
    name: 'the page is asked after a refusal at another door',
    file: 'answer/collect/asking/gather-pages.ts',
    find: 'if (heldUntilMs > nowMs)',
    replace: 'if (heldUntilMs < 0)',
    tests: [DOORS],
  },
];
