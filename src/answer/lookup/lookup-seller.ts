// GET /v1/sellers: a retailer_w seller by either of its ids (D32). Its page address contains the public number. That is
// known only if an offer or a product page has shown it next to the id of 32 characters.

import type { FetchContext } from '../../base/fetch-context.ts';
import { DAY_MS, dayOf, isDoneSince } from '../../base/clock.ts';
import { FaultError, type Fault } from '../../base/fault.ts';
import {
  readSellerId,
  sellerStatus,
  type SellerId,
  type SellerProfile,
} from '../../base/listing/seller.ts';
import { isRetailerItself } from '../../read/retailers/retailer-w/state-seller.ts';
import { writeChanges } from '../../data/answers/answer-writes.ts';
import type { StoredSeller } from '../../data/answers/sellers.ts';
import type { Store } from '../../data/store.ts';
import { askRetailer, type AskParts } from '../collect/asking/ask-retailer.ts';
import type { ExclusiveWork } from '../collect/coordination/exclusive-work.ts';
import { STALE_MS } from '../collect/freshness.ts';
import { deleteMiss, upsertMiss, type Miss } from '../../data/answers/misses.ts';
import { tallied, writeTally } from '../collect/storing/read-tally.ts';
import { createSharedWork, type SharedWork } from '../collect/coordination/single-flight.ts';

/** D38: a profile is fresh for seven days. */
const SELLER_FRESH_MS = 7 * DAY_MS;

export type SellerAnswer = { readonly profile: SellerProfile; readonly fetchedAtMs: number };

export type LookupSeller = {
  /** Throws the fault of a text that is not a seller id. Reads and fetches nothing. */
  parse(text: string): SellerId;
  /** Returns the stored profile, or null if it must be fetched first. Throws the typed 404s. */
  fromStore(id: SellerId): Promise<SellerAnswer | null>;
  fromShops(id: SellerId, context: FetchContext): Promise<SellerAnswer>;
};

type LookupSellerParts = AskParts & {
  readonly store: Store;
  readonly exclusive: ExclusiveWork;
  readonly inBackground: (work: (context: FetchContext) => Promise<unknown>) => void;
};

type SellerParts = LookupSellerParts & {
  readonly share: SharedWork<SellerOutcome>;
};

/** The outcome of fetching a profile. */
type SellerOutcome =
  | ({ readonly kind: 'read' } & SellerAnswer)
  | { readonly kind: 'miss'; readonly miss: Miss }
  | { readonly kind: 'failed'; readonly fault: Fault };

export function createLookupSeller(given: LookupSellerParts): LookupSeller {
  const parts: SellerParts = {
    ...given,
    share: createSharedWork<SellerOutcome>({ kind: 'failed', fault: LATE }),
  };
  return {
    parse,
    fromStore: (id) => fromStore(parts, id),
    fromShops: (id, context) => fromShops(parts, id, context),
  };
}

function parse(text: string): SellerId {
  const id = readSellerId(text);
  if (id !== null) return id;
  throw new FaultError({
    code: 'invalid_identifier',
    parameter: 'seller_id',
    detail:
      'A seller ID is either 32 letters and digits (`seller_id_hex` of an offer) or the public number ' +
      '(`seller_id` of an offer).',
  });
}

async function fromStore(parts: SellerParts, id: SellerId): Promise<SellerAnswer | null> {
  const seller = await shownSeller(parts, id);
  const { stored: answer, catalogId } = seller;
  if (answer === null) return null;
  if (parts.clock.now() - answer.fetchedAtMs > STALE_MS) return null;
  if (!isFresh(parts, answer) && catalogId !== null) {
    parts.inBackground((context) => collect(parts, seller, catalogId, context));
  }
  return withStatus(parts, seller, answer);
}

/** The answer with the seller's status (D92), which changes with the day and with offers, and is therefore not stored. */
function withStatus(
  { clock }: SellerParts,
  { offeredAtMs }: StoredSeller,
  answer: SellerAnswer,
): SellerAnswer {
  const isOffering = offeredAtMs !== null && dayOf(offeredAtMs) === dayOf(clock.now());
  const { profile } = answer;
  return { ...answer, profile: { ...profile, status: sellerStatus(profile, isOffering) } };
}

function isFresh({ clock }: SellerParts, { fetchedAtMs }: SellerAnswer): boolean {
  const nowMs = clock.now();
  return isDoneSince(fetchedAtMs, nowMs - SELLER_FRESH_MS, nowMs);
}

async function fromShops(
  parts: SellerParts,
  id: SellerId,
  context: FetchContext,
): Promise<SellerAnswer> {
  const seller = await shownSeller(parts, id);
  const { catalogId } = seller;
  if (catalogId === null) throw new FaultError(WITHOUT_NUMBER);
  const known = await parts.store.misses.findMiss(missName(catalogId), parts.clock.now());
  const collected: SellerOutcome =
    known === null
      ? await collect(parts, seller, catalogId, context)
      : { kind: 'miss', miss: known };
  if (collected.kind === 'read') {
    if (collected.profile.sellerType === 'FIRST_PARTY') throw firstParty();
    return withStatus(parts, seller, collected);
  }
  if (collected.kind === 'miss') {
    throw new FaultError({ code: 'not_found', detail: collected.miss.detail });
  }
  // D38: if the fetch fails, the stored profile is served, however old.
  if (seller.stored !== null) return withStatus(parts, seller, seller.stored);
  throw new FaultError(collected.fault);
}

