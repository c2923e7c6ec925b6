// All limits of a fetch in one place, so that a hostile shop costs bounded time and memory, and tests can shorten the waits.

export type FetchLimits = {
  readonly dnsMs: number;
  /** Maximum addresses in one DNS answer. */
  readonly maxAnswers: number;
  /** The time to connect, over all addresses that are tried. */
  readonly connectMs: number;
  readonly tlsMs: number;
  /** The time from the request to the end of the answer's headers. */
  readonly firstByteMs: number;
  readonly betweenBytesMs: number;
  /** The time for the whole chain including redirects, without waiting for our own pacing. */
  readonly wholeMs: number;
  /** The minimum number of body bytes that must arrive in every window. */
  readonly minRateBytes: number;
  readonly minRateWindowMs: number;
  /** Maximum bytes of an encoded body as received. For an unencoded body the decoded cap applies. */
  readonly wireBytes: number;
  readonly decodedBytes: number;
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly redirects: number;
};

/** Maximum bytes of a picture, encoded or not. */
export const PICTURE_BYTES = 2 * 1024 * 1024;

export const DEFAULT_LIMITS: FetchLimits = {
  dnsMs: 5_000,
  maxAnswers: 64,
  connectMs: 3_000,
  tlsMs: 3_000,
  firstByteMs: 5_000,
  betweenBytesMs: 5_000,
  wholeMs: 10_000,
  minRateBytes: 4_096,
  minRateWindowMs: 5_000,
  wireBytes: 4 * 1024 * 1024,
  decodedBytes: 8 * 1024 * 1024,
  headerBytes: 16 * 1024,
  headerFields: 256,
  redirects: 5,
};
