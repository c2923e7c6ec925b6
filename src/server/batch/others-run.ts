// A batch is much work for one call. A batch of 10,000 lines that say nothing, and are not billed, held up everybody
// else for a second.

/** Lets the sockets, timers and calls of others have their turn. */
export function othersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
