// The readers of the known retailers: the code that reads their answers, which the service runs in threads only. They are kept
// apart from the adapters, which the service loads at its start.

import type { KnownSlug } from '../../base/retailer.ts';
import type { Readers } from './adapter.ts';
import { retailerAReaders } from './retailer-a/readers.ts';
import { retailerBReaders } from './retailer-b/readers.ts';
import { retailerEReaders } from './retailer-e/readers.ts';
import { retailerHReaders } from './retailer-h/readers.ts';
import { retailerLReaders } from './retailer-l/readers.ts';
import { retailerTReaders } from './retailer-t/readers.ts';
import { retailerWReaders } from './retailer-w/readers.ts';

export const READERS: Readonly<Record<KnownSlug, Readers>> = {
  retailer_w: retailerWReaders,
  retailer_a: retailerAReaders,
  retailer_e: retailerEReaders,
  retailer_l: retailerLReaders,
  retailer_t: retailerTReaders,
  retailer_b: retailerBReaders,
  retailer_h: retailerHReaders,
};
