// Caches the robots.txt of each origin for a day and decides whether a path may be fetched (RFC 9309 2.3-2.4). While it
// cannot be read (429, 5xx), the whole origin is blocked, as the RFC demands. The function that fetches it is passed in.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../base/clock.ts';
import type { Clock } from '../../base/clock.ts';
import { sharedTurns, type FetchTurns } from '../../base/fetch-context.ts';
import type { FetchFailure } from '../../base/listing/page.ts';
import type { Signals } from '../../base/listing/signals.ts';
import { ALLOW_ALL, isAllowed, parseRobots } from './robots-txt.ts';
import type { RobotsPolicy } from './robots-txt.ts';
import { mayAskPayment, signalsAt } from './usage-rules.ts';

/** The result of fetching /robots.txt, after redirects. */
export type RobotsTxtOutcome =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Uint8Array;
      readonly retryAfterSeconds: number | null;
    }
  /** A redirect led to an address that the guard refuses. */
  | { readonly kind: 'astray' }
  | { readonly kind: 'failed'; readonly failure: FetchFailure };

type RobotsVerdict =
  | {
      readonly ok: true;
      readonly crawlDelayMs: number;
      /** The signals of robots.txt about the use of the page; null if there are none. */
      readonly signals: Signals | null;
    }
  | { readonly ok: false; readonly failure: FetchFailure };

type RobotsCheck = {
  readonly origin: string;
  readonly pathAndQuery: string;
  /** Whether the origin is mapped. It is then the operator's own, and a robots.txt that fails there blocks nothing (D5). */
  readonly mapped: boolean;
  /** The queue position of the page that waits for it. */
  readonly context: FetchTurns;
  /** Fetches robots.txt once for all pages that wait for it, in the queue position of whichever page comes first. */
  readonly fetchRobotsTxt: (turns: FetchTurns) => Promise<RobotsTxtOutcome>;
};

export type RobotsGate = (check: RobotsCheck) => Promise<RobotsVerdict>;

type RobotsEntry = {
  readonly policy: RobotsPolicy;
  readonly readAtMs: number;
  /** robots.txt is not requested again before this time. */
  readonly cachedUntilMs: number;
  /** Whether everything is disallowed until then, because robots.txt could not be read. */
  readonly blocks: boolean;
  readonly weight: number;
};

type Flight = {
  readonly read: Promise<RobotsEntry | FetchFailure>;
  readonly join: (page: FetchTurns) => void;
};

/** A copy older than a day still applies for 30 days while the shop's robots.txt fails (RFC 9309 2.4). */
const STALE_LIMIT_MS = 30 * DAY_MS;
/** Maximum characters of rules over all origins; the oldest entries are dropped first. */
const MAX_WEIGHT = 16 * 1024 * 1024;

/** `isLicensed`: whether the operator has the licence of this shop. */
export function createRobotsGate(
  clock: Clock,
  token: string,
  isLicensed: (host: string) => boolean = () => false,
): RobotsGate {
  const entries = new Map<string, RobotsEntry>();
  const flights = new Map<string, Flight>();
  let weight = 0;

  function keep(origin: string, entry: RobotsEntry): RobotsEntry {
    weight += entry.weight - (entries.get(origin)?.weight ?? 0);
    entries.delete(origin);
    entries.set(origin, entry);
    for (const [oldest, old] of entries) {
      if (weight <= MAX_WEIGHT || oldest === origin) break;
      entries.delete(oldest);
      weight -= old.weight;
    }
    return entry;
  }

  async function read(check: RobotsCheck, turns: FetchTurns): Promise<RobotsEntry | FetchFailure> {
    const known = entries.get(check.origin);
    const now = clock.now();
    if (known !== undefined && known.cachedUntilMs > now) return known;
    const answer = await check.fetchRobotsTxt(turns);
    const entry = await entryOf(answer, clock.now(), token);
    if (entry !== null) return keep(check.origin, entry);
    const cachedUntilMs = clock.now() + pauseSeconds(answer) * SECOND_MS;
    if (known !== undefined && now - known.readAtMs < STALE_LIMIT_MS) {
      return keep(check.origin, { ...known, cachedUntilMs });
    }
    if (answer.kind === 'failed') return answer.failure;
    if (check.mapped) return allowingEntry(now);
    return keep(check.origin, blockingEntry(cachedUntilMs));
  }

  function begin(check: RobotsCheck): Flight {
    const { join, ...turns } = sharedTurns(check.context);
    return { read: read(check, turns), join };
  }

  return async (check) => {
    const flight = flights.get(check.origin) ?? begin(check);
    flight.join(check.context);
    flights.set(check.origin, flight);
    try {
      return verdictOf(await flight.read, { ...check, isLicensed }, clock.now());
    } finally {
      if (flights.get(check.origin) === flight) flights.delete(check.origin);
    }
  };
}

