// Asks each origin for its robots.txt once a day and answers whether a path may be fetched (security 7,
// RFC 9309 2.3-2.4). What the shop answered decides; how it is asked is handed in.

import { DAY_MS, HOUR_MS, SECOND_MS } from '../../core/clock.ts';
import type { Clock } from '../../core/clock.ts';
import type { FetchFailure } from '../../listing/page.ts';
import { ALLOW_ALL, isAllowed, parseRobots } from './robots-txt.ts';
import type { RobotsPolicy } from './robots-txt.ts';

/** What asking for /robots.txt came to. Redirects are followed before. */
export type RobotsAnswer =
  | {
      readonly kind: 'answered';
      readonly status: number;
      readonly body: Uint8Array;
      readonly retryAfterSeconds: number | null;
    }
  | { readonly kind: 'failed'; readonly failure: FetchFailure };

export type RobotsVerdict =
  | { readonly ok: true; readonly crawlDelayMs: number }
  | { readonly ok: false; readonly failure: FetchFailure };

export type RobotsQuestion = {
  readonly origin: string;
  readonly pathAndQuery: string;
  /** A mapped origin is the operator's own: a robots.txt that fails there forbids nothing (D5). */
  readonly mapped: boolean;
  readonly ask: () => Promise<RobotsAnswer>;
};

export type RobotsGate = (question: RobotsQuestion) => Promise<RobotsVerdict>;

type Entry = {
  readonly policy: RobotsPolicy;
  readonly readAtMs: number;
  /** While set, the shop's robots.txt could not be read and everything is disallowed. */
  readonly closedUntilMs: number;
  readonly weight: number;
};

/** A copy older than a day still speaks for a shop whose robots.txt is down, for 30 days (RFC 2.4). */
const STALE_LIMIT_MS = 30 * DAY_MS;
/** Characters of rules held over all origins; the oldest entries go first. */
const MAX_WEIGHT = 16 * 1024 * 1024;

export function createRobotsGate(clock: Clock, token: string): RobotsGate {
  const entries = new Map<string, Entry>();
  const flights = new Map<string, Promise<Entry | FetchFailure>>();
  let weight = 0;

  function keep(origin: string, entry: Entry): Entry {
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

  async function read(question: RobotsQuestion): Promise<Entry | FetchFailure> {
    const known = entries.get(question.origin);
    const now = clock.now();
    if (known !== undefined && now - known.readAtMs < DAY_MS) return known;
    if (known !== undefined && known.closedUntilMs > now) return known;
    const answer = await question.ask();
    const entry = entryOf(answer, clock.now(), token);
    if (entry !== null) return keep(question.origin, entry);
    const old = known !== undefined && now - known.readAtMs < STALE_LIMIT_MS ? known : null;
    if (old !== null) return old;
    if (answer.kind === 'failed') return answer.failure;
    if (question.mapped) return openEntry(now);
    const seconds = answer.retryAfterSeconds ?? HOUR_MS / SECOND_MS;
    return keep(question.origin, closedEntry(clock.now() + seconds * SECOND_MS));
  }

  return async (question) => {
    const flight = flights.get(question.origin) ?? read(question);
    flights.set(question.origin, flight);
    try {
      return verdictOf(await flight, question, clock.now());
    } finally {
      if (flights.get(question.origin) === flight) flights.delete(question.origin);
    }
  };
}

/** The policy that an answer states; null when the shop could not say (429, 5xx, network). */
function entryOf(answer: RobotsAnswer, nowMs: number, token: string): Entry | null {
  if (answer.kind === 'failed') {
    // More redirects than we follow: "may assume unavailable" (RFC 9309 2.3.1.2), so all is allowed.
    return answer.failure.kind === 'redirect_loop' ? openEntry(nowMs) : null;
  }
  if (answer.status === 429 || answer.status >= 500 || answer.status < 200) return null;
  if (answer.status >= 300) return openEntry(nowMs);
  const policy = parseRobots(new TextDecoder().decode(answer.body), token);
  const weight = policy.rules.reduce((sum, rule) => sum + rule.pattern.length + 16, 64);
  return { policy, readAtMs: nowMs, closedUntilMs: 0, weight };
}

function openEntry(nowMs: number): Entry {
  return { policy: ALLOW_ALL, readAtMs: nowMs, closedUntilMs: 0, weight: 64 };
}

function closedEntry(untilMs: number): Entry {
  const never = Number.NEGATIVE_INFINITY;
  return { policy: ALLOW_ALL, readAtMs: never, closedUntilMs: untilMs, weight: 64 };
}

function verdictOf(
  entry: Entry | FetchFailure,
  question: RobotsQuestion,
  nowMs: number,
): RobotsVerdict {
  if ('kind' in entry) return { ok: false, failure: entry };
  if (entry.closedUntilMs > nowMs) {
    const retryAfterSeconds = Math.ceil((entry.closedUntilMs - nowMs) / SECOND_MS);
    const detail = 'robots.txt could not be read, so nothing is fetched until it can';
    return { ok: false, failure: { kind: 'busy', detail, retryAfterSeconds } };
  }
  if (!isAllowed(entry.policy, question.pathAndQuery)) {
    return { ok: false, failure: { kind: 'robots', detail: 'robots.txt disallows this page' } };
  }
  return { ok: true, crawlDelayMs: (entry.policy.crawlDelaySeconds ?? 0) * SECOND_MS };
}
