// Finds the products that the hosted stores of OPENSHELF_BARCODE_SHOPS sell under a barcode. Their search covers the
// barcodes of variants, and a hit counts only if one of its variants prints the barcode. One request per shop, two for a
// hit.

import { isDoneSince } from '../../base/clock.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { printedForm, type Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Fetcher, FetchOutcome, Page } from '../../base/listing/page.ts';
import { isUnsearched } from '../../base/listing/stored-listing.ts';
import { ucpHandles } from '../../read/retailers/ucp/answer.ts';
import { tie } from '../../rules/product/identity.ts';
import {
  hostedStoreSearch,
  hostedStoreRequests,
  suggestedHandles,
  variantPrinting,
} from '../../read/retailers/hosted-store.ts';
import { writeChanges, type AnswerChange } from '../../data/answers/answer-writes.ts';
import { deleteMiss, upsertMiss } from '../../data/answers/misses.ts';
import type { ShopDoor } from '../../data/answers/shops.ts';
import { doorOf, isOfEndpoint, REFUSED, REFUSED_MS } from './asking/doors.ts';
import { failedFetch, type FailedFetch } from './asking/failed-fetch.ts';
import { catalogueSearch } from './asking/ucp-door.ts';
import type { CollectOutcome, CollectParts, PageOutcome } from './collect-outcome.ts';
import { listingKeyOf, type ListingKey } from './listing-key.ts';

type ShopQuestion = { readonly host: string; readonly gtin: Gtin14; readonly sinceMs: number };

/** Collects the listing of an address; some of its pages have been fetched already. */
export type CollectWith = (
  parts: CollectParts,
  key: ListingKey,
  context: FetchContext,
) => Promise<PageOutcome>;

/** The number of search hits that are read. A search for a barcode rarely finds more. */
const MOST_READ = 3;
const SEARCH = 'suggest.json';

/** Null if the shop cannot be asked, because it has no such search or refused an earlier request. */
export async function collectFromShop(
  parts: CollectParts,
  question: ShopQuestion,
  collectWith: CollectWith,
  context: FetchContext,
): Promise<CollectOutcome | null> {
  const { store, clock } = parts;
  const { host, gtin, sinceMs } = question;
  const nowMs = clock.now();
  const doors = await store.shops.findShopDoors(host);
  const door = doorOf({ facts: null, doors }, SEARCH, nowMs);
  if (doors.some(({ refusedUntilMs }) => (refusedUntilMs ?? 0) > nowMs)) return null;
  const missName = `barcode ${host} ${gtin}`;
  const known = await store.misses.findMiss(missName, nowMs);
  if (known !== null && isDoneSince(known.notedAtMs, sinceMs, nowMs)) {
    return { kind: 'miss', miss: known };
  }
  const search = { parts, question, collectWith, missName };
  const inCatalogue = await searchedCatalogue(parts, question, doors, context);
  if (inCatalogue === 'refused') return null;
  const first = await readPrinting(search, inCatalogue ?? [], context);
  if (first !== null) return first === 'silent' ? null : first;
  const found = door?.isThere === false ? null : await searched(parts, question, context);
  if (found === 'silent' || (found === null && inCatalogue === null)) return null;
  if (found !== null && !('handles' in found)) return found;
  const others = (found?.handles ?? []).filter((handle) => inCatalogue?.includes(handle) !== true);
  const next = await readPrinting(search, others, context);
  if (next !== null) return next === 'silent' ? null : next;
  const miss = { detail: `${host} sells nothing that prints this barcode.`, upstream: null };
  await writeChanges(store.sql, [], upsertMiss(missName, miss, nowMs));
  return { kind: 'miss', miss };
}

type Search = {
  readonly parts: CollectParts;
  readonly question: ShopQuestion;
  readonly collectWith: CollectWith;
  readonly missName: string;
};

