// Limits the number of calls in progress. A call beyond the limit waits for a moment and is then refused, so that accepted
// calls are answered as fast as ever. Three kinds of work are counted separately: reading from the store, waiting for
// shops, and waiting for the commit of a charge. This file depends on no route or request.

import { createFetchingRoom, type FetchingRoom } from './fetching-room.ts';
import { createPace, type Pace } from './pace.ts';
import { createWaitingCalls, type WaitingCalls } from './waiting-calls.ts';

export type AdmissionLimits = {
  /** Maximum calls answered from the store at the same time. */
  readonly maxLookups: number;
  /** Maximum calls waiting for shops at the same time. */
  readonly maxFetching: number;
  /** Maximum calls that are answered from the store, or waiting for the commit of their charge, at the same time. */
  readonly maxWriting: number;
  /** Milliseconds that a call may wait for its turn while more calls wait than can be served in that time. */
  readonly maxWaitMs: number;
};

export type WorkKind = 'lookup' | 'fetching' | 'writing';

/** One call that was admitted. */
export type Work = {
  /**
   * Moves the call to this kind of work. Returns true, or if there is no room the seconds after which to retry.
   * `organizationId` states whose call waits for shops.
   */
  becomes(
    kind: WorkKind,
    organizationId?: string | null,
  ): true | { readonly retryAfterSeconds: number };
  /** Marks the call as answered. Only the first time counts. */
  ends(): void;
};

type AdmissionRequest = {
  /** The caller: callers take turns while calls wait, and the same text is the same caller. */
  readonly caller: string;
  readonly start: (work: Work) => void;
  /** Called instead of `start`, with the seconds after which to retry. */
  readonly refuse: (retryAfterSeconds: number) => void;
  /** Whether the caller has disconnected meanwhile: then neither `start` nor `refuse` is called. */
  readonly isGone: () => boolean;
};

export type Admission = {
  /** Starts the call, now or within the time it may wait, or refuses it. */
  enter(request: AdmissionRequest): void;
  /** Starts a call now or not at all. Null if there is no room, or other calls are waiting for it. */
  enterAtOnce(): Work | null;
  /** Refuses calls that have waited too long; call it while any are waiting. Returns whether any still are. */
  sweep(): boolean;
  /** Returns whole seconds after which a refused call may be served. */
  retryAfterSeconds(): number;
  /** Under pressure (a late event loop, a full heap) only a fifth of the lookups may be in progress. */
  setPressed(isPressed: boolean): void;
  inHand(): Readonly<Record<WorkKind | 'waiting', number>>;
};

type AdmissionParts = {
  readonly nowMs: () => number;
  /** Calls `sweep` soon, and as long as it returns true. */
  readonly sweepSoon: () => void;
  /** Called for each call that starts. */
  readonly begun?: () => void;
};

/** Maximum calls waiting for their turn: about 3 KB each. */
const MAX_WAITING = 2_048;
/** For this long after the first call had to wait, the load counts as a burst that may soon be over: all calls may wait. */
const BURST_MS = 3_000;
/**
 * After a pause of this length without a new call, waiting calls are served in turn and not refused: 1,000 calls at
 * once are all served.
 */
const LULL_MS = 50;
/** No call waits longer: proxies and clients wait about a minute at most for an answer. */
const LONGEST_WAIT_MS = 30_000;
/** Waiting calls start a new burst only after this much time in which no call had to wait. Overload has no such gap. */
const QUIET_MS = 500;

type Waiting = AdmissionRequest & { readonly sinceMs: number };

type Book = {
  readonly most: Readonly<Record<WorkKind, number>>;
  readonly running: Record<WorkKind, number>;
  readonly maxWaitMs: number;
  readonly nowMs: () => number;
  readonly waiting: WaitingCalls<Waiting>;
  readonly pace: Pace;
  readonly fetching: FetchingRoom;
  readonly begun: () => void;
  burstSinceMs: number;
  lastWaitMs: number;
  isPressed: boolean;
};

