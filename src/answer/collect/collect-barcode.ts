// Finds the listing that a known retailer has for a barcode. It searches, reads, and ties a listing to the barcode (D35).
// The listing and the retailer's answer for the barcode are stored in one transaction (D34).

import type { FetchContext } from '../../base/fetch-context.ts';
import { isDoneSince, isoTimestamp } from '../../base/clock.ts';
import type { KnownSlug } from '../../base/retailer.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Origin } from '../../base/listing/origin.ts';
import { identityMethodOf, NOT_CHECKED, tie, type Identity } from '../../rules/product/identity.ts';
import { originOfSource } from '../../read/retailers/adapter.ts';
import { identifierOfListing } from '../../read/retailers/addresses/own-identifier.ts';
import { retailerHits } from '../../read/retailers/search/search-answers.ts';
import { searchHostOf } from '../../read/retailers/search/search-requests.ts';
import { writeChanges } from '../../data/answers/answer-writes.ts';
import type { StoredBarcodeAnswer } from '../../data/answers/barcode-answers.ts';
import { listingIdOf } from '../../data/answers/listings.ts';
import {
  askRetailer,
  CANNOT_ASK,
  type FailedOutcome,
  type RetailerOutcome,
} from './asking/ask-retailer.ts';
import type { CollectOutcome, CollectParts } from './collect-outcome.ts';
import { likelyHits, type LikelyHits } from './asking/likely-hits.ts';
import { tallied, writeTally, type ReadTally } from './storing/read-tally.ts';
import {
  answerFoundVia,
  askProduct,
  completed,
  listingToStore,
  lossOf,
  ownAddressOf,
  type AnsweredListing,
  type OwnAddress,
} from './asking/retailer-listing.ts';
import { searchWebByBarcode } from './asking/search-web.ts';
import {
  deleteMissOf,
  givenListing,
  listingChanges,
  storedListing,
} from './storing/store-listing.ts';
import { storeRead } from './storing/store-read.ts';

type BarcodeRequest = {
  readonly retailer: KnownSlug;
  readonly gtin: Gtin14;
  /** A check at or after this moment counts as the answer. */
  readonly sinceMs: number;
};

type TalliedParts = CollectParts & { readonly tally: ReadTally };

type ReadOutcome = Extract<RetailerOutcome, { kind: 'read' }>;

/** A listing read for a barcode, and whether it is the product of that barcode. */
type TiedAnswer = AnsweredListing & {
  readonly identity: Identity;
  /** Whether it comes from an official source, and no other source was asked for the facts that it lacks. */
  readonly isPartial?: boolean;
};

/** Maximum product pages read for one barcode: near misses are among a search's first hits. */
const MAX_PAGES = 3;

/**
 * Collects the confirmed listing, else the best one. The retailer's answer is stored either way, unless nothing was asked.
 */
