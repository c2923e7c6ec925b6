// A bounded number of things at once, in the order in which they come.

export type Turns = {
  /** Resolves to what ends the turn. Rejects with the signal's reason when that aborts before the turn comes. */
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

/** One turn of somebody who may ask for it again: the one before ends first. */
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
