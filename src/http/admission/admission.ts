// How many calls are worked on at once. What comes beyond that waits for a moment and is then refused, so that the
// service answers what it accepts as fast as ever. Three kinds of work are counted apart: reading what is held, waiting
// for shops, and waiting for the commit of a charge. Knows no route and no request.

import { createFetchingRoom, type FetchingRoom } from './fetching-room.ts';
import { createPace, type Pace } from './pace.ts';
import { createWaitingCalls, type WaitingCalls } from './waiting-calls.ts';

export type AdmissionLimits = {
  /** Calls that are answered from the store at once. */
  readonly maxLookups: number;
  /** Calls that wait for shops at once. */
  readonly maxFetching: number;
  /** Calls that are answered from the store or wait for the commit of their charge at once. */
  readonly maxWriting: number;
  /** Milliseconds that a call may wait for its turn while more wait than can be served in that time. */
  readonly maxWaitMs: number;
};

export type WorkKind = 'lookup' | 'fetching' | 'writing';

/** One call that was admitted. */
export type Work = {
  /**
   * The call goes on as work of this kind; else, with no room for it, the seconds after which to try again. `organizationId`: whose
   * call waits for shops.
   */
  becomes(
    kind: WorkKind,
    organizationId?: string | null,
  ): true | { readonly retryAfterSeconds: number };
  /** The call is answered. Only the first time counts. */
  ends(): void;
};

export type AdmissionRequest = {
  /** Callers take turns while calls wait: the same text is the same caller. */
  readonly caller: string;
  readonly start: (work: Work) => void;
  /** Called instead of `start`, with the seconds after which to try again. */
  readonly refuse: (retryAfterSeconds: number) => void;
  /** The caller has gone meanwhile: it needs neither. */
  readonly isGone: () => boolean;
};

export type Admission = {
  /** Starts the call, now or within the time it may wait, or refuses it. */
  enter(request: AdmissionRequest): void;
  /** A call that is begun now or not at all; null: there is no room, or others wait for it. */
  enterAtOnce(): Work | null;
  /** Refuses what has waited too long; to be called while something waits. Returns whether something still does. */
  sweep(): boolean;
  /** Whole seconds after which a refused call may be served. */
  retryAfterSeconds(): number;
  /** Under pressure (a late event loop, a full heap) a fifth of the lookups are worked on at once. */
  setPressed(isPressed: boolean): void;
  inHand(): Readonly<Record<WorkKind | 'waiting', number>>;
};

export type AdmissionParts = {
  readonly nowMs: () => number;
  /** Calls `sweep` soon, and as long as it returns true. */
  readonly sweepSoon: () => void;
};

/** Calls that wait for their turn at most: about 3 KB each. */
const MAX_WAITING = 2_048;
/** So long after the first call had to wait it may be a burst that is over soon: everyone may wait. */
const BURST_MS = 3_000;
/** Nobody has come for so long: whoever waits is served in turn. 1,000 calls at once are all served. */
const LULL_MS = 50;
/** Nobody waits longer: the time that a proxy or a client gives an answer at most is about a minute. */
const LONGEST_WAIT_MS = 30_000;
/** Calls that have to wait are a new burst when nobody waits any more and nobody had to for so long: overload has no such gap. */
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
    burstSinceMs: -Infinity,
    lastWaitMs: -Infinity,
    isPressed: false,
  };
  const { waiting, pace } = book;
  /** Somebody sweeps until nobody waits: once, however often the first one begins to wait meanwhile. */
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
  // Each of them will be charged: none is read in vain because there is no room for its charge.
  return running.lookup < lookups && running.lookup + running.writing < most.writing;
}

/** More wait than are worked on, and than can be served within the time that they may wait. */
function isOverloaded({ waiting, most, pace, maxWaitMs }: Book): boolean {
  const servedMeanwhile = (pace.servedInSecond() * maxWaitMs) / 1_000;
  return waiting.size() > Math.max(most.writing, servedMeanwhile);
}

function begin(book: Book): Work {
  const { pace, running, most, fetching } = book;
  let kind: WorkKind | null = 'lookup';
  let leave = (): void => void (running.lookup -= 1);
  running.lookup += 1;
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

/** Callers in turns, the calls of each in their order; under overload newest first, because who asked first gives up first. */
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
