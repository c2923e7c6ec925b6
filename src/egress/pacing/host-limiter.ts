// Paces the requests to each host: one at a time, with a pause in between, obeying Retry-After and a circuit breaker (D54).
// Callers' fetches go before background work, and organizations take turns. A fetch that would wait beyond its deadline fails
// at once with the seconds to wait (D37). This file has no knowledge of URLs, sockets or pages.

import type { Clock } from '../../base/clock.ts';
import {
  concludedFor,
  widestPause,
  type FailedFor,
  type PausedHost,
  type PausedPlace,
} from '../../base/failed-for.ts';
import { askerOf, type FetchContext, type Priority } from '../../base/fetch-context.ts';
import type { FetchFailure } from '../../base/listing/page.ts';
import { createAskedPauses } from './asked-pauses.ts';
import { createCircuit } from './circuit-breaker.ts';
import type { Circuit, RequestReport } from './circuit-breaker.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { createFairQueue, goesBefore } from './fair-queue.ts';
import type { QueuedFetch, FairQueue, Next } from './fair-queue.ts';

type LimiterOptions = {
  readonly clock: Clock;
  /** The pause between the end of a request and the start of the next one to the same host. */
  readonly intervalMs: number;
  /** Maximum requests in flight over all hosts. */
  readonly maxConcurrent: number;
  /** Maximum requests in flight for one organization. */
  readonly maxOfOneOrganization: number;
  readonly random: () => number;
};

type Turn =
  | {
      readonly ok: true;
      /** The organization whose turn it is. */
      readonly asker: FailedFor;
      readonly done: (report: RequestReport) => void;
    }
  | { readonly ok: false; readonly failure: FetchFailure };

export type HostLimiter = {
  /** Waits for a turn at this host. `intervalMs` may lengthen the pause after this request. */
  turn(place: PausedPlace, context: FetchContext, intervalMs?: number): Promise<Turn>;
  /** Records what a page of this host turned out to be, once it has been read, and whose turn it used. */
  found(host: string, report: RequestReport, asker: FailedFor): void;
  /** Returns hosts whose last request failed, most failures first, and names that asked for a pause. */
  troubled(): readonly PausedHost[];
  /** Waits for a request slot only; for origins mapped by the operator, which need no pacing. */
  slot(context: FetchContext): Promise<Turn>;
};

type WaitingFetch = QueuedFetch & {
  /** The host that it waits for; null if none. */
  readonly place: PausedPlace | null;
  readonly intervalMs: number;
  /** Ends the wait: the turn has come, or will not come in time. */
  readonly settle: (turn: Turn) => void;
};

type Asked = Pick<WaitingFetch, 'context' | 'place'>;

type NextFetch = Next<WaitingFetch>;

type Candidate = { readonly next: NextFetch; readonly serve: () => void };

type HostState = {
  isBusy: boolean;
  nextAtMs: number;
  typicalMs: number;
  /** Set while a timer waits for the end of the host's pause. */
  sleeper: AbortController | null;
  readonly queue: FairQueue<WaitingFetch>;
  readonly circuit: Circuit;
};

/** Above this number of hosts, idle ones are forgotten until a tenth of the room is free. */
const MAX_HOSTS = 10_000;
const KEPT_HOSTS = 9_000;

export function createHostLimiter(options: LimiterOptions): HostLimiter {
  return new Limiter(options);
}

