// Limits how many things run at once, in the order in which they ask.

import { createInProgress, type Piece } from '../../base/in-progress.ts';

export type Turns = {
  /** Resolves to the turn, to be ended. Rejects with the signal's reason if it aborts before the turn comes. */
  take(signal: AbortSignal): Promise<Piece>;
};

export function createTurns(atOnce: number): Turns {
  const waiting = new Set<() => void>();
  const running = createInProgress(atOnce, serve);

  function serve(): void {
    while (running.room() > 0) {
      const [next] = waiting;
      if (next === undefined) return;
      next();
    }
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (waiting.size === 0 && running.room() > 0) return running.begin();
      const { promise, resolve, reject } = Promise.withResolvers<Piece>();
      const go = (): void => {
        waiting.delete(go);
        signal.removeEventListener('abort', giveUp);
        resolve(running.begin());
      };
      const giveUp = (): void => {
        waiting.delete(go);
        reject(signal.reason);
      };
      waiting.add(go);
      signal.addEventListener('abort', giveUp, { once: true });
      return await promise;
    },
  };
}

/** Holds one turn at a time: asking again first releases the previous turn. */
export function createOwnTurn(turns: Turns) {
  let turn: Piece | null = null;
  return {
    async take(signal: AbortSignal): Promise<void> {
      turn?.end();
      turn = null;
      turn = await turns.take(signal);
    },
    onGathering: (room: number) => turn?.onGathering(room),
    leave: () => turn?.end(),
  };
}
