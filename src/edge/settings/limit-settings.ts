// The settings that limit what callers can make the service store or do, and how long a stop takes. Their defaults suit one
// process with 1 GB of memory (docs/run/install.md).

import { wholeNumber } from './setting-kinds.ts';

/** The limits of a listener. All are whole numbers. */
export const LIMIT_SETTINGS = {
  maxConnections: {
    name: 'OPENSHELF_MAX_CONNECTIONS',
    kind: wholeNumber(1, 1_000_000),
    default: '4096',
    line: 'Maximum number of open connections from callers; beyond it, a new connection closes the one idle longest.',
  },
  maxPerAddress: {
    name: 'OPENSHELF_MAX_PER_ADDRESS',
    kind: wholeNumber(1, 1_000_000),
    default: '1024',
    line: 'Maximum number of open connections per address; behind a proxy, of its requests in progress.',
    page:
      'Maximum number of open connections per address (for IPv6, per /64 network). With ' +
      '`OPENSHELF_TRUST_PROXY`, the maximum number of requests in progress per forwarded address: the last one ' +
      'in `X-Forwarded-For`.',
  },
  maxPipelined: {
    name: 'OPENSHELF_MAX_PIPELINED',
    kind: wholeNumber(0, 1_000),
    default: '8',
    line: 'Number of requests that may always wait on one connection behind the one being answered.',
  },
  maxRequestsPerConnection: {
    name: 'OPENSHELF_MAX_REQUESTS_PER_CONNECTION',
    kind: wholeNumber(1, 1_000_000_000),
    default: '1000',
    line: 'Number of requests after which a connection is closed, following the last response.',
  },
  keepAliveMs: {
    name: 'OPENSHELF_KEEP_ALIVE_MS',
    kind: wholeNumber(1_000, 3_600_000),
    default: '5000',
    line: 'Milliseconds for which a connection stays open without a request; 65000 with OPENSHELF_TRUST_PROXY.',
    page:
      'Milliseconds for which a connection stays open without a request. With `OPENSHELF_TRUST_PROXY` the ' +
      'default is 65000. A proxy must close its idle connections sooner, or some of its requests reach a ' +
      'closed connection: set a higher value for a proxy that keeps connections longer (a Google Cloud load ' +
      'balancer: 600 s).',
  },
  headerMs: {
    name: 'OPENSHELF_HEADER_TIMEOUT_MS',
    kind: wholeNumber(100, 3_600_000),
    default: '10000',
    line: 'Milliseconds that a caller may take to send the request head.',
  },
  sendMs: {
    name: 'OPENSHELF_SEND_TIMEOUT_MS',
    kind: wholeNumber(1_000, 3_600_000),
    default: '30000',
    line: 'Milliseconds that a caller may take to receive a response, after which its connection is closed.',
  },
  maxLookups: {
    name: 'OPENSHELF_MAX_LOOKUPS',
    kind: wholeNumber(1, 100_000),
    default: '8',
    line: 'Maximum number of calls that read the store at once; others wait briefly, then get 503 overloaded.',
  },
  maxFetching: {
    name: 'OPENSHELF_MAX_FETCHING',
    kind: wholeNumber(1, 100_000),
    default: '1024',
    line: 'Maximum number of calls that wait for shops at once; more get 503 overloaded.',
  },
  maxWriting: {
    name: 'OPENSHELF_MAX_WRITING',
    kind: wholeNumber(1, 100_000),
    default: '64',
    line:
      'Maximum number of calls that are being answered from the store or wait for their charge to be ' +
      'committed; 256 with DATABASE_URL.',
    page:
      'Maximum number of calls that are being answered from the store or wait for their charge to be ' +
      'committed. With `DATABASE_URL` the default is 256: a commit on a server takes longer, and more calls share it.',
  },
  maxWaitMs: {
    name: 'OPENSHELF_MAX_WAIT_MS',
    kind: wholeNumber(0, 60_000),
    default: '100',
    line: 'Milliseconds that a call may wait for its turn under overload.',
    page:
      'Milliseconds that a call may wait for its turn under overload: when calls have arrived for 3 s without ' +
      'a pause, and more are waiting than can be served in that time. Otherwise a call may wait for 30 s.',
  },
} as const;

export const STOP_SETTINGS = {
  drainDelayMs: {
    name: 'OPENSHELF_DRAIN_DELAY_MS',
    kind: wholeNumber(0, 600_000),
    default: '5000',
    line: 'Milliseconds after SIGTERM during which /readyz returns 503 and all other requests are still served.',
    page:
      'Milliseconds after SIGTERM during which `/readyz` returns 503 and all other requests are still served, ' +
      'so that a load balancer notices ([install.md](install.md#stopping)). SIGINT does not wait.',
  },
  drainMs: {
    name: 'OPENSHELF_DRAIN_MS',
    kind: wholeNumber(0, 3_600_000),
    default: '28000',
    line: 'Milliseconds after SIGTERM, including the delay, after which unfinished responses are aborted.',
  },
} as const;
