// What the readers of the seven retailers read from the simulated market equals its truth, fact by fact: by page and by
// API, queried as the project queries. The two share no code, so agreement means something.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DAY_MS } from '../../src/base/clock.ts';
import type { Gtin14 } from '../../src/base/identifiers/gtin.ts';
import type { Identifier } from '../../src/base/identifiers/parse-identifier.ts';
import type { Listing } from '../../src/base/listing/listing.ts';
import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { KnownSlug } from '../../src/base/retailer.ts';
import type { Source } from '../../src/read/retailers/adapter.ts';
import { ADAPTERS } from '../../src/read/retailers/adapters.ts';
import { SIMULATED_RETAILERS } from '../../sandbox/simulated-retailers.ts';
import { troubleAt } from '../../sandbox/simulated-retailer.ts';
import { itemNumber } from '../../sandbox/market/codes.ts';
import { offerTruth, sellerTruth } from '../../sandbox/market/market-truth.ts';
import type { MarketListing } from '../../sandbox/market/market.ts';
import { offersAt } from '../../sandbox/market/offers.ts';
import type { RetailerTrouble } from '../../sandbox/market/trouble-kinds.ts';
import { listingViewAt } from '../../sandbox/market/listing-view.ts';
import { seedOf } from '../support/random.ts';
import { STATED_OFFER_FACTS } from '../support/stated-offer-facts.ts';
import { factsOf, isSame, offerFacts, retailerWorld, sourceOf } from './retailer-world.ts';

const AT = Date.UTC(2026, 10, 20, 12);
/** OPENSHELF_TEST_SEED creates a different world, OPENSHELF_TEST_PRODUCTS a larger one. */
const WORLD = retailerWorld(seedOf(31), Number(process.env['OPENSHELF_TEST_PRODUCTS'] ?? 300));
const MARKET = WORLD.state.market;

function candidateOf(slug: KnownSlug, listing: MarketListing): Identifier {
  const address = SIMULATED_RETAILERS[slug].address(MARKET, listing);
  const identifier = ADAPTERS[slug].book.reduce(new URL(address));
  assert.ok(identifier, address);
  return identifier;
}

/** Kinds whose page is an ordinary one with different content. */
const READABLE: ReadonlySet<RetailerTrouble | null> = new Set([
  null,
  'sold_out',
  'wrong_barcode',
  'no_barcode',
  'foreign_currency',
  'ended',
  'offers_unavailable',
]);

const ordinary = (slug: KnownSlug): readonly MarketListing[] =>
  WORLD.listings(slug).filter((listing) => READABLE.has(troubleAt(listing)));

function differences(
  listing: MarketListing,
  read: Listing,
  names: readonly string[],
  atMs: number,
): readonly string[] {
  const { facts, url } = SIMULATED_RETAILERS[listing.slug].truth(
    listingViewAt(MARKET, listing, atMs),
  );
  const found = factsOf(read);
  return names
    .filter((name) => name in found && !isFact(name, found[name], facts[name]))
    .map(
      (name) =>
        `${url} ${name}: ${JSON.stringify(found[name])}, true is ${JSON.stringify(facts[name])}`,
    );
}

/** Pages have more than one sentence about a product, each in its own order. */
function isFact(name: string, found: unknown, wanted: unknown): boolean {
  const isText = typeof found === 'string' && typeof wanted === 'string';
  return name === 'description' && isText ? found.includes(wanted) : isSame(found, wanted);
}

/** Returns the listing in an answer: the product itself, or the hit with this number. */
function listingIn(asked: ReturnType<typeof WORLD.ask>, id: string): Listing | null {
  const { verdict } = asked;
  if (verdict?.kind !== 'read') return null;
  if (verdict.value.kind === 'product') return verdict.value.listing;
  if (verdict.value.kind !== 'search') return null;
  return verdict.value.hits.find((hit) => hit.itemId === id || hit.asin === id) ?? null;
}

function compareProducts(slug: KnownSlug, source: Source, kind: 'product' | 'barcode'): string[] {
  const reader = source.readerOf(kind);
  const wrong: string[] = [];
  for (const listing of ordinary(slug)) {
    for (const atMs of [AT, AT + 11 * DAY_MS]) {
      const gtin = listing.product.gtin14 as Gtin14;
      const question =
        kind === 'product' ? { kind, identifier: candidateOf(slug, listing) } : { kind, gtin };
      const asked = WORLD.ask(slug, source, question, atMs);
      if (asked.requests === 0) continue;
      const view = listingViewAt(MARKET, listing, atMs);
      const { exposes } = SIMULATED_RETAILERS[slug].truth(view);
      const names = exposes[reader === 'product' ? 'page' : reader];
      const read = listingIn(asked, itemNumber(listing.id));
      // An API does not return ended listings, or those of sellers who state no barcode.
      if (read === null && (view.isEnded || listing.publishedGtin === null)) continue;
      if (read === null) wrong.push(`${listing.id} ${source.name}: ${String(asked.verdict?.kind)}`);
      else wrong.push(...differences(listing, read, names ?? ['item_id', 'asin', 'title'], atMs));
    }
  }
  return wrong;
}

