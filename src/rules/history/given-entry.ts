// An observed price as stated in a history file.

import type { Money } from '../../base/listing/money/minor-units.ts';

/** The price, and the ids by which the file identifies its listing. */
export type GivenEntry = {
  readonly retailer: string | null;
  readonly retailerId: string | null;
  readonly url: string | null;
  readonly gtin: string | null;
  readonly observedAtMs: number;
  readonly price: Money | null;
  readonly inStock: boolean | null;
};
