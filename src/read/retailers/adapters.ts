// The adapters of the known retailers. To remove a retailer, delete its folder, its row here and its row in
// base/retailer.ts; the compiler finds the rest.

import type { KnownSlug } from '../../base/retailer.ts';
import type { RetailerAdapter } from './adapter.ts';
import { retailerAAdapter } from './retailer-a/adapter.ts';
import { retailerBAdapter } from './retailer-b/adapter.ts';
import { retailerEAdapter } from './retailer-e/adapter.ts';
import { retailerHAdapter } from './retailer-h/adapter.ts';
import { retailerLAdapter } from './retailer-l/adapter.ts';
import { retailerTAdapter } from './retailer-t/adapter.ts';
import { retailerWAdapter } from './retailer-w/adapter.ts';

export const ADAPTERS: Readonly<Record<KnownSlug, RetailerAdapter>> = {
  retailer_w: retailerWAdapter,
  retailer_a: retailerAAdapter,
  retailer_e: retailerEAdapter,
  retailer_l: retailerLAdapter,
  retailer_t: retailerTAdapter,
  retailer_b: retailerBAdapter,
  retailer_h: retailerHAdapter,
};
