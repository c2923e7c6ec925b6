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
  /** Read anew at each turn: it rises when a caller joins background work that is under way. */
  readonly priority: { current: Priority };
  /** Nobody waits for it: watches caused it, and the one that is due first pays for what it reads (D70). */
  readonly isForWatches?: boolean;
};

/** A caller now waits for work that is under way: if it ran in the background, it takes the caller's turns. */
export function joinWork(work: FetchContext, caller: FetchContext): void {
  if (work.priority.current.kind === 'background') {
    work.priority.current = caller.priority.current;
  }
}
