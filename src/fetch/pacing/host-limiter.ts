// Politeness towards one host: one request at a time, a pause between two, Retry-After obeyed, a breaker
// (security 7, D54). Whom a caller waits for goes before background work, organizations by turns; a call that would
// wait longer than its caller does is told so at once (D37). It knows nothing of URLs, sockets or answers.

import type { Clock } from '../../core/clock.ts';
import type { FetchFailure } from '../../listing/page.ts';
import { createCircuit } from './circuit-breaker.ts';
import type { Circuit, Report } from './circuit-breaker.ts';
import { deadlineOf } from '../deadline.ts';
import { laneOf } from './lane.ts';
import { createConcurrencyLimit } from './concurrency-limit.ts';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import { createWaitingLine, goesBefore } from './waiting-line.ts';
import type { Waiting, WaitingLine } from './waiting-line.ts';

export type LimiterOptions = {
  readonly clock: Clock;
  /** Pause between the end of a request and the start of the next one to the same host. */
  readonly intervalMs: number;
  /** Requests in flight over all hosts. */
  readonly maxConcurrent: number;
  /** Requests in flight for one organization. */
  readonly maxOfOneOrganization: number;
  /** How long a caller without a known deadline is kept waiting. */
  readonly maxWaitMs: number;
  readonly random: () => number;
};

export type Turn =
  | { readonly ok: true; readonly done: (report: Report) => void }
  | { readonly ok: false; readonly failure: FetchFailure };

export type HostLimiter = {
  /** Waits for this host's turn. `intervalMs` may lengthen the pause after this request. */
  turn(host: string, signal: AbortSignal, intervalMs?: number): Promise<Turn>;
  /** A place among all requests only: for origins that the operator mapped, which need no pacing. */
  place(signal: AbortSignal): Promise<Turn>;
};

type InLine = Waiting & {
  readonly intervalMs: number;
  /** Ends the wait. */
  readonly answer: (turn: Turn) => void;
};

type HostState = {
  isAsked: boolean;
  nextAtMs: number;
  typicalMs: number;
  /** Set while the host's pause is slept through. */
  sleeper: AbortController | null;
  readonly line: WaitingLine<InLine>;
  readonly circuit: Circuit;
};

/** Idle hosts are forgotten above this number. */
const MAX_HOSTS = 10_000;

export function createHostLimiter(options: LimiterOptions): HostLimiter {
  return new Limiter(options);
}

