// The service's metrics and their text. Names follow Prometheus conventions: the unit is part of the name, and counters end
// in `_total`.

import { dayOf, SECOND_MS, type Clock } from '../../base/clock.ts';
import { onceEach } from '../../base/once.ts';
import type { Fetcher, FetchOutcome } from '../../base/listing/page.ts';
import { bookForHost } from '../../read/retailers/addresses/address-books.ts';
import { publicOrigins } from '../../read/retailers/addresses/public-origins.ts';
import type { SourceFailureKind } from '../../base/source-state.ts';
import type { Store } from '../../data/store.ts';
import { createCounter, createHistogram, type Counter } from './counting.ts';
import { fillFamilies, OTHER, unknownWordFamily } from './fill-metrics.ts';
import type { Installation } from './installation.ts';
import type { ProcessFigures } from './process-figures.ts';
import { writeFailureFamily } from './write-failures.ts';
import { prometheusText, type Family } from './prometheus-text.ts';

/** An HTTP request that was answered. */
type AnsweredRequest = {
  /** The route's pattern, never the path: the number of paths is unbounded. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
};

/** A cached answer that was reused. */
type CachedAnswerGiven = {
  /** The route as shown in the ledger: `GET /v1/products/{id}`. */
  readonly route: string;
  readonly tokens: number;
  /** The request that it answered. Null if it was part of another request, which is counted separately. */
  readonly request: Pick<AnsweredRequest, 'route' | 'seconds'> | null;
};

/** The work currently in progress, by kind. */
type InHand = () => Readonly<Record<string, number>>;

export type ServiceMetrics = {
  /** Sets the source of the listener's work in progress. */
  readonly setInHand: (inHand: InHand) => void;
  readonly requestAnswered: (request: AnsweredRequest) => void;
  readonly tokensCharged: (route: string, tokens: number) => void;
  /** Counts a request to an official source, `<slug>.<name>`. */
  readonly sourceCalled: (source: string) => void;
  readonly sourceFailed: (source: string, kind: SourceFailureKind) => void;
  /** Counts an attempt to send a notice through a channel of this kind. */
  readonly deliveryTried: (kind: string, outcome: string) => void;
  /** Counts a reused cached answer, worth this many tokens. */
  readonly cachedAnswered: (given: CachedAnswerGiven) => void;
  /**
   * Wraps `fetcher` so that fetches are counted by retailer and outcome. If the address belongs to no retailer, `name` is
   * counted in its place (the search provider).
   */
  readonly counted: (fetcher: Fetcher, name?: string) => Fetcher;
  /** Returns all current metrics. Never rejects: a store that does not answer is a metric too. */
  readonly text: () => Promise<string>;
};

type MetricsParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
  readonly figures: () => ProcessFigures;
  readonly installation: Installation;
};

/** Upper bounds in seconds: an answer from the store takes milliseconds, a lookup up to 15 s (D37). */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createServiceMetrics(parts: MetricsParts): ServiceMetrics {
  const counters = createCounters();
  const { requests, durations, tokens, prepared, fetches, deliveries } = counters;
  let inHand: InHand = () => ({});
  // Counters by route, as shown in the ledger, and by its pattern. There are as many as routes with cached answers.
  const tokensOf = onceEach((route: string) => tokens.adder({ route }));
  const requestsOf = onceEach((route: string) => ({
    count: requests.adder({ route, method: 'GET', status: '200' }),
    observe: durations.observer({ route }),
  }));
  const countCached = prepared.adder({});
  return {
    setInHand: (read) => {
      inHand = read;
    },
    requestAnswered: ({ route, method, status, seconds }) => {
      requests.add({ route, method, status: String(status) });
      durations.observe({ route }, seconds);
    },
    tokensCharged: (route, amount) => {
      if (amount > 0) tokens.add({ route }, amount);
    },
    sourceCalled: (source) => counters.sourceCalls.add({ source }),
    sourceFailed: (source, kind) => counters.sourceFailures.add({ source, kind }),
    deliveryTried: (channel, outcome) => deliveries.add({ channel, outcome }),
    cachedAnswered: ({ route, tokens: amount, request }) => {
      tokensOf(route)(amount);
      countCached(1);
      if (request === null) return;
      const { count, observe } = requestsOf(request.route);
      count(1);
      observe(request.seconds);
    },
    counted: (fetcher, name) => countedFetcher(fetcher, fetches, parts.installation, name),
    text: async () =>
      prometheusText([
        requests.family(),
        durations.family(),
        tokens.family(),
        prepared.family(),
        fetches.family(),
        counters.sourceCalls.family(),
        counters.sourceFailures.family(),
        deliveries.family(),
        ...(await storeFamilies(parts)),
        replicaFamily(parts),
        ...(await installationFamilies(parts)),
        writeFailureFamily(parts.store.writes),
        inHandFamily(inHand()),
        ...processFamilies(parts),
      ]),
  };
}

