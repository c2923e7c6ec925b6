// Asks one known retailer one question. Its sources are asked in order, following answers that lead to another page, until
// one has an answer. Stores nothing.

import type { FetchContext } from '../../../base/fetch-context.ts';
import { NEXT_STEPS } from '../../../base/next-steps.ts';
import type { Clock } from '../../../base/clock.ts';
import type {
  Fetcher,
  FetchOutcome,
  Page,
  PageRequest,
  PageVerdict,
  ReadNotes,
} from '../../../base/listing/page.ts';
import type { Origin } from '../../../base/listing/origin.ts';
import type { RetailerAnswer } from '../../../base/listing/retailer-answer.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import {
  originOfSource,
  type RetailerQuestion,
  type Source,
} from '../../../read/retailers/adapter.ts';
import { isAddressOf } from '../../../read/retailers/addresses/address-books.ts';
import { askedSource, type AccessKeeper } from './source-access.ts';
import type { Miss } from '../../../data/answers/misses.ts';
import {
  ELSEWHERE,
  failedFetch,
  isRuledOut,
  ofOwnAddress,
  outcomeOfVerdict,
  reportFound,
  type FailedFetch,
} from './failed-fetch.ts';
import { failureOfFetch, failureOfPage, failureOfReading } from './official-failure.ts';

/** Reads an answer where hostile input cannot stop the service. Null if the retailer has no reader of that name. */
export type ReadAnswer = (
  page: Page,
  name: string,
  slug: string,
  context: FetchContext,
) => Promise<PageVerdict<RetailerAnswer> | null>;

export type AskParts = {
  readonly fetch: Fetcher;
  readonly access: AccessKeeper;
  readonly clock: Clock;
  readonly readAnswer: ReadAnswer;
};

/** Who answered, for `_source` of a cell (D54) and for the record's time stamp. */
export type AnsweredBy = {
  readonly source: 'primary' | 'secondary';
  readonly origin: Origin;
  readonly url: string;
  readonly fetchedAtMs: number;
};

export type RetailerOutcome =
  | ({
      readonly kind: 'read';
      readonly answer: RetailerAnswer;
      readonly notes: ReadNotes;
      /** The failure of a source asked before the one that answered. */
      readonly failedBefore?: FailedOutcome;
    } & AnsweredBy)
  /** A source that could have the product answered that it does not exist. */
  | { readonly kind: 'miss'; readonly miss: Miss }
  | FailedOutcome;

/** No source that could have the product answered. `cannotAsk`: no source may be asked here, now or later. */
export type FailedOutcome = FailedFetch & { readonly cannotAsk?: true };

/**
 * No reader recognizes a product in the page at a product's own address. It has more likely been redesigned than removed,
 * so the answer is not "not found".
 */
export const REDESIGNED: FailedFetch = {
  kind: 'failed',
  status: 'error',
  fault: {
    code: 'source_unusable',
    upstream: 'upstream_bad_response',
    detail:
      'The page at the product address could not be read as a product page. Trying again is unlikely to help.',
  },
};

/** Maximum pages followed from one answer (search page -> product page), to limit the requests that it can cause. */
export const MAX_FOLLOWED = 3;

/** No source available to this installation takes the question for this retailer. */
export const CANNOT_ASK: FailedOutcome = {
  kind: 'failed',
  status: 'error',
  cannotAsk: true,
  fault: {
    code: 'upstream_unavailable',
    retryAfterSeconds: 3_600,
    detail:
      'No source that can answer this request is configured for the retailer. See ' +
      `${NEXT_STEPS.retailers.route}, or send the URL of a product page.`,
  },
};

