// Wires the lookups that answer from the store. The parts that ask shops are loaded when a lookup first needs them
// (`outside.ts`).

import type { Collect } from '../../answer/collect/collect.ts';
import { knownMissOf } from '../../answer/collect/known-miss.ts';
import {
  createOfficialSources,
  type OfficialSources,
} from '../../answer/collect/asking/official-sources.ts';
import { createAccess, createCanAskByBarcode } from '../../answer/collect/asking/source-access.ts';
import type { Config } from '../config.ts';
import type { Lens } from '../../base/listing/lens.ts';
import { later, type Later } from '../../base/once.ts';
import { guardUrl } from '../../egress/guard/url-guard.ts';
import { createAssemble, type Assemble } from '../../answer/lookup/steps/assemble-product.ts';
import type { HistoryRequest, LookupHistory } from '../../answer/lookup/history/lookup-history.ts';
import type { CompareParts, LookupComparison } from '../../answer/lookup/compare-product.ts';
import {
  createLookup,
  type Lookup,
  type LookupParts,
  type LookupProduct,
  type OwnRecord,
  type SessionLookup,
} from '../../answer/lookup/lookup-product.ts';
import { createStoredAddOns } from '../../answer/lookup/add-ons/product-add-ons.ts';
import {
  createAnswerCache,
  type AnswerCache,
  type FoundAnswer,
} from '../../answer/lookup/cache/answer-cache.ts';
import {
  createReadSessions,
  type ReadSession,
  type ReadSessions,
} from '../../answer/lookup/cache/read-session.ts';
import type { IsAllowedUrl } from '../../answer/lookup/steps/parse-input.ts';
import {
  lookupOf as lookupOfIdentifier,
  parseLookup,
  type ParsedLookup,
} from '../../answer/lookup/steps/parse-lookup.ts';
import type { Identifier } from '../../base/identifiers/parse-identifier.ts';
import type { Identify } from '../../answer/lookup/steps/identify.ts';
import { createScheduleInBackground } from '../../answer/lookup/steps/schedule.ts';
import {
  createStoredAnswers,
  type SessionLookups,
  type StoredAnswers,
} from '../../answer/lookup/stored-answers.ts';
import { createMatchingLater, type MatchingLater } from '../../rules/matching/matching-later.ts';
import type { Comparison } from '../../rules/product/comparison.ts';
import type { Product } from '../../rules/product/product.ts';
import { createIsTrustedShop } from '../../read/retailers/addresses/trusted-shops.ts';
import { limitIn } from '../settings/source-limits-setting.ts';
import { findRevisions } from '../../data/answers/revisions.ts';
import { isSimulated } from './is-simulated.ts';
import {
  compareProduct,
  historyLookup,
  identifying,
  loadMatching,
  loadOutside,
} from './load-later.ts';
import type { Outside } from './outside.ts';
import type { Needs } from './shared-parts.ts';
import type { Watching } from './watching.ts';

export type Lookups = {
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
  readonly ownRecord: OwnRecord;
  /** The same, each in the given session. */
  readonly inSession: SessionLookups;
  /** Answers from the store. */
  readonly answers: StoredAnswers;
  /** Null if answers are not reused. */
  readonly cache: AnswerCache | null;
  /** Counts stored titles into the matcher's word rarities, for as long as the service runs. */
  readonly learnTitles: (stop: AbortSignal) => Promise<void>;
  /** The parts that ask shops. */
  readonly outside: Later<Outside>;
  /** The worker and the parts that watch. */
  readonly watching: Later<Watching>;
};

