// Wires the parts that ask shops, retailers and the search engine, and read pages. It is loaded when first needed.

import { createHandIn, type HandIn } from '../../answer/collect/hand-in.ts';
import { createPageRules } from '../../answer/collect/page-rules.ts';
import { createCollect, type Collect } from '../../answer/collect/collect.ts';
import type { ReadAnswer } from '../../answer/collect/asking/ask-retailer.ts';
import { fetchAlone } from '../../answer/collect/coordination/exclusive-work.ts';
import {
  createReadPageCandidates,
  type ReadPageCandidates,
} from '../../answer/lookup/page-candidates.ts';
import {
  createAskDatabases,
  type AskDatabases,
} from '../../answer/collect/asking/ask-databases.ts';
import { createSearchRest } from '../../answer/collect/asking/search-rest.ts';
import type { SearchWeb } from '../../answer/collect/asking/search-web.ts';
import {
  createAskSellerContext,
  createSellerContextOf,
} from '../../answer/collect/asking/seller-context.ts';
import { createCallLimits } from '../../answer/collect/coordination/call-limits.ts';
import { createSharedCalls } from '../../answer/collect/coordination/shared-calls.ts';
import { createSharedPacing } from '../../answer/collect/coordination/shared-pacing.ts';
import type { Config } from '../config.ts';
import { createBarcodeFacts } from '../../data/answers/barcode-facts.ts';
import { deleteOwnFacts } from '../../data/answers/own-facts.ts';
import type { PausedHost } from '../../base/failed-for.ts';
import type { FetchContext } from '../../base/fetch-context.ts';
import { createFetcher, type FetcherOptions } from '../../egress/guarded-fetcher.ts';
import type { OriginMap } from '../../egress/origins.ts';
import type { Fetcher } from '../../base/listing/page.ts';
import { createFindCandidates, type FindCandidates } from '../../answer/lookup/find-candidates.ts';
import { createManageRules, type ManageRules } from '../../answer/lookup/manage-rules.ts';
import { createItemReviews } from '../../answer/lookup/add-ons/item-reviews.ts';
import { createListRetailers, type ListRetailers } from '../../answer/lookup/list-retailers.ts';
import { probeSources, type ProbedSource } from '../../answer/lookup/probe-sources.ts';
import { createLiveAddOns } from '../../answer/lookup/add-ons/live-add-ons.ts';
import { createFetchOffers } from '../../answer/lookup/add-ons/live-offers.ts';
import type { LookupProduct } from '../../answer/lookup/lookup-product.ts';
import { createLookupReviews, type LookupReviews } from '../../answer/lookup/lookup-reviews.ts';
import { createLookupSeller, type LookupSeller } from '../../answer/lookup/lookup-seller.ts';
import type { LiveAddOns } from '../../answer/lookup/add-ons/product-add-ons.ts';
import {
  createProductPictures,
  type ProductPictures,
} from '../../answer/lookup/product-pictures.ts';
import { isListedHost } from '../../read/retailers/addresses/trusted-shops.ts';
import { versionText } from '../package-files.ts';
import type { Product } from '../../rules/product/product.ts';
import type { ReaderPool } from '../../read/threads/reader-pool.ts';
import { requestSigner } from './identity.ts';
import { isSimulated } from './is-simulated.ts';
import type { Needs } from './shared-parts.ts';
import { inBackgroundFor, type Inside } from './watching.ts';

export type Outside = {
  readonly collect: Collect;
  readonly handIn: HandIn;
  readonly deleteHandedIn: (organizationId: string, rowId: string | null) => Promise<number>;
  readonly addLive: LiveAddOns<Product>;
  readonly askDatabases: AskDatabases;
  readonly findCandidates: FindCandidates;
  readonly pageCandidates: ReadPageCandidates;
  readonly manageRules: ManageRules;
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
};

