// The readers of retailer_l's answers, by name.

import type { Readers } from '../adapter.ts';
import { readProduct, readSearch } from './pages.ts';

export const retailerLReaders: Readers = { product: readProduct, search: readSearch };
