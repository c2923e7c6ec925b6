// Money as integer hundredths with the currency that stood beside it.

/** `cents` are hundredths of `currency`, whatever its own minor unit (D26). */
export type Money = {
  readonly cents: number;
  /** ISO 4217; null when the page states none: unknown is not USD (D26). */
  readonly currency: string | null;
};
