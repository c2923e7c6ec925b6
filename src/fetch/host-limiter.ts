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
  const { clock } = options;
  const hosts = new Map<string, HostState>();
  const places = createPlaces(options.maxConcurrent);

  const deadline = (signal: AbortSignal) => deadlineOf(signal) ?? clock.now() + options.maxWaitMs;

  function stateOf(host: string): HostState {
    const known = hosts.get(host);
    if (known !== undefined) return known;
    if (hosts.size >= MAX_HOSTS) forgetIdle(hosts, clock.now());
    const circuit = createCircuit(options.random);
    const state = { held: false, nextAtMs: 0, typicalMs: 0, queue: [], circuit };
    hosts.set(host, state);
    return state;
  }

  /** Why this host cannot be asked in time; null when it can. */
  function refusal(state: HostState, untilMs: number): FetchFailure | null {
    const now = clock.now();
    const closed = state.circuit.closedUntilMs();
    if (closed > now) return busy('the shop asked for a pause or kept failing', closed - now);
    const ahead = state.queue.length + (state.held ? 1 : 0);
    const wait = Math.max(0, state.nextAtMs - now) + ahead * (options.intervalMs + state.typicalMs);
    return wait > 0 && now + wait >= untilMs
      ? busy('too many calls wait for this shop', wait)
      : null;
  }

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

  async function turn(host: string, signal: AbortSignal, intervalMs = 0): Promise<Turn> {
    const state = stateOf(host);
    const untilMs = deadline(signal);
    const refused = refusal(state, untilMs);
    if (refused !== null) return { ok: false, failure: refused };
    if (!(await hold(state, signal))) return { ok: false, failure: gaveUp(state, clock.now()) };
    const failure = await untilFree(state, untilMs, signal);
    const place = failure === null ? await places.take(signal) : false;
    if (failure !== null || !place) {
      passOn(state);
      return { ok: false, failure: failure ?? gaveUp(state, clock.now()) };
    }
    const startedAtMs = clock.now();
    const done = once((report: Report) => {
      const now = clock.now();
      places.give();
      state.typicalMs = Math.round((state.typicalMs + (now - startedAtMs)) / 2);
      state.nextAtMs = now + Math.max(options.intervalMs, intervalMs);
      state.circuit.note(report, now);
      passOn(state);
    });
    return { ok: true, done };
  }

  /** The pause after the last request, then a second look: the host may have closed meanwhile. */
  async function untilFree(
    state: HostState,
    untilMs: number,
    signal: AbortSignal,
  ): Promise<FetchFailure | null> {
    const wait = state.nextAtMs - clock.now();
    if (wait > 0 && clock.now() + wait >= untilMs) return busy('the shop is paced', wait);
    try {
      if (wait > 0) await clock.sleep(wait, signal);
    } catch {
      return gaveUp(state, clock.now());
    }
    const closed = state.circuit.closedUntilMs() - clock.now();
    return closed > 0 ? busy('the shop asked for a pause or kept failing', closed) : null;
  }

  return {
    turn,
    async place(signal) {
      if (await places.take(signal)) return { ok: true, done: once(() => places.give()) };
      return { ok: false, failure: busy('every place is taken', options.intervalMs) };
    },
  };
}

function busy(why: string, waitMs: number): FetchFailure {
  return { kind: 'busy', detail: why, retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1_000)) };
}

function gaveUp(state: HostState, nowMs: number): FetchFailure {
  return busy('the caller stopped waiting for its turn', state.nextAtMs - nowMs);
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
