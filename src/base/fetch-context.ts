// The context that a unit of work passes to its fetches: how long their results are useful, and who goes first if several
// wait for one host. It is passed along as a value, from the call or the job to the socket.

/** Order in which fetches for one host are served: callers before background work, and organizations in turns. */
export type Priority =
  | {
      readonly kind: 'caller';
      /** Null for a caller without an organization, as on the command line. */
      readonly organization: string | null;
    }
  | { readonly kind: 'background' };

export type FetchContext = {
  /** Aborts at the deadline, or when the work is no longer wanted. */
  readonly signal: AbortSignal;
  /**
   * The latest time at which `signal` aborts, by the pacing clock. A fetch that would have to wait longer is refused
   * immediately.
   */
  readonly deadlineMs: number;
  /**
   * Whose turns its fetches may use: the first one's first, each organization once. It is read again at each turn, because
   * callers join work in progress. Background work if no caller is waiting; never empty.
   */
  readonly turns: () => readonly Priority[];
  /** Registers `wake`, which is called when another caller's turns become usable; absent if no one can join. */
  readonly onJoined?: (wake: () => void) => void;
  /**
   * Whether it was started for watches, so that no caller is waiting. The watch that is due first pays for what it reads
   * (D70); with `paid`, the caller that asked for the check has paid.
   */
  readonly isForWatches?: boolean | 'paid';
  /** Whether it is a single lookup, for which barcode databases may be asked (D86). */
  readonly asksDatabases?: boolean;
  /**
   * Called when the work begins to wait for others to share a call with, with how many more that call takes, and with 0 when
   * that wait is over. Whoever limits how much is in progress may then begin more (`in-progress.ts`).
   */
  readonly onGathering?: (room: number) => void;
};

/** Returns the asker as one text; null for background work, `''` for a caller without an organization. */
export function askerOf(priority: Priority): string | null {
  return priority.kind === 'background' ? null : (priority.organization ?? '');
}

export type FetchTurns = Pick<FetchContext, 'turns' | 'onJoined'>;

/** Returns whether it is background work for which no caller is waiting. */
export function isBackground({ turns }: FetchTurns): boolean {
  return turns().every(({ kind }) => kind === 'background');
}

/**
 * Combines the turns of everyone waiting for the same work: any of them may let it go first. An organization that waits
 * behind its own requests must not delay others that want the same thing.
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