export function wireLookups(config: Config, needs: Needs): Lookups {
  const { clock, steady, sharedClock, store, hosts } = needs;
  const matching = createMatchingLater(loadMatching);
  const isTrustedShop = createIsTrustedShop([...config.trustedShops, ...config.barcodeShops]);
  const isAllowedUrl = (text: string) =>
    guardUrl(text, { origins: config.origins, ...needs.denials }).ok;
  const outside = later(async (): Promise<Outside> =>
    (await loadOutside()).wireOutside(config, needs, { ...inside, lookupProduct }),
  );
  const access = createAccess({
    fetch: async (...asked) => (await outside.load()).fetchPage(...asked),
    clock,
    steady,
    credentials: config.credentials,
    terms: config.terms,
    isTakenDown: hosts.isRetailerTakenDown,
    newId: needs.newId,
    official: officialSourcesOf(config, needs),
  });
  const canAskByBarcode = createCanAskByBarcode(access, config.search, hosts.isRetailerTakenDown);
  const collect = collectThrough(outside, needs);
  const inside = { access, canAskByBarcode, matching, isTrustedShop, isAllowedUrl };
  const watching = later(async () =>
    (await import('./watching.ts')).wireWatching(config, needs, { ...inside, collect }),
  );
  const asking = {
    collect,
    matching,
    isTrustedShop,
    canAskByBarcode,
    hasOfficialSource: (identifier: Identifier) =>
      'retailer' in identifier &&
      access.canAskOfficially(identifier.retailer, { kind: 'product', identifier }),
    clock,
    scheduleInBackground: createScheduleInBackground({
      store,
      canAskByBarcode,
      clock: sharedClock,
      inBackground: (work) => needs.background.run(work),
      knownMiss: (key) => knownMissOf(needs, key),
      // A worker that is not loaded yet checks for jobs when it starts.
      enqueued: () =>
        void watching.asked()?.then(
          ({ worker }) => worker.wake(),
          () => undefined,
        ),
    }),
  };
  const sessions = createReadSessions(store, clock);
  const cache = cacheOf(config, needs, matching);
  const hasDatabases = asksBarcodeDatabases(config);
  const inSession = lookupsInSession({ ...asking, isAllowedUrl, hasDatabases }, outside);
  const { product, comparison } = inSession;
  const { currency: usualCurrency } = config;
  const answers = createStoredAnswers({ sessions, cache, usualCurrency, ...inSession });
  const fetching = { sessions, isAllowedUrl, usualCurrency };
  const lookupProduct = lookupOf(answers.product, product, fetching);
  const lookupComparison = lookupOf(answers.comparison, comparison, fetching);
  const lookupHistory: LookupHistory = async (request) => (await answers.history(request)).found;
  const ownRecord: OwnRecord = (identifier, organizationId, addOns = {}) => {
    const of = { usualCurrency, organizationId, hasOwnFacts: true };
    const asked = { forceRefresh: false, addOns, ...of };
    const lookup = lookupOfIdentifier({ identifiers: [identifier], fromUrl: true }, asked);
    return sessions.readForFetch(lookup, (session) =>
      inSession.ownRecord.fromStore(session, lookup),
    );
  };
  const lookups = { lookupProduct, lookupComparison, lookupHistory, ownRecord };
  const learnTitles = learningOf(needs, matching);
  return { ...lookups, inSession, answers, cache, learnTitles, outside, watching };
}

type Asking = Omit<LookupParts<Product>, 'assemble' | 'addLive' | 'identify'> & {
  /** Whether barcode databases answer for products that no retailer has. */
  readonly hasDatabases: boolean;
  readonly isAllowedUrl: IsAllowedUrl;
};

/** Creates the lookups, each in the given session. */
function lookupsInSession(asking: Asking, outside: Later<Outside>) {
  const { clock, matching, isTrustedShop, isAllowedUrl, hasDatabases } = asking;
  const storedAddOns = createStoredAddOns({ clock, matching });
  const looking = {
    ...asking,
    addLive: async (...asked: Parameters<Outside['addLive']>) =>
      (await outside.load()).addLive(...asked),
    assemble: createAssemble({
      clock,
      matching,
      isTrustedShop,
      storedAddOns,
    }),
  };
  const identify: Identify<Product> = async (...asked) => {
    const { createIdentify } = await identifying.load();
    const { askDatabases } = await outside.load();
    return await createIdentify({ ...asking, storedAddOns, askDatabases })(...asked);
  };
  const product = createLookup({ ...looking, ...(hasDatabases ? { identify } : {}) });
  // Handing in a page fetches nothing, not even in the background (D84).
  const ownRecord = createLookup({ ...looking, scheduleInBackground: null });
  const comparing = {
    ...asking,
    showsQueue: true,
    addLive: (found: Comparison) => Promise.resolve(found),
    assemble: assembleComparison({ clock, matching }),
  };
  // D69: a comparison of stored data asks no retailer, not even in the background.
  const comparison = {
    ...createLookup(comparing),
    fromStore: createLookup({ ...comparing, scheduleInBackground: null }).fromStore,
  };
  return {
    product,
    comparison,
    ownRecord,
    history: async (session: ReadSession, request: HistoryRequest, lens: Lens) => {
      const { lookupHistory } = await historyLookup.load();
      const reading = { clock, isAllowedUrl, isTrustedShop, matching };
      return await lookupHistory({ ...reading, store: session, lens }, request);
    },
  };
}

