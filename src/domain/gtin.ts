// The one normal form of every barcode (D8).

declare const gtin14: unique symbol;
/** Fourteen digits with a right check digit. */
export type Gtin14 = string & { readonly [gtin14]: true };
