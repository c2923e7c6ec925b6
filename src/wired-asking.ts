// Asking, wired: the way out, the readers, what the operator may ask with, and what keeps two processes from asking for
// the same at once. A part of the composition root, in a file of its own for its length.

import type { Config } from './config.ts';
import type { Clock } from './core/clock.ts';
import type { Page } from './listing/page.ts';
import { createFetcher } from './fetch/guarded-fetcher.ts';
import type { OriginMap } from './fetch/origins.ts';
import type { TakeSlot } from './fetch/pacing/shared-pace.ts';
import type { Log } from './log.ts';
import { createAccess } from './collect/source-access.ts';
import { createCanAskByBarcode } from './collect/askable.ts';
import { createCollect } from './collect/collect.ts';
import type { ExclusiveWork } from './collect/exclusive-work.ts';
import { fetchAlone } from './collect/fetch-alone.ts';
import { createMatching } from './matching/matcher.ts';
import type { SearchWeb } from './collect/search-web.ts';
import type { ServiceMetrics } from './metrics/service-metrics.ts';
import { readMatchModel, versionText } from './package-files.ts';
import type { ReaderPool } from './reading/reader-pool.ts';
import type { Store } from './store/store.ts';

export type AskingNeeds = {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: Store;
  readonly readers: ReaderPool;
  readonly metrics: ServiceMetrics;
  readonly exclusive: ExclusiveWork;
  readonly newId: () => string;
};

/** Everything that asks shops, retailers and the search engine. */
export function wireAsking(config: Config, needs: AskingNeeds) {
  const { clock, log, store, readers, metrics, exclusive, newId } = needs;
  const takeSlot: TakeSlot = (host, intervalMs, untilMs) =>
    store.hostSlots.take(host, intervalMs, clock.now(), untilMs);
  const fetcherWith = (origins: OriginMap) =>
    createFetcher({
      version: versionText(),
      contact: config.contact,
      origins,
      dnsServers: config.dnsServers,
      egressProxy: config.egressProxy,
      hostIntervalMs: config.hostIntervalMs,
      maxConcurrent: config.maxConcurrent,
      takeSlot: store.sql.dialect === 'postgres' ? takeSlot : null,
      clock,
      log: ({ event, host, kind, why }) => log.info(event, { host, kind, why }),
    });
  const fetcher = fetchAlone(exclusive, metrics.counted(fetcherWith(config.origins)));
  const access = createAccess({ fetch: fetcher, clock, credentials: config.credentials, newId });
  const search: SearchWeb = {
    provider: config.search.provider,
    fetch: metrics.counted(fetcherWith(config.search.origins), 'search_provider'),
    read: (page) => readers.webSearch(page),
  };
  const readAnswer = (page: Page, name: string, slug: string) => readers.answer(page, name, slug);
  const ask = { fetch: fetcher, readAnswer, access, store, clock };
  const matching = createMatching(readMatchModel());
  const collect = createCollect({
    ...ask,
    readShop: (page) => readers.shop(page),
    search,
    matching,
    exclusive,
  });
  const canAskByBarcode = createCanAskByBarcode(access, search);
  return { ask, collect, matching, canAskByBarcode };
}