class Limiter implements HostLimiter {
  readonly #options: LimiterOptions;
  readonly #clock: Clock;
  readonly #hosts = new Map<string, HostState>();
  readonly #asked = createAskedPauses();
  readonly #slots: ConcurrencyLimit;
  /** Hosts whose next fetch only lacks a free request slot. */
  readonly #withoutSlot = new Set<HostState>();
  /** Fetches that wait for a slot only, and for no host. */
  readonly #unpaced = createFairQueue<WaitingFetch>();
  #arrivals = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#slots = createConcurrencyLimit(options.maxConcurrent, options.maxOfOneOrganization);
  }

  async turn(place: PausedPlace, context: FetchContext, intervalMs = 0): Promise<Turn> {
    const state = this.#stateOf(place.host);
    const refused = this.#refusal(state, { context, place });
    if (refused !== null) return { ok: false, failure: refused };
    return this.#waitIn(
      state.queue,
      { context, place, intervalMs },
      {
        arrived: () => this.#serve(state),
        left: () => {
          if (state.queue.waiting.length === 0) this.#stopWaiting(state);
          return this.#leftQueue(state, context);
        },
      },
    );
  }

  async slot(context: FetchContext): Promise<Turn> {
    return this.#waitIn(
      this.#unpaced,
      { context, place: null, intervalMs: 0 },
      {
        arrived: () => this.#fillSlots(),
        left: () => busy('every request slot is taken', this.#options.intervalMs),
      },
    );
  }

  troubled(): readonly PausedHost[] {
    const nowMs = this.#clock.now();
    const failing = [...this.#hosts]
      .map(([host, { circuit }]) => ({
        host,
        failures: circuit.failures(),
        ...widestPause({ askedMs: 0, ...circuit.pauseLeft(nowMs) }),
      }))
      .filter(({ failures }) => failures > 0)
      .sort((a, b) => b.failures - a.failures || (a.host < b.host ? -1 : 1));
    const asked = this.#asked.lasting(nowMs).map(({ name, leftMs }) => ({
      host: name,
      failures: 0,
      leftMs,
      pausedFor: 'everyone' as const,
    }));
    return [...failing, ...asked];
  }

  found(host: string, report: RequestReport, asker: FailedFor): void {
    const state = this.#stateOf(host);
    state.circuit.record(report, asker, this.#clock.now());
    this.#serve(state);
  }

  /** Waits in a queue until `settle` is called or the signal aborts. */
  async #waitIn(
    queue: FairQueue<WaitingFetch>,
    wanted: Omit<WaitingFetch, 'arrival' | 'settle'>,
    on: { readonly arrived: () => void; readonly left: () => FetchFailure },
  ): Promise<Turn> {
    const { signal } = wanted.context;
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.#arrivals += 1;
    const mine = { ...wanted, arrival: this.#arrivals, settle: resolve };
    const leave = () => {
      if (queue.remove(mine)) resolve({ ok: false, failure: on.left() });
    };
    queue.add(mine);
    wanted.context.onJoined?.(on.arrived);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    else on.arrived();
    const turn = await promise;
    signal.removeEventListener('abort', leave);
    return turn;
  }

  /** Gives the host's turn to the next fetch once the pause is over and a slot is free. */
  #serve(state: HostState): void {
    this.#withoutSlot.delete(state);
    if (state.isBusy || state.queue.waiting.length === 0) return;
    for (const one of state.queue.waiting.slice()) {
      const paused = this.#pauseFailure(state, one);
      if (paused !== null) this.#refuseAll(state, [one], paused);
    }
    if (state.queue.waiting.length === 0) return;
    const pauseMs = state.nextAtMs - this.#clock.now();
    if (pauseMs > 0) {
      const late = state.queue.waiting.filter(
        ({ context }) => context.deadlineMs <= state.nextAtMs,
      );
      this.#refuseAll(state, late, busy('the shop is paced', pauseMs));
      if (state.queue.waiting.length > 0) this.#sleep(state, pauseMs);
      return;
    }
    const next = this.#nextOf(state);
    if (next === null) this.#withoutSlot.add(state);
    else this.#give(state, next);
  }

  /**
   * Returns the next fetch. If several callers wait for it, it may use the turn of any of them that is blocked by neither a
   * pause nor a lack of slots.
   */
  #nextOf(state: HostState): NextFetch | null {
    const pause = state.circuit.pauseLeft(this.#clock.now());
    return state.queue.next(
      (priority) => this.#slots.hasRoom(priority) && concludedFor(pause, askerOf(priority)) === 0,
    );
  }

  #give(state: HostState, next: NextFetch): void {
    const { one, priority } = next;
    const asker = askerOf(priority);
    const startedAtMs = this.#clock.now();
    state.queue.serve(next);
    state.isBusy = true;
    this.#slots.take(priority);
    const done = once((report: RequestReport) => {
      const now = this.#clock.now();
      state.isBusy = false;
      state.typicalMs = Math.round((state.typicalMs + (now - startedAtMs)) / 2);
      const pauseMs = Math.max(this.#options.intervalMs, one.intervalMs);
      if (report.isSent !== false) state.nextAtMs = now + pauseMs;
      state.circuit.record(report, asker, now);
      if (report.asked !== undefined) this.#asked.note(report.asked, now);
      this.#slots.release(priority);
      this.#serve(state);
      this.#fillSlots();
    });
    one.settle({ ok: true, asker, done });
  }

  /**
   * Gives free slots to callers' fetches first; among these to the organization with the fewest in flight, then by arrival.
   */
  #fillSlots(): void {
    for (;;) {
      const free = this.#nextUnpaced();
      const paced = [...this.#withoutSlot].map((state) => this.#nextAt(state));
      const candidates = [free, ...paced].filter((each) => each !== null);
      const best = candidates.toSorted((a, b) => this.#bySlots(a.next, b.next))[0];
      if (best === undefined) return;
      best.serve();
    }
  }

  #bySlots(a: NextFetch, b: NextFetch): number {
    const later = ({ priority }: NextFetch) => Number(!goesBefore(priority));
    const inOrder = this.#slots.inOrder(a.priority, b.priority);
    return later(a) - later(b) || inOrder || a.one.arrival - b.one.arrival;
  }

  #nextUnpaced(): Candidate | null {
    const next = this.#unpaced.next((priority) => this.#slots.hasRoom(priority));
    if (next === null) return null;
    const serve = () => {
      const { one, priority } = next;
      this.#unpaced.serve(next);
      this.#slots.take(priority);
      const done = once(() => {
        this.#slots.release(priority);
        this.#fillSlots();
      });
      one.settle({ ok: true, asker: askerOf(priority), done });
    };
    return { next, serve };
  }

  #nextAt(state: HostState): Candidate | null {
    const next = this.#nextOf(state);
    return next === null ? null : { next, serve: () => this.#serve(state) };
  }

  #sleep(state: HostState, ms: number): void {
    if (state.sleeper !== null) return;
    const sleeper = new AbortController();
    state.sleeper = sleeper;
    const wake = () => {
      if (state.sleeper !== sleeper) return;
      state.sleeper = null;
      this.#serve(state);
    };
    // The sleep is aborted when the queue becomes empty; nothing is then left to do.
    void this.#clock.sleep(ms, sleeper.signal).then(wake, () => undefined);
  }

  /** Called when the queue of a host is empty. */
  #stopWaiting(state: HostState): void {
    state.sleeper?.abort();
    state.sleeper = null;
    this.#withoutSlot.delete(state);
  }

  #refuseAll(state: HostState, refused: readonly WaitingFetch[], failure: FetchFailure): void {
    for (const one of refused.slice()) {
      state.queue.remove(one);
      one.settle({ ok: false, failure });
    }
    if (state.queue.waiting.length === 0) this.#stopWaiting(state);
  }

  #stateOf(host: string): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) {
      // Set again, so that the map is ordered by the hosts' last request.
      this.#hosts.delete(host);
      this.#hosts.set(host, known);
      return known;
    }
    if (this.#hosts.size >= MAX_HOSTS) forgetIdle(this.#hosts, this.#clock.now());
    const state: HostState = {
      isBusy: false,
      nextAtMs: 0,
      typicalMs: 0,
      sleeper: null,
      queue: createFairQueue(),
      circuit: createCircuit(this.#options.random),
    };
    this.#hosts.set(host, state);
    return state;
  }

  /** Returns why this host cannot get a request before the deadline; null if it can. */
  #refusal(state: HostState, one: Asked): FetchFailure | null {
    const { context } = one;
    const paused = this.#pauseFailure(state, one);
    if (paused !== null) return paused;
    const wait = this.#waitMs(state, context);
    if (wait === 0 || this.#clock.now() + wait < context.deadlineMs) return null;
    return busy('too many calls are waiting for this shop', wait);
  }

  /** Estimates how long a new fetch would wait, in milliseconds, from the queue and the typical duration. */
  #waitMs(state: HostState, { turns }: FetchContext): number {
    const before = leastOf(turns(), (priority) => state.queue.aheadOf(priority));
    const ahead = before + (state.isBusy ? 1 : 0);
    const each = this.#options.intervalMs + state.typicalMs;
    return Math.max(0, state.nextAtMs - this.#clock.now()) + ahead * each;
  }

  #pauseFailure(state: HostState, { context, place }: Asked): FetchFailure | null {
    const nowMs = this.#clock.now();
    const pause = state.circuit.pauseLeft(nowMs);
    const concludedMs = leastOf(context.turns(), (each) => concludedFor(pause, askerOf(each)));
    const askedMs = place === null ? 0 : this.#asked.leftMs(place, nowMs);
    const wait = Math.max(concludedMs, askedMs);
    return wait > 0 ? busy('the shop asked for a pause or kept failing', wait) : null;
  }

  #leftQueue(state: HostState, context: FetchContext): FetchFailure {
    return busy('the caller stopped waiting before its turn came', this.#waitMs(state, context));
  }
}