export function wireOutside(
  config: Config,
  needs: Needs,
  inside: Inside & { readonly lookupProduct: LookupProduct },
): Outside {
  const { clock, steady, store, exclusive, readers } = needs;
  const { access, matching, isTrustedShop, isAllowedUrl, lookupProduct } = inside;
  const { fetchPage, troubledHosts, search } = wireFetching(config, needs);
  const { rules, readAnswer, readHandedIn, readCandidates } = wireReading(needs);
  const ask = { fetch: fetchPage, readAnswer, access, store, clock };
  const { barcodeShops, agentProfile } = config;
  const shops = { readShop: readers.shop, isTrustedShop, barcodeShops, agentProfile };
  const collect = createCollect({ ...ask, ...shops, search, matching, exclusive });
  const inBackground = (work: (context: FetchContext) => Promise<unknown>) =>
    needs.background.run((stop) => work(inBackgroundFor(needs, needs.lookupMs)(stop)));
  const itemReviews = createItemReviews({ ...ask, inBackground });
  const showing = { lookupProduct, fetcher: fetchPage, clock: steady };
  const pageCandidates = createReadPageCandidates({
    ...ask,
    ...shops,
    isAllowedUrl,
    readCandidates,
    readHandedIn,
    rules,
  });
  return {
    collect,
    handIn: createHandIn({
      store,
      matching,
      isTrustedShop,
      clock,
      isAllowedUrl,
      rules,
      readPage: readHandedIn,
      readCandidates,
    }),
    deleteHandedIn: (...which) => deleteOwnFacts(store.sql, ...which),
    addLive: createLiveAddOns(
      createFetchOffers({ ...ask, collect }),
      itemReviews,
      createAskSellerContext(createSellerContextOf(ask), access.canAsk),
    ),
    askDatabases: wireDatabases(config, needs, fetchPage),
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
    findCandidates: createFindCandidates(search, store),
    pageCandidates,
    manageRules: createManageRules({ store, clock, newId: needs.newId, pageCandidates, rules }),
  };
}

function wireDatabases(
  { barcodeDatabases }: Config,
  { store, sharedClock: clock }: Needs,
  fetcher: Fetcher,
): AskDatabases {
  const { hostSlots, sql } = store;
  const facts = createBarcodeFacts(sql);
  const isLive = barcodeDatabases === 'live';
  return createAskDatabases({ facts, hostSlots, fetcher, clock, isLive });
}

/** The verdict on a page whose host was taken down while it was fetched and read. */
const TAKEN_DOWN = { kind: 'blocked', why: 'the host was taken down' } as const;

/** Creates the readers of pages. They apply rules, and drop pages of hosts that were taken down. */
function wireReading({ clock, steady, store, hosts, readers }: Needs) {
  const rules = createPageRules({ store, clock, steady, readByRules: readers.byRules });
  const readRuled: ReadAnswer = async (page, name, slug, context) => {
    const verdict = await readers.answer(page, name, slug, context);
    return verdict === null || name !== 'product' ? verdict : rules.applied(page, verdict, context);
  };
  const readAnswer: ReadAnswer = (page, ...reader) =>
    hosts.unlessTakenDown(page, readRuled(page, ...reader), TAKEN_DOWN);
  const handedIn = { kind: 'page', canonical: null, verdict: TAKEN_DOWN } as const;
  const readHandedIn: ReaderPool['handedIn'] = (page, slug, context) =>
    hosts.unlessTakenDown(page, readers.handedIn(page, slug, context), handedIn);
  const readCandidates: ReaderPool['candidates'] = (page, slug, context) =>
    hosts.unlessTakenDown(page, readers.candidates(page, slug, context), TAKEN_DOWN);
  return { rules, readAnswer, readHandedIn, readCandidates };
}

/** Creates the guarded ways out: to the shops and retailers, and to the operator's search engine. */
function wireFetching(config: Config, needs: Needs) {
  const { clock, steady, sharedClock, log, store, readers, metrics, exclusive, hosts } = needs;
  const fetcherWith = (origins: OriginMap, ofShops: Partial<FetcherOptions> = {}) =>
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
      ...ofShops,
    });
  const paced = fetcherWith(config.origins, {
    signer: requestSigner(config, clock),
    isLicensed: (host) => isListedHost(config.licensedShops, host),
  });
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
