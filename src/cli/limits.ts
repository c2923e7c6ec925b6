// The largest numbers that the account commands take.

/** Quotas: far below what a number holds exactly, so that sums stay exact. */
export const MAX_TOKENS = 999_999_999_999_999;
/** Tokens of one grant. */
export const MAX_GRANT = 1_000_000_000_000;
/** Requests a minute: one in a microsecond, the throttle's own unit. */
export const MAX_PER_MINUTE = 60_000_000;
