// The heaviest and largest package that the fulfilment of retailer_w accepts.

/** Pounds, and the sides in inches, longest first. */
export const LARGEST_PACKAGE = { pounds: 500, sidesIn: [120, 105, 93] } as const;
