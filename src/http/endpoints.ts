// Everything that the service listens at: the API, and the metrics where they have an address of their own.

import { createApi } from './api.ts';
import type { HttpParts } from './context.ts';
import { createHealthApi } from './health.ts';
import { listen, type Listener, type ListenOptions } from './listener.ts';
import { createMetricsApi } from './routes/metrics.ts';

export type Endpoints = Listener & {
  /** Null: metrics are answered beside the API. */
  readonly metricsUrl: string | null;
};

export type EndpointOptions = ListenOptions & {
  /** False: health and metrics only. */
  readonly answersApi: boolean;
  readonly metrics: { readonly host: string; readonly port: number } | null;
};

/** Starts listening; rejects when an address cannot be taken, and then listens nowhere. */
export async function listenEverywhere(
  parts: Omit<HttpParts, 'answersMetrics'>,
  { metrics: at, answersApi, ...options }: EndpointOptions,
): Promise<Endpoints> {
  const whole = { ...parts, answersMetrics: at === null };
  const main = await listen(answersApi ? createApi(whole) : createHealthApi(whole), options);
  if (at === null) return { ...main, metricsUrl: null };
  try {
    const own = await listen(createMetricsApi(parts.metrics.text), { ...at, behindProxy: false });
    return {
      url: main.url,
      metricsUrl: own.url,
      close: async (deadlineMs) => {
        await Promise.all([main.close(deadlineMs), own.close(deadlineMs)]);
      },
    };
  } catch (error) {
    await main.close(0);
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`metrics cannot be answered where OPENSHELF_METRICS says: ${reason}`, {
      cause: error,
    });
  }
}
