// What a piece of work tells the fetches it makes: until when they are of use, and who goes first where several wait
// for one host. It is passed along as a value, from the call or the job to the socket.

/** Who goes first where several wait for one host: callers before background work, organizations in turns. */
export type Priority =
  | {
      readonly kind: 'caller';
      /** Null: a caller without one, as on the command line. */
      readonly organization: string | null;
    }
  | { readonly kind: 'background' };

export type FetchContext = {
  /** Aborts at the deadline, or when the work is no longer wanted. */
  readonly signal: AbortSignal;
  /** When `signal` aborts at the latest, by the clock that the pacing waits by: what would wait longer is refused at once. */
  readonly deadlineMs: number;
  /**
   * Whose turns its fetches may take, the first one's first, each organization once. Read anew at each turn: callers join work
   * that is under way. Background work where no caller waits, and never empty.
   */
  readonly turns: () => readonly Priority[];
  /** Has `wake` called when another one's turns may be taken; absent where nobody can join. */
  readonly onJoined?: (wake: () => void) => void;
  /** Nobody waits for it: watches caused it, and the one that is due first pays for what it reads (D70). */
  readonly isForWatches?: boolean;
};

/** Who asks, as one text; null: background work. `''`: a caller without an organization. */
export function askerOf(priority: Priority): string | null {
  return priority.kind === 'background' ? null : (priority.organization ?? '');
}

export type FetchTurns = Pick<FetchContext, 'turns' | 'onJoined'>;

/** Is it background work that no caller waits for? */
export function isBackground({ turns }: FetchTurns): boolean {
  return turns().every(({ kind }) => kind === 'background');
}

/**
 * The turns of work that several may wait for: whichever of them may go first. An organization that waits behind its own
 * requests must not make those wait that want the same thing.
 */
export function sharedTurns(
  first: FetchTurns,
): Required<FetchTurns> & { readonly join: (one: FetchTurns) => void } {
  const waiting: FetchTurns[] = [];
  const wakes = new Set<() => void>();
  const wakeAll = () => {
    for (const wake of wakes) wake();
  };
  const turns = () => {
    const all = waiting.flatMap((each) => each.turns());
    const callers = all.filter(({ kind }) => kind === 'caller');
    if (callers.length === 0) return all.slice(0, 1);
    return [...new Map(callers.map((each) => [askerOf(each), each])).values()];
  };
  const join = (one: FetchTurns) => {
    const known = new Set(turns().map(askerOf));
    if (waiting.length > 0 && one.turns().every((each) => known.has(askerOf(each)))) return;
    waiting.push(one);
    one.onJoined?.(wakeAll);
    wakeAll();
  };
  join(first);
  return { turns, onJoined: (wake) => void wakes.add(wake), join };
}
