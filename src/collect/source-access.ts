// Which of a retailer's sources this installation can use, and their access tokens. Tokens are kept in memory, renewed
// shortly before they expire, and dropped when the source refuses them.

import type { FetchContext } from '../core/fetch-context.ts';
import type { Clock } from '../core/clock.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Fetcher } from '../listing/page.ts';
import type { KnownSlug } from '../core/retailer.ts';
import type { Access, RetailerQuestion, Source } from '../retailers/adapter.ts';
import { ADAPTERS } from '../retailers/adapters.ts';
import type { Credentials } from '../retailers/credentials.ts';
import type { SearchWeb } from './search-web.ts';
import { createSingleFlight } from './single-flight.ts';

export type AccessKeeper = {
  /** In the order they are tried; a source whose credentials are not complete does not exist. */
  readonly sourcesOf: (slug: KnownSlug) => readonly Source[];
  /** Names of the credentials that the source needs and does not have. */
  readonly missingOf: (slug: KnownSlug, source: Source) => readonly string[];
  /** Null: the source needs a token and issues none now. */
  readonly accessOf: (
    slug: KnownSlug,
    source: Source,
    context: FetchContext,
  ) => Promise<Access | null>;
  /** Whether some source of this installation takes such a question. Sends nothing. */
  readonly canAsk: (slug: KnownSlug, question: RetailerQuestion) => boolean;
  /** The source refused this token: the next access requests a new one, unless another call already has. */
  readonly dropToken: (slug: KnownSlug, source: Source, token: string) => void;
  /** No request to an official API for so long. Pages are paced by their host already. */
  readonly pause: (slug: KnownSlug, source: Source, seconds: number) => void;
  /** Seconds left of a pause; null: none. */
  readonly pausedFor: (slug: KnownSlug, source: Source) => number | null;
};

export type AccessParts = {
  readonly fetch: Fetcher;
  readonly clock: Clock;
  /** Of tokens' lives and of pauses: it is never set. `clock` unless stated. */
  readonly steady?: Clock;
  readonly credentials: Credentials;
  /** The operator took the retailer down (D52): none of its sources exists then. */
  readonly isTakenDown?: (slug: KnownSlug) => boolean;
  readonly newId: () => string;
};

/** A token is renewed this long before it expires, so that none expires while its request is sent. */
const RENEW_BEFORE_MS = 60_000;

type HeldToken = { readonly token: string; readonly untilMs: number };

export function createAccess(parts: AccessParts): AccessKeeper {
  const steady = parts.steady ?? parts.clock;
  const held = new Map<string, HeldToken>();
  const pauses = new Map<string, number>();
  const share = createSingleFlight<HeldToken | null>();
  const nameOf = (slug: KnownSlug, source: Source) => `${slug} ${source.name}`;

  async function newToken(
    slug: KnownSlug,
    source: Source,
    context: FetchContext,
  ): Promise<HeldToken | null> {
    if (source.token === undefined) return null;
    const request = { ...source.token.request(bare(slug)), isOfficial: true };
    const outcome = await parts.fetch(request, context);
    const read = outcome.ok ? source.token.read(outcome.page) : null;
    if (read === null) return null;
    const life = Math.max(0, read.expiresInSeconds * 1_000 - RENEW_BEFORE_MS);
    const fresh = { token: read.token, untilMs: steady.now() + life };
    held.set(nameOf(slug, source), fresh);
    return fresh;
  }

  function bare(slug: KnownSlug): Access {
    const credentials = parts.credentials[slug] ?? {};
    return { credentials, token: null, nowMs: parts.clock.now(), newId: parts.newId };
  }

  function missingOf(slug: KnownSlug, source: Source): readonly string[] {
    const given = parts.credentials[slug] ?? {};
    return source.needs.filter((name) => (given[name] ?? '') === '');
  }

  function sourcesOf(slug: KnownSlug): readonly Source[] {
    if (parts.isTakenDown?.(slug) === true) return [];
    return ADAPTERS[slug].sources.filter((source) => missingOf(slug, source).length === 0);
  }

  return {
    sourcesOf,
    missingOf,
    canAsk: (slug, question) =>
      sourcesOf(slug).some((source) => {
        // Which questions a source takes does not depend on the token.
        const token = source.token === undefined ? null : 'any';
        return source.request(question, { ...bare(slug), token }) !== null;
      }),
    accessOf: async (slug, source, context) => {
      if (source.token === undefined) return bare(slug);
      const name = nameOf(slug, source);
      const known = held.get(name);
      const usable = known !== undefined && known.untilMs > steady.now() ? known : null;
      const token = usable ?? (await share(name, () => newToken(slug, source, context)));
      return token === null ? null : { ...bare(slug), token: token.token };
    },
    dropToken: (slug, source, token) => {
      const name = nameOf(slug, source);
      if (held.get(name)?.token === token) held.delete(name);
    },
    pause: (slug, source, seconds) => {
      if (source.isOfficial !== true) return;
      pauses.set(nameOf(slug, source), steady.now() + seconds * 1_000);
    },
    pausedFor: (slug, source) => {
      const leftMs = (pauses.get(nameOf(slug, source)) ?? 0) - steady.now();
      return leftMs > 0 ? Math.ceil(leftMs / 1_000) : null;
    },
  };
}

/** Whether this installation can search a retailer by barcode: by a source of its own, or a search engine (D34). */
export type CanAskByBarcode = (retailer: KnownSlug) => boolean;

/** Any code will do: whether a source takes a barcode does not depend on which. */
const SOME_CODE = '00036000291452' as Gtin14;

/** Credentials and engine are settings, so the answer holds as long as the process, takedowns left out. */
export function createCanAskByBarcode(
  access: Pick<AccessKeeper, 'canAsk'>,
  search: Pick<SearchWeb, 'provider'>,
  isTakenDown: (slug: KnownSlug) => boolean = () => false,
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
