// Which of a retailer's sources this installation can use, and the tokens they are asked with. Tokens live
// in memory: renewed shortly before they end, dropped when the source no longer takes them.

import type { FetchContext } from '../core/fetch-context.ts';
import type { Clock } from '../core/clock.ts';
import type { Fetcher } from '../listing/page.ts';
import type { KnownSlug } from '../core/retailer.ts';
import type { Access, RetailerQuestion, Source } from '../retailers/adapter.ts';
import { ADAPTERS } from '../retailers/adapters.ts';
import type { Credentials } from '../retailers/credentials.ts';
import { createSingleFlight } from './single-flight.ts';

export type AccessKeeper = {
  /** In the order they are tried; a source whose credentials are not complete does not exist. */
  readonly sourcesOf: (slug: KnownSlug) => readonly Source[];
  /** Names of the credentials that the source needs and does not have. */
  readonly missingOf: (slug: KnownSlug, source: Source) => readonly string[];
  /** Null: the source wants a token and none can be had now. */
  readonly accessOf: (
    slug: KnownSlug,
    source: Source,
    context: FetchContext,
  ) => Promise<Access | null>;
  /** Whether some source can be asked such a question, in this installation. Asks nobody. */
  readonly canAsk: (slug: KnownSlug, question: RetailerQuestion) => boolean;
  /** The source refused this token: the next access asks for a new one, unless somebody else has one already. */
  readonly dropToken: (slug: KnownSlug, source: Source, token: string) => void;
  /** An official API is left alone for so long; pages are paced by their host already. */
  readonly pause: (slug: KnownSlug, source: Source, seconds: number) => void;
  /** Seconds that are left of a pause; null: it may be asked. */
  readonly pausedFor: (slug: KnownSlug, source: Source) => number | null;
};

export type AccessParts = {
  readonly fetch: Fetcher;
  readonly clock: Clock;
  readonly credentials: Credentials;
  readonly newId: () => string;
};

/** A token is renewed this long before it ends, so that no request carries one that dies on the way. */
const RENEW_BEFORE_MS = 60_000;

type HeldToken = { readonly token: string; readonly untilMs: number };

export function createAccess(parts: AccessParts): AccessKeeper {
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
    const fresh = { token: read.token, untilMs: parts.clock.now() + life };
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
    return ADAPTERS[slug].sources.filter((source) => missingOf(slug, source).length === 0);
  }

  return {
    sourcesOf,
    missingOf,
    canAsk: (slug, question) =>
      sourcesOf(slug).some((source) => {
        // Which token it is does not matter to what the source can be asked.
        const token = source.token === undefined ? null : 'any';
        return source.request(question, { ...bare(slug), token }) !== null;
      }),
    accessOf: async (slug, source, context) => {
      if (source.token === undefined) return bare(slug);
      const name = nameOf(slug, source);
      const known = held.get(name);
      const usable = known !== undefined && known.untilMs > parts.clock.now() ? known : null;
      const token = usable ?? (await share(name, () => newToken(slug, source, context)));
      return token === null ? null : { ...bare(slug), token: token.token };
    },
    dropToken: (slug, source, token) => {
      const name = nameOf(slug, source);
      if (held.get(name)?.token === token) held.delete(name);
    },
    pause: (slug, source, seconds) => {
      if (source.isOfficial !== true) return;
      pauses.set(nameOf(slug, source), parts.clock.now() + seconds * 1_000);
    },
    pausedFor: (slug, source) => {
      const leftMs = (pauses.get(nameOf(slug, source)) ?? 0) - parts.clock.now();
      return leftMs > 0 ? Math.ceil(leftMs / 1_000) : null;
    },
  };
}