class Limiter implements HostLimiter {
  readonly #options: LimiterOptions;
  readonly #clock: Clock;
  readonly #hosts = new Map<string, HostState>();
  readonly #places: ConcurrencyLimit;
  /** Hosts that could be asked, were there a place for somebody in their line. */
  readonly #withoutPlace = new Set<HostState>();
  /** Those who wait for a place and for no host. */
  readonly #unpaced = createWaitingLine<InLine>();
  #arrivals = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#places = createConcurrencyLimit(options.maxConcurrent, options.maxOfOneOrganization);
  }

  async turn(host: string, signal: AbortSignal, intervalMs = 0): Promise<Turn> {
    const state = this.#stateOf(host);
    const untilMs = deadlineOf(signal) ?? this.#clock.now() + this.#options.maxWaitMs;
    const refused = this.#refusal(state, signal, untilMs);
    if (refused !== null) return { ok: false, failure: refused };
    return this.#waitIn(
      state.line,
      { signal, untilMs, intervalMs },
      {
        arrived: () => this.#serve(state),
        left: () => {
          if (state.line.waiting.length === 0) this.#rest(state);
          return this.#gaveUp(state, signal);
        },
      },
    );
  }

  async place(signal: AbortSignal): Promise<Turn> {
    const untilMs = Number.POSITIVE_INFINITY;
    return this.#waitIn(
      this.#unpaced,
      { signal, untilMs, intervalMs: 0 },
      {
        arrived: () => this.#fillPlaces(),
        left: () => busy('every place is taken', this.#options.intervalMs),
      },
    );
  }

  /** Stands in a line until somebody answers, or until the signal says that nobody waits any more. */
  async #waitIn(
    line: WaitingLine<InLine>,
    wanted: Pick<InLine, 'signal' | 'untilMs' | 'intervalMs'>,
    on: { readonly arrived: () => void; readonly left: () => FetchFailure },
  ): Promise<Turn> {
    const { signal } = wanted;
    const { promise, resolve } = Promise.withResolvers<Turn>();
    this.#arrivals += 1;
    const mine = { ...wanted, arrival: this.#arrivals, answer: resolve };
    const leave = () => {
      if (line.remove(mine)) resolve({ ok: false, failure: on.left() });
    };
    line.add(mine);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    else on.arrived();
    const turn = await promise;
    signal.removeEventListener('abort', leave);
    return turn;
  }

  /** Gives the host's turn to who is next, once its pause is over and there is a place. */
  #serve(state: HostState): void {
    this.#withoutPlace.delete(state);
    if (state.isAsked || state.line.waiting.length === 0) return;
    const closed = this.#closed(state);
    if (closed !== null) {
      this.#refuseAll(state, state.line.waiting, closed);
      return;
    }
    const pauseMs = state.nextAtMs - this.#clock.now();
    if (pauseMs > 0) {
      const late = state.line.waiting.filter(({ untilMs }) => untilMs <= state.nextAtMs);
      this.#refuseAll(state, late, busy('the shop is paced', pauseMs));
      if (state.line.waiting.length > 0) this.#sleep(state, pauseMs);
      return;
    }
    const next = state.line.next((lane) => this.#places.has(lane));
    if (next === null) this.#withoutPlace.add(state);
    else this.#give(state, next);
  }

  #give(state: HostState, next: InLine): void {
    const lane = laneOf(next.signal);
    const startedAtMs = this.#clock.now();
    state.line.serve(next);
    state.isAsked = true;
    this.#places.take(lane);
    const done = once((report: Report) => {
      const now = this.#clock.now();
      state.isAsked = false;
      state.typicalMs = Math.round((state.typicalMs + (now - startedAtMs)) / 2);
      state.nextAtMs = now + Math.max(this.#options.intervalMs, next.intervalMs);
      state.circuit.note(report, now);
      this.#places.give(lane);
      this.#serve(state);
      this.#fillPlaces();
    });
    next.answer({ ok: true, done });
  }

  /** Places that came free go to whom a caller waits for, then by arrival. */
  #fillPlaces(): void {
    for (;;) {
      const free = this.#nextUnpaced();
      const paced = [...this.#withoutPlace].map((state) => this.#nextAt(state));
      const candidates = [free, ...paced].filter((each) => each !== null);
      const best = candidates.toSorted((a, b) => byLane(a.next, b.next))[0];
      if (best === undefined) return;
      best.serve();
    }
  }

  #nextUnpaced(): { readonly next: InLine; readonly serve: () => void } | null {
    const next = this.#unpaced.next((lane) => this.#places.has(lane));
    if (next === null) return null;
    const serve = () => {
      const lane = laneOf(next.signal);
      this.#unpaced.serve(next);
      this.#places.take(lane);
      const done = once(() => {
        this.#places.give(lane);
        this.#fillPlaces();
      });
      next.answer({ ok: true, done });
    };
    return { next, serve };
  }

  #nextAt(state: HostState): { readonly next: InLine; readonly serve: () => void } | null {
    const next = state.line.next((lane) => this.#places.has(lane));
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
    // An aborted sleep is one that nobody needs any more.
    void this.#clock.sleep(ms, sleeper.signal).then(wake, () => undefined);
  }

  #rest(state: HostState): void {
    state.sleeper?.abort();
    state.sleeper = null;
    this.#withoutPlace.delete(state);
  }

  #refuseAll(state: HostState, refused: readonly InLine[], failure: FetchFailure): void {
    for (const one of refused.slice()) {
      state.line.remove(one);
      one.answer({ ok: false, failure });
    }
    if (state.line.waiting.length === 0) this.#rest(state);
  }

  #stateOf(host: string): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MAX_HOSTS) forgetIdle(this.#hosts, this.#clock.now());
    const state: HostState = {
      isAsked: false,
      nextAtMs: 0,
      typicalMs: 0,
      sleeper: null,
      line: createWaitingLine(),
      circuit: createCircuit(this.#options.random),
    };
    this.#hosts.set(host, state);
    return state;
  }

  /** Why this host cannot be asked in time; null when it can. */
  #refusal(state: HostState, signal: AbortSignal, untilMs: number): FetchFailure | null {
    const closed = this.#closed(state);
    if (closed !== null) return closed;
    const wait = this.#waitMs(state, signal);
    if (wait === 0 || this.#clock.now() + wait < untilMs) return null;
    return busy('too many calls wait for this shop', wait);
  }

  /** How long a newcomer would wait, as things stand. */
  #waitMs(state: HostState, signal: AbortSignal): number {
    const ahead = state.line.aheadOf(laneOf(signal)) + (state.isAsked ? 1 : 0);
    const each = this.#options.intervalMs + state.typicalMs;
    return Math.max(0, state.nextAtMs - this.#clock.now()) + ahead * each;
  }

  #closed(state: HostState): FetchFailure | null {
    const wait = state.circuit.closedUntilMs() - this.#clock.now();
    return wait > 0 ? busy('the shop asked for a pause or kept failing', wait) : null;
  }

  #gaveUp(state: HostState, signal: AbortSignal): FetchFailure {
    return busy('the caller stopped waiting for its turn', this.#waitMs(state, signal));
  }
}

function byLane(a: InLine, b: InLine): number {
  const later = (one: InLine) => Number(!goesBefore(laneOf(one.signal)));
  return later(a) - later(b) || a.arrival - b.arrival;
}

function busy(why: string, waitMs: number): FetchFailure {
  return { kind: 'busy', detail: why, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

function once<T>(run: (value: T) => void): (value: T) => void {
  let ran = false;
  return (value) => {
    if (!ran) run(value);
    ran = true;
  };
}

function forgetIdle(hosts: Map<string, HostState>, nowMs: number): void {
  for (const [host, state] of hosts) {
    const isIdle = !state.isAsked && state.line.waiting.length === 0;
    if (isIdle && state.nextAtMs <= nowMs && state.circuit.isFresh(nowMs)) hosts.delete(host);
  }
}
