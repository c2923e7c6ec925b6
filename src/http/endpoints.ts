// The addresses that the service listens at: one for the API, and one for the metrics where they have their own.

import { SECOND_MS } from '../core/clock.ts';
import type { ServiceMetrics } from '../metrics/service-metrics.ts';
import { billingOf, createApi, createHealthApi, type ApiParts } from './api.ts';
import type { Api } from './context.ts';
import type { RefusedRequest } from './gate.ts';
import { listen, type Listener, type ListenOptions, type ListenParts } from './listener.ts';
import { countedMethod, patternOf } from './middleware.ts';
import { createMetricsApi } from './routes/metrics.ts';
import { createShortWay } from './short-way.ts';

export type Endpoints = Listener & {
  /** Null: metrics are answered at `url`. */
  readonly metricsUrl: string | null;
};

export type EndpointOptions = ListenOptions & {
  /** False: health and metrics only. */
  readonly answersApi: boolean;
  readonly metrics: { readonly host: string; readonly port: number } | null;
};

export type EndpointParts = Omit<ApiParts, 'answersMetrics'> &
  Omit<ListenParts, 'requestRefused' | 'shortWay'> & {
    readonly metrics: Pick<ServiceMetrics, 'setInHand'>;
  };

/** What counts and logs a refusal as it does an answer: the routes of the API name it. */
function countRefused(api: Api, { metrics, requestLog }: EndpointParts) {
  return ({ requestId, method, path, status, ms }: RefusedRequest): void => {
    const [matched] = api.router.match(method, path);
    const route = patternOf(matched.map(([[, each]]) => each));
    const counted = { route, method: countedMethod(method), status };
    metrics.requestAnswered({ ...counted, seconds: ms / SECOND_MS });
    requestLog.answered({
      ...counted,
      requestId,
      callId: requestId,
      tokens: 0,
      ms,
      organization: null,
    });
  };
}

/** Starts listening. Rejects when an address is taken, and then listens at none. */
export async function listenEverywhere(
  parts: EndpointParts,
  { metrics: at, answersApi, ...options }: EndpointOptions,
): Promise<Endpoints> {
  const whole = { ...parts, answersMetrics: at === null };
  const api = answersApi ? createApi(whole) : createHealthApi(whole);
  const listening = { ...parts, requestRefused: countRefused(api, parts), shortWay: null };
  const shortWay = answersApi ? createShortWay({ ...parts, billing: billingOf(parts) }) : null;
  const main = await listen(api, options, { ...listening, shortWay });
  parts.metrics.setInHand(() => main.inHand());
  if (at === null) return { ...main, metricsUrl: null };
  try {
    const { limits } = options;
    const own = await listen(
      createMetricsApi(parts.metrics.text),
      { ...at, limits, behindProxy: false },
      listening,
    );
    return {
      ...main,
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