export async function askRetailer(
  parts: AskParts,
  slug: KnownSlug,
  question: RetailerQuestion,
  context: FetchContext,
): Promise<RetailerOutcome> {
  const sources = sourcesFor(parts, slug, context);
  let worst: FailedOutcome = CANNOT_ASK;
  let miss: RetailerOutcome | null = null;
  let isStated = false;
  let isFailed = false;
  let isOpen = false;
  for (const source of sources) {
    const outcome = await askSource(parts, { slug, source, question }, context);
    if (outcome === null) continue;
    if (outcome.kind === 'read') {
      const failedBefore = worst === CANNOT_ASK ? {} : { failedBefore: worst };
      return {
        ...outcome,
        ...failedBefore,
        source: isPrimary(source, sources) ? 'primary' : 'secondary',
      };
    }
    if (outcome.kind === 'miss') {
      if (source.isAuthoritative) return outcome;
      miss ??= outcome;
      isStated ||= source.isOfficial === true;
    } else {
      isOpen ||= !isRuledOut(outcome.fault);
      isFailed ||= source.isOfficial === true;
      if (worst === CANNOT_ASK || isWorse(outcome, worst)) worst = outcome;
    }
  }
  // D36: "not found" needs an answer from every source that could have the product. One failed source leaves the question
  // open, except a page where an official API has answered: a page that refuses takes nothing away (D78).
  if (miss !== null && (worst === CANNOT_ASK || (isStated && !isFailed))) return miss;
  return worst === CANNOT_ASK || isOpen ? worst : { ...worst, cannotAsk: true };
}

/** The retailer's sources for a call, in order: a read for a watch asks only those whose terms allow it (D81). */
export function sourcesFor(
  { access }: AskParts,
  slug: KnownSlug,
  context: FetchContext,
): readonly Source[] {
  const { isForWatches = false } = context;
  return isForWatches !== false ? access.watchSourcesOf(slug) : access.sourcesOf(slug);
}

/** D79: the failure of an official source is what the caller reads, before any wall of a page. */
function isWorse(one: FailedOutcome, other: FailedOutcome): boolean {
  if (other.official !== undefined) return false;
  return one.official !== undefined || one.status === 'blocked';
}

/** D54: a source is primary if it is an official API, or if the retailer has none here. */
function isPrimary(source: Source, sources: readonly Source[]): boolean {
  return source.isOfficial === true || sources.every((each) => each.isOfficial !== true);
}

type SourceRequest = {
  readonly slug: KnownSlug;
  readonly source: Source;
  readonly question: RetailerQuestion;
};

/** Asks one source. Null if it does not take this kind of question. */
export async function askSource(
  parts: AskParts,
  ask: SourceRequest,
  context: FetchContext,
): Promise<RetailerOutcome | null> {
  if (ask.source.takes?.includes(ask.question.kind) === false) return null;
  if (ask.source.isOfficial === true) return await askOfficial(parts, ask, context);
  const got = await parts.access.accessOf(ask.slug, ask.source, context);
  if ('failed' in got) return got.failed;
  const request = ask.source.request(ask.question, got.access);
  if (request === null) return null;
  const answer = await parts.fetch({ ...request, isOfficial: false }, context);
  if (!answer.ok) return ofOwnAddress(failedFetch(answer.failure));
  return await readAndFollow(parts, ask, answer, context);
}

/** Asks an official source, unless it rests or its daily limit is spent, and stores how it is (D79). */
async function askOfficial(
  parts: AskParts,
  ask: SourceRequest,
  context: FetchContext,
): Promise<RetailerOutcome | null> {
  const { slug, source, question } = ask;
  const { official } = parts.access;
  if (!parts.access.takes(slug, source, question)) return null;
  const asked = askedSource(slug, source);
  const resting = await official.restOf(asked, question.kind);
  if (resting !== null) return resting;
  // A source may reject a token before it expires. It is then asked once more with a new one.
  for (const isLast of [false, true]) {
    const got = await parts.access.accessOf(slug, source, context);
    if ('failed' in got) return got.failed;
    const { access } = got;
    const request = source.request(question, access);
    if (request === null) return null;
    const operation = source.operationOf?.(request) ?? null;
    const countCall = async () => (await official.count(asked)) === null;
    const sent = { ...request, isOfficial: true, operation, countCall };
    const answer = await parts.fetch(sent, context);
    if (answer.ok && access.token !== null && !isLast && refusesToken(source, answer.page)) {
      parts.access.dropToken(slug, source, access.token);
      continue;
    }
    return await judged(parts, ask, answer, context);
  }
  return null;
}

