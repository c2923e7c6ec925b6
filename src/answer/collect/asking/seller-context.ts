// A marketplace listing as seen with a seller's own credentials: whether the seller may list it, and whether the
// marketplace would fulfil it. Requested during the call and never stored; concurrent calls share an answer (D33).

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Identifier } from '../../../base/identifiers/parse-identifier.ts';
import { FaultError, type Fault } from '../../../base/fault.ts';
import type {
  RequestedAddOns,
  Product,
  ProductSellerContext,
  SellerContextNull,
} from '../../../rules/product/product.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import { isMarketplace, KNOWN_SLUGS, type KnownSlug } from '../../../base/retailer.ts';
import { ruledOut, type Measures } from '../../../rules/product/selling-rules.ts';
import type { RetailerQuestion } from '../../../read/retailers/adapter.ts';
import { bookOf } from '../../../read/retailers/addresses/address-books.ts';
import { askRetailer, CANNOT_ASK, type AskParts } from './ask-retailer.ts';
import { STILL_FETCHING } from './failed-fetch.ts';
import { createSharedWork } from '../coordination/single-flight.ts';
import type { ListingAddress } from '../../../base/listing/stored-listing.ts';
import type { SellerContext } from '../../../base/listing/seller.ts';

/**
 * The seller's view of one listing; null if the retailer is not a marketplace. A field is null if no source can be asked, or
 * the source does not know the listing. `measures` are the product's, as far as they are known. Throws 503
 * `upstream_unavailable` when a source that can be asked does not answer.
 */
type SellerContextOf = (
  listing: ListingAddress,
  measures: Measures,
  context: FetchContext,
) => Promise<SellerContext | null>;

/** Adds the seller's view to a product, and to its cells if it has any. Throws as `SellerContextOf` does. */
export type AskSellerContext = (
  product: Product,
  context: FetchContext,
) => Promise<Pick<RequestedAddOns, 'sellerContext' | 'sellerContextNull' | 'crossRetailer'>>;

/** The outcome of one question to a seller API. `unknown`: no source takes it, or the source does not know the listing. */
type SellerApiOutcome =
  | { readonly kind: 'read'; readonly answer: RetailerAnswer; readonly atMs: number }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'failed'; readonly fault: Fault };

const DEFAULT_RETRY_SECONDS = 60;

export function createSellerContextOf(parts: AskParts): SellerContextOf {
  const share = createSharedWork<SellerApiOutcome>({ kind: 'failed', fault: STILL_FETCHING.fault });

  async function answerTo(
    slug: KnownSlug,
    question: RetailerQuestion & { readonly identifier: Identifier },
    context: FetchContext,
  ): Promise<RetailerAnswer | null> {
    const startedMs = parts.clock.now();
    const name = `${question.kind} ${slug} ${question.identifier.value}`;
    const ask = () => share(name, context, (shared) => askOnce(parts, slug, question, shared));
    let outcome = await ask();
    // A shared answer from before this call began is too old for this call.
    if (outcome.kind === 'read' && outcome.atMs < startedMs) outcome = await ask();
    if (outcome.kind === 'failed') throw unavailable(slug, outcome.fault);
    return outcome.kind === 'read' ? outcome.answer : null;
  }

  return async ({ retailer, url }, measures, context) => {
    if (!isMarketplace(retailer)) return null;
    const identifier = bookOf(retailer).reduce(new URL(url));
    const computed = ruledOut(retailer, measures);
    if (identifier === null) return { restriction: null, fulfillmentEligibility: computed };
    const [restriction, eligibility] = await Promise.all([
      answerTo(retailer, { kind: 'restriction', identifier }, context),
      answerTo(retailer, { kind: 'fulfillment_eligibility', identifier }, context),
    ]);
    return {
      restriction: restriction?.kind === 'restriction' ? restriction.restriction : null,
      fulfillmentEligibility:
        eligibility?.kind === 'fulfillment_eligibility' ? eligibility.eligibility : computed,
    };
  };
}

