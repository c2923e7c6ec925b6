// The one exception inside the egress: a failure with its kind. It never leaves the fetcher, which turns it
// into a `FetchFailure`.

import type { FetchFailure, FetchFailureKind } from '../base/listing/page.ts';

export class FetchError extends Error {
  override readonly name = 'FetchError';
  readonly kind: FetchFailureKind;

  constructor(kind: FetchFailureKind, detail: string, options?: ErrorOptions) {
    super(detail, options);
    this.kind = kind;
  }
}

/**
 * The other side made this process check costly certificates that no well-configured server sends. The host is not contacted
 * for a while.
 */
export class CostlyCertificates extends FetchError {
  constructor(options?: ErrorOptions) {
    super('untrusted', 'certificates that take long to check and lead nowhere', options);
  }
}

/** Error codes of Node and undici that mean "the other side took too long". */
const TIMEOUT_CODES: ReadonlySet<string> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/**
 * System error codes for a connection that was not even attempted. Causes are no network, no route to the address, a local
 * firewall, or no descriptor, port or memory left.
 */
const UNSENT_CODES: ReadonlySet<string> = new Set([
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
]);

/** Codes of an answer that is not HTTP/1.1 as accepted by this service. */
const BAD_RESPONSE_CODES: ReadonlySet<string> = new Set([
  'UND_ERR_HEADERS_OVERFLOW',
  'UND_ERR_RES_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_RES_EXCEEDED_MAX_SIZE',
  // undici's assertion for a status below 100.
  'ERR_ASSERTION',
]);

/** Converts an exception of the network layers to a failure. */
export function failureOf(thrown: unknown): FetchFailure {
  if (thrown instanceof FetchError) return { kind: thrown.kind, detail: thrown.message };
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const detail = `${code === '' ? error.name : code}: ${error.message}`.slice(0, 300);
  const refused = code === 'ECONNREFUSED' ? { isConnectionRefused: true as const } : {};
  return { kind: kindOf(error, code), detail, ...refused };
}

function kindOf(error: Error, code: string): FetchFailureKind {
  if (error.name === 'HTTPParserError' || BAD_RESPONSE_CODES.has(code)) return 'bad_response';
  // undici's messages for an unexpected 1xx answer.
  if (/^bad (?:upgrade|response)$/.test(error.message)) return 'bad_response';
  if (TIMEOUT_CODES.has(code) || error.name === 'TimeoutError') return 'timeout';
  if (UNSENT_CODES.has(code)) return 'unsent';
  if (isTlsCode(code)) return 'untrusted';
  return 'reset';
}

/** Whether the certificate does not fit or the handshake is not TLS: another attempt would fail in the same way. */
function isTlsCode(code: string): boolean {
  return /^(?:CERT_|ERR_TLS_|ERR_SSL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_|EPROTO$)/.test(
    code,
  );
}
