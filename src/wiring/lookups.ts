// Wires what answers questions: the way out to the shops, the lookups over it, and the worker for their jobs.

import { createCollect, knownMissOf } from '../collect/collect.ts';
import type { ListingKey } from '../collect/listing-key.ts';
import { keepLearningTitles } from '../collect/count-titles.ts';
import { fetchAlone } from '../collect/exclusive-work.ts';
import type { SearchWeb } from '../collect/search-web.ts';
import { createFindCandidates, type FindCandidates } from '../lookup/find-candidates.ts';
import { createAskSellerContext, createSellerContextOf } from '../collect/seller-context.ts';
import { createSharedPacing } from '../collect/shared-pacing.ts';
import { createAccess, createCanAskByBarcode } from '../collect/source-access.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../core/clock.ts';
import type { PausedHost } from '../core/failed-for.ts';
import type { FetchContext, Priority } from '../core/fetch-context.ts';
import { fetchContext } from '../fetch/deadline.ts';
import { guardUrl } from '../fetch/guard/url-guard.ts';
import { createFetcher } from '../fetch/guarded-fetcher.ts';
import type { OriginMap } from '../fetch/origins.ts';
import { createWorker, type Worker } from '../indexer/worker.ts';
import { createAssemble } from '../lookup/assemble-product.ts';
import { createItemReviews } from '../lookup/item-reviews.ts';
import { createListRetailers, type ListRetailers } from '../lookup/list-retailers.ts';
import type { Fetcher } from '../listing/page.ts';
import { createFetchOffers } from '../lookup/live-offers.ts';
import { createLookupHistory, type LookupHistory } from '../lookup/lookup-history.ts';
import { createAssembleComparison, type LookupComparison } from '../lookup/compare-product.ts';
import { createLookup, type LookupParts, type LookupProduct } from '../lookup/lookup-product.ts';
import { createLookupReviews, type LookupReviews } from '../lookup/lookup-reviews.ts';
import { createLookupSeller, type LookupSeller } from '../lookup/lookup-seller.ts';
import { createHeldAddOns, createLiveAddOns } from '../lookup/product-add-ons.ts';
import { createProductPictures, type ProductPictures } from '../lookup/product-pictures.ts';
import type { Notes } from '../lookup/noted-reads.ts';
import { createNotedLookups, type NotedLookups } from '../lookup/noted-lookups.ts';
import { remembering } from '../lookup/remembered-lookup.ts';
import { withReplica, type HeldLookups } from '../lookup/replica-lookups.ts';
import { createScheduleBehind, jobsBehind, ONCE_IN_MS } from '../lookup/schedule.ts';
import { createMatching, type Matching } from '../matching/matcher.ts';
import { readMatchModel, versionText } from '../package-files.ts';
import type { Gtin14 } from '../identifiers/gtin.ts';
import type { Comparison } from '../product/comparison.ts';
import type { Product } from '../product/product.ts';
import type { ReaderPool } from '../reading/reader-pool.ts';
import { createIsTrustedShop } from '../retailers/trusted-shops.ts';
import type { Store } from '../store/store.ts';
import type { Needs } from './shared-parts.ts';
import { tellWatchesOf, wireWatches, type Watching } from './watching.ts';

/** Deadline of a background job: long enough for two requests to a shop that wants a minute between them. */
const JOB_DEADLINE_MS = 120_000;
const JOBS_AT_ONCE = 4;
const BACKGROUND: Priority = { kind: 'background' };

export type Lookups = Watching & {
  readonly findCandidates: FindCandidates;
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
  /** Null over a read replica, whose rows may be older than the revisions of the primary. */
  readonly notedLookups: NotedLookups | null;
  readonly lookupReviews: LookupReviews;
  readonly lookupSeller: LookupSeller;
  readonly listRetailers: ListRetailers;
  readonly pictures: ProductPictures;
  /** The guarded way out to the shops. */
  readonly fetchPage: Fetcher;
  /** Hosts that fail, as this process knows them. */
  readonly troubledHosts: () => readonly PausedHost[];
  /** Works off the jobs that lookups put on the queue, once it is started. */
  readonly worker: Worker;
  /** Counts held titles into the matcher's rarities, for as long as the service runs. */
  readonly learnTitles: (stop: AbortSignal) => Promise<void>;
};

