// Waits for something, but no longer than a given time.

/** Returns the result of the work, or `otherwise` if it takes longer. A later result or error is dropped. */
export async function within<T, Otherwise>(
  ms: number,
  work: Promise<T>,
  otherwise: Otherwise,
): Promise<T | Otherwise> {
  const { promise: late, resolve } = Promise.withResolvers<Otherwise>();
  const limit = AbortSignal.timeout(ms);
  limit.addEventListener('abort', () => resolve(otherwise), { once: true });
  return await Promise.race([work, late]);
}
