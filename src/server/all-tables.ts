// A process's route tables: all of them, or health alone. They are loaded with the first call that needs them, because their
// schemas are the largest part of the server.

import type { Fault } from '../base/fault.ts';
import { once } from '../base/once.ts';
import type { HealthParts } from './early-table.ts';
import { allRows, listedRoutes, type AllParts } from './routes.ts';
import {
  LOCAL_METRICS_ROWS,
  OPEN_METRICS_ROWS,
  type MetricsParts,
} from './routes/installation/metrics.ts';
import { HEALTH_ROUTES } from './routes/installation/service.ts';
import { createTable, type Table } from './table.ts';

/** Every route. */
export function wholeTable(parts: Omit<AllParts, 'listedRoutes'>): Table {
  const all = { ...parts, listedRoutes: once(listedRoutes) };
  return createTable(allRows(all), all);
}

const INDEXER_ONLY: Fault = {
  code: 'unknown_route',
  detail:
    'This process works in the background only (OPENSHELF_ROLE=indexer): it answers /livez and /readyz. Send API calls ' +
    'to a process with the role api.',
};

/** The table of a process that only works in the background: health, and metrics if they have no address of their own. */
export function healthTable(
  parts: HealthParts & MetricsParts & Pick<AllParts, 'answersMetrics'>,
): Table {
  const rows = [...HEALTH_ROUTES, ...(parts.answersMetrics ? LOCAL_METRICS_ROWS : [])];
  return createTable(rows, parts, INDEXER_ONLY);
}

/** The table of an address that serves only metrics. */
export function metricsTable(parts: MetricsParts): Table {
  return createTable(OPEN_METRICS_ROWS, parts);
}
