// Every cap on one fetch in one place, so that a hostile shop costs bounded time and memory, and tests can shorten the waits.

export type FetchLimits = {
  readonly dnsMs: number;
  /** Addresses in the answer to one DNS lookup. */
  readonly maxAnswers: number;
  /** The time to connect, over all addresses that are tried. */
  readonly connectMs: number;
  readonly tlsMs: number;
  /** The time from the request to the end of the answer's headers. */
  readonly firstByteMs: number;
  readonly betweenBytesMs: number;
  /** The time of the whole chain with its redirects, without waiting for our own pacing. */
  readonly wholeMs: number;
  /** The least number of body bytes that must arrive in every window. */
  readonly minRateBytes: number;
  readonly minRateWindowMs: number;
  /** Most bytes of a coded body as they arrive. A body without a coding may use the decoded cap. */
  readonly wireBytes: number;
  readonly decodedBytes: number;
  readonly headerBytes: number;
  readonly headerFields: number;
  readonly redirects: number;
};

/** Most bytes of a picture, coded or not. */
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
