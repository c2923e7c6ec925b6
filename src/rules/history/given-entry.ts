// An observed price as a history file states it.

import type { Money } from '../../base/listing/money/money.ts';

/** The price, and the ids by which the file names its listing. */
export type GivenEntry = {
  readonly retailer: string | null;
  readonly retailerId: string | null;
  readonly url: string | null;
  readonly gtin: string | null;
  readonly observedAtMs: number;
  readonly price: Money | null;
  readonly inStock: boolean | null;
};