function leastOf(turns: readonly Priority[], of: (priority: Priority) => number): number {
  return Math.min(...turns.map(of));
}

/** Returns the failure for a fetch that can be retried after `waitMs`. */
export function busy(why: string, waitMs: number): FetchFailure {
  return { kind: 'busy', detail: why, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

function once<T>(run: (value: T) => void): (value: T) => void {
  let ran = false;
  return (value) => {
    if (!ran) run(value);
    ran = true;
  };
}

/**
 * Drops idle hosts. Callers can request any number of failing hosts, so a failure is only stored while there is room. Hosts
 * without a failure go first, then those that are not paused, and paused ones last. Among equals, the one requested least
 * recently goes first.
 */
function forgetIdle(hosts: Map<string, HostState>, nowMs: number): void {
  const isIdle = (state: HostState) => !state.isBusy && state.queue.waiting.length === 0;
  const rank = ({ nextAtMs, circuit }: HostState) => {
    if (nextAtMs > nowMs || circuit.pauseLeft(nowMs).concludedMs > 0) return 2;
    return circuit.failures() > 0 ? 1 : 0;
  };
  const idle = [...hosts]
    .filter(([, state]) => isIdle(state))
    .map(([host, state]) => ({ host, rank: rank(state) }))
    .toSorted((a, b) => a.rank - b.rank);
  for (const { host } of idle.slice(0, hosts.size - KEPT_HOSTS)) hosts.delete(host);
}
