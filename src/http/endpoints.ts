// The addresses that the service listens at: one for the API, and one for the metrics where they have their own.

import { createApi, createHealthApi, type ApiParts } from './api.ts';
import { listen, type Listener, type ListenOptions } from './listener.ts';
import { createMetricsApi } from './routes/metrics.ts';

export type Endpoints = Listener & {
  /** Null: metrics are answered at `url`. */
  readonly metricsUrl: string | null;
};

export type EndpointOptions = ListenOptions & {
  /** False: health and metrics only. */
  readonly answersApi: boolean;
  readonly metrics: { readonly host: string; readonly port: number } | null;
};

/** Starts listening. Rejects when an address is taken, and then listens at none. */
export async function listenEverywhere(
  parts: Omit<ApiParts, 'answersMetrics'>,
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
    throw new Error(`cannot listen at the address of OPENSHELF_METRICS: ${reason}`, {
      cause: error,
    });
  }
}