/** Reads the first of these products that prints the barcode; null if none does, `silent` if one does not answer. */
async function readPrinting(
  { parts, question: { host, gtin }, collectWith, missName }: Search,
  handles: readonly string[],
  context: FetchContext,
): Promise<CollectOutcome | 'silent' | null> {
  for (const handle of handles.slice(0, MOST_READ)) {
    const url = `https://${host}/products/${handle}`;
    const requests = hostedStoreRequests(new URL(url));
    if (requests === null) continue;
    const answer = await parts.fetch({ ...requests.js, insteadOf: url }, context);
    if (!answer.ok) return failedFetch(answer.failure);
    const { status } = answer.page;
    const isGone = status === 404 || status === 410;
    const variant = isGone ? null : variantPrinting(answer.page, gtin);
    if (variant === 'unread' || isUnsearched(answer.page)) {
      if (status < 500) await noteSearch(parts, host, variant === 'unread');
      return 'silent';
    }
    if (variant === null) continue;
    const address = variant.id === null ? url : `${url}?variant=${variant.id}`;
    const key = listingKeyOf({ kind: 'url', value: address });
    if (key?.kind !== 'shop') continue;
    const read = await collectWith(
      { ...parts, fetch: fetchedAs(parts.fetch, answer) },
      key,
      context,
    );
    if (!('stored' in read)) return read;
    await parts.store.sql.write(deleteMiss(missName));
    const identity = tie(gtin, read.stored, parts.isTrustedShop(read.stored));
    return { kind: 'read', stored: read.stored, identity };
  }
  return null;
}

/**
 * Searches the shop's catalogue by UCP. A text search may return products without the barcode. Null if the shop is not
 * known to have a catalogue, or it does not answer.
 */
async function searchedCatalogue(
  parts: CollectParts,
  { host, gtin }: ShopQuestion,
  doors: readonly ShopDoor[],
  context: FetchContext,
): Promise<readonly string[] | 'refused' | null> {
  const known = doors.find(({ door }) => door === 'ucp');
  const request = catalogueSearch(parts, known, printedForm(gtin));
  if (known === undefined || request === null) return null;
  const answer = await parts.fetch({ ...request, insteadOf: `https://${host}/` }, context);
  if (!answer.ok || answer.page.url !== request.url) return null;
  const { page } = answer;
  const handles = REFUSED.has(page.status) ? 'refused' : ucpHandles(page);
  if (handles !== 'refused') return page.status === 200 ? (handles?.slice(0, 1) ?? null) : null;
  const nowMs = parts.clock.now();
  await noteDoor(parts, { ...known, learnedAtMs: nowMs, refusedUntilMs: nowMs + REFUSED_MS });
  return handles;
}

async function noteDoor({ store }: CollectParts, door: ShopDoor): Promise<void> {
  const changes: readonly AnswerChange[] = [{ kind: 'shop-door', door }];
  await writeChanges(store.sql, changes);
}

/** Records that a shop's search does not exist, or that the shop refuses: then it is not asked for an hour. */
async function noteSearch(parts: CollectParts, host: string, isRefused: boolean): Promise<void> {
  const nowMs = parts.clock.now();
  await noteDoor(parts, {
    host,
    door: SEARCH,
    isThere: isRefused,
    detail: null,
    learnedAtMs: nowMs,
    refusedUntilMs: isRefused ? nowMs + REFUSED_MS : null,
  });
}

/** Asks the shop's search. Null if it is not there, `silent` if it does not answer this time. */
async function searched(
  parts: CollectParts,
  { host, gtin }: ShopQuestion,
  context: FetchContext,
): Promise<{ readonly handles: readonly string[] } | FailedFetch | 'silent' | null> {
  const answer = await parts.fetch(hostedStoreSearch(host, printedForm(gtin)), context);
  if (!answer.ok && answer.failure.kind !== 'robots') return failedFetch(answer.failure);
  const page = answer.ok ? answer.page : null;
  // A shop that wants to be found by no search is not searched either (D83).
  const handles = page === null || isUnsearched(page) ? null : handlesIn(page);
  if (handles !== null) return { handles };
  if (page !== null && page.status >= 500) return 'silent';
  const isRefused = page !== null && REFUSED.has(page.status);
  await noteSearch(parts, host, isRefused);
  return isRefused ? 'silent' : null;
}

function handlesIn(page: Page): readonly string[] | null {
  return page.status === 200 && isOfEndpoint(page) ? suggestedHandles(page) : null;
}

/** Returns the same answer for the same document with other parameters, which the store ignores. */
function fetchedAs(fetcher: Fetcher, answer: Extract<FetchOutcome, { ok: true }>): Fetcher {
  const withoutQuery = (url: string): string => url.split('?', 1)[0] ?? url;
  const { page } = answer;
  const isDirect = page.url === page.requestedUrl;
  return async (request, context) =>
    isDirect && withoutQuery(request.url) === page.url
      ? { ...answer, page: { ...page, requestedUrl: request.url, url: request.url } }
      : fetcher(request, context);
}