function createCounters() {
  const requests = createCounter({
    name: 'openshelf_http_requests_total',
    help: 'HTTP requests answered, by route and status.',
  });
  const durations = createHistogram(
    {
      name: 'openshelf_http_request_duration_seconds',
      help: 'Time from request to response in seconds, by route.',
    },
    DURATIONS,
  );
  const tokens = createCounter({
    name: 'openshelf_tokens_charged_total',
    help: 'Tokens charged, by route.',
  });
  const prepared = createCounter({
    name: 'openshelf_prepared_answers_total',
    help: 'Requests answered from the cache, because nothing in the response had changed.',
  });
  const fetches = createCounter({
    name: 'openshelf_upstream_fetches_total',
    help: 'Fetches from retailers, by retailer and outcome.',
  });
  const sourceCalls = createCounter({
    name: 'openshelf_source_calls_total',
    help: 'Requests to official APIs, by source; without requests for access tokens.',
  });
  const sourceFailures = createCounter({
    name: 'openshelf_source_failures_total',
    help: 'Failures of official APIs, by source and kind.',
  });
  const deliveries = createCounter({
    name: 'openshelf_deliveries_total',
    help: 'Attempts to send a notice, by kind of channel and outcome.',
  });
  return {
    requests,
    durations,
    tokens,
    prepared,
    fetches,
    sourceCalls,
    sourceFailures,
    deliveries,
  };
}

/** Returns the metrics read from the store. If it does not answer, only `openshelf_store_up`. */
async function storeFamilies({ store, clock }: MetricsParts): Promise<readonly Family[]> {
  const today = dayOf(clock.now());
  const up = (value: number) =>
    gauge(
      'openshelf_store_up',
      '1 when the store answered this scrape and accepts writes, else 0.',
      value,
    );
  try {
    const totals = await store.readingCounts.findTotals({ from: today, to: today });
    const words = await store.readingCounts.findUnknownWords({ from: today, to: today });
    const { waiting, running, parked } = await store.jobs.countJobs(clock.now());
    const jobs = { waiting, running, parked };
    const dueSinceMs = (await store.jobs.findDueSince(clock.now())) ?? Number.POSITIVE_INFINITY;
    const age = Math.max(0, clock.now() - dueSinceMs) / SECOND_MS;
    const notices = gauge(
      'openshelf_notices_waiting',
      'Notices waiting to be sent through a channel.',
      await store.channels.countWaiting(),
    );
    const writes = !store.writes.isFailing() || (await store.sql.probe());
    return [
      ...fillFamilies(totals),
      unknownWordFamily(words),
      jobFamily(jobs),
      gauge('openshelf_job_age_seconds', 'Time since the oldest waiting job was due.', age),
      notices,
      up(writes ? 1 : 0),
    ];
  } catch {
    return [up(0)];
  }
}

/** Returns the figures that are known. */
async function installationFamilies({ installation }: MetricsParts): Promise<readonly Family[]> {
  const { sources, ...figures } = await installation.figures();
  const known = (name: string, value: number | null, help: string) =>
    value === null ? [] : [gauge(`openshelf_${name}`, help, value)];
  const seconds = (ms: number | null) => (ms === null ? null : ms / SECOND_MS);
  const [backupAt, offset] = [seconds(figures.backupAtMs), seconds(figures.clockOffsetMs)];
  const heard = sources.filter(({ heardAtMs }) => heardAtMs > 0);
  const samples = [...Map.groupBy(heard, ({ source }) => source)].map(([source, own]) => ({
    labels: { source, state: own.find(({ kind }) => kind !== null)?.kind ?? 'ok' },
    value: 1,
  }));
  const help = 'Always 1; the label state is the last outcome of the official API.';
  return [
    ...known('disk_free_bytes', figures.freeBytes, 'Free space for the SQLite database.'),
    ...known('backup_timestamp_seconds', backupAt, 'When openshelf backup last succeeded.'),
    ...known('clock_offset_seconds', offset, 'Lead of the clock over those of shops.'),
    ...known('channels_locked', figures.lockedChannels, 'Channels that cannot be decrypted.'),
    { name: 'openshelf_source_state', help, type: 'gauge', samples },
  ];
}

