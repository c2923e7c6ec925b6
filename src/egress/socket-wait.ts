// Bounded waits: for an event of a socket, or for any work until a signal aborts. This file opens no sockets.

import type { Socket } from 'node:net';

import { FetchError } from './fetch-error.ts';

/**
 * Waits for one event of a socket. Rejects with the socket's error, with `reset` if it closes first, with `timeout` after `ms`
 * milliseconds, or with the signal's reason.
 */
export async function waitForEvent(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  wait: { readonly ms: number; readonly signal: AbortSignal; readonly what: string },
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const aborted = () => reject(wait.signal.reason);
  const closed = () => reject(new FetchError('reset', `closed during the ${wait.what}`));
  const timer = setTimeout(() => {
    reject(new FetchError('timeout', `no ${wait.what} within ${Math.round(wait.ms)} ms`));
  }, wait.ms);
  wait.signal.addEventListener('abort', aborted, { once: true });
  if (wait.signal.aborted) aborted();
  socket.once(event, resolve).once('error', reject).once('close', closed);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    wait.signal.removeEventListener('abort', aborted);
    socket.off(event, resolve).off('error', reject).off('close', closed);
    socket.on('error', () => {});
  }
}

/** Returns the work's result; rejects with the signal's reason once it aborts. */
export async function unlessAborted<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const aborted = () => reject(signal.reason);
  signal.addEventListener('abort', aborted, { once: true });
  if (signal.aborted) aborted();
  try {
    return await Promise.race([work, promise]);
  } finally {
    signal.removeEventListener('abort', aborted);
  }
}
