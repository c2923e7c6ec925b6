// Limits how much of many pieces of work is in progress. Pieces that only wait for others to share a call with an official
// API make room for as many as that call still takes: otherwise a call that takes twenty would be sent with eight. Pure.

export type Piece = {
  /** For its `FetchContext`. */
  readonly onGathering: (room: number) => void;
  /** Marks the piece as done; only the first call counts. */
  readonly end: () => void;
};

/** How a lookup waits that is one of many: a caller waits for all of them, not for this one. */
export type Patience = Pick<Piece, 'onGathering'> & {
  /** Its deadline over all its fetches, in milliseconds. */
  readonly ms: number;
};

export type InProgress = {
  /** Begins a piece; `room` should be above 0. */
  begin(): Piece;
  /** Returns how many more may begin now. */
  room(): number;
};

/** `changed` is called whenever there may be more room. */
export function createInProgress(most: number, changed: () => void): InProgress {
  const pieces = new Set<{ waits: number; room: number }>();
  return {
    begin: () => {
      const piece = { waits: 0, room: 0 };
      pieces.add(piece);
      return {
        onGathering: (room) => {
          piece.waits = Math.max(0, piece.waits + (room > 0 ? 1 : -1));
          piece.room = room;
          if (room > 0) changed();
        },
        end: () => {
          if (pieces.delete(piece)) changed();
        },
      };
    },
    room: () => {
      const waiting = [...pieces].filter(({ waits }) => waits > 0);
      if (pieces.size < most || waiting.length === 0) return Math.max(0, most - pieces.size);
      // The others may still come to the same call.
      const room = Math.min(...waiting.map((each) => each.room));
      return Math.max(0, room - (pieces.size - waiting.length));
    },
  };
}
