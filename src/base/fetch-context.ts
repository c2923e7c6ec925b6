// What a piece of work tells the fetches that it makes: how long they are of use, and who goes first if several wait for one
// host. It is passed along as a value, from the call or the job to the socket.

/** Who goes first if several wait for one host: callers before background work, and organizations in turns. */
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
   * When `signal` aborts at the latest, by the clock of the pacing. A fetch that would have to wait longer is refused at once.
   */
  readonly deadlineMs: number;
  /**
   * Whose turns its fetches may take: the first one's first, each organization once. It is read at each turn, because callers
   * join work that is in progress. It is background work if no caller waits, and never empty.
   */
  readonly turns: () => readonly Priority[];
  /** Has `wake` called when another caller's turns may be taken; absent if nobody can join. */
  readonly onJoined?: (wake: () => void) => void;
  /** Whether watches caused it, so that nobody waits for it. The watch that is due first pays for what it reads (D70). */
  readonly isForWatches?: boolean;
};

/** The asker as one text; null for background work, `''` for a caller without an organization. */
export function askerOf(priority: Priority): string | null {
  return priority.kind === 'background' ? null : (priority.organization ?? '');
}

export type FetchTurns = Pick<FetchContext, 'turns' | 'onJoined'>;

/** Whether it is background work that no caller waits for. */
export function isBackground({ turns }: FetchTurns): boolean {
  return turns().every(({ kind }) => kind === 'background');
}

/**
 * The turns of work that several may wait for: any of them may let it go first. An organization that waits behind its own
 * requests must not delay others that want the same thing.
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
