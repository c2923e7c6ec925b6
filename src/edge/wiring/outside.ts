// Wires the parts that reach out of this process: the way to shops, retailers and the search engine, the code that asks them,
// the worker for the jobs behind answers, watches and notices. It is loaded when first needed, or after the first answers.

import { createHandIn, type HandIn } from '../../answer/collect/hand-in.ts';
import { createCollect, type Collect } from '../../answer/collect/collect.ts';
import { fetchAlone } from '../../answer/collect/coordination/exclusive-work.ts';
import {
  createReadPageCandidates,
  type ReadPageCandidates,
} from '../../answer/lookup/page-candidates.ts';
import { createSearchRest } from '../../answer/collect/asking/search-rest.ts';
import type { SearchWeb } from '../../answer/collect/asking/search-web.ts';
import {
  createAskSellerContext,
  createSellerContextOf,
} from '../../answer/collect/asking/seller-context.ts';
import { createCallLimits } from '../../answer/collect/coordination/call-limits.ts';
import { createSharedCalls } from '../../answer/collect/coordination/shared-calls.ts';
import { createSharedPacing } from '../../answer/collect/coordination/shared-pacing.ts';
import type { AccessKeeper, CanAskByBarcode } from '../../answer/collect/asking/source-access.ts';
import type { Config } from '../config.ts';
import { deleteOwnFacts } from '../../data/answers/own-facts.ts';
import type { PausedHost } from '../../base/failed-for.ts';
import type { FetchContext, Priority } from '../../base/fetch-context.ts';
import { fetchContext } from '../../egress/deadline.ts';
import { createFetcher } from '../../egress/guarded-fetcher.ts';
import type { OriginMap } from '../../egress/origins.ts';
import { createWorker, type Worker, type WorkerParts } from '../../answer/indexer/worker.ts';
import type { Fetcher } from '../../base/listing/page.ts';
import { createFindCandidates, type FindCandidates } from '../../answer/lookup/find-candidates.ts';
import { createItemReviews } from '../../answer/lookup/add-ons/item-reviews.ts';
import { createListRetailers, type ListRetailers } from '../../answer/lookup/list-retailers.ts';
import { probeSources, type ProbedSource } from '../../answer/lookup/probe-sources.ts';
import { createLiveAddOns } from '../../answer/lookup/add-ons/live-add-ons.ts';
import { createFetchOffers } from '../../answer/lookup/add-ons/live-offers.ts';
import type { LookupProduct } from '../../answer/lookup/lookup-product.ts';
import { createLookupReviews, type LookupReviews } from '../../answer/lookup/lookup-reviews.ts';
import { createLookupSeller, type LookupSeller } from '../../answer/lookup/lookup-seller.ts';
import type { IsAllowedUrl } from '../../answer/lookup/steps/parse-input.ts';
import type { LiveAddOns } from '../../answer/lookup/add-ons/product-add-ons.ts';
import {
  createProductPictures,
  type ProductPictures,
} from '../../answer/lookup/product-pictures.ts';
import type { MatchingLater } from '../../rules/matching/matching-later.ts';
import { versionText } from '../package-files.ts';
import type { IsTrusted } from '../../rules/product/barcode-rows.ts';
import type { Product } from '../../rules/product/product.ts';
import type { ReaderPool } from '../../read/threads/reader-pool.ts';
import { isSimulated } from './is-simulated.ts';
import type { Needs } from './shared-parts.ts';
import { watchesOfJobs, wireWatches, type Watching } from './watching.ts';

/** Deadline of a background job: long enough for two requests to a shop that requires a minute between them. */
const JOB_DEADLINE_MS = 120_000;
const JOBS_AT_ONCE = 4;
const BACKGROUND: Priority = { kind: 'background' };

export type Outside = Watching & {
  readonly collect: Collect;
  readonly handIn: HandIn;
  readonly deleteHandedIn: (organizationId: string, rowId: string | null) => Promise<number>;
  readonly addLive: LiveAddOns<Product>;
  readonly findCandidates: FindCandidates;
  readonly pageCandidates: ReadPageCandidates;
  readonly lookupReviews: LookupReviews;
  readonly lookupSeller: LookupSeller;
  readonly listRetailers: ListRetailers;
  readonly probeSources: (context: FetchContext) => Promise<readonly ProbedSource[]>;
  /** Null if this installation serves no pictures. */
  readonly pictures: ProductPictures | null;
  /** Fetches from shops, through the guard. */
  readonly fetchPage: Fetcher;
  /** Failing hosts, as far as this process knows. */
  readonly troubledHosts: () => readonly PausedHost[];
  /** Processes the jobs that lookups queued, once it is started. */
  readonly worker: Worker;
};

/** Parts shared with the lookups of stored data. */
type Inside = {
  readonly access: AccessKeeper;
  readonly canAskByBarcode: CanAskByBarcode;
  readonly matching: MatchingLater;
  readonly isTrustedShop: IsTrusted;
  readonly isAllowedUrl: IsAllowedUrl;
  readonly lookupProduct: LookupProduct;
};