export async function collectBarcode(
  given: CollectParts,
  request: BarcodeRequest,
  context: FetchContext,
): Promise<CollectOutcome> {
  const parts = tallied(given);
  const { retailer, gtin } = request;
  const storedAnswer = await storedOutcome(parts, request);
  if (storedAnswer !== null) return storedAnswer;
  const direct = await askRetailer(parts, retailer, { kind: 'barcode', gtin }, context);
  const outcome = direct === CANNOT_ASK ? await findByWebSearch(parts, request, context) : direct;
  if (outcome.kind === 'miss') {
    await writeWithoutListing(parts, request, { status: 'not_found', judgedBy: null });
    return outcome;
  }
  // No request was sent, so there is no attempt to store.
  if (outcome === CANNOT_ASK) return outcome;
  if (outcome.kind === 'failed') return storeFailure(parts, request, outcome);
  const likely = await likelyHits(parts, retailer, gtin);
  const { answers, failure } =
    outcome.kind === 'answers'
      ? { answers: outcome.answers, failure: null }
      : await readHits(parts, request, { outcome, likely }, context);
  const best = bestOf(
    retailer,
    answers.filter(({ listing }) => likely.isLikely(listing)),
  );
  // D36: a page that did not answer may have been the product's. Another product's page does not disprove that.
  if (failure !== null && (best === null || best.answer.identity.state === 'mismatch')) {
    return storeFailure(parts, request, failure);
  }
  if (best === null) {
    const judgedBy = hasHits(outcome) ? likely.judgedBy : null;
    await writeWithoutListing(parts, request, { status: 'not_found', judgedBy });
    const detail = `${retailer} shows no listing that can be tied to this barcode. ${OTHER_WAY}`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  // The retailer's next sources may state the barcode.
  const answer =
    best.answer.isPartial === true
      ? tiedTo(request, await completed(parts, retailer, best.answer, context))
      : best.answer;
  const loss = await lossOf(parts, retailer, answer);
  if (loss !== null) return storeFailure(parts, request, loss);
  // Only a guess is judged by other listings: a listing that states a barcode needs no comparison.
  const isGuess = answer.identity.state === 'unconfirmed';
  return storeTied(
    parts,
    request,
    { ...best, answer, judgedBy: isGuess ? likely.judgedBy : null },
    context,
  );
}

/** Advice for a caller who knows the page. */
const OTHER_WAY = 'If it has the product, send the address of its page.';

/** Checks whether anything was found that could have been judged. */
function hasHits(outcome: ReadOutcome | Extract<WebSearchOutcome, { kind: 'answers' }>): boolean {
  if (outcome.kind === 'answers') return outcome.answers.length > 0;
  const { answer } = outcome;
  return answer.kind === 'product' || (answer.kind === 'search' && answer.hits.length > 0);
}

/**
 * Stores a failure. If our own pacing delayed the request, nothing was learned about the retailer, and its stored answer
 * remains.
 */
async function storeFailure(
  parts: TalliedParts,
  request: BarcodeRequest,
  failure: FailedOutcome,
): Promise<CollectOutcome> {
  if (failure.isPaced === true) await writeTally(parts.store, parts.tally);
  else await writeWithoutListing(parts, request, { status: failure.status, judgedBy: null });
  return failure;
}

/**
 * Returns the stored outcome of a check at or after `sinceMs`: its listing, or that it found none. A failed check is
 * repeated.
 */
async function storedOutcome(
  parts: CollectParts,
  { retailer, gtin, sinceMs }: BarcodeRequest,
): Promise<CollectOutcome | null> {
  const storedAnswer = await parts.store.barcodeAnswers.findAnswer(gtin, retailer);
  if (storedAnswer === null || storedAnswer.askedAtMs === null) return null;
  if (!isDoneSince(storedAnswer.askedAtMs, sinceMs, parts.clock.now())) return null;
  if (storedAnswer.identity.state !== 'confirmed' && storedAnswer.judgedBy !== null) {
    // D56: hits that were judged by a different set of listings are judged again.
    const { judgedBy } = await likelyHits(parts, retailer, gtin);
    if (judgedBy !== storedAnswer.judgedBy) return null;
  }
  if (storedAnswer.status === 'not_found') {
    const when = isoTimestamp(storedAnswer.checkedAtMs);
    const detail =
      `${retailer} had nothing under this barcode on ${when}, and will be searched again a day later. ` +
      OTHER_WAY;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  if (storedAnswer.listingId === null) return null;
  const stored = await parts.store.listings.findListingById(storedAnswer.listingId);
  return stored === null ? null : { kind: 'read', stored, identity: storedAnswer.identity };
}

type WebSearchOutcome =
  | Exclude<RetailerOutcome, { kind: 'read' }>
  | { readonly kind: 'answers'; readonly answers: readonly TiedAnswer[] };

/** Finds the page through a search engine, if one is configured, for a retailer that cannot be searched by barcode here. */
async function findByWebSearch(
  parts: CollectParts,
  request: BarcodeRequest,
  context: FetchContext,
): Promise<WebSearchOutcome> {
  const { retailer, gtin } = request;
  const found = await searchWebByBarcode(parts.search, gtin, searchHostOf(retailer), context);
  if (found === null) return CANNOT_ASK;
  if (found.kind !== 'hits') return found;
  const [hit] = retailerHits(found.hits, retailer);
  if (hit === undefined) {
    const detail = `The search engine found no page of ${retailer} with this barcode.`;
    return { kind: 'miss', miss: { detail, upstream: null } };
  }
  const page = await askProduct(parts, retailer, hit.identifier, context);
  if (page.kind !== 'read') return page;
  const { product } = page;
  const answers = product === null ? [] : [tiedTo(request, { ...product, viaSearch: true })];
  return { kind: 'answers', answers };
}

/**
 * Returns the listings that a retailer's answer leads to, likely ones first, until one is confirmed. A product is the only one. The
 * hits of an official API are listings (D78); those of a page search, and those with few facts, are read.
 */
async function readHits(
  parts: CollectParts,
  request: BarcodeRequest,
  { outcome, likely }: { readonly outcome: ReadOutcome; readonly likely: LikelyHits },
  context: FetchContext,
): Promise<{ readonly answers: readonly TiedAnswer[]; readonly failure: FailedOutcome | null }> {
  const { retailer, gtin } = request;
  const { answer, origin } = outcome;
  const isListing = origin.door === 'official_api';
  if (answer.kind === 'product') {
    const only = tiedTo(request, { ...outcome, listing: answer.listing });
    return { answers: [{ ...only, isPartial: isListing }], failure: null };
  }
  if (answer.kind !== 'search') return { answers: [], failure: null };
  const hits = likely
    .ordered(answer.hits)
    .toSorted((a, b) => Number(b.gtin === gtin) - Number(a.gtin === gtin));
  const isRead = !isListing || hasBriefHits(parts, retailer, origin);
  const answers: TiedAnswer[] = [];
  let failure: FailedOutcome | null = null;
  for (const hit of hits.slice(0, MAX_PAGES)) {
    const identifier = identifierOfListing(retailer, hit);
    if (identifier === null) continue;
    const page =
      isRead || hit.title === null ? await askProduct(parts, retailer, identifier, context) : null;
    if (page?.kind === 'failed') failure ??= page;
    if (page?.kind === 'miss') continue;
    const product = page?.kind === 'read' ? page.product : null;
    if (product === null && !isListing) continue;
    // A hit whose item does not answer remains a listing. One that states no barcode is completed before it is judged.
    const isUncoded = page === null && hit.gtin === null && identityMethodOf(retailer) !== null;
    const found = product ?? { ...outcome, listing: hit };
    const tied = tiedTo(
      request,
      isUncoded ? await completed(parts, retailer, found, context) : found,
    );
    answers.push({ ...tied, isPartial: page === null && !isUncoded });
    // If a retailer can never be confirmed, its first answer is the best guess: more pages prove nothing.
    if (tied.identity.state === 'confirmed' || identityMethodOf(retailer) === null) break;
  }
  return { answers, failure };
}

function hasBriefHits({ access }: CollectParts, retailer: KnownSlug, { source }: Origin): boolean {
  const own = access
    .sourcesOf(retailer)
    .find((each) => originOfSource(retailer, each).source === source);
  return own?.hasBriefHits === true;
}

function tiedTo({ retailer, gtin }: BarcodeRequest, answered: AnsweredListing): TiedAnswer {
  return { ...answered, identity: tie(gtin, { ...answered, retailer }, true) };
}

const RANK: Readonly<Record<Identity['state'], number>> = {
  confirmed: 0,
  unconfirmed: 1,
  mismatch: 2,
};

type BestAnswer = { readonly answer: TiedAnswer; readonly address: OwnAddress };

/** Returns the first of the most certain answers. A listing that states no identifier cannot be stored, and is left out. */
function bestOf(retailer: KnownSlug, answers: readonly TiedAnswer[]): BestAnswer | null {
  const ordered = answers.toSorted((a, b) => RANK[a.identity.state] - RANK[b.identity.state]);
  for (const answer of ordered) {
    const address = ownAddressOf(retailer, answer.listing);
    if (address !== null) return { answer, address };
  }
  return null;
}

async function storeTied(
  parts: TalliedParts,
  { retailer, gtin }: BarcodeRequest,
  { answer, address, judgedBy }: BestAnswer & { readonly judgedBy: string | null },
  context: FetchContext,
): Promise<CollectOutcome> {
  const { identity, source, origin, fetchedAtMs } = answer;
  const toStore = listingToStore(retailer, address, answer);
  const storedAnswer: StoredBarcodeAnswer = {
    gtin,
    retailer,
    status: 'ok',
    listingId: listingIdOf(retailer, address.key),
    identity,
    source,
    origin,
    foundVia: answerFoundVia(retailer, answer),
    checkedAtMs: fetchedAtMs,
    askedAtMs: fetchedAtMs,
    judgedBy,
  };
  const stored = storedListing(toStore);
  const read = {
    stored,
    gtin,
    changes: [
      ...listingChanges(toStore),
      { kind: 'barcode-answer' as const, answer: storedAnswer },
    ],
    alongside: [...deleteMissOf(toStore), ...parts.tally.take()],
    withdrawnRules: toStore.notes.withdrawnRules,
  };
  await storeRead(parts, read, context);
  return { kind: 'read', stored: await givenListing(parts.store, stored), identity };
}

/** Stores an answer, or a failure, that has no listing (D34). */
async function writeWithoutListing(
  parts: TalliedParts,
  { retailer, gtin }: BarcodeRequest,
  {
    status,
    judgedBy,
  }: { readonly status: StoredBarcodeAnswer['status']; readonly judgedBy: string | null },
): Promise<void> {
  const nowMs = parts.clock.now();
  const storedAnswer: StoredBarcodeAnswer = {
    gtin,
    retailer,
    status,
    listingId: null,
    identity: NOT_CHECKED,
    source: 'primary',
    foundVia: null,
    checkedAtMs: nowMs,
    askedAtMs: status === 'not_found' ? nowMs : null,
    judgedBy,
  };
  const kind = status === 'not_found' ? 'barcode-answer' : 'failed-attempt';
  await writeChanges(parts.store.sql, [{ kind, answer: storedAnswer }], parts.tally.take());
}
