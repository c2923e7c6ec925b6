// Counts the calls that were recently served and refused, and states when a refused call may be served.

const MAX_RETRY_SECONDS = 30;

export type Pace = {
  served(): void;
  refused(): void;
  /** Returns the calls served in this second or the last whole one, whichever is more. */
  servedInSecond(): number;
  retryAfterSeconds(): number;
};

/**
 * Counts the calls that were served and refused in the last whole second. `Retry-After` spreads the refused calls over the
 * time in which they could be served at this pace, so that they do not all retry at once.
 */
export function createPace(nowMs: () => number): Pace {
  let second = 0;
  let now = { served: 0, refused: 0 };
  let last = { served: 0, refused: 0 };
  let turn = 0;

  function current() {
    const thisSecond = Math.floor(nowMs() / 1_000);
    if (thisSecond !== second) {
      last = thisSecond === second + 1 ? now : { served: 0, refused: 0 };
      now = { served: 0, refused: 0 };
      second = thisSecond;
    }
    return now;
  }

  return {
    served: () => void (current().served += 1),
    refused: () => void (current().refused += 1),
    servedInSecond: () => Math.max(current().served, last.served),
    retryAfterSeconds: (): number => {
      const refused = Math.max(current().refused, last.refused);
      const spread = Math.ceil(refused / Math.max(1, last.served, now.served));
      turn += 1;
      return 1 + (turn % Math.min(MAX_RETRY_SECONDS, spread + 1));
    },
  };
}
