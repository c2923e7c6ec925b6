// The parts that everything in a running service shares: clocks, the store, the log, the threads that read pages, and the
// deny list.

import { randomUUID } from 'node:crypto';

import {
  SINGLE_PROCESS,
  createExclusiveWork,
  type ExclusiveWork,
} from '../../answer/collect/coordination/exclusive-work.ts';
import {
  createTakenDownHosts,
  openTakenDownHosts,
  type TakenDownHosts,
} from '../../answer/collect/coordination/taken-down-hosts.ts';
import type { Config } from '../config.ts';
import { createByteBudget, type ByteBudget } from '../../base/byte-budget.ts';
import type { Clock } from '../../base/clock.ts';
import { createDenials, type Denials } from '../../egress/guard/denials.ts';
import type { FetchLimits } from '../../egress/limits.ts';
import {
  createSourceBook,
  type SourceBook,
} from '../../answer/collect/coordination/source-book.ts';
import { createBackground, type Background } from '../../answer/indexer/background.ts';
import { createLog, describeError, type Log } from '../../base/log.ts';
import { createInstallation, type Installation } from '../../answer/metrics/installation.ts';
import { heapLimitMb, processFigures } from '../../answer/metrics/process-figures.ts';
import { createServiceMetrics, type ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import { logWriteFailures } from '../../answer/metrics/write-failures.ts';
import { versionText } from '../package-files.ts';
import {
  createReaderPool,
  type ReaderPool,
  type ReaderPoolOptions,
} from '../../read/threads/reader-pool.ts';
import { createDatabaseClock, type DatabaseClock } from '../../data/database-clock.ts';
import { createSecrets, type Secrets } from '../../data/secrets.ts';
import type { Store } from '../../data/store.ts';
import { steadyClock, systemClock } from './clocks.ts';
import { openData } from './open-store.ts';

export type AppOptions = {
  readonly clock?: Clock;
  /** The clock by which the service waits. By default it is `clock`; without that, a clock that is never set. */
  readonly steady?: Clock;
  /** How long a lookup may take over all its fetches; 15 s by default (D37). */
  readonly lookupMs?: number;
  /** How long shops may take; by default, the fetcher's limits. */
  readonly fetching?: Partial<FetchLimits>;
  /**
   * How the threads that read pages are started, and the time limits of a start and of a page; by default, those of the
   * pool.
   */
  readonly reading?: Pick<ReaderPoolOptions, 'start' | 'startMs' | 'deadlineMs'>;
  /** Receives each log line. Without it nothing is logged, so that a command's stderr has only its own messages. */
  readonly logTo?: (line: string) => void;
  /** The store of these settings, if it is already open. It is closed with the app. */
  readonly store?: Store;
  /** Opening does not change stored data: hosts that are only in the data folder's list are not taken down. */
  readonly isReadOnly?: boolean;
};

/** The deadline of a lookup over all its fetches (D37). */
const LOOKUP_MS = 15_000;
/** Maximum megabytes of pages that are arriving or waiting to be read: an eighth of the heap if that is less, 16 MB of 256. */
const MAX_PAGES_MB = 32;

/** The message to the operator on call about a failure of background work. */
const REPEATED =
  'A single line like this needs no action: the work is retried automatically. If it recurs, openshelf ' +
  'doctor shows whether the database works.';

export type Needs = {
  readonly clock: Clock;
  readonly steady: Clock;
  /** A lookup's own deadline over all its fetches. */
  readonly lookupMs: number;
  readonly fetchLimits: Partial<FetchLimits>;
  readonly sharedClock: DatabaseClock;
  readonly pages: ByteBudget;
  readonly denials: Denials;
  readonly log: Log;
  readonly store: Store;
  readonly readers: ReaderPool;
  readonly background: Background;
  readonly onError: (what: string, error: unknown) => void;
  readonly metrics: ServiceMetrics;
  readonly installation: Installation;
  readonly secrets: Secrets;
  readonly exclusive: ExclusiveWork;
  readonly hosts: TakenDownHosts;
  readonly sources: SourceBook;
  readonly newId: () => string;
};

/** Opens what all parts share, to be closed with `opened`. */
export async function openNeeds(
  config: Config,
  options: AppOptions,
  opened: AsyncDisposableStack,
): Promise<Needs> {
  const clock = options.clock ?? systemClock;
  const steady = options.steady ?? options.clock ?? steadyClock;
  const lookupMs = options.lookupMs ?? LOOKUP_MS;
  const log = createLog((line) => options.logTo?.(line.trimEnd()));
  const store = opened.use(options.store ?? (await openData(config, clock)));
  logWriteFailures(store.writes, log, steadyClock);
  const pages = createByteBudget(Math.min(MAX_PAGES_MB, heapLimitMb() / 8) * 1_048_576);
  const readers = opened.adopt(createReaderPool({ ...options.reading, budget: pages }), (pool) =>
    pool.close(),
  );
  // SQLite belongs to one process; any number of processes may share PostgreSQL (docs/run/cluster.md).
  const isAlone = store.sql.dialect === 'sqlite';
  // SQLite uses the machine's clock: a steady clock stops while the machine sleeps, and what became due meanwhile is due. A
  // clock that is passed in is used by all, whatever the database's clock states.
  const sharedClock =
    isAlone || options.clock !== undefined
      ? { ...clock, compare: () => Promise.resolve() }
      : await createDatabaseClock(store.sql, steady);
  const sources = opened.adopt(createSourceBook(store, { sharedClock, steady }), (book) =>
    book.flush(),
  );
  const onError = (what: string, error: unknown) =>
    log.error(what, { error: describeError(error), advice: REPEATED });
  const background = createBackground((error) => onError('background work failed', error));
  const folder = isAlone ? config.dataDir : null;
  const secrets = createSecrets({ secretsKey: config.secretsKey, folder });
  const installation = createInstallation({ store, clock, sources, secrets, folder });
  const own = { store, clock, version: versionText(), figures: processFigures };
  const metrics = createServiceMetrics({ ...own, installation });
  const alone = { clock: sharedClock, store, onError, newId: randomUUID };
  const exclusive = isAlone
    ? SINGLE_PROCESS
    : createExclusiveWork({ ...alone, leases: store.leases });
  const hosts =
    options.isReadOnly === true
      ? await createTakenDownHosts(store.sql, steadyClock)
      : await openTakenDownHosts(store.sql, steadyClock, log, config.dataDir);
  const denied = createDenials(config.deny);
  const denials: Denials = {
    ...denied,
    isDeniedHost: (host) => denied.isDeniedHost(host) || hosts.isTakenDown(host),
  };
  const fetchLimits = options.fetching ?? {};
  const waits = { steady, lookupMs, fetchLimits, sharedClock };
  const shared = { denials, hosts, ...waits, pages, exclusive, sources };
  const watched = { metrics, installation, secrets };
  return { ...alone, ...shared, ...watched, clock, log, readers, background };
}
