// Finds a product page through a search engine, for a retailer without a usable barcode search (D46). A hit proves nothing:
// its page decides.

import type { FetchContext } from '../../../base/fetch-context.ts';
import type { Gtin14 } from '../../../base/identifiers/gtin.ts';
import { printedForm } from '../../../base/identifiers/gtin.ts';
import type { Fetcher, FetchFailure, Page, PageVerdict } from '../../../base/listing/page.ts';
import type { SearchHit } from '../../../read/retailers/search/search-answers.ts';
import type { SearchProvider } from '../../../read/retailers/search/search-providers.ts';
import { barcodeQuery, requestSearch } from '../../../read/retailers/search/search-requests.ts';
import {
  failedFetch,
  MISCONFIGURED_SECONDS,
  reportFound,
  type FailedFetch,
} from './failed-fetch.ts';
import { settingOfProvider, type SearchRest } from './search-rest.ts';

export type SearchWeb = {
  /** The search engine; null if the operator has configured none. */
  readonly provider: SearchProvider | null;
  /** Fetches through a separate egress, because that of the shops cannot reach a private engine. */
  readonly fetch: Fetcher;
  readonly read: (page: Page, context: FetchContext) => Promise<PageVerdict<readonly SearchHit[]>>;
  readonly rest: SearchRest;
};

type WebHits = { readonly kind: 'hits'; readonly hits: readonly SearchHit[] } | FailedFetch;

/** Searches one host for the exact barcode. Null if no provider is configured. */
export async function searchWebByBarcode(
  search: SearchWeb,
  gtin: Gtin14,
  host: string,
  context: FetchContext,
): Promise<WebHits | null> {
  return await searchWebByWords(search, barcodeQuery(printedForm(gtin), host), context);
}

/** Searches for words as a person types them. Null if no provider is configured. */
export async function searchWebByWords(
  search: SearchWeb,
  words: string,
  context: FetchContext,
): Promise<WebHits | null> {
  const { provider, rest } = search;
  if (provider === null) return null;
  const resting = rest.current();
  if (resting !== null) return resting;
  const request = requestSearch(provider, words);
  // Official: the engine is the operator's own, or one with which the operator has an account.
  const answer = await search.fetch({ ...request, isOfficial: true }, context);
  // A failure of the engine says nothing about the retailer.
  if (!answer.ok) return engineFailed(search, provider, answer.failure);
  const verdict = await search.read(answer.page, context);
  await reportFound(answer, verdict);
  if (verdict.kind !== 'read') return engineFailed(search, provider, verdict);
  rest.end();
  return { kind: 'hits', hits: verdict.value };
}

const BUSY_SECONDS = 60;

type EngineFailure = FetchFailure | Exclude<PageVerdict<never>, { readonly kind: 'read' }>;

/**
 * The failure of a search engine, which is never the caller's fault (D65). If a retry cannot help, the setting is named, its
 * address and key never are. The engine rests if no question would be answered, and if it asked for a pause.
 */
function engineFailed(
  { rest }: Pick<SearchWeb, 'rest'>,
  provider: SearchProvider,
  failed: EngineFailure,
): FailedFetch {
  if (failed.kind === 'egress') return failedFetch(failed);
  const seconds = 'retryAfterSeconds' in failed ? failed.retryAfterSeconds : undefined;
  // A process that was stopped, or never started: another attempt soon is as pointless as with a wrong address.
  const isRefused = 'isConnectionRefused' in failed;
  const mayPass = seconds !== undefined || (PASSING.has(failed.kind) && !isRefused);
  const detail = mayPass
    ? 'The search engine of this installation does not respond at the moment. Try again later.'
    : 'The search engine of this installation cannot be used: it is unreachable, or refuses the request. The ' +
      `operator has to check ${settingOfProvider(provider)}.`;
  const retryAfterSeconds = Math.ceil(seconds ?? (mayPass ? BUSY_SECONDS : MISCONFIGURED_SECONDS));
  const fault = { code: 'upstream_unavailable', detail, retryAfterSeconds } as const;
  const paced = failed.kind === 'busy' ? { isPaced: true as const } : {};
  const result: FailedFetch = {
    kind: 'failed',
    status: 'error',
    fault: { ...fault, upstream: 'upstream_error' },
    ...paced,
  };
  // Our own pacing concerns this caller, not the engine.
  const isPause = seconds !== undefined && failed.kind !== 'busy';
  if (isRefused || isPause || LASTING.has(failed.kind)) rest.begin(result, whyOf(failed));
  return result;
}

function whyOf(failed: EngineFailure): string {
  if ('detail' in failed) return failed.detail;
  return 'why' in failed ? failed.why : failed.kind;
}

/** Kinds of failure that every question meets. An answer that cannot be read may be due to the question. */
const LASTING: ReadonlySet<string> = new Set(['refused', 'unresolved', 'untrusted', 'blocked']);

/** Transient kinds of failure. */
const PASSING: ReadonlySet<string> = new Set(['timeout', 'reset', 'busy', 'unsent', 'retry']);
