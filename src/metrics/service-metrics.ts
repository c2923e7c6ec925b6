// What the service counts about itself, and all of it as one text. Names follow the habits of Prometheus: units in
// the name, counters end in `_total`.

import { dayOf, type Clock } from '../core/clock.ts';
import type { Fetcher } from '../listing/page.ts';
import type { Store } from '../store/store.ts';
import { createCounter, createHistogram } from './counting.ts';
import { fillFamilies, unknownWordFamily } from './fill-metrics.ts';
import type { ProcessFigures } from './process-figures.ts';
import { prometheusText, type Family } from './prometheus-text.ts';
import { countedFetcher } from './upstream-fetches.ts';

/** An HTTP request that was answered. */
export type AnsweredRequest = {
  /** The route's pattern, never the path that was asked. */
  readonly route: string;
  readonly method: string;
  readonly status: number;
  readonly seconds: number;
};

export type ServiceMetrics = {
  readonly requestAnswered: (request: AnsweredRequest) => void;
  readonly tokensCharged: (route: string, tokens: number) => void;
  /** A fetcher whose fetches are counted; `name` as in `countedFetcher`. */
  readonly counted: (fetcher: Fetcher, name?: string) => Fetcher;
  /** Everything, now. Never rejects: a store that cannot be asked is one of the numbers. */
  readonly text: () => Promise<string>;
};

export type MetricsParts = {
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
  readonly figures: () => ProcessFigures;
};

/** Upper ends in seconds: an answer from what is held takes milliseconds, a lookup up to 15 s (D37). */
const DURATIONS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 15];

export function createServiceMetrics(parts: MetricsParts): ServiceMetrics {
  const requests = createCounter({
    name: 'openshelf_http_requests_total',
    help: 'HTTP requests answered, by route and status.',
  });
  const durations = createHistogram(
    {
      name: 'openshelf_http_request_duration_seconds',
      help: 'Time from request to answer, by route.',
    },
    DURATIONS,
  );
  const tokens = createCounter({
    name: 'openshelf_tokens_charged_total',
    help: 'Tokens charged, by route.',
  });
  const fetches = createCounter({
    name: 'openshelf_upstream_fetches_total',
    help: 'Fetches of shops, by retailer and outcome.',
  });
  return {
    requestAnswered: ({ route, method, status, seconds }) => {
      requests.add({ route, method, status: String(status) });
      durations.observe({ route }, seconds);
    },
    tokensCharged: (route, amount) => {
      if (amount > 0) tokens.add({ route }, amount);
    },
    counted: (fetcher, name) => countedFetcher(fetcher, fetches, name),
    text: async () =>
      prometheusText([
        requests.family(),
        durations.family(),
        tokens.family(),
        fetches.family(),
        ...(await storeFamilies(parts)),
        replicaFamily(parts),
        ...processFamilies(parts),
      ]),
  };
}

/** What the store knows; only that it cannot be asked when it cannot. */
async function storeFamilies({ store, clock }: MetricsParts): Promise<readonly Family[]> {
  const today = dayOf(clock.now());
  const up = (value: number) =>
    gauge('openshelf_store_up', '1 when the store could be read for this answer, else 0.', value);
  try {
    const totals = await store.readingCounts.findTotals({ from: today, to: today });
    const words = await store.readingCounts.findUnknownWords({ from: today, to: today });
    const { waiting, running, parked } = await store.jobs.countJobs(clock.now());
    const jobs = { waiting, running, parked };
    return [...fillFamilies(totals), unknownWordFamily(words), jobFamily(jobs), up(1)];
  } catch {
    return [up(0)];
  }
}

/** Without a replica both stay 0. */
function replicaFamily({ store }: MetricsParts): Family {
  const answered = Object.entries(store.replica?.answered() ?? { primary: 0, replica: 0 });
  return {
    name: 'openshelf_replica_reads_total',
    help: 'Reads that a replica may answer, by the server that did.',
    type: 'counter',
    samples: answered.map(([server, value]) => ({ labels: { server }, value })),
  };
}

function jobFamily(jobs: Readonly<Record<string, number>>): Family {
  return {
    name: 'openshelf_jobs',
    help: 'Background jobs on the queue, by state.',
    type: 'gauge',
    samples: Object.entries(jobs).map(([state, value]) => ({ labels: { state }, value })),
  };
}

function processFamilies({ store, clock, version, figures }: MetricsParts): readonly Family[] {
  const { cpuSeconds, upSeconds, residentBytes, heapBytes } = figures();
  const startedAtSeconds = clock.now() / 1_000 - upSeconds;
  const build = gauge('openshelf_build_info', 'The version, as a label.', 1);
  return [
    counter('openshelf_store_commits_total', 'Commits of this process.', store.sql.commits()),
    counter('process_cpu_seconds_total', 'User and system time of the process.', cpuSeconds),
    gauge('process_start_time_seconds', 'Start of the process, since 1970.', startedAtSeconds),
    gauge('process_resident_memory_bytes', 'Resident memory of the process.', residentBytes),
    gauge('nodejs_heap_size_used_bytes', 'Heap in use.', heapBytes),
    { ...build, samples: [{ labels: { version }, value: 1 }] },
  ];
}

function gauge(name: string, help: string, value: number): Family {
  return { name, help, type: 'gauge', samples: [{ labels: {}, value }] };
}

function counter(name: string, help: string, value: number): Family {
  return { name, help, type: 'counter', samples: [{ labels: {}, value }] };
}
