// The readers of retailer_t's answers, by name.

import type { Readers } from '../adapter.ts';
import { readProductPage } from './product-page.ts';

export const retailerTReaders: Readers = { product: readProductPage };