export function wireOutside(config: Config, needs: Needs, inside: Inside): Outside {
  const { clock, steady, store, hosts, exclusive, readers } = needs;
  const { access, canAskByBarcode, matching, isTrustedShop, isAllowedUrl, lookupProduct } = inside;
  const { fetchPage, troubledHosts, search } = wireFetching(config, needs);
  const readAnswer: ReaderPool['answer'] = (page, name, slug, context) =>
    hosts.unlessTakenDown(page, readers.answer(page, name, slug, context), TAKEN_DOWN);
  const ask = { fetch: fetchPage, readAnswer, access, store, clock };
  const readShop = readers.shop;
  const collect = createCollect({ ...ask, readShop, search, matching, isTrustedShop, exclusive });
  const inBackground = (work: (context: FetchContext) => Promise<unknown>) =>
    needs.background.run((stop) => work(inBackgroundFor(needs, needs.lookupMs)(stop)));
  const itemReviews = createItemReviews({ ...ask, inBackground });
  const { forbidsWatching } = access;
  const asked = { canAskByBarcode, isAllowedUrl, forbidsWatching };
  const watching = { store, matching, isTrustedShop, clock, ...asked };
  const worker = wireWorker(needs, collect, watchesOfJobs(needs, watching));
  const showing = { lookupProduct, fetcher: fetchPage, clock: steady };
  const handedIn = { kind: 'page', canonical: null, verdict: TAKEN_DOWN } as const;
  const readCandidates: ReaderPool['candidates'] = (page, slug, context) =>
    hosts.unlessTakenDown(page, readers.candidates(page, slug, context), TAKEN_DOWN);
  return {
    collect,
    handIn: createHandIn({
      ...watching,
      readPage: (page, slug, context) =>
        hosts.unlessTakenDown(page, readers.handedIn(page, slug, context), handedIn),
      readCandidates,
    }),
    deleteHandedIn: (...which) => deleteOwnFacts(store.sql, ...which),
    addLive: createLiveAddOns(
      createFetchOffers({ ...ask, collect }),
      itemReviews,
      createAskSellerContext(createSellerContextOf(ask), access.canAsk),
    ),
    lookupReviews: createLookupReviews({
      clock,
      collect,
      lookupProduct,
      itemReviews,
      isAllowedUrl,
    }),
    lookupSeller: createLookupSeller({ ...ask, exclusive, inBackground }),
    listRetailers: createListRetailers({
      store,
      access,
      searchProvider: search.provider?.kind ?? null,
      searchProblem: search.rest.problem,
    }),
    probeSources: (context) => probeSources(ask, context),
    pictures: config.pictures
      ? createProductPictures({ ...showing, isDeniedHost: needs.denials.isDeniedHost })
      : null,
    fetchPage,
    troubledHosts,
    findCandidates: createFindCandidates(search),
    pageCandidates: createReadPageCandidates({
      ...ask,
      readShop,
      isTrustedShop,
      isAllowedUrl,
      readCandidates,
    }),
    worker,
    ...wireWatches(config, needs, { ...watching, wake: () => worker.wake() }),
  };
}

/** The verdict on a page whose host was taken down while it was fetched and read. */
const TAKEN_DOWN = { kind: 'blocked', why: 'the host was taken down' } as const;

function wireWorker(
  needs: Needs,
  collect: Collect,
  watches: Pick<WorkerParts, 'notifyWatches' | 'endChecks'>,
): Worker {
  const { store, sharedClock, newId, onError } = needs;
  return createWorker({
    jobs: store.jobs,
    collect,
    clock: sharedClock,
    random: Math.random,
    newId,
    ...watches,
    contextFor: inBackgroundFor(needs, JOB_DEADLINE_MS),
    onError,
    concurrency: JOBS_AT_ONCE,
  });
}

/** Creates the context of background work: it may take `ms` from its start. */
function inBackgroundFor({ steady }: Needs, ms: number): (stop: AbortSignal) => FetchContext {
  return (stop) => fetchContext({ nowMs: steady.now(), ms, stop }, BACKGROUND);
}

/** Creates the guarded ways out: to the shops and retailers, and to the operator's search engine. */
function wireFetching(config: Config, needs: Needs) {
  const { clock, steady, sharedClock, log, store, readers, metrics, exclusive, hosts } = needs;
  const fetcherWith = (origins: OriginMap) =>
    createFetcher({
      denials: needs.denials,
      version: versionText(),
      contact: config.contact,
      origins,
      dnsServers: config.dnsServers,
      egressProxy: config.egressProxy,
      hostIntervalMs: config.hostIntervalMs,
      maxConcurrent: config.maxConcurrent,
      ...createSharedPacing(store, sharedClock, steady),
      budget: needs.pages,
      limits: needs.fetchLimits,
      clock,
      steady,
      log: ({ event, host, kind, why }) => log.info(event, { host, kind, why }),
    });
  const paced = fetcherWith(config.origins);
  const { provider } = config.search;
  const search: SearchWeb = {
    provider,
    rest: createSearchRest(provider, { steady, log }),
    fetch: metrics.counted(fetcherWith(config.search.origins), 'search_provider'),
    read: (page, context) => readers.webSearch(page, context),
  };
  const fetcher = fetchAlone(exclusive, hosts.fresh(metrics.counted(paced)));
  const limits = createCallLimits(store, sharedClock, steady);
  // A simulated API is nobody's: it may be called as often as it can answer.
  const fetchPage = isSimulated(config)
    ? fetcher
    : createSharedCalls({ fetcher, limits, clock: steady });
  return { fetchPage, troubledHosts: paced.troubledHosts, search };
}
