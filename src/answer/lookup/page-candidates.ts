// Fetches a product page now, and returns every amount, stock word and barcode on it with the reason why it was taken or not
// (D85). Stores nothing.

import { FaultError } from '../../base/fault.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import type {
  FailedVerdict,
  FetchOutcome,
  Page,
  PageRequest,
  PageVerdict,
} from '../../base/listing/page.ts';
import type { Slug } from '../../base/retailer.ts';
import type { Clock } from '../../base/clock.ts';
import type { RuleUse } from '../../data/answers/page-rules.ts';
import { textByRule } from '../../read/candidates/page-rules.ts';
import type { HandedInReading } from '../../read/handed-in/read-handed-in.ts';
import { privatePage } from '../collect/hand-in.ts';
import type { PageRules, RuleInForce } from '../collect/page-rules.ts';
import type { PageCandidates } from '../../read/candidates/candidates.ts';
import { hostedStoreRequests } from '../../read/retailers/hosted-store.ts';
import { parseAllowedInput, type IsAllowedUrl } from './steps/parse-input.ts';
import { CANNOT_ASK, MAX_FOLLOWED } from '../collect/asking/ask-retailer.ts';
import {
  ELSEWHERE,
  failedFetch,
  ofOwnAddress,
  outcomeOfVerdict,
  reportFound,
} from '../collect/asking/failed-fetch.ts';
import type { CollectParts } from '../collect/collect-outcome.ts';
import { speaksFor } from '../collect/collect-page.ts';
import { faultOfMiss } from '../collect/known-miss.ts';
import { listingKeyOf, type ListingKey } from '../collect/listing-key.ts';
import { slugOf } from '../collect/slug-of.ts';

/** The facts that were read on a page, or the reason why nothing was read. */
export type CandidatesOfPage = PageCandidates & {
  readonly retailer: Slug;
  /** The address of the page; after redirects, if it was fetched. */
  readonly url: string;
  /** Null if no page was fetched. */
  readonly fetchedAtMs: number | null;
  /** The results of the rules for the page, applied to it now, for the organization that asked. */
  readonly rules: readonly RuleOnPage[];
};

type RuleOnPage = {
  readonly id: string;
  readonly use: RuleUse;
  /** The index of the candidate that the rule selects; null if the rule is withdrawn. */
  readonly candidate: number | null;
};

export type ReadPageCandidates = {
  /** FaultError invalid_identifier, url_not_allowed: reads and fetches nothing. */
  readonly parse: (text: string) => ListingKey;
  /** FaultError not_found, source_unusable, upstream_unavailable, as for a lookup of the page. */
  readonly read: (
    key: ListingKey,
    context: FetchContext,
    organizationId?: string,
  ) => Promise<CandidatesOfPage>;
  /** Reads a page that the caller sends; nothing is fetched. FaultError page_not_accepted, source_unusable. */
  readonly readSent: (
    key: ListingKey,
    html: Uint8Array,
    context: FetchContext,
  ) => Promise<CandidatesOfPage>;
};

type CandidatesParts = Pick<
  CollectParts,
  'fetch' | 'access' | 'store' | 'readShop' | 'isTrustedShop'
> & {
  readonly isAllowedUrl: IsAllowedUrl;
  /** Reads the candidates where hostile input cannot stop the service. */
  readonly readCandidates: (
    page: Page,
    slug: string,
    context: FetchContext,
  ) => Promise<PageVerdict<PageCandidates>>;
  readonly readHandedIn: (
    page: Page,
    slug: string | undefined,
    context: FetchContext,
  ) => Promise<HandedInReading>;
  readonly rules: Pick<PageRules, 'forPage'>;
  readonly clock: Clock;
};

/** Larger pages are not shown: a person could not read them. */
const MAX_MB = 5;
const MAX_BYTES = MAX_MB * 1_048_576;

export function createReadPageCandidates(parts: CandidatesParts): ReadPageCandidates {
  return {
    parse: (text) => keyIn(text, parts.isAllowedUrl),
    readSent: async (key, html, context) => {
      const retailer = await slugOf(parts.store, key);
      const fetchedAtMs = parts.clock.now();
      const headers = { 'content-type': 'text/html; charset=utf-8' };
      const { url } = key;
      const page = { requestedUrl: url, url, status: 200, headers, body: html, fetchedAtMs };
      const slug = key.kind === 'retailer' ? retailer : undefined;
      const reading = await parts.readHandedIn(page, slug, context);
      if (reading.kind === 'private') throw privatePage(reading.sign);
      const verdict = await parts.readCandidates(page, retailer, context);
      if (verdict.kind !== 'read') throw faultOf(verdict);
      return { retailer, url, fetchedAtMs, ...verdict.value, rules: [] };
    },
    read: async (key, context, organizationId) => {
      const retailer = await slugOf(parts.store, key);
      const asked = await requestOf(parts, key, context);
      if ('why' in asked)
        return nothingOn({ retailer, url: key.url, fetchedAtMs: null }, asked.why);
      const { page, verdict } = await readFollowing(
        parts,
        { key, retailer, request: asked },
        context,
      );
      if (verdict.kind !== 'read') throw faultOf(verdict);
      const { url, fetchedAtMs } = page;
      const isHosted =
        hostedStoreRequests(new URL(key.url)) !== null &&
        (await parts.readShop(page, context)).isHosted;
      const of = { retailer, url, fetchedAtMs };
      if (isHosted) return nothingOn(of, PRODUCT_JSON);
      const rules =
        organizationId === undefined ? [] : await parts.rules.forPage(url, organizationId);
      return { ...of, ...verdict.value, rules: rulesOn(verdict.value, rules) };
    },
  };
}

