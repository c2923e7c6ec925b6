// Politeness towards one host: one request at a time, a pause between two, Retry-After obeyed, a breaker
// (security 7, D54). A call that would wait longer than its caller does is told so at once (D37).
// It knows nothing of URLs, sockets or answers.

import type { Clock } from '../domain/clock.ts';
import type { FetchFailure } from '../domain/page.ts';
import { createCircuit } from './circuit.ts';
import type { Circuit, Report } from './circuit.ts';
import { deadlineOf } from './deadline.ts';

export type LimiterOptions = {
  readonly clock: Clock;
  /** Pause between the end of a request and the start of the next one to the same host. */
  readonly intervalMs: number;
  /** Requests in flight over all hosts. */
  readonly maxConcurrent: number;
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

type HostState = {
  held: boolean;
  nextAtMs: number;
  typicalMs: number;
  readonly queue: (() => void)[];
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
  readonly #places: Places;

  constructor(options: LimiterOptions) {
    this.#options = options;
    this.#clock = options.clock;
    this.#places = createPlaces(options.maxConcurrent);
  }

  async turn(host: string, signal: AbortSignal, intervalMs = 0): Promise<Turn> {
    const state = this.#stateOf(host);
    const untilMs = deadlineOf(signal) ?? this.#clock.now() + this.#options.maxWaitMs;
    const refused = this.#refusal(state, untilMs);
    if (refused !== null) return { ok: false, failure: refused };
    if (!(await hold(state, signal))) return { ok: false, failure: this.#gaveUp(state) };
    const failure = await this.#untilFree(state, untilMs, signal);
    const hasPlace = failure === null && (await this.#places.take(signal));
    if (failure !== null || !hasPlace) {
      passOn(state);
      return { ok: false, failure: failure ?? this.#gaveUp(state) };
    }
    return { ok: true, done: this.#ending(state, intervalMs) };
  }

  async place(signal: AbortSignal): Promise<Turn> {
    if (await this.#places.take(signal)) {
      return { ok: true, done: once(() => this.#places.give()) };
    }
    return { ok: false, failure: busy('every place is taken', this.#options.intervalMs) };
  }

  /** What the holder of a turn calls when its request is over. */
  #ending(state: HostState, intervalMs: number): (report: Report) => void {
    const startedAtMs = this.#clock.now();
    return once((report) => {
      const now = this.#clock.now();
      this.#places.give();
      state.typicalMs = Math.round((state.typicalMs + (now - startedAtMs)) / 2);
      state.nextAtMs = now + Math.max(this.#options.intervalMs, intervalMs);
      state.circuit.note(report, now);
      passOn(state);
    });
  }

  #stateOf(host: string): HostState {
    const known = this.#hosts.get(host);
    if (known !== undefined) return known;
    if (this.#hosts.size >= MAX_HOSTS) forgetIdle(this.#hosts, this.#clock.now());
    const circuit = createCircuit(this.#options.random);
    const state = { held: false, nextAtMs: 0, typicalMs: 0, queue: [], circuit };
    this.#hosts.set(host, state);
    return state;
  }

  /** Why this host cannot be asked in time; null when it can. */
  #refusal(state: HostState, untilMs: number): FetchFailure | null {
    const now = this.#clock.now();
    const closed = this.#closed(state);
    if (closed !== null) return closed;
    const ahead = state.queue.length + (state.held ? 1 : 0);
    const each = this.#options.intervalMs + state.typicalMs;
    const wait = Math.max(0, state.nextAtMs - now) + ahead * each;
    if (wait === 0 || now + wait < untilMs) return null;
    return busy('too many calls wait for this shop', wait);
  }

  #closed(state: HostState): FetchFailure | null {
    const wait = state.circuit.closedUntilMs() - this.#clock.now();
    return wait > 0 ? busy('the shop asked for a pause or kept failing', wait) : null;
  }

  /** The pause after the last request, then a second look: the host may have closed meanwhile. */
  async #untilFree(
    state: HostState,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<FetchFailure | null> {
    const wait = state.nextAtMs - this.#clock.now();
    if (wait > 0 && this.#clock.now() + wait >= untilMs) return busy('the shop is paced', wait);
    try {
      if (wait > 0) await this.#clock.sleep(wait, signal);
    } catch {
      return this.#gaveUp(state);
    }
    return this.#closed(state);
  }

  #gaveUp(state: HostState): FetchFailure {
    return busy('the caller stopped waiting for its turn', state.nextAtMs - this.#clock.now());
  }
}

/** Waits in the host's line; false when the caller left it. */
async function hold(state: HostState, signal: AbortSignal): Promise<boolean> {
  if (!state.held) {
    state.held = true;
    return true;
  }
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const mine = () => resolve(true);
  const leave = () => {
    const index = state.queue.indexOf(mine);
    if (index < 0) return;
    state.queue.splice(index, 1);
    resolve(false);
  };
  state.queue.push(mine);
  signal.addEventListener('abort', leave, { once: true });
  if (signal.aborted) leave();
  const got = await promise;
  signal.removeEventListener('abort', leave);
  return got;
}

function passOn(state: HostState): void {
  const next = state.queue.shift();
  if (next === undefined) state.held = false;
  else next();
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
    if (!state.held && state.nextAtMs <= nowMs && state.circuit.isFresh(nowMs)) hosts.delete(host);
  }
}

type Places = { take(signal: AbortSignal): Promise<boolean>; give(): void };

/** A counting semaphore, first come first served; an aborted wait takes no place. */
function createPlaces(count: number): Places {
  let free = count;
  const waiting = new Set<() => void>();
  return {
    async take(signal) {
      if (signal.aborted) return false;
      if (free > 0) {
        free -= 1;
        return true;
      }
      const { promise, resolve } = Promise.withResolvers<boolean>();
      const mine = () => resolve(true);
      const leave = () => {
        if (waiting.delete(mine)) resolve(false);
      };
      waiting.add(mine);
      signal.addEventListener('abort', leave, { once: true });
      const got = await promise;
      signal.removeEventListener('abort', leave);
      return got;
    },
    give() {
      const [next] = waiting;
      if (next === undefined) free += 1;
      else {
        waiting.delete(next);
        next();
      }
    },
  };
}
