// Wires the lookups that answer from the store. What asks shops is loaded when a lookup first does (`outside.ts`).

import type { Collect } from '../../answer/collect/collect.ts';
import { knownMissOf } from '../../answer/collect/known-miss.ts';
import type { ListingKey } from '../../answer/collect/listing-key.ts';
import { createAccess, createCanAskByBarcode } from '../../answer/collect/asking/source-access.ts';
import type { Config } from '../config.ts';
import type { Clock } from '../../base/clock.ts';
import { later, type Later } from '../../base/once.ts';
import { guardUrl } from '../../egress/guard/url-guard.ts';
import { createAssemble, type Assemble } from '../../answer/lookup/steps/assemble-product.ts';
import type { LookupHistory } from '../../answer/lookup/history/lookup-history.ts';
import type { CompareParts, LookupComparison } from '../../answer/lookup/compare-product.ts';
import {
  createLookup,
  type LookupParts,
  type LookupProduct,
} from '../../answer/lookup/lookup-product.ts';
import { createHeldAddOns } from '../../answer/lookup/add-ons/product-add-ons.ts';
import type { Notes } from '../../answer/lookup/kept/noted-reads.ts';
import { createNotedLookups, type NotedLookups } from '../../answer/lookup/kept/noted-lookups.ts';
import { remembering } from '../../answer/lookup/kept/remembered-lookup.ts';
import { withReplica, type HeldLookups } from '../../answer/lookup/kept/replica-lookups.ts';
import {
  createScheduleBehind,
  jobsBehind,
  ONCE_IN_MS,
} from '../../answer/lookup/steps/schedule.ts';
import { createMatchingLater, type MatchingLater } from '../../rules/matching/matching-later.ts';
import type { Gtin14 } from '../../base/identifiers/gtin.ts';
import type { Comparison } from '../../rules/product/comparison.ts';
import type { Product } from '../../rules/product/product.ts';
import { createIsTrustedShop } from '../../read/retailers/addresses/trusted-shops.ts';
import type { Store } from '../../data/store.ts';
import { compareProduct, historyLookup, loadMatching, loadOutside } from './load-later.ts';
import type { Outside } from './outside.ts';
import type { Needs } from './shared-parts.ts';

export type Lookups = {
  readonly lookupProduct: LookupProduct;
  readonly lookupComparison: LookupComparison;
  readonly lookupHistory: LookupHistory;
  /** Null over a read replica, whose rows may be older than the revisions of the primary. */
  readonly notedLookups: NotedLookups | null;
  /** Counts held titles into the matcher's word rarities, for as long as the service runs. */
  readonly learnTitles: (stop: AbortSignal) => Promise<void>;
  /** The parts that reach out of this process. */
  readonly outside: Later<Outside>;
};

export function wireLookups(config: Config, needs: Needs): Lookups {
  const { clock, steady, sharedClock, store, hosts } = needs;
  const matching = createMatchingLater(loadMatching);
  const isTrustedShop = createIsTrustedShop(config.trustedShops);
  const isAllowedUrl = (text: string) =>
    guardUrl(text, { origins: config.origins, ...needs.denials }).ok;
  const outside = later(async (): Promise<Outside> => {
    const { wireOutside } = await loadOutside();
    const shared = { access, canAskByBarcode, matching, isTrustedShop, isAllowedUrl };
    return wireOutside(config, needs, { ...shared, lookupProduct });
  });
  const access = createAccess({
    fetch: async (...asked) => (await outside.load()).fetchPage(...asked),
    clock,
    steady,
    credentials: config.credentials,
    isTakenDown: hosts.isRetailerTakenDown,
    newId: needs.newId,
  });
  const { search } = config;
  const canAskByBarcode = createCanAskByBarcode(access, search, hosts.isRetailerTakenDown);
  const collect = collectThrough(outside, needs);
  const asking = {
    collect,
    matching,
    isTrustedShop,
    canAskByBarcode,
    addLive: async (...asked: Parameters<Outside['addLive']>) =>
      (await outside.load()).addLive(...asked),
    clock,
    isAllowedUrl,
    scheduleBehind: createScheduleBehind({
      store,
      canAskByBarcode,
      clock: sharedClock,
      inBackground: (work) => needs.background.run(work),
      collect,
      // A worker that is not loaded yet looks for jobs when it starts.
      enqueued: () =>
        void outside.asked()?.then(
          ({ worker }) => worker.wake(),
          () => undefined,
        ),
    }),
  };
  const { lookupComparison, lookupHistory, ...held } = heldLookups(store, asking);
  const notedLookups = notedLookupsOf(needs, asking);
  const lookupProduct = rememberedOf(config, clock, held.lookupProduct, notedLookups);
  const learnTitles = learningOf(needs, matching);
  return { lookupProduct, lookupComparison, lookupHistory, notedLookups, learnTitles, outside };
}

/** Collecting whose files are loaded when something must be fetched. What is known to be missing is read from the store. */
function collectThrough(outside: Later<Outside>, needs: Needs): Collect {
  const loaded = async () => (await outside.load()).collect;
  return {
    knownMiss: (key) => knownMissOf(needs, key),
    collect: async (...asked) => (await loaded()).collect(...asked),
    collectBarcode: async (...asked) => (await loaded()).collectBarcode(...asked),
    collectShop: async (...asked) => (await loaded()).collectShop(...asked),
  };
}

function learningOf(
  { store, clock, onError }: Needs,
  later: MatchingLater,
): Lookups['learnTitles'] {
  const failed = (error: unknown) => onError('could not count the words of titles', error);
  return async (stop) => {
    const { keepLearningTitles } = await import('../../answer/collect/count-titles.ts');
    const matching = await later.load();
    await keepLearningTitles({ store, matching, clock, onError: failed }, stop);
  };
}

type Asking = Omit<LookupParts<Product>, 'store' | 'assemble'>;

/** The lookups that answer from what is held. If there is a read replica, they read it there. */
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
    assemble: assembleComparison({ store, clock, matching, queuedRetailers }),
  };
  const comparison = createLookup(comparing);
  // D69: a comparison of what is held asks nobody, not even behind its answer.
  const quiet = createLookup({ ...comparing, scheduleBehind: () => Promise.resolve() });
  return {
    lookupProduct: createLookup({
      ...reading,
      assemble: createAssemble({ store, clock, matching, isTrustedShop, heldAddOns }),
    }),
    lookupComparison: { ...comparison, fromStore: (lookup) => quiet.fromStore(lookup) },
    lookupHistory: async (request) => {
      const { createLookupHistory } = await historyLookup.load();
      const parts = { store, clock, isAllowedUrl, isTrustedShop, matching };
      return await createLookupHistory(parts)(request);
    },
  };
}

function assembleComparison(parts: CompareParts): Assemble<Comparison> {
  return async (...asked) => {
    const { createAssembleComparison } = await compareProduct.load();
    return await createAssembleComparison(parts)(...asked);
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

/** Returns the same text object while the text is the same: every kept answer has it and is compared by it for every call. */
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

/**
 * Lookups whose reads are noted. If something should be fetched behind an answer, the answer is kept only until that may be put
 * on the queue again.
 */
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
