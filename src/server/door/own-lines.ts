// The last lines of a head, which node:http writes by itself: the date, and what becomes of the connection. They are
// made here for answers that do not pass through node:http.

import { SECOND_MS } from '../../base/clock.ts';

export type OwnLinesParts = {
  /** Milliseconds for which a connection stays open without a request. */
  readonly keepAliveMs: number;
  readonly maxRequestsPerConnection: number;
  /** The machine's time in milliseconds since 1970. */
  readonly dateMs: () => number;
};

/** Makes those lines and the end of the head. `isLast` says that the connection is closed with this answer. */
export function createOwnLines(parts: OwnLinesParts): (isLast: boolean) => string {
  const { keepAliveMs, maxRequestsPerConnection, dateMs } = parts;
  const seconds = Math.floor(keepAliveMs / SECOND_MS);
  const kept = `Connection: keep-alive\r\nKeep-Alive: timeout=${seconds}, max=${maxRequestsPerConnection}\r\n\r\n`;
  const closed = 'Connection: close\r\n\r\n';
  let second = NaN;
  let date = '';
  let withKept = '';
  return (isLast) => {
    const now = Math.floor(dateMs() / SECOND_MS);
    if (now !== second) {
      second = now;
      date = `Date: ${new Date(now * SECOND_MS).toUTCString()}\r\n`;
      withKept = date + kept;
    }
    return isLast ? date + closed : withKept;
  };
}