const OFFICIAL_API = "the retailer's official API is asked instead of its page";
const PRODUCT_JSON = "the shop's product JSON is read instead of its page";

function nothingOn(
  of: Omit<CandidatesOfPage, keyof PageCandidates | 'rules'>,
  whyUnread: string,
): CandidatesOfPage {
  return { ...of, whyUnread, lines: [], candidates: [], rules: [] };
}

function rulesOn(
  { candidates }: PageCandidates,
  rules: readonly RuleInForce[],
): readonly RuleOnPage[] {
  const texts = candidates.flatMap(({ said, shown }, index) =>
    shown === null ? [] : [{ said, place: shown.place, index }],
  );
  return rules.map((rule) => {
    const found = textByRule(rule, texts);
    const use = found === null ? 'withdrawn' : found.isDoubtful ? 'doubtful' : 'used';
    return { id: rule.id, use, candidate: found?.text.index ?? null };
  });
}

/** Returns the page that a text means. The address of a Digital Link comes before its barcode. */
function keyIn(text: string, isAllowedUrl: IsAllowedUrl): ListingKey {
  const { identifiers } = parseAllowedInput(isAllowedUrl, text);
  const named = identifiers.find(({ kind }) => kind === 'url') ?? identifiers[0];
  const key = named === undefined ? null : listingKeyOf(named);
  if (key !== null) return key;
  throw new FaultError({
    code: 'invalid_identifier',
    detail:
      'A barcode has no page of its own. Send the address of a product page, or the ID of a retailer.',
  });
}

/** Returns the request for a page, or the reason why no page is read. FaultError if the retailer cannot be asked. */
async function requestOf(
  { access, store }: CandidatesParts,
  key: ListingKey,
  context: FetchContext,
): Promise<PageRequest | { readonly why: string }> {
  if (key.kind === 'shop') {
    const url = new URL(key.url);
    const facts = await store.shops.findShopFacts(url.hostname);
    const isJson = facts?.platform === 'hosted' && hostedStoreRequests(url) !== null;
    return isJson ? { why: PRODUCT_JSON } : { url: key.url, accept: 'html' };
  }
  const { retailer, identifier } = key;
  const [source] = access
    .sourcesOf(retailer)
    .filter(({ takes }) => takes === undefined || takes.includes('product'));
  if (source === undefined) throw new FaultError(CANNOT_ASK.fault);
  if (source.isOfficial === true) return { why: OFFICIAL_API };
  if (identifier === null) return { url: key.url, accept: 'html' };
  const got = await access.accessOf(retailer, source, context);
  if ('failed' in got) throw new FaultError(got.failed.fault);
  const request = source.request({ kind: 'product', identifier }, got.access);
  if (request === null) throw new FaultError(CANNOT_ASK.fault);
  return request;
}

type Asked = {
  readonly key: ListingKey;
  readonly retailer: Slug;
  readonly request: PageRequest;
};

/** Fetches a page and those to which it leads, and reads the last one. FaultError if one cannot be fetched. */
async function readFollowing(
  parts: CandidatesParts,
  { key, retailer, request: first }: Asked,
  context: FetchContext,
): Promise<{ page: Page; verdict: PageVerdict<PageCandidates> }> {
  let request = first;
  for (let followed = 0; ; followed += 1) {
    const outcome = await parts.fetch(request, context);
    const page = pageIn(outcome, key);
    const verdict = await parts.readCandidates(page, retailer, context);
    if (outcome.ok) await reportFound(outcome, verdict);
    const isRefusal = verdict.kind === 'blocked' || verdict.kind === 'retry';
    const isOwn = speaksFor(parts, { slug: retailer, url: key.url }, page.url);
    if (!isOwn && !isRefusal) throw new FaultError(ELSEWHERE.fault);
    if (verdict.kind !== 'follow' || followed === MAX_FOLLOWED) return { page, verdict };
    request = { url: verdict.request.url, accept: 'html' };
  }
}

function pageIn(outcome: FetchOutcome, key: ListingKey): Page {
  if (!outcome.ok) {
    const failed = failedFetch(outcome.failure);
    throw new FaultError((key.kind === 'shop' ? failed : ofOwnAddress(failed)).fault);
  }
  const { page } = outcome;
  if (page.body.byteLength <= MAX_BYTES) return page;
  throw new FaultError({
    ...failedFetch({ kind: 'too_large', detail: '' }).fault,
    detail: `The page is larger than ${MAX_MB} MB. Trying again does not help.`,
  });
}

function faultOf(verdict: FailedVerdict): FaultError {
  const outcome = outcomeOfVerdict(verdict);
  return outcome.kind === 'miss' ? faultOfMiss(outcome.miss) : new FaultError(outcome.fault);
}
