// Finds pages that may be the product, by words, through a search engine. No page is fetched here: the lookup of its address
// does that.

import { searchWebByWords, type SearchWeb } from '../collect/asking/search-web.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { FaultError } from '../../base/fault.ts';
import type { Store } from '../../data/store.ts';
import { KNOWN_SLUGS } from '../../base/retailer.ts';
import { retailerHits } from '../../read/retailers/search/search-answers.ts';

/** A known retailer's product page. */
type FoundPage = {
  readonly retailer: string;
  readonly url: string;
  readonly title: string | null;
};

/**
 * Returns product pages of the known retailers, in the search engine's order. Rejects with the fault of an engine that fails
 * or is not configured.
 */
export type FindCandidates = (
  words: string,
  context: FetchContext,
) => Promise<readonly FoundPage[]>;

const NOT_CONFIGURED =
  'This installation has no search engine, so it cannot search by words. The operator can set OPENSHELF_SEARXNG_URL or ' +
  'OPENSHELF_BRAVE_API_KEY. Until then send a barcode, an ASIN, an item id or the URL of a product page to lookup.';
const LATER_SECONDS = 3_600;

/** Leaves out shops that ask not to be found by search, and titles that must not be given to language models (D83). */
export function createFindCandidates(
  search: SearchWeb,
  { listings }: Pick<Store, 'listings'>,
): FindCandidates {
  return async (words, context) => {
    const found = await searchWebByWords(search, words, context);
    if (found === null) {
      throw new FaultError({
        code: 'upstream_unavailable',
        detail: NOT_CONFIGURED,
        retryAfterSeconds: LATER_SECONDS,
      });
    }
    if (found.kind === 'failed') throw new FaultError(found.fault);
    const place = new Map(found.hits.map(({ title }, at) => [title, at]));
    const pages = KNOWN_SLUGS.flatMap((retailer) =>
      retailerHits(found.hits, retailer).map(({ url, title }) => ({ retailer, url, title })),
    ).sort((one, other) => (place.get(one.title) ?? 0) - (place.get(other.title) ?? 0));
    const slugs = [...new Set(pages.map(({ retailer }) => retailer))];
    const read = await Promise.all(slugs.map((slug) => listings.findLastFetch(slug)));
    const signals = new Map(slugs.map((slug, at) => [slug, read[at]?.signals]));
    return pages
      .filter(({ retailer }) => signals.get(retailer)?.search !== false)
      .map((page) =>
        signals.get(page.retailer)?.aiInput === false ? { ...page, title: null } : page,
      );
  };
}
