// Any input text -> the ordered candidates it may mean (D6, D7, D11).

import type { Gtin14 } from './gtin.ts';
import type { KnownSlug } from './retailer.ts';

export const GTIN_KINDS = ['isbn10', 'isbn13', 'gtin14', 'ean13', 'upc12', 'ean8', 'upce'] as const;
export type GtinKind = (typeof GTIN_KINDS)[number];

/** One reading of an identifier; kinds and fields as `openshelf identify` prints them (D11). */
export type Candidate =
  | { readonly kind: GtinKind; readonly value: string; readonly gtin14: Gtin14 }
  | { readonly kind: 'asin'; readonly value: string; readonly retailer: 'retailer_a' }
  | { readonly kind: 'item_id'; readonly value: string; readonly retailer: 'retailer_w' }
  | {
      readonly kind: 'retailer_b_sku' | 'retailer_b_product_id';
      readonly value: string;
      readonly retailer: 'retailer_b';
    }
  | { readonly kind: 'retailer_item'; readonly value: string; readonly retailer: KnownSlug }
  | { readonly kind: 'url'; readonly value: string };

export const FORMATS = ['UPC', 'EAN', 'ISBN', 'GTIN', 'ASIN', 'item_id'] as const;
export type Format = (typeof FORMATS)[number];
