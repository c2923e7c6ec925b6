// Politeness towards one host: one request at a time, a pause between two, Retry-After obeyed, a breaker
// (security 7, D54). Whom a caller waits for goes before background work, organizations by turns; a call that would
// wait longer than its caller does is told so at once (D37). It knows nothing of URLs, sockets or answers.

import type { Clock } from '../../core/clock.ts';
import type { FetchContext } from '../../core/fetch-context.ts';
import type { FetchFailure } from '../../listing/page.ts';
import { createCircuit } from './circuit-breaker.ts';
import type { Circuit, Report } from './circuit-breaker.ts';
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
  readonly random: () => number;
};

export type Turn =
  | { readonly ok: true; readonly done: (report: Report) => void }
  | { readonly ok: false; readonly failure: FetchFailure };

export type HostLimiter = {
  /** Waits for this host's turn. `intervalMs` may lengthen the pause after this request. */
  turn(host: string, context: FetchContext, intervalMs?: number): Promise<Turn>;
  /** A slot among all requests only: for origins that the operator mapped, which need no pacing. */
  slot(context: FetchContext): Promise<Turn>;
};

type InLine = Waiting & {
  readonly intervalMs: number;
  /** Wakes this waiting fetch: its turn has come, or never will. */
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
  readonly #slots: ConcurrencyLimit;
  /** Hosts that could be asked, were a request slot free for somebody in their line. */
  readonly #withoutSlot = new Set<HostState>();
  /** Fetches that wait for a slot and for no host. */
  readonly #unpaced = createWaitingLine<InLine>();
  #arrivals = 0;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#slots = createConcurrencyLimit(options.maxConcurrent, options.maxOfOneOrganization);
  }

  async turn(host: string, context: FetchContext, intervalMs = 0): Promise<Turn> {
    const state = this.#stateOf(host);
    const refused = this.#refusal(state, context);
    if (refused !== null) return { ok: false, failure: refused };
    return this.#waitIn(
      state.line,
      { context, intervalMs },
      {
        arrived: () => this.#serve(state),
        left: () => {
          if (state.line.waiting.length === 0) this.#rest(state);
          return this.#gaveUp(state, context);
        },
      },
    );
  }

  async slot(context: FetchContext): Promise<Turn> {
    return this.#waitIn(
      this.#unpaced,
      { context, intervalMs: 0 },
      {
        arrived: () => this.#fillSlots(),
        left: () => busy('every request slot is taken', this.#options.intervalMs),
      },
    );
  }

  /** Stands in a line until somebody answers, or until the signal says that nobody waits any more. */
  async #waitIn(
    line: WaitingLine<InLine>,
    wanted: Pick<InLine, 'context' | 'intervalMs'>,
    on: { readonly arrived: () => void; readonly left: () => FetchFailure },
  ): Promise<Turn> {
    const { signal } = wanted.context;
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

  /** Gives the host's turn to who is next, once its pause is over and a slot is free. */
  #serve(state: HostState): void {
    this.#withoutSlot.delete(state);
    if (state.isAsked || state.line.waiting.length === 0) return;
    const closed = this.#closed(state);
    if (closed !== null) {
      this.#refuseAll(state, state.line.waiting, closed);
      return;
    }
    const pauseMs = state.nextAtMs - this.#clock.now();
    if (pauseMs > 0) {
      const late = state.line.waiting.filter(({ context }) => context.deadlineMs <= state.nextAtMs);
      this.#refuseAll(state, late, busy('the shop is paced', pauseMs));
      if (state.line.waiting.length > 0) this.#sleep(state, pauseMs);
      return;
    }
    const next = state.line.next((priority) => this.#slots.has(priority));
    if (next === null) this.#withoutSlot.add(state);
    else this.#give(state, next);
  }

  #give(state: HostState, next: InLine): void {
    const priority = next.context.priority.current;
    const startedAtMs = this.#clock.now();
    state.line.serve(next);
    state.isAsked = true;
    this.#slots.take(priority);
    const done = once((report: Report) => {
      const now = this.#clock.now();
      state.isAsked = false;
      state.typicalMs = Math.round((state.typicalMs + (now - startedAtMs)) / 2);
      state.nextAtMs = now + Math.max(this.#options.intervalMs, next.intervalMs);
      state.circuit.note(report, now);
      this.#slots.give(priority);
      this.#serve(state);
      this.#fillSlots();
    });
    next.answer({ ok: true, done });
  }

  /** Gives free slots to what a caller waits for first, then by arrival. */
  #fillSlots(): void {
    for (;;) {
      const free = this.#nextUnpaced();
      const paced = [...this.#withoutSlot].map((state) => this.#nextAt(state));
      const candidates = [free, ...paced].filter((each) => each !== null);
      const best = candidates.toSorted((a, b) => byPriority(a.next, b.next))[0];
      if (best === undefined) return;
      best.serve();
    }
  }

  #nextUnpaced(): { readonly next: InLine; readonly serve: () => void } | null {
    const next = this.#unpaced.next((priority) => this.#slots.has(priority));
    if (next === null) return null;
    const serve = () => {
      const priority = next.context.priority.current;
      this.#unpaced.serve(next);
      this.#slots.take(priority);
      const done = once(() => {
        this.#slots.give(priority);
        this.#fillSlots();
      });
      next.answer({ ok: true, done });
    };
    return { next, serve };
  }

  #nextAt(state: HostState): { readonly next: InLine; readonly serve: () => void } | null {
    const next = state.line.next((priority) => this.#slots.has(priority));
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
    this.#withoutSlot.delete(state);
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
  #refusal(state: HostState, context: FetchContext): FetchFailure | null {
    const closed = this.#closed(state);
    if (closed !== null) return closed;
    const wait = this.#waitMs(state, context);
    if (wait === 0 || this.#clock.now() + wait < context.deadlineMs) return null;
    return busy('too many calls wait for this shop', wait);
  }

  /** How long a newcomer would wait, as things stand. */
  #waitMs(state: HostState, { priority }: FetchContext): number {
    const ahead = state.line.aheadOf(priority.current) + (state.isAsked ? 1 : 0);
    const each = this.#options.intervalMs + state.typicalMs;
    return Math.max(0, state.nextAtMs - this.#clock.now()) + ahead * each;
  }

  #closed(state: HostState): FetchFailure | null {
    const wait = state.circuit.closedUntilMs() - this.#clock.now();
    return wait > 0 ? busy('the shop asked for a pause or kept failing', wait) : null;
  }

  #gaveUp(state: HostState, context: FetchContext): FetchFailure {
    return busy('the caller stopped waiting for its turn', this.#waitMs(state, context));
  }
}

function byPriority(a: InLine, b: InLine): number {
  const later = (one: InLine) => Number(!goesBefore(one.context.priority.current));
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
