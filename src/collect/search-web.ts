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
import { failedFetch, faultOfVerdict, type FailedFetch } from './outcome.ts';

export type SearchWeb = {
  /** Null: the operator has configured none. */
  readonly provider: SearchProvider | null;
  /** The search's own way out: the shops' cannot reach a private engine. */
  readonly fetch: Fetcher;
  readonly read: (page: Page) => Promise<PageVerdict<readonly SearchHit[]>>;
};

export type WebHits =
  | { readonly kind: 'hits'; readonly hits: readonly SearchHit[] }
  | { readonly kind: 'miss'; readonly miss: Miss }
  | FailedFetch;

/** Hits for a barcode, word for word, on one host. Null: there is no provider to ask. */
export async function searchWebByBarcode(
  search: SearchWeb,
  gtin: Gtin14,
  host: string,
  context: FetchContext,
): Promise<WebHits | null> {
  if (search.provider === null) return null;
  const request = requestSearch(search.provider, barcodeQuery(printedForm(gtin), host));
  // The operator's own engine, or one he has an account for.
  const answer = await search.fetch({ ...request, isOfficial: true }, context);
  // What keeps the engine from being asked says nothing of the retailer.
  if (!answer.ok) return { ...failedFetch(answer.failure), status: 'error' };
  const verdict = await search.read(answer.page);
  switch (verdict.kind) {
    case 'read':
      return { kind: 'hits', hits: verdict.value };
    case 'not_found':
    case 'not_a_product':
      return { kind: 'miss', miss: { detail: verdict.why, upstream: null } };
    case 'blocked':
      return { kind: 'failed', fault: faultOfVerdict(verdict), status: 'blocked' };
    case 'retry':
    case 'unreadable':
    case 'follow':
      return { kind: 'failed', fault: faultOfVerdict(verdict), status: 'error' };
  }
}
