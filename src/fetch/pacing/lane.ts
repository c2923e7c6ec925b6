// In whose lane a fetch waits for its turn (D37): for a caller of some organization, or for nobody who waits.
// Like a deadline it travels with the AbortSignal, so that nothing between the call and the socket has to know.

/** `organization` null: a caller without one, as on the command line. */
export type Lane =
  | { readonly kind: 'caller'; readonly organization: string | null }
  | { readonly kind: 'background' };

/** Signals of one piece of work hold the same one. */
type Held = { lane: Lane };

const LANES = new WeakMap<AbortSignal, Held>();
const SOMEBODY: Lane = { kind: 'caller', organization: null };

/** Puts a signal's fetches in a lane; gives the signal. */
export function inLane(signal: AbortSignal, lane: Lane): AbortSignal {
  LANES.set(signal, { lane });
  return signal;
}

/** Puts a signal's fetches in whatever lane another one's are, now and later; gives the signal. */
export function inLaneOf(signal: AbortSignal, other: AbortSignal): AbortSignal {
  const held = LANES.get(other);
  if (held !== undefined) LANES.set(signal, held);
  return signal;
}

/** The lane of a signal's fetches: a caller's, where nobody said. */
export function laneOf(signal: AbortSignal): Lane {
  return LANES.get(signal)?.lane ?? SOMEBODY;
}

/** A caller now waits for background work that is under way: its next turns are the caller's. */
export function joinLane(work: AbortSignal, caller: AbortSignal): void {
  const held = LANES.get(work);
  if (held?.lane.kind === 'background') held.lane = laneOf(caller);
}
