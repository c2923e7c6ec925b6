// How many calls are worked on at once. What comes beyond that waits for a moment and is then refused, so that the
// service answers what it accepts as fast as ever. Three kinds of work are counted apart: reading what is held, waiting
// for shops, and waiting for the commit of a charge. Knows no route and no request.

export type AdmissionLimits = {
  /** Calls that are answered from the store at once. */
  readonly maxLookups: number;
  /** Calls that wait for shops at once. */
  readonly maxFetching: number;
  /** Calls that wait for the commit of their charge at once. */
  readonly maxWriting: number;
  /** Milliseconds that a call may wait for its turn while the service has been saturated for a while. */
  readonly maxWaitMs: number;
};

export type WorkKind = 'lookup' | 'fetching' | 'writing';

/** One call that was admitted. */
export type Work = {
  /** The call goes on as work of this kind; else, with no room for it, the seconds after which to try again. */
  becomes(kind: WorkKind): true | { readonly retryAfterSeconds: number };
  /** The call is answered. Only the first time counts. */
  ends(): void;
};

export type Candidate = {
  readonly start: (work: Work) => void;
  /** Called instead of `start`, with the seconds after which to try again. */
  readonly refuse: (retryAfterSeconds: number) => void;
  /** The caller has gone meanwhile: it needs neither. */
  readonly isGone: () => boolean;
};

export type Admission = {
  /** Starts the call, now or within the time it may wait, or refuses it. */
  enter(candidate: Candidate): void;
  /** Refuses what has waited too long; to be called while something waits. Returns whether something still does. */
  sweep(): boolean;
  /** Whole seconds after which a refused call may be served. */
  retryAfterSeconds(): number;
  /** Under pressure (a late event loop, a full heap) a fifth of the lookups are worked on at once. */
  setPressed(isPressed: boolean): void;
  inHand(): Readonly<Record<WorkKind | 'waiting', number>>;
};

/** Calls that wait for their turn at most: about 3 KB each. */
const MAX_WAITING = 2_048;
/** So long after the first call had to wait, a burst may still be over soon; then the service is saturated. */
const BURST_MS = 1_000;
const MAX_RETRY_SECONDS = 30;

type Waiting = Candidate & { readonly sinceMs: number };

export function createAdmission(
  limits: AdmissionLimits,
  parts: { readonly nowMs: () => number; readonly sweepSoon: () => void },
): Admission {
  const running: Record<WorkKind, number> = { lookup: 0, fetching: 0, writing: 0 };
  const most = {
    lookup: limits.maxLookups,
    fetching: limits.maxFetching,
    writing: limits.maxWriting,
  };
  /** Oldest first. */
  const waiting: Waiting[] = [];
  let saturatedSinceMs: number | null = null;
  let isPressed = false;
  const pace = createPace(parts.nowMs);

  function hasRoom(): boolean {
    const lookups = isPressed ? Math.ceil(most.lookup / 5) : most.lookup;
    return running.lookup < lookups && running.writing < most.writing;
  }

  function start(candidate: Candidate): void {
    let kind: WorkKind | null = 'lookup';
    running.lookup += 1;
    const leave = () => {
      if (kind === null) return;
      running[kind] -= 1;
    };
    candidate.start({
      becomes: (next) => {
        if (kind === null || kind === next) return true;
        if (running[next] >= most[next]) {
          pace.refused();
          return { retryAfterSeconds: pace.retryAfterSeconds() };
        }
        leave();
        kind = next;
        running[next] += 1;
        admitNext();
        return true;
      },
      ends: () => {
        if (kind === null) return;
        leave();
        kind = null;
        pace.served();
        admitNext();
      },
    });
  }

  /** Newest first: of calls that have waited long their callers wait no more. */
  function admitNext(): void {
    while (hasRoom()) {
      const next = waiting.pop();
      if (waiting.length === 0) saturatedSinceMs = null;
      if (next === undefined) return;
      if (!next.isGone()) start(next);
    }
  }

  function refuse(candidate: Candidate): void {
    if (candidate.isGone()) return;
    pace.refused();
    candidate.refuse(pace.retryAfterSeconds());
  }

  return {
    enter: (candidate) => {
      if (waiting.length === 0 && hasRoom()) {
        start(candidate);
        return;
      }
      const sinceMs = parts.nowMs();
      saturatedSinceMs ??= sinceMs;
      waiting.push({ ...candidate, sinceMs });
      if (waiting.length === 1) parts.sweepSoon();
      if (waiting.length <= MAX_WAITING) return;
      const oldest = waiting.shift();
      if (oldest !== undefined) refuse(oldest);
    },
    sweep: () => {
      const nowMs = parts.nowMs();
      const isBurst = saturatedSinceMs === null || nowMs - saturatedSinceMs < BURST_MS;
      const before = nowMs - (isBurst ? Math.max(BURST_MS, limits.maxWaitMs) : limits.maxWaitMs);
      const kept = waiting.findIndex(({ sinceMs }) => sinceMs > before);
      for (const late of waiting.splice(0, kept === -1 ? waiting.length : kept)) refuse(late);
      if (waiting.length === 0) saturatedSinceMs = null;
      return waiting.length > 0;
    },
    retryAfterSeconds: () => pace.retryAfterSeconds(),
    setPressed: (pressed) => {
      isPressed = pressed;
      admitNext();
    },
    inHand: () => ({ ...running, waiting: waiting.length }),
  };
}

/**
 * `Retry-After` from what was served and refused in the last whole second: the refused calls are spread over the time
 * in which they could be served at this pace, so that they do not all come again at once.
 */
function createPace(nowMs: () => number) {
  let second = 0;
  let now = { served: 0, refused: 0 };
  let last = { served: 0, refused: 0 };
  let turn = 0;

  function count() {
    const current = Math.floor(nowMs() / 1_000);
    if (current !== second) {
      last = current === second + 1 ? now : { served: 0, refused: 0 };
      now = { served: 0, refused: 0 };
      second = current;
    }
    return now;
  }

  return {
    served: () => void (count().served += 1),
    refused: () => void (count().refused += 1),
    retryAfterSeconds: (): number => {
      count();
      const refused = Math.max(last.refused, now.refused);
      const spread = Math.ceil(refused / Math.max(1, last.served, now.served));
      turn += 1;
      return 1 + (turn % Math.min(MAX_RETRY_SECONDS, spread + 1));
    },
  };
}
