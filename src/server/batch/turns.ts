// Limits how many things run at once, in the order in which they ask.

export type Turns = {
  /** Resolves to the function that ends the turn. Rejects with the signal's reason if it aborts before the turn comes. */
  take(signal: AbortSignal): Promise<() => void>;
};

export function createTurns(atOnce: number): Turns {
  let running = 0;
  const waiting = new Set<() => void>();

  function leave(): void {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else next();
  }

  return {
    async take(signal) {
      signal.throwIfAborted();
      if (running < atOnce) running += 1;
      else {
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        const go = (): void => {
          waiting.delete(go);
          signal.removeEventListener('abort', giveUp);
          resolve();
        };
        const giveUp = (): void => {
          waiting.delete(go);
          reject(signal.reason);
        };
        waiting.add(go);
        signal.addEventListener('abort', giveUp, { once: true });
        await promise;
      }
      let hasLeft = false;
      return () => {
        if (!hasLeft) leave();
        hasLeft = true;
      };
    },
  };
}

/** Holds one turn at a time: asking again first releases the previous turn. */
export function createOwnTurn(turns: Turns) {
  let leave = (): void => undefined;
  return {
    async take(signal: AbortSignal): Promise<void> {
      leave();
      leave = await turns.take(signal);
    },
    leave: () => leave(),
  };
}
