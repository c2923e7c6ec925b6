// The operator's routes: what they show and do, from the store and the settings.

import type { Config } from '../config.ts';
import { dayOf, daysBefore, HOUR_MS, type Clock } from '../../base/clock.ts';
import type { PausedHost } from '../../base/failed-for.ts';
import type { Operator } from '../../server/routes/installation/operator.ts';
import type { FillTotals, ReadOutcome } from '../../base/listing/fill-rate.ts';
import { issueKey, rotateKey, type IssuedKey } from '../../data/metering/keys.ts';
import type { Store } from '../../data/store.ts';
import { lacksOf, lacksOfRetailers } from './installation-lacks.ts';
import type { Outside } from './outside.ts';

type OperatorParts = {
  readonly config: Config;
  readonly store: Store;
  readonly clock: Clock;
  readonly version: string;
  readonly outside: () => Promise<Pick<Outside, 'listRetailers' | 'troubledHosts'>>;
};

const MOST_JOBS = 100;
const MOST_KEYS = 1_000;
const MOST_HOSTS = 100;
/** Days, including today, whose readings are shown. */
const READING_DAYS = 7;

export function createOperator({
  config,
  store,
  clock,
  version,
  outside,
}: OperatorParts): Operator {
  const { accounts, operation } = store;
  return {
    usage: () => operation.findAllUsage(clock.now()),
    async queue() {
      const nowMs = clock.now();
      const { troubledHosts } = await outside();
      const [counts, jobs, hosts] = await Promise.all([
        store.jobs.countJobs(nowMs),
        operation.findJobs(nowMs, MOST_JOBS),
        operation.findPausedHosts(nowMs),
      ]);
      return { counts, jobs, hosts: mergedHosts(hosts, troubledHosts()) };
    },
    async installation() {
      const today = dayOf(clock.now());
      const span = { from: daysBefore(today, READING_DAYS - 1), to: today };
      const { listRetailers } = await outside();
      const [states, totals] = await Promise.all([
        listRetailers(),
        store.readingCounts.findTotals(span),
      ]);
      const database = store.sql.dialect === 'sqlite' ? 'sqlite' : 'postgres';
      return {
        version,
        database,
        intervalMs: config.hostIntervalMs,
        lacks: [
          // The page lists the settings of each API by themselves.
          ...lacksOfRetailers(states.retailers).map(({ retailer, what, change }) => ({
            what: `${retailer}: ${what}`,
            settings: [],
            change,
          })),
          ...lacksOf(config, states),
        ],
        readings: readingsOf(totals),
      };
    },
    async keys() {
      return { keys: await operation.findKeys(MOST_KEYS), nowMs: clock.now() };
    },
    async createKey({ organization, note, scopes, hours }) {
      const nowMs = clock.now();
      const expires = hours === null ? {} : { expiresAtMs: nowMs + hours * HOUR_MS };
      const wanted = { organization, note, scopes, ...expires };
      return { ...(await issueKey(accounts, wanted, nowMs)), note };
    },
    async rotateKey(id, oldHours) {
      const nowMs = clock.now();
      const made = await rotateKey(accounts, { id, oldUntilMs: nowMs + oldHours * HOUR_MS }, nowMs);
      return made === null ? null : { ...made, note: await noteOf(store, made) };
    },
    revokeKey: (id) => accounts.revokeKey(id, clock.now()),
  };
}

const WIDEST_FIRST = ['everyone', 'one_organization', 'background', null] as const;

/**
 * Merges the hosts that all processes know with those that this one knows. For a host in both, the wider pause counts, or of
 * equally wide ones the longer. The host with the most failures comes first.
 */
function mergedHosts(
  shared: readonly PausedHost[],
  own: readonly PausedHost[],
): readonly PausedHost[] {
  const merged = new Map(shared.map((each) => [each.host, each]));
  const rank = ({ pausedFor }: PausedHost) => WIDEST_FIRST.indexOf(pausedFor);
  for (const here of own) {
    const known = merged.get(here.host) ?? here;
    const wider = rank(here) - rank(known) || known.leftMs - here.leftMs;
    const failures = Math.max(here.failures, known.failures);
    merged.set(here.host, { ...(wider < 0 ? here : known), failures });
  }
  return [...merged.values()].toSorted((a, b) => b.failures - a.failures).slice(0, MOST_HOSTS);
}

async function noteOf({ accounts }: Store, { id }: IssuedKey): Promise<string | null> {
  return (await accounts.findKey(id))?.key.note ?? null;
}

/** Outcomes that say nothing about the question. */
const FAILED: ReadonlySet<string> = new Set(['blocked', 'retry', 'unreadable']);

/**
 * Returns one line for each retailer: its answers, how many were read, and the share of expected fields that were found.
 */
function readingsOf({ outcomes, fields }: FillTotals) {
  const retailers = [...new Set(outcomes.map(({ retailer }) => retailer))].sort();
  return retailers.map((retailer) => {
    const own = outcomes.filter((each) => each.retailer === retailer);
    const stated = fields.filter((each) => each.retailer === retailer);
    const expected = stated.reduce((all, each) => all + each.expected, 0);
    const missing = stated.reduce((all, each) => all + each.missing, 0);
    const counted = (outcome: ReadOutcome) =>
      own.reduce((all, each) => all + (each.outcome === outcome ? each.answers : 0), 0);
    return {
      retailer,
      answers: own.reduce((all, each) => all + each.answers, 0),
      read: own
        .filter(({ outcome }) => !FAILED.has(outcome))
        .reduce((all, each) => all + each.answers, 0),
      blocked: counted('blocked'),
      unavailable: counted('retry'),
      unreadable: counted('unreadable'),
      fillRate: expected === 0 ? null : 1 - missing / expected,
    };
  });
}