/** Everything that fetches from shops, retailers and the search engine. */
function wireFetching(config: Config, needs: Needs) {
  const { clock, steady, sharedClock, log, store, readers, metrics, exclusive, hosts, newId } =
    needs;
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
      clock,
      steady,
      log: ({ event, host, kind, why }) => log.info(event, { host, kind, why }),
    });
  const paced = fetcherWith(config.origins);
  const fetcher = fetchAlone(exclusive, hosts.fresh(metrics.counted(paced)));
  const access = createAccess({
    fetch: fetcher,
    clock,
    steady,
    credentials: config.credentials,
    isTakenDown: hosts.isRetailerTakenDown,
    newId,
  });
  const search: SearchWeb = {
    provider: config.search.provider,
    fetch: metrics.counted(fetcherWith(config.search.origins), 'search_provider'),
    read: (page, context) => readers.webSearch(page, context),
  };
  const readAnswer: ReaderPool['answer'] = (page, name, slug, context) =>
    hosts.unlessTakenDown(page, readers.answer(page, name, slug, context), TAKEN_DOWN);
  const ask = { fetch: fetcher, readAnswer, access, store, clock };
  const matching = createMatching(readMatchModel());
  const isTrustedShop = createIsTrustedShop(config.trustedShops);
  const collect = createCollect({
    ...ask,
    readShop: readers.shop,
    search,
    matching,
    isTrustedShop,
    exclusive,
  });
  const canAskByBarcode = createCanAskByBarcode(access, search, hosts.isRetailerTakenDown);
  const { troubledHosts } = paced;
  const findCandidates = createFindCandidates(search);
  const searchProvider = config.search.provider?.kind ?? null;
  const listRetailers = createListRetailers({ store, access, searchProvider });
  return {
    ask,
    collect,
    matching,
    isTrustedShop,
    canAskByBarcode,
    troubledHosts,
    findCandidates,
    listRetailers,
  };
}

/** Of a page whose host was taken down while it was fetched and read. */
const TAKEN_DOWN = { kind: 'blocked', why: 'the host was taken down' } as const;

/** The lookups, and the worker for the jobs that they put on the queue. */
export function wireLookups(config: Config, needs: Needs): Lookups {
  const { clock, steady, sharedClock, store, background, onError } = needs;
  const fetching = wireFetching(config, needs);
  const { ask, collect, matching, isTrustedShop, canAskByBarcode, troubledHosts } = fetching;
  const behind = (ms: number) => (stop: AbortSignal) =>
    fetchContext({ nowMs: steady.now(), ms, stop }, BACKGROUND);
  const inBackground = (work: (context: FetchContext) => Promise<unknown>) =>
    background.run((stop) => work(behind(needs.lookupMs)(stop)));
  const worker = createWorker({
    jobs: store.jobs,
    collect,
    clock: sharedClock,
    random: Math.random,
    newId: needs.newId,
    tellWatches: tellWatchesOf({ store, clock, matching, isTrustedShop }),
    contextFor: behind(JOB_DEADLINE_MS),
    onError,
    concurrency: JOBS_AT_ONCE,
  });
  const isAllowedUrl = (text: string) =>
    guardUrl(text, { origins: config.origins, ...needs.denials }).ok;
  const itemReviews = createItemReviews({ ...ask, inBackground });
  const scheduling = { store, collect, canAskByBarcode, clock: sharedClock, inBackground };
  const addLive = createLiveAddOns(
    createFetchOffers({ ...ask, collect }),
    itemReviews,
    createAskSellerContext(createSellerContextOf(ask), ask.access.canAsk),
  );
  const scheduleBehind = createScheduleBehind({ ...scheduling, enqueued: () => worker.wake() });
  const asking = {
    collect,
    matching,
    isTrustedShop,
    canAskByBarcode,
    addLive,
    clock,
    isAllowedUrl,
    scheduleBehind,
  };
  const { lookupComparison, lookupHistory, ...held } = heldLookups(store, asking);
  const notedLookups = notedLookupsOf(needs, asking);
  const lookupProduct = rememberedOf(config, clock, held.lookupProduct, notedLookups);
  return {
    lookupProduct,
    lookupComparison,
    lookupHistory,
    notedLookups,
    lookupReviews: createLookupReviews({
      clock,
      collect,
      lookupProduct,
      itemReviews,
      isAllowedUrl,
    }),
    lookupSeller: createLookupSeller({ ...ask, exclusive: needs.exclusive, inBackground }),
    listRetailers: fetching.listRetailers,
    pictures: createProductPictures({
      lookupProduct,
      fetcher: ask.fetch,
      clock: steady,
      isDeniedHost: needs.denials.isDeniedHost,
    }),
    fetchPage: ask.fetch,
    troubledHosts,
    findCandidates: fetching.findCandidates,
    worker,
    ...wireWatches(config, needs, { ...asking, store, wake: () => worker.wake() }),
    learnTitles: learningOf(needs, matching),
  };
}