export function createAskSellerContext(
  contextOf: SellerContextOf,
  canAsk: AskParts['access']['canAsk'],
): AskSellerContext {
  return async (product, context) => {
    // A listing that both need is requested once: both start before an answer can come, and share it.
    const [sellerContext, crossRetailer] = await Promise.all([
      ofProduct(contextOf, product, context),
      ofCells(contextOf, product, context),
    ]);
    const sellerContextNull = nullReason(sellerContext, canAsk);
    return {
      sellerContext,
      sellerContextNull,
      ...(crossRetailer === undefined ? {} : { crossRetailer }),
    };
  };
}

/**
 * Returns the seller's view of the anchor, and of one listing of every other marketplace that the product has. Null if the
 * anchor's retailer is not a marketplace (D33).
 */
async function ofProduct(
  contextOf: SellerContextOf,
  product: Product,
  context: FetchContext,
): Promise<ProductSellerContext | null> {
  if (!isMarketplace(product.anchor.retailer)) return null;
  const listings = await Promise.all(
    marketplacesOf(product).map(async (listing) => {
      const seller = await contextOf(listing, product, context);
      return { ...listing, ...(seller ?? UNKNOWN) };
    }),
  );
  const { restriction, fulfillmentEligibility } = listings[0] ?? UNKNOWN;
  return { restriction, fulfillmentEligibility, listings };
}

/** Returns why a field is null: the caller paid for an answer and is given the reason why there is none. */
function nullReason(
  context: ProductSellerContext | null,
  canAsk: AskParts['access']['canAsk'],
): SellerContextNull | null {
  if (context === null) return 'first_party_retailer';
  if (context.listings.some(({ restriction }) => restriction !== null)) return null;
  const isAsked = context.listings.some(({ retailer, url }) => {
    if (!isMarketplace(retailer)) return false;
    const identifier = bookOf(retailer).reduce(new URL(url));
    return identifier !== null && canAsk(retailer, { kind: 'restriction', identifier });
  });
  return isAsked ? 'not_known' : 'no_source';
}

/** Adds the seller's view to every cell with a listing, except a mismatch (D35). */
async function ofCells(
  contextOf: SellerContextOf,
  { crossRetailer }: Product,
  context: FetchContext,
): Promise<Product['crossRetailer']> {
  if (crossRetailer === undefined) return undefined;
  return Promise.all(
    crossRetailer.map(async (cell) => {
      if (cell.stored === null) return cell;
      const sellerContext = await contextOf(cell.stored, cell.stored.listing, context);
      return { ...cell, sellerContext };
    }),
  );
}

const UNKNOWN: SellerContext = { restriction: null, fulfillmentEligibility: null };

/** Returns the anchor, then the first listing of each other marketplace, in slug order. */
function marketplacesOf({ anchor, listings }: Product): readonly ListingAddress[] {
  const others = KNOWN_SLUGS.filter((slug) => isMarketplace(slug) && slug !== anchor.retailer)
    .map((slug) => listings.find(({ retailer }) => retailer === slug))
    .filter((listing) => listing !== undefined);
  return [anchor, ...others];
}

async function askOnce(
  parts: AskParts,
  slug: KnownSlug,
  question: RetailerQuestion,
  context: FetchContext,
): Promise<SellerApiOutcome> {
  const outcome = await askRetailer(parts, slug, question, context);
  if (outcome.kind === 'read') {
    return { kind: 'read', answer: outcome.answer, atMs: outcome.fetchedAtMs };
  }
  if (outcome.kind === 'miss' || outcome.fault === CANNOT_ASK.fault) return { kind: 'unknown' };
  return { kind: 'failed', fault: outcome.fault };
}

/** D33: every reason gives the same fault. */
function unavailable(slug: KnownSlug, cause: Fault): FaultError {
  return new FaultError({
    code: 'upstream_unavailable',
    ...(cause.upstream === undefined ? {} : { upstream: cause.upstream }),
    retryAfterSeconds: cause.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS,
    detail:
      `The seller API of ${slug} did not respond, so its restrictions are currently unknown. Try again ` +
      'later, or call without include_seller_context.',
  });
}