type Fetching = {
  readonly sessions: ReadSessions;
  readonly isAllowedUrl: IsAllowedUrl;
  /** The installation's currency. */
  readonly usualCurrency: string;
};

/** Creates a lookup that opens its sessions itself. */
function lookupOf<Found>(
  stored: (lookup: ParsedLookup) => Promise<FoundAnswer<Found | null>>,
  { fromShops }: SessionLookup<Found>,
  { sessions, isAllowedUrl, usualCurrency }: Fetching,
): Lookup<Found> {
  return {
    parse: (request) => parseLookup(isAllowedUrl, { ...request, usualCurrency }),
    fromStore: async (lookup) => (await stored(lookup)).found,
    fromShops: (lookup, context) =>
      sessions.readForFetch(lookup, (session) => fromShops(session, lookup, context)),
  };
}

/** D86: databases are not asked for simulated shops, nor without a contact address. */
function asksBarcodeDatabases(config: Config): boolean {
  const { barcodeDatabases: wanted, contact } = config;
  if (isSimulated(config) || wanted === 'off') return false;
  return wanted !== 'live' || contact !== null;
}

function officialSourcesOf(
  { sourceLimits }: Config,
  { sources, log, metrics }: Needs,
): OfficialSources {
  const limitOf = (source: string) => limitIn(sourceLimits, source);
  return createOfficialSources({ book: sources, limitOf, log, metrics });
}

/** Collects through files that are loaded when something must be fetched. */
function collectThrough(outside: Later<Outside>, { readers }: Pick<Needs, 'readers'>): Collect {
  const loaded = async () => {
    readers.prepare();
    return (await outside.load()).collect;
  };
  return {
    collect: async (...asked) => (await loaded()).collect(...asked),
    collectBarcode: async (...asked) => (await loaded()).collectBarcode(...asked),
    collectFromShops: async (...asked) => (await loaded()).collectFromShops(...asked),
    collectShop: async (...asked) => (await loaded()).collectShop(...asked),
  };
}

function learningOf(
  { store, clock, onError }: Needs,
  matching: MatchingLater,
): Lookups['learnTitles'] {
  const failed = (error: unknown) => onError('could not count title words', error);
  return async (stop) => {
    const { keepLearningTitles } = await import('../../answer/collect/count-titles.ts');
    await keepLearningTitles({ store, matching, clock, onError: failed }, stop);
  };
}

function assembleComparison(parts: CompareParts): Assemble<Comparison> {
  return async (...asked) => {
    const { createAssembleComparison } = await compareProduct.load();
    return await createAssembleComparison(parts)(...asked);
  };
}

function cacheOf(
  { cacheMb }: Config,
  { store, clock, hosts }: Needs,
  matching: MatchingLater,
): AnswerCache | null {
  if (cacheMb === 0) return null;
  return createAnswerCache({
    clock,
    revisionsOf: (subjects) => findRevisions(store.sql, subjects),
    circumstances: circumstancesOf(matching, hosts),
    maxBytes: cacheMb * 1_048_576,
  });
}

/**
 * Returns the same string object while the text is the same: every stored answer references it and is compared with it in
 * every call.
 */
function circumstancesOf(matching: MatchingLater, hosts: Needs['hosts']): () => string {
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
