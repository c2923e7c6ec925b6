// Finds a product's page through a search engine, where a retailer has no search by barcode that can be used (D46). A
// hit proves nothing: its page decides.

import type { FetchContext } from '../core/fetch-context.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import { printedForm } from '../identifiers/gtin.ts';
import type { Fetcher, Page, PageVerdict } from '../listing/page.ts';
import {
  barcodeQuery,
  requestSearch,
  type SearchHit,
  type SearchProvider,
} from '../retailers/search-providers.ts';
import type { Miss } from '../store/misses.ts';
import { failedFetch, outcomeOfVerdict, reportFound, type FailedFetch } from './failed-fetch.ts';

export type SearchWeb = {
  /** Null: the operator has configured none. */
  readonly provider: SearchProvider | null;
  /** Has an egress of its own: that of the shops cannot reach a private engine. */
  readonly fetch: Fetcher;
  readonly read: (page: Page, context: FetchContext) => Promise<PageVerdict<readonly SearchHit[]>>;
};

export type WebHits =
  | { readonly kind: 'hits'; readonly hits: readonly SearchHit[] }
  | { readonly kind: 'miss'; readonly miss: Miss }
  | FailedFetch;

/** Hits for a barcode, word for word, on one host. Null: no provider is configured. */
export async function searchWebByBarcode(
  search: SearchWeb,
  gtin: Gtin14,
  host: string,
  context: FetchContext,
): Promise<WebHits | null> {
  if (search.provider === null) return null;
  const request = requestSearch(search.provider, barcodeQuery(printedForm(gtin), host));
  // It is the operator's own engine, or one that the operator has an account for.
  const answer = await search.fetch({ ...request, isOfficial: true }, context);
  // A failure of the engine says nothing about the retailer.
  if (!answer.ok) return { ...failedFetch(answer.failure), status: 'error' };
  const verdict = await search.read(answer.page, context);
  await reportFound(answer, verdict);
  if (verdict.kind === 'read') return { kind: 'hits', hits: verdict.value };
  const outcome = outcomeOfVerdict(verdict);
  // It is the engine's page that is no product, not the retailer's.
  return outcome.kind === 'miss'
    ? { kind: 'miss', miss: { ...outcome.miss, upstream: null } }
    : outcome;
}
