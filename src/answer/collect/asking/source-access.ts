// Decides which of a retailer's sources this installation can use, and caches their access tokens. Tokens are in memory,
// renewed shortly before they expire, and dropped when the source rejects them. If no token can be obtained, the reason is
// cached for a while, unless it is our own pacing.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Clock } from '../../../base/clock.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import type { FetchOutcome, Fetcher } from '../../../base/listing/page.ts';
import type { Origin } from '../../../base/listing/origin.ts';
import type { KnownSlug } from '../../../base/retailer.ts';
import {
  originOfSource,
  type Access,
  type RetailerQuestion,
  type Source,
} from '../../../read/retailers/adapter.ts';
import { ADAPTERS } from '../../../read/retailers/adapters.ts';
import { PAGES_SETTING, settingOf, type Credentials } from '../../../read/retailers/credentials.ts';
import { isAsStrict, NO_TERMS, type TermsInForce } from '../../../rules/terms/profiles.ts';
import { bookInMemory } from '../coordination/source-book.ts';
import { failedFetch, withPauseLeft, type FailedFetch } from './failed-fetch.ts';
import { failureOfFetch, failureOfPage } from './official-failure.ts';
import { createOfficialSources, type OfficialSources } from './official-sources.ts';
import type { SearchWeb } from './search-web.ts';
import type { AskedSource } from './source-fault.ts';
import { createSharedWork, orLate } from '../coordination/single-flight.ts';

export type AccessKeeper = {
  /** The sources in the order in which they are tried. A source with incomplete credentials counts as absent. */
  readonly sourcesOf: (slug: KnownSlug) => readonly Source[];
  /** Those whose terms allow their facts to be watched (D81). */
  readonly watchSourcesOf: (slug: KnownSlug) => readonly Source[];
  /** A source whose terms are why nothing of the retailer can be watched; null if something can. */
  readonly forbidsWatching: (slug: KnownSlug) => string | null;
  /** The one whose terms cover what both state together; null if neither covers the other (D81). */
  readonly stricterOf: (one: Origin, other: Origin) => Origin | null;
  /** Names of the source's missing credentials. */
  readonly missingOf: (slug: KnownSlug, source: Source) => readonly string[];
  /** The access to a source. `failed`: the source needs a token and does not issue one at present. */
  readonly accessOf: (
    slug: KnownSlug,
    source: Source,
    context: FetchContext,
  ) => Promise<{ readonly access: Access } | { readonly failed: FailedFetch }>;
  /** Whether the source takes such a question. Sends nothing. */
  readonly takes: (slug: KnownSlug, source: Source, question: RetailerQuestion) => boolean;
  /** Whether some source of this installation takes such a question. Sends nothing. */
  readonly canAsk: (slug: KnownSlug, question: RetailerQuestion) => boolean;
  /** Whether an official API of this installation takes such a question. Sends nothing. */
  readonly canAskOfficially: (slug: KnownSlug, question: RetailerQuestion) => boolean;
  /** Drops a token that the source rejected: the next access requests a new one, unless another call already has. */
  readonly dropToken: (slug: KnownSlug, source: Source, token: string) => void;
  /** How each official source is (D79). Pages are paced by their host. */
  readonly official: OfficialSources;
};

type AccessParts = {
  readonly fetch: Fetcher;
  readonly clock: Clock;
  /** The clock for token lifetimes and pauses: it is never set. `clock` unless stated. */
  readonly steady?: Clock;
  readonly credentials: Credentials;
  /** The terms of sources; none unless stated. */
  readonly terms?: TermsInForce;
  /** Whether the operator took the retailer down (D52): none of its sources then exists. */
  readonly isTakenDown?: (slug: KnownSlug) => boolean;
  readonly newId: () => string;
  /** Of this process alone, without limits, unless stated. */
  readonly official?: OfficialSources;
};

/** Returns an official source as D79 counts it: under the name of its key. */
export function askedSource(slug: KnownSlug, source: Source): AskedSource {
  const settings = source.needs.map((name) => settingOf(slug, name));
  return { name: `${slug}.${source.account ?? source.name}`, settings };
}

/** How long before expiry a token is renewed, so that none expires while its request is being sent. */
const RENEW_BEFORE_MS = 60_000;

/** How long a token request may take. Callers share it, so it does not end at the first one's deadline. */
const TOKEN_MS = 20_000;

