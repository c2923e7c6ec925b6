// Connects the service to the addresses that it listens at. The framework is loaded when it is first needed, or when
// there is nothing else to do. What needs it waits.

import { SECOND_MS } from '../../base/clock.ts';
import { once } from '../../base/once.ts';
import type { RequestEntry } from '../../base/log.ts';
import type { ServiceMetrics } from '../../answer/metrics/service-metrics.ts';
import type { ApiParts, OutsideParts } from '../api.ts';
import { billingOf } from '../bill.ts';
import type { Doors } from './doors.ts';
import { createGate, type Framework, type GateParts, type RefusedRequest } from './gate.ts';
import type { Listener } from './listener.ts';
import { createSendPlain } from '../short/plain-answer.ts';
import { countedMethod } from '../request-names.ts';
import { createShortWay } from '../short/short-way.ts';

export type Endpoints = Pick<Listener, 'url' | 'inHand' | 'closeConnections' | 'close'> & {
  /** Null where metrics are answered at `url`. */
  readonly metricsUrl: string | null;
  /** Loads what is not loaded yet. Rejects when loading fails. */
  readonly load: () => Promise<unknown>;
};

export type EndpointParts = Omit<ApiParts, 'answersMetrics' | keyof OutsideParts> &
  Pick<GateParts, 'corsOrigins'> & {
    readonly metrics: Pick<ServiceMetrics, 'setInHand'>;
    readonly outside: () => Promise<OutsideParts>;
  };

/** Counts and logs a refusal like an answer, by the route that the API would have chosen. */
function countRefused(load: () => Promise<Framework>, count: (entry: RequestEntry) => void) {
  return ({ requestId, method, path, status, ms }: RefusedRequest): void => {
    const counted = { requestId, callId: requestId, tokens: 0, status, ms, organization: null };
    const named = load().then(({ routeOf }) =>
      count({ ...counted, route: routeOf(method, path), method: countedMethod(method) }),
    );
    named.catch(() => undefined);
  };
}

/** `answersApi` false: health and metrics only. */
export function answerAt(
  doors: Doors,
  parts: EndpointParts,
  { answersApi }: { readonly answersApi: boolean },
): Endpoints {
  const { main, metrics } = doors;
  const answersMetrics = metrics === null;
  // Whoever waits for this promise reports its rejection.
  const framework = once(async () => {
    const outside = await parts.outside();
    const { createFramework } = await import('../framework.ts');
    return createFramework({ ...parts, ...outside, answersMetrics }, answersApi);
  });
  const own = once(async () => {
    const { createMetricsFramework } = await import('../framework.ts');
    return createMetricsFramework(parts.metrics.text);
  });
  const count = ({ ms, ...entry }: RequestEntry): void => {
    const { route, method, status } = entry;
    parts.metrics.requestAnswered({ route, method, status, seconds: ms / SECOND_MS });
    parts.requestLog.answered({ ...entry, ms });
  };
  doors.countBy(count);
  const answering = { ...parts, requestRefused: countRefused(framework, count) };
  const send = createSendPlain(parts.corsOrigins);
  const billing = billingOf(parts);
  const shortWay = answersApi ? createShortWay({ ...parts, billing, send }) : null;
  main.answerBy((room) => createGate(framework, room, { ...answering, shortWay }));
  parts.metrics.setInHand(() => main.inHand());
  metrics?.answerBy((room) => createGate(own, room, { ...answering, shortWay: null }));
  return {
    ...main,
    metricsUrl: metrics?.url ?? null,
    load: () => Promise.all([framework(), metrics === null ? null : own()]),
    close: (deadlineMs) => doors.close(deadlineMs),
  };
}