function inHandFamily(inHand: Readonly<Record<string, number>>): Family {
  return {
    name: 'openshelf_in_hand',
    help: 'Open connections, and calls in progress by what they wait for.',
    type: 'gauge',
    samples: Object.entries(inHand).map(([kind, value]) => ({ labels: { kind }, value })),
  };
}

/** The counts of both servers stay 0 without a replica. */
function replicaFamily({ store }: MetricsParts): Family {
  const answered = Object.entries(store.replica?.answered() ?? { primary: 0, replica: 0 });
  return {
    name: 'openshelf_replica_reads_total',
    help: 'Reads that a replica may answer, by the server that answered.',
    type: 'counter',
    samples: answered.map(([server, value]) => ({ labels: { server }, value })),
  };
}

function jobFamily(jobs: Readonly<Record<string, number>>): Family {
  return {
    name: 'openshelf_jobs',
    help: 'Background jobs in the queue, by state.',
    type: 'gauge',
    samples: Object.entries(jobs).map(([state, value]) => ({ labels: { state }, value })),
  };
}

function processFamilies({ store, clock, version, figures }: MetricsParts): readonly Family[] {
  const { cpuSeconds, upSeconds, residentBytes, heapBytes } = figures();
  const startedAtSeconds = clock.now() / 1_000 - upSeconds;
  const build = gauge('openshelf_build_info', 'Always 1; the label is the version.', 1);
  return [
    counter(
      'openshelf_store_commits_total',
      'Transactions that this process committed.',
      store.sql.commits(),
    ),
    counter(
      'process_cpu_seconds_total',
      'User and system CPU time of the process, in seconds.',
      cpuSeconds,
    ),
    gauge(
      'process_start_time_seconds',
      'Start of the process, in seconds since 1970 (UTC).',
      startedAtSeconds,
    ),
    gauge(
      'process_resident_memory_bytes',
      'Resident memory of the process, in bytes.',
      residentBytes,
    ),
    gauge('nodejs_heap_size_used_bytes', 'Heap memory that the process uses, in bytes.', heapBytes),
    { ...build, samples: [{ labels: { version }, value: 1 }] },
  ];
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [{ labels: {}, value }] };
}

function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [{ labels: {}, value }] };
}

/** Maps hosts of the retailers' APIs to slugs; the hosts of their pages are in the address books. */
const API_HOSTS: ReadonlyMap<string, string> = new Map(
  Object.entries(publicOrigins()).flatMap(([slug, { api }]) =>
    Object.values(api).map((origin) => [new URL(origin).hostname, slug] as const),
  ),
);

/** Wraps `fetcher` so that fetches are counted by retailer and outcome. */
function countedFetcher(
  fetcher: Fetcher,
  counter: Counter,
  { hear }: Pick<Installation, 'hear'>,
  name: string | undefined,
): Fetcher {
  return async (request, context) => {
    const outcome = await fetcher(request, context);
    counter.add({ retailer: name ?? slugOf(request.url), outcome: outcomeOf(outcome) });
    if (outcome.ok) hear(outcome.page.headers);
    return outcome;
  };
}

/** Returns the known retailer to whose page or API the address belongs; `other` for every other shop. */
function slugOf(url: string): string {
  const host = URL.parse(url)?.hostname ?? '';
  return bookForHost(host)?.slug ?? API_HOSTS.get(host) ?? OTHER;
}

/** Returns the status class (`2xx`), or why there is no page. */
function outcomeOf(outcome: FetchOutcome): string {
  return outcome.ok ? `${Math.floor(outcome.page.status / 100)}xx` : outcome.failure.kind;
}
