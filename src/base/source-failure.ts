// How an official source fails (D79). The kinds differ in what the operator can do about them.

export const SOURCE_FAILURES = [
  /** The API rejects the credentials of this installation. */
  'credentials_refused',
  /** The credentials are valid, but the account may not use the API, or not this part of it. */
  'not_eligible',
  /** The calls of the day are used up, by the API's count or by the limit of this installation. */
  'quota_spent',
  /** Too many calls in a short time. */
  'throttled',
  /** It does not answer, or answers that it cannot at the moment. */
  'unreachable',
  /** It answers in a way that this version does not understand. */
  'unreadable',
] as const;

export type SourceFailureKind = (typeof SOURCE_FAILURES)[number];