/** Used if neither the source nor the pacing states a time. */
const DEFAULT_RETRY_SECONDS = 60;

/** A token, or why there is none. No other token is requested until `untilMs`. */
type CachedToken = { readonly untilMs: number } & (
  | { readonly token: string }
  | { readonly failed: FailedFetch }
);

const LATE: CachedToken = {
  untilMs: 0,
  failed: failedFetch({ kind: 'timeout', detail: 'the access token is still being requested' }),
};

type TokenSource = Source & Required<Pick<Source, 'token'>>;

type TokenParts = {
  readonly fetcher: Fetcher;
  readonly steady: Clock;
  /** The access used to request a token. */
  readonly bare: (slug: KnownSlug) => Access;
  readonly official: OfficialSources;
};

/** Creates the sources' access tokens, by `nameOf`. */
function createTokens({ fetcher, steady, bare, official }: TokenParts) {
  const tokens = new Map<string, CachedToken>();
  const share = createSharedWork<CachedToken>(LATE);

  async function newToken(
    slug: KnownSlug,
    source: TokenSource,
    context: FetchContext,
  ): Promise<CachedToken> {
    const outcome = await fetcher(
      { ...source.token.request(bare(slug)), isOfficial: true },
      context,
    );
    const read = outcome.ok ? source.token.read(outcome.page) : null;
    const nowMs = steady.now();
    const fresh =
      read === null
        ? withoutToken(await noToken(official, askedSource(slug, source), outcome), nowMs)
        : withToken(read, nowMs);
    if (!isHeldBack(fresh)) tokens.set(nameOf(slug, source), fresh);
    return fresh;
  }

  return {
    tokenOf: async (slug: KnownSlug, source: TokenSource, context: FetchContext) => {
      const name = nameOf(slug, source);
      const known = tokens.get(name);
      const usable = known !== undefined && known.untilMs > steady.now() ? known : null;
      const ask = () =>
        share(name, inOwnTime(context, steady.now()), (shared) => newToken(slug, source, shared));
      const got = usable ?? (await orLate(ask(), context.signal, LATE));
      if ('token' in got) return { token: got.token };
      const { failed, untilMs } = got;
      return { failed: usable === null ? failed : withPauseLeft(failed, untilMs - steady.now()) };
    },
    dropToken: (slug: KnownSlug, source: Source, token: string) => {
      const name = nameOf(slug, source);
      const known = tokens.get(name);
      if (known !== undefined && 'token' in known && known.token === token) tokens.delete(name);
    },
  };
}

function nameOf(slug: KnownSlug, source: Source): string {
  return `${slug} ${source.name}`;
}

export function createAccess(parts: AccessParts): AccessKeeper {
  const { clock, credentials: given, newId, steady = clock, terms = NO_TERMS } = parts;
  const { official = officialSourcesOf(steady) } = parts;
  const credentialsOf = (slug: KnownSlug) => given[slug] ?? {};
  const bare = (slug: KnownSlug): Access => {
    return { credentials: credentialsOf(slug), token: null, nowMs: clock.now(), newId };
  };
  const { tokenOf, dropToken } = createTokens({ fetcher: parts.fetch, steady, bare, official });

  function missingOf(slug: KnownSlug, source: Source): readonly string[] {
    return source.needs.filter((name) => (credentialsOf(slug)[name] ?? '') === '');
  }

  function sourcesOf(slug: KnownSlug): readonly Source[] {
    if (parts.isTakenDown?.(slug) === true) return [];
    const isPageless = credentialsOf(slug)[PAGES_SETTING] === 'off';
    return ADAPTERS[slug].sources.filter(
      (source) =>
        missingOf(slug, source).length === 0 && (!isPageless || source.isOfficial === true),
    );
  }

  const takes: AccessKeeper['takes'] = (slug, source, question) => {
    // Which questions a source takes does not depend on the token.
    const token = source.token === undefined ? null : 'any';
    return source.request(question, { ...bare(slug), token }) !== null;
  };
  const allowsAlerts = (slug: KnownSlug, source: Source): boolean =>
    terms(originOfSource(slug, source).source)?.alerts !== false;
  const watchSourcesOf = (slug: KnownSlug): readonly Source[] =>
    sourcesOf(slug).filter((source) => allowsAlerts(slug, source));

  return {
    sourcesOf,
    watchSourcesOf,
    stricterOf: (one, other) => {
      const [terms1, terms2] = [terms(one.source), terms(other.source)];
      if (isAsStrict(terms1, terms2)) return one;
      return isAsStrict(terms2, terms1) ? other : null;
    },
    forbidsWatching: (slug) => {
      const isAbout = ({ takes }: Source): boolean =>
        takes === undefined || takes.includes('product') || takes.includes('barcode');
      const [first] = sourcesOf(slug).filter(isAbout);
      if (first === undefined || watchSourcesOf(slug).some(isAbout)) return null;
      return originOfSource(slug, first).source;
    },
    missingOf,
    takes,
    canAsk: (slug, question) => sourcesOf(slug).some((source) => takes(slug, source, question)),
    canAskOfficially: (slug, question) =>
      sourcesOf(slug).some((source) => source.isOfficial === true && takes(slug, source, question)),
    accessOf: async (slug, source, context) => {
      const { token } = source;
      if (token === undefined) return { access: bare(slug) };
      const got = await tokenOf(slug, { ...source, token }, context);
      return 'token' in got ? { access: { ...bare(slug), token: got.token } } : got;
    },
    dropToken,
    official,
  };
}