/**
 * Returns the seller as shown by an offer or a page. Throws the 404 for the retailer itself, and for a seller that was never
 * seen.
 */
async function shownSeller(parts: SellerParts, id: SellerId): Promise<StoredSeller> {
  if (isRetailerItself(id)) throw firstParty();
  const seller = await parts.store.sellers.findSeller(id);
  if (seller === null) throw new FaultError(NEVER_SHOWN);
  const isItself = seller.hexId !== null && isRetailerItself({ kind: 'hex', value: seller.hexId });
  if (isItself || seller.type === '1p') throw firstParty();
  return seller;
}

const NEVER_SHOWN: Fault = {
  code: 'not_found',
  parameter: 'seller_id',
  detail:
    'This seller has not been seen in an offer yet. Look up one of its products with its offers ' +
    '(`include_offers=true`), then repeat this call.',
};

/** The fault of a seller whose public number is unknown: its page address needs the number. */
const WITHOUT_NUMBER: Fault = {
  code: 'upstream_unavailable',
  retryAfterSeconds: 3_600,
  detail:
    'The public number of this seller is not known yet, and its page cannot be fetched without it. Look up one of its ' +
    'products with its offers, then repeat this call.',
};

function firstParty(): FaultError {
  return new FaultError({
    code: 'first_party_seller',
    parameter: 'seller_id',
    detail: 'This is the retailer itself, which has no marketplace profile.',
  });
}

/** Fetches a seller's page and stores its data. Concurrent calls share one fetch. */
function collect(
  parts: SellerParts,
  seller: StoredSeller,
  catalogId: string,
  context: FetchContext,
): Promise<SellerOutcome> {
  return parts.share(catalogId, context, async (shared) => {
    const ran = await parts.exclusive.inTurn(`seller ${catalogId}`, shared, async () => {
      // Another process may have stored the profile after the caller read the store.
      const stored = await parts.store.sellers.findSeller({ kind: 'catalog', value: catalogId });
      return stored !== null && stored.stored !== null && isFresh(parts, stored.stored)
        ? { kind: 'read' as const, ...stored.stored }
        : fetchAndStore(parts, seller, catalogId, shared);
    });
    return ran.ran ? ran.value : { kind: 'failed', fault: LATE };
  });
}

async function fetchAndStore(
  parts: SellerParts,
  seller: StoredSeller,
  catalogId: string,
  context: FetchContext,
): Promise<SellerOutcome> {
  const question = { kind: 'seller', catalogSellerId: catalogId } as const;
  const counting = tallied(parts);
  const outcome = await askRetailer(counting, 'retailer_w', question, context);
  if (outcome.kind !== 'read' || outcome.answer.kind !== 'seller') {
    await writeTally(parts.store, counting.tally);
  }
  if (outcome.kind === 'failed') return { kind: 'failed', fault: outcome.fault };
  if (outcome.kind === 'miss') return storeMiss(parts, catalogId, 'has no seller with this number');
  const { answer, fetchedAtMs, origin } = outcome;
  if (answer.kind !== 'seller') return { kind: 'failed', fault: UNREADABLE };
  const named = answer.seller.sellerId;
  if (seller.hexId !== null && named !== null && named !== seller.hexId) {
    await writeTally(parts.store, counting.tally);
    return storeMiss(parts, catalogId, "shows another seller under this seller's number");
  }
  const profile = { ...answer.seller, sellerId: named ?? seller.hexId };
  const type = profile.sellerType;
  const shown = {
    hexId: profile.sellerId,
    catalogId,
    type: type === null ? null : type === 'FIRST_PARTY' ? ('1p' as const) : ('3p' as const),
  };
  await writeChanges(
    parts.store.sql,
    [{ kind: 'seller-profile', seller: shown, profile, fetchedAtMs, origin }],
    [...deleteMiss(missName(catalogId)), ...counting.tally.take()],
  );
  return { kind: 'read', profile, fetchedAtMs };
}

/** This call's deadline passed while another call was still fetching the page. */
const LATE: Fault = {
  code: 'upstream_unavailable',
  upstream: 'upstream_timeout',
  retryAfterSeconds: 1,
  detail: 'Another call was still fetching the page of this seller. Try again.',
};

async function storeMiss(
  parts: SellerParts,
  catalogId: string,
  what: string,
): Promise<SellerOutcome> {
  const miss = { detail: `retailer_w ${what}. The seller may be inactive.`, upstream: null };
  const { store, clock } = parts;
  await store.sql.write(upsertMiss(missName(catalogId), miss, clock.now()));
  return { kind: 'miss', miss };
}

function missName(catalogId: string): string {
  return `seller ${catalogId}`;
}

const UNREADABLE: Fault = {
  code: 'source_unusable',
  upstream: 'upstream_bad_response',
  detail: 'The page of the seller could not be read.',
};