for (const slug of KNOWN_SLUGS) {
  for (const source of ADAPTERS[slug].sources) {
    for (const kind of ['product', 'barcode'] as const) {
      test(`${slug}, ${source.name}, by ${kind === 'product' ? 'its number' : 'barcode'}: read as it is`, () => {
        const wrong = compareProducts(slug, source, kind);
        assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} differ`);
      });
    }
  }
}

const VERDICTS: Readonly<Partial<Record<RetailerTrouble, readonly string[]>>> = {
  blocked: ['blocked'],
  wall_in_200: ['blocked'],
  throttled: ['blocked', 'retry'],
  broken: ['retry'],
  gone: ['not_found'],
  redesigned: ['unreadable', 'not_a_product', 'retry'],
};

for (const slug of KNOWN_SLUGS) {
  test(`${slug}: a page in trouble has the verdict of its trouble`, () => {
    for (const listing of WORLD.listings(slug)) {
      const wanted = VERDICTS[troubleAt(listing) ?? 'sold_out'];
      if (wanted === undefined) continue;
      const identifier = candidateOf(slug, listing);
      const source = sourceOf(slug, 'page');
      const { verdict } = WORLD.ask(slug, source, { kind: 'product', identifier }, AT);
      assert.ok(wanted.includes(verdict?.kind ?? ''), `${troubleAt(listing)}: ${verdict?.kind}`);
    }
  });
}

test('retailer_a: a substituted listing is read as the one that is shown', () => {
  const listing = WORLD.listings('retailer_a').find((one) => troubleAt(one) === 'substituted');
  assert.ok(listing);
  const identifier = candidateOf('retailer_a', listing);
  const asked = WORLD.ask(
    'retailer_a',
    sourceOf('retailer_a', 'page'),
    { kind: 'product', identifier },
    AT,
  );
  const read = listingIn(asked, '');
  assert.ok(read?.asin);
  assert.notEqual(read.asin, listing.id);
});

for (const slug of ['retailer_w', 'retailer_a'] as const) {
  test(`${slug}: the list of sellers is read as it is`, () => {
    const source = sourceOf(slug, slug === 'retailer_w' ? 'page_offers' : 'page');
    const wrong: string[] = [];
    for (const listing of ordinary(slug)) {
      if (troubleAt(listing) !== null) continue;
      const identifier = candidateOf(slug, listing);
      const { verdict } = WORLD.ask(slug, source, { kind: 'offers', identifier }, AT);
      const all = offersAt(MARKET, listing, AT);
      // retailer_a lists what can be bought; retailer_w is queried for new products.
      const wanted = all.filter((offer) =>
        slug === 'retailer_a' ? offer.inStock : offer.condition === 'new',
      );
      if (verdict?.kind !== 'read' || verdict.value.kind !== 'offers') {
        wrong.push(`${listing.id}: ${verdict?.kind}`);
        continue;
      }
      const found = verdict.value.offers.offers.map(offerFacts);
      if (found.length !== wanted.length)
        wrong.push(`${listing.id}: ${found.length} offers, not ${wanted.length}`);
      for (const [at, offer] of wanted.entries()) {
        const truth = offerTruth(slug, offer);
        for (const name of STATED_OFFER_FACTS[slug]) {
          if (isSame(found[at]?.[name], truth[name])) continue;
          wrong.push(
            `${listing.id} ${at} ${name}: ${String(found[at]?.[name])}, true is ${String(truth[name])}`,
          );
        }
      }
    }
    assert.deepEqual(wrong.slice(0, 10), [], `${wrong.length} differ`);
  });
}

test('retailer_w: sellers are read as they are', () => {
  const source = sourceOf('retailer_w', 'page');
  for (const seller of MARKET.sellers('retailer_w')) {
    const question = { kind: 'seller', catalogSellerId: seller.catalogId } as const;
    const { verdict } = WORLD.ask('retailer_w', source, question, AT);
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'seller', seller.name);
    const read = verdict.value.seller;
    const truth = sellerTruth(seller);
    const found = {
      seller_id: read.sellerId,
      catalog_seller_id: read.catalogSellerId,
      seller_name: read.name,
      rating: read.rating,
      rating_count: read.ratingCount,
      active_listings: read.activeListings,
      pro_seller: read.proSeller,
      location: {
        city: read.location?.city,
        state: read.location?.state,
        postal_code: read.location?.postalCode,
        country: read.location?.country,
      },
    };
    assert.deepEqual(found, truth);
    assert.equal(read.sellerType, 'EXTERNAL');
  }
});

test('retailer_w: reviews are read page by page, each once, with their days', () => {
  const source = sourceOf('retailer_w', 'page');
  for (const listing of WORLD.listings('retailer_w').slice(0, 60)) {
    const identifier = candidateOf('retailer_w', listing);
    const { reviews, totals } = listingViewAt(MARKET, listing, AT);
    const seen: string[] = [];
    for (let page = 1; (page - 1) * 10 < Math.max(1, reviews.length); page += 1) {
      const question = { kind: 'reviews', identifier, page } as const;
      const { verdict } = WORLD.ask('retailer_w', source, question, AT);
      assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'reviews', listing.id);
      const read = verdict.value.reviews;
      assert.equal(read.totalReviews, totals.count);
      if (totals.count > 0) assert.ok(isSame(read.averageRating, totals.average));
      seen.push(
        ...read.reviews.map(
          (one) => `${one.id} ${one.day} ${one.rating} ${one.isVerifiedPurchase}`,
        ),
      );
    }
    assert.deepEqual(
      seen,
      reviews.map((one) => `${one.id} ${one.day} ${one.stars} ${one.isVerified}`),
    );
  }
});