/** Returns the outcome of an official source's answer, once it is stored how the source is. */
async function judged(
  parts: AskParts,
  ask: SourceRequest,
  answer: FetchOutcome,
  context: FetchContext,
): Promise<RetailerOutcome> {
  const { official } = parts.access;
  const { kind } = ask.question;
  const asked = askedSource(ask.slug, ask.source);
  if (!answer.ok) {
    const spent = answer.failure.kind === 'throttled' ? await official.spent(asked) : null;
    if (spent !== null) return spent;
    const failure = failureOfFetch(answer);
    // Our own pacing, and work that nobody waits for any longer, say nothing about the source.
    return failure === null || context.signal.aborted
      ? await official.heldBack(asked, kind, ofOwnAddress(failedFetch(answer.failure)))
      : await official.failed(asked, kind, failure);
  }
  const documented = failureOfPage(asked.name, 'api', answer.page);
  if (documented !== null) return await official.failed(asked, kind, documented);
  const outcome = await readAndFollow(parts, ask, answer, context);
  const failure = outcome.kind === 'failed' ? failureOfReading(outcome, answer.page) : null;
  if (failure !== null) return await official.failed(asked, kind, failure);
  if (outcome.kind !== 'failed') await official.answered(asked, kind);
  return outcome;
}

function refusesToken({ token }: Source, page: Page): boolean {
  return token?.isRefused?.(page) ?? page.status === 401;
}

type FetchedPage = Extract<FetchOutcome, { ok: true }>;

async function readAndFollow(
  parts: AskParts,
  { slug, source, question }: SourceRequest,
  first: FetchedPage,
  context: FetchContext,
): Promise<RetailerOutcome> {
  let fetched = first;
  let name = source.readerOf(question.kind);
  for (let followed = 0; ; followed += 1) {
    const { page } = fetched;
    const verdict = await parts.readAnswer(page, name, slug, context);
    if (verdict === null) return CANNOT_ASK;
    await reportFound(fetched, verdict);
    if (isOfOther(slug, page, first.page) && !isRefusal(verdict)) return ELSEWHERE;
    if (verdict.kind === 'not_a_product' && question.kind === 'product') return REDESIGNED;
    if (verdict.kind !== 'follow' || followed === MAX_FOLLOWED) {
      return outcomeOfPage(verdict, page, originOfSource(slug, source));
    }
    const next = await parts.fetch(sameSource(verdict.request), context);
    if (!next.ok) return ofOwnAddress(failedFetch(next.failure));
    fetched = next;
    name = source.readerOf('product');
  }
}

/** Checks whether a redirect, or a followed page, led away from the retailer and from the API that was asked. */
function isOfOther(slug: KnownSlug, page: Page, first: Page): boolean {
  const isAsked = URL.parse(page.url)?.host === URL.parse(first.requestedUrl)?.host;
  return !isAsked && !isAddressOf(slug, page.url);
}

/** Checks whether the page is a refusal: such a page may be on another host. */
function isRefusal({ kind }: PageVerdict<RetailerAnswer>): boolean {
  return kind === 'blocked' || kind === 'retry';
}

/** Strips the credentials, for an address that a page names: the page could name any host. */
function sameSource(request: PageRequest): PageRequest {
  return { url: request.url, accept: request.accept };
}

function outcomeOfPage(
  verdict: PageVerdict<RetailerAnswer>,
  page: Page,
  origin: Origin,
): RetailerOutcome {
  if (verdict.kind === 'read') {
    return {
      kind: 'read',
      answer: verdict.value,
      notes: verdict.notes,
      source: 'primary',
      origin,
      url: page.url,
      fetchedAtMs: page.fetchedAtMs,
    };
  }
  return outcomeOfVerdict(verdict);
}