/** Returns how long an unreadable robots.txt is not requested again. */
function pauseSeconds(answer: RobotsTxtOutcome): number {
  const stated = answer.kind === 'answered' ? answer.retryAfterSeconds : null;
  return stated ?? HOUR_MS / SECOND_MS;
}

/** Returns the policy in an answer; null if there is none (429, 5xx, network, a refused redirect). */
async function entryOf(
  answer: RobotsTxtOutcome,
  nowMs: number,
  token: string,
): Promise<RobotsEntry | null> {
  if (answer.kind === 'astray') return null;
  if (answer.kind === 'failed') {
    // There were too many redirects: "may assume unavailable" (RFC 9309 2.3.1.2), so everything is allowed.
    return answer.failure.kind === 'redirect_loop' ? allowingEntry(nowMs) : null;
  }
  if (answer.status === 429 || answer.status >= 500 || answer.status < 200) return null;
  if (answer.status >= 300) return allowingEntry(nowMs);
  const text = new TextDecoder().decode(answer.body);
  const policy = await parseRobots(text, token, othersRun);
  const { usage } = policy;
  const weight = [...policy.rules, ...(usage?.signals ?? []), ...(usage?.usage ?? [])].reduce(
    (sum, rule) => sum + rule.pattern.length + 16,
    64,
  );
  return { policy, readAtMs: nowMs, cachedUntilMs: nowMs + DAY_MS, blocks: false, weight };
}

/** Yields to the sockets and timers of other calls. */
function othersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}

function allowingEntry(nowMs: number): RobotsEntry {
  const cachedUntilMs = nowMs + DAY_MS;
  return { policy: ALLOW_ALL, readAtMs: nowMs, cachedUntilMs, blocks: false, weight: 64 };
}

function blockingEntry(cachedUntilMs: number): RobotsEntry {
  const readAtMs = Number.NEGATIVE_INFINITY;
  return { policy: ALLOW_ALL, readAtMs, cachedUntilMs, blocks: true, weight: 64 };
}

function verdictOf(
  entry: RobotsEntry | FetchFailure,
  check: RobotsCheck & { readonly isLicensed: (host: string) => boolean },
  nowMs: number,
): RobotsVerdict {
  if ('kind' in entry) return { ok: false, failure: entry };
  // This includes one that may be requested again at once (`Retry-After: 0`): it was not read, which disallows everything (RFC
  // 9309 2.3.1.4).
  if (entry.blocks) {
    const retryAfterSeconds = Math.max(1, Math.ceil((entry.cachedUntilMs - nowMs) / SECOND_MS));
    const detail = 'robots.txt could not be read, so nothing is fetched until it can';
    return { ok: false, failure: { kind: 'busy', detail, retryAfterSeconds } };
  }
  if (!isAllowed(entry.policy, check.pathAndQuery)) {
    return { ok: false, failure: { kind: 'robots', detail: 'robots.txt disallows this page' } };
  }
  const crawlDelayMs = (entry.policy.crawlDelaySeconds ?? 0) * SECOND_MS;
  const { usage } = entry.policy;
  if (usage === null) return { ok: true, crawlDelayMs, signals: null };
  const { license } = usage;
  const isUnpaid = license !== null && mayAskPayment(license);
  if (isUnpaid && !check.isLicensed(new URL(check.origin).hostname)) {
    return { ok: false, failure: licenseFailure(license) };
  }
  return { ok: true, crawlDelayMs, signals: signalsAt(usage, check.pathAndQuery) ?? null };
}

/** The failure of a page whose use needs a licence that the operator is not known to have; null if it has no address. */
export function licenseFailure(license: string | null): FetchFailure {
  const detail = `the shop asks for a licence: ${license ?? 'no address is stated'}`;
  return { kind: 'license', detail, ...(license === null ? {} : { license }) };
}
