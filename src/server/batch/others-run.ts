// A batch is much work for one call. A batch of 10,000 invalid lines, which are not billed, delayed all other calls for a
// second.

/** Yields to other sockets, timers and calls. */
export function othersRun(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