export function createAdmission(limits: AdmissionLimits, parts: AdmissionParts): Admission {
  const { nowMs } = parts;
  const { maxLookups: lookup, maxFetching: fetching, maxWriting: writing, maxWaitMs } = limits;
  const book: Book = {
    most: { lookup, fetching, writing },
    running: { lookup: 0, fetching: 0, writing: 0 },
    maxWaitMs,
    nowMs,
    waiting: createWaitingCalls(),
    pace: createPace(nowMs),
    fetching: createFetchingRoom(fetching, nowMs),
    begun: parts.begun ?? (() => undefined),
    burstSinceMs: -Infinity,
    lastWaitMs: -Infinity,
    isPressed: false,
  };
  const { waiting, pace } = book;
  /** Whether a sweep is scheduled. There is one at a time, however often calls begin to wait meanwhile. */
  let isSweeping = false;
  return {
    enter: (request) => {
      if (waiting.size() === 0 && hasRoom(book)) {
        request.start(begin(book));
        return;
      }
      const sinceMs = nowMs();
      const isQuiet = waiting.size() === 0 && sinceMs - book.lastWaitMs > QUIET_MS;
      if (isQuiet) book.burstSinceMs = sinceMs;
      book.lastWaitMs = sinceMs;
      waiting.add({ ...request, sinceMs });
      if (!isSweeping) parts.sweepSoon();
      isSweeping = true;
      if (waiting.size() <= MAX_WAITING) return;
      const oneTooMany = waiting.takeOfMost();
      if (oneTooMany !== undefined) refuse(book, oneTooMany);
    },
    enterAtOnce: () => (waiting.size() === 0 && hasRoom(book) ? begin(book) : null),
    sweep: () => {
      refuseLate(book);
      isSweeping = waiting.size() > 0;
      return isSweeping;
    },
    retryAfterSeconds: () => pace.retryAfterSeconds(),
    setPressed: (pressed) => {
      book.isPressed = pressed;
      admitNext(book);
    },
    inHand: () => ({ ...book.running, waiting: waiting.size() }),
  };
}

function hasRoom({ most, running, isPressed }: Book): boolean {
  const lookups = isPressed ? Math.ceil(most.lookup / 5) : most.lookup;
  // Each lookup will be charged. None is started without room for its charge, because reading it would be wasted.
  return running.lookup < lookups && running.lookup + running.writing < most.writing;
}

/** Checks whether more calls are waiting than may be in progress, and than can be served within their maximum wait. */
function isOverloaded({ waiting, most, pace, maxWaitMs }: Book): boolean {
  const servedMeanwhile = (pace.servedInSecond() * maxWaitMs) / 1_000;
  return waiting.size() > Math.max(most.writing, servedMeanwhile);
}

function begin(book: Book): Work {
  const { pace, running, most, fetching } = book;
  let kind: WorkKind | null = 'lookup';
  let leave = (): void => void (running.lookup -= 1);
  running.lookup += 1;
  book.begun();
  return {
    becomes: (next, organizationId = null) => {
      if (kind === null || kind === next) return true;
      const hasRoom =
        next === 'fetching' ? fetching.has(organizationId) : running[next] < most[next];
      if (!hasRoom) {
        pace.refused();
        return { retryAfterSeconds: pace.retryAfterSeconds() };
      }
      leave();
      running[next] += 1;
      const left = next === 'fetching' ? fetching.enter(organizationId) : null;
      leave = () => {
        running[next] -= 1;
        left?.();
      };
      kind = next;
      admitNext(book);
      return true;
    },
    ends: () => {
      if (kind === null) return;
      leave();
      kind = null;
      pace.served();
      admitNext(book);
    },
  };
}

/**
 * Callers take turns, and each one's calls are served in order. Under overload the newest call is served first, because the
 * oldest callers give up first.
 */
function admitNext(book: Book): void {
  const { waiting } = book;
  while (waiting.size() > 0 && hasRoom(book)) {
    const next = waiting.take(isOverloaded(book) ? 'newest' : 'oldest');
    if (next !== undefined && !next.isGone()) next.start(begin(book));
  }
}

function refuse({ pace }: Book, request: AdmissionRequest): void {
  if (request.isGone()) return;
  pace.refused();
  request.refuse(pace.retryAfterSeconds());
}

function refuseLate(book: Book): void {
  const { waiting, burstSinceMs, lastWaitMs, maxWaitMs } = book;
  const nowMs = book.nowMs();
  const isBurst = nowMs - burstSinceMs < BURST_MS || nowMs - lastWaitMs > LULL_MS;
  const before = nowMs - (isBurst || !isOverloaded(book) ? LONGEST_WAIT_MS : maxWaitMs);
  for (const late of waiting.takeSince(before)) refuse(book, late);
}
