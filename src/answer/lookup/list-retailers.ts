// This installation's retailers: the known retailers, their sources, which sources have what they need, and when each
// retailer was last read. Fetches nothing.

import {
  KNOWN_SLUGS,
  RETAILERS,
  type IdentityMethod,
  type KnownSlug,
} from '../../base/retailer.ts';
import { originOfSource, type Source } from '../../read/retailers/adapter.ts';
import { ADAPTERS } from '../../read/retailers/adapters.ts';
import { bookOf } from '../../read/retailers/addresses/address-books.ts';
import { aliasOf } from '../../read/retailers/addresses/aliases.ts';
import { settingOf } from '../../read/retailers/credentials.ts';
import type { Signals } from '../../base/listing/signals.ts';
import type { Store } from '../../data/store.ts';
import type { Terms } from '../../rules/terms/profiles.ts';
import type { SearchProblem } from '../collect/asking/search-rest.ts';
import type { SourceReport } from '../collect/asking/source-report.ts';
import { askedSource, type AccessKeeper } from '../collect/asking/source-access.ts';
import { answersOf, type RetailerAnswers } from './retailer-answers.ts';

type SourceState = {
  readonly name: string;
  readonly isOfficial: boolean;
  /** Whether the source has its required settings, and is asked. */
  readonly isUsed: boolean;
  /** The source's missing settings. */
  readonly missing: readonly string[];
  /** How an official source is that has its settings; null for others. */
  readonly report: SourceReport | null;
  /** The terms in force; null for a source without. */
  readonly terms: SourceTerms | null;
};

type SourceTerms = Terms & { readonly by: 'default' | 'operator' };

export type RetailerState = {
  readonly retailer: KnownSlug;
  /** The alias accepted wherever a slug is (D63). */
  readonly alias: string;
  /** Hosts of its product pages. They include each one's `www.` and `m.`. */
  readonly hosts: readonly string[];
  readonly answers: RetailerAnswers;
  readonly isMarketplace: boolean;
  readonly identityMethod: IdentityMethod | null;
  readonly sources: readonly SourceState[];
  readonly lastSuccessMs: number | null;
  /** The signals of the page that was read last; undefined if it stated none. */
  readonly signals: Signals | undefined;
};

export type RetailerStates = {
  readonly retailers: readonly RetailerState[];
  /** The operator's search engine. It finds pages of retailers that cannot be searched by barcode. */
  readonly searchProvider: string | null;
  /** Why it is not asked at present; null if it is. */
  readonly searchProblem: SearchProblem | null;
};

export type ListRetailers = () => Promise<RetailerStates>;

type ListRetailersParts = {
  readonly store: Store;
  readonly access: Pick<AccessKeeper, 'sourcesOf' | 'missingOf' | 'official'>;
  readonly searchProvider: string | null;
  readonly searchProblem: () => SearchProblem | null;
};

export function createListRetailers(parts: ListRetailersParts): ListRetailers {
  return async () => ({
    retailers: await Promise.all(KNOWN_SLUGS.map((slug) => stateOf(parts, slug))),
    searchProvider: parts.searchProvider,
    searchProblem: parts.searchProblem(),
  });
}

function termsOf({ terms }: Pick<Store, 'terms'>, source: string): SourceTerms | null {
  const inForce = terms(source);
  if (inForce === null) return null;
  return { ...inForce, by: terms.isChanged?.(source) === true ? 'operator' : 'default' };
}

async function stateOf(
  { store, access }: ListRetailersParts,
  slug: KnownSlug,
): Promise<RetailerState> {
  const used = access.sourcesOf(slug);
  const reportOf = (source: Source) =>
    source.isOfficial === true && used.includes(source)
      ? access.official.report(askedSource(slug, source))
      : null;
  const sources = await Promise.all(
    ADAPTERS[slug].sources.map(async (source) => ({
      name: source.name,
      isOfficial: source.isOfficial === true,
      isUsed: used.includes(source),
      missing: access.missingOf(slug, source).map((name) => settingOf(slug, name)),
      report: await reportOf(source),
      terms: termsOf(store, originOfSource(slug, source).source),
    })),
  );
  const { marketplace, identityMethod } = RETAILERS[slug];
  const last = await store.listings.findLastFetch(slug);
  return {
    retailer: slug,
    alias: aliasOf(slug),
    hosts: bookOf(slug).hosts,
    answers: answersOf(slug, (source) => used.includes(source)),
    isMarketplace: marketplace,
    identityMethod,
    sources,
    lastSuccessMs: last?.atMs ?? null,
    signals: last?.signals,
  };
}
