// Background work in this process that no caller waits for and that needs no job. It starts at once and ends with the service.

export type Background = {
  /**
   * Starts `work`, whose signal aborts when the service stops; after that no new work starts. Resolves when the work has
   * ended, with or without an error.
   */
  readonly run: (work: (signal: AbortSignal) => Promise<unknown>) => Promise<void>;
  /** Resolves when all work has ended. */
  readonly stop: () => Promise<void>;
};

/** `onError` is called with any error of the work, except after the stop, which interrupts work. */
export function createBackground(onError: (error: unknown) => void): Background {
  const abort = new AbortController();
  const running = new Set<Promise<void>>();
  return {
    run(work) {
      if (abort.signal.aborted) return Promise.resolve();
      const done = work(abort.signal).then(
        () => undefined,
        (error: unknown) => {
          if (!abort.signal.aborted) onError(error);
        },
      );
      const tracked = done.finally(() => running.delete(tracked));
      running.add(tracked);
      return tracked;
    },
    async stop() {
      abort.abort();
      await Promise.all(running);
    },
  };
}