function officialSourcesOf(steady: Clock): OfficialSources {
  return createOfficialSources({ book: bookInMemory(steady.now, null), limitOf: () => null });
}

/**
 * Returns a context with its own deadline: when the first caller gives up, the next one need not request the token again.
 */
function inOwnTime(context: FetchContext, nowMs: number): FetchContext {
  return { ...context, signal: AbortSignal.timeout(TOKEN_MS), deadlineMs: nowMs + TOKEN_MS };
}

/** Checks whether our own pacing delayed the token request: that may concern this caller only. */
function isHeldBack(token: CachedToken): boolean {
  return 'failed' in token && token.failed.isPaced === true;
}

function withToken(read: { token: string; expiresInSeconds: number }, nowMs: number): CachedToken {
  const life = Math.max(0, read.expiresInSeconds * 1_000 - RENEW_BEFORE_MS);
  return { token: read.token, untilMs: nowMs + life };
}

function withoutToken(failed: FailedFetch, nowMs: number): CachedToken {
  const seconds = failed.fault.retryAfterSeconds ?? DEFAULT_RETRY_SECONDS;
  return { failed, untilMs: nowMs + seconds * 1_000 };
}

/**
 * Returns why there is no token. Only an answer that rejects the request says something about the credentials, which the
 * operator has to fix (D65).
 */
async function noToken(
  official: OfficialSources,
  source: AskedSource,
  outcome: FetchOutcome,
): Promise<FailedFetch> {
  if (!outcome.ok) {
    const failure = failureOfFetch(outcome);
    return failure === null
      ? failedFetch(outcome.failure)
      : await official.failed(source, '', {
          ...failure,
          reason: `access token: ${failure.reason}`,
        });
  }
  const { page } = outcome;
  const { kind, reason, restSeconds } = failureOfPage(source.name, 'token', page) ?? {
    kind: 'unreadable',
    reason: `${page.status}`,
  };
  return await official.failed(source, '', {
    kind,
    reason: `access token: ${reason}`,
    restSeconds,
  });
}

/**
 * Whether this installation can search a retailer by barcode: through the retailer's own source, or a search engine (D34).
 */
export type CanAskByBarcode = (retailer: KnownSlug) => boolean;

/** Any barcode will do: whether a source takes barcodes does not depend on which. */
const SOME_CODE = '00036000291452' as Gtin14;

/** Credentials and search engine are settings: apart from takedowns, the answer does not change while the process runs. */
export function createCanAskByBarcode(
  access: Pick<AccessKeeper, 'canAsk'>,
  search: Pick<SearchWeb, 'provider'>,
  isTakenDown: (slug: KnownSlug) => boolean,
): CanAskByBarcode {
  const known = new Map<KnownSlug, boolean>();
  return (retailer) => {
    if (isTakenDown(retailer)) return false;
    if (search.provider !== null) return true;
    const canAsk =
      known.get(retailer) ?? access.canAsk(retailer, { kind: 'barcode', gtin: SOME_CODE });
    known.set(retailer, canAsk);
    return canAsk;
  };
}