function learningOf({ store, clock, onError }: Needs, matching: Matching): Lookups['learnTitles'] {
  const failed = (error: unknown) => onError('could not count the words of titles', error);
  return (stop) => keepLearningTitles({ store, matching, clock, onError: failed }, stop);
}

type Asking = Omit<LookupParts<Product>, 'store' | 'assemble'>;

/** The lookups that answer from what is held; with a read replica they read it there. */
function heldLookups(store: Store, asking: Asking): HeldLookups {
  const { replica } = store;
  const now = lookupsOver(store, asking);
  return replica === null ? now : withReplica(now, lookupsOver(replica.store, asking), replica);
}

function lookupsOver(store: Store, asking: Asking): HeldLookups {
  const { clock, matching, isTrustedShop, collect, isAllowedUrl } = asking;
  const queuedRetailers = (gtin: Gtin14) => store.jobs.findLiveJobs(gtin);
  const heldAddOns = createHeldAddOns({ store, clock, matching, queuedRetailers });
  const knownMiss = (key: ListingKey) => knownMissOf({ store, clock }, key);
  const reading = { ...asking, store, collect: { ...collect, knownMiss } };
  const comparing = {
    ...reading,
    addLive: (found: Comparison) => Promise.resolve(found),
    assemble: createAssembleComparison({ store, clock, matching, queuedRetailers }),
  };
  const comparison = createLookup(comparing);
  // D69: a comparison of what is held asks nobody, behind its answer neither.
  const quiet = createLookup({ ...comparing, scheduleBehind: () => Promise.resolve() });
  return {
    lookupProduct: createLookup({
      ...reading,
      assemble: createAssemble({ store, clock, matching, isTrustedShop, heldAddOns }),
    }),
    lookupComparison: { ...comparison, held: (lookup) => quiet.held(lookup) },
    lookupHistory: createLookupHistory({ store, clock, isAllowedUrl, isTrustedShop, matching }),
  };
}

function notedLookupsOf({ store, hosts }: Needs, asking: Asking): NotedLookups | null {
  if (store.replica !== null) return null;
  const { clock, matching } = asking;
  return createNotedLookups({
    store,
    clock,
    over: (notes) => notedOver(notes, asking),
    circumstances: circumstancesOf(matching, hosts),
  });
}

/** The same text object while it says the same: every kept answer has it, and is compared by it for every call. */
function circumstancesOf(matching: Matching, hosts: Needs['hosts']): () => string {
  let known = { model: '', takenDown: -1, text: '' };
  return () => {
    const model = matching.version();
    const takenDown = hosts.version();
    if (model !== known.model || takenDown !== known.takenDown) {
      known = { model, takenDown, text: `${model} ${takenDown}` };
    }
    return known.text;
  };
}

function rememberedOf(
  { rememberedMb }: Config,
  clock: Clock,
  lookup: LookupProduct,
  noted: NotedLookups | null,
): LookupProduct {
  if (noted === null || rememberedMb === 0) return lookup;
  const maxBytes = rememberedMb * 1_048_576;
  return remembering(lookup, {
    basis: { clock, noted },
    makeNoted: (asked) => noted.product(asked),
    maxBytes,
  });
}

/** An answer behind which something should be fetched is made again when that is asked for again. */
function notedOver({ store, endsAt }: Notes, asking: Asking): HeldLookups {
  const { clock, canAskByBarcode, scheduleBehind } = asking;
  return lookupsOver(store, {
    ...asking,
    scheduleBehind: (answered) => {
      const nowMs = clock.now();
      if (jobsBehind(answered, canAskByBarcode, nowMs).length > 0) endsAt(nowMs + ONCE_IN_MS);
      return scheduleBehind(answered);
    },
  });
}
