// The findings of openshelf doctor about each configured official API (D79): its stored state, or with --probe what it
// answers now.

import { isoTimestamp } from '../../../base/clock.ts';
import type { RetailerStates } from '../../../answer/lookup/list-retailers.ts';
import type { ProbedSource } from '../../../answer/lookup/probe-sources.ts';
import type { SourceReport } from '../../../answer/collect/asking/source-report.ts';
import { LIMITED_SOURCES } from '../../settings/source-limits-setting.ts';
import type { Finding } from './finding.ts';

const what = 'official API';

const PROBE = 'openshelf doctor --probe sends one request to each official API.';

/** Returns a finding for each; `probed` is null without --probe. */
export function sourceFindings(
  { retailers }: RetailerStates,
  probed: readonly ProbedSource[] | null,
): readonly Finding[] {
  return retailers.flatMap(({ retailer, sources }) =>
    sources.flatMap(({ name, report }) => {
      const full = `${retailer}.${name}`;
      // Others share the key of one of these.
      if (report === null || !LIMITED_SOURCES.includes(full)) return [];
      if (probed === null) return [storedFinding(full, report)];
      return probed.filter((each) => each.name === full).map((each) => probedFinding(each, report));
    }),
  );
}

function probedFinding({ name, failure }: ProbedSource, report: SourceReport): Finding {
  return failure === null
    ? { what, state: 'ok', detail: `${name} has just answered a request; ${callsOf(report)}.` }
    : { what, state: 'failed', detail: failure };
}

function storedFinding(name: string, report: SourceReport): Finding {
  const { state, detail, lastOutcome, lastOutcomeMs } = report;
  if (state === 'unknown' || lastOutcomeMs === null) {
    const unknown = `${name} has its settings, but it is not known whether it works.`;
    return { what, state: 'lacking', detail: detail ?? unknown, change: PROBE };
  }
  const last = `${lastOutcome === 'answered' ? 'Last answer' : 'Last failure'} ${isoTimestamp(lastOutcomeMs)}`;
  if (detail === null) {
    return { what, state: 'ok', detail: `${name}: ${last.toLowerCase()}; ${callsOf(report)}.` };
  }
  const isPassing = state === 'quota_spent' || state === 'throttled';
  const found = { what, detail: `${detail} ${last}; ${callsOf(report)}.` };
  return isPassing
    ? { ...found, state: 'lacking' }
    : { ...found, state: 'failed', change: `If that has been fixed: ${PROBE}` };
}

function callsOf({ calls, dailyLimit }: SourceReport): string {
  const of = dailyLimit === null ? '' : ` of ${dailyLimit}`;
  return `${calls}${of} requests in the last 24 hours`;
}
