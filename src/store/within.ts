// Waiting for something no longer than a while.

/** What the work comes to, or `otherwise` where it takes longer. What it comes to later is dropped, an error too. */
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
