// Barcodes and listing numbers of the invented market. Arithmetic only: a product's numbers follow from its position in the
// catalog, so that a larger catalog begins with the same numbers.

import type { KnownSlug } from '../../src/base/retailer.ts';
import { chance } from '../chance.ts';

/** Indexes below this are ordinary products; the products that have a trouble follow. */
export const MOST_PRODUCTS = 50_000;

/** Computes the GS1 check digit: from the right, weights 3, 1, 3, 1, ... */
export function checkDigit(body: string): string {
  let sum = 0;
  for (let at = 0; at < body.length; at += 1) {
    sum += Number(body[body.length - 1 - at]) * (at % 2 === 0 ? 3 : 1);
  }
  return String((10 - (sum % 10)) % 10);
}

/**
 * Returns fourteen digits: a UPC from the prefix of textbook examples (012345), for every sixth product an EAN (6291041).
 * The simulated shops use other prefixes for products that only they sell.
 */
export function inventBarcode(seed: number, index: number): string {
  const long = chance(seed, ['barcode', index]) < 1 / 6;
  const body = (long ? '06291041' : '00012345') + String(index).padStart(5, '0');
  return body + checkDigit(body);
}

/** Books are among the first products: an ISBN of their group has only four digits for the book. */
export const MOST_BOOKS = 10_000;

/** Returns an ISBN-13 in the last registration group of five digits, 99999. */
export function inventIsbn(number: number): string {
  const body = `097899999${String(number % MOST_BOOKS).padStart(4, '0')}`;
  return body + checkDigit(body);
}

/** Returns the ISBN-10 of an ISBN-13 (fourteen digits): weights 10 to 2, modulo 11. */
export function isbn10Of(gtin14: string): string {
  const body = gtin14.slice(4, 13);
  let sum = 0;
  for (let at = 0; at < 9; at += 1) sum += Number(body[at]) * (10 - at);
  const check = (11 - (sum % 11)) % 11;
  return body + (check === 10 ? 'X' : String(check));
}

/** Returns the code as printed on the box: twelve digits if they suffice, otherwise thirteen. */
export function printedCode(gtin14: string): string {
  return gtin14.replace(/^0{1,2}/, '');
}

export function isUpc(gtin14: string): boolean {
  return gtin14.startsWith('00');
}

/** Returns the id of a product's listing at a retailer. retailer_e has one for each of its sellers. */
export function listingId(slug: KnownSlug, index: number, seller = 0): string {
  switch (slug) {
    case 'retailer_w':
      return String(300_000_013 + index * 97);
    case 'retailer_a':
      // From 36^7 on, so that eight characters always follow "B0".
      return `B0${(78_364_164_097 + index * 7_919_231).toString(36).toUpperCase()}`;
    case 'retailer_e':
      return String(355_000_000_000 + index * 10 + seller);
    case 'retailer_l':
      return String(5_000_000_000 + index * 11);
    case 'retailer_t':
      return String(80_000_000 + index * 13);
    case 'retailer_b':
      return String(6_000_000 + index * 7);
    case 'retailer_h':
      return String(310_000_000 + index * 17);
  }
}

/** Returns the id of a colour of a retailer_e listing: the listing's number, then that of the variation. */
export function variationId(family: number, index: number): string {
  return `${356_000_000_000 + family * 10}?var=${600_000_000_001 + index}`;
}

/** Returns the listing's number, without the variation. */
export function itemNumber(id: string): string {
  return id.split('?', 1)[0] ?? id;
}

/** Returns retailer_b's second id of a product: ten letters and digits that do not begin with B. */
export function productIdOf(index: number): string {
  const number = 40_123_456_789_012 + index * 1_000_003_919;
  return `J${number.toString(36).toUpperCase().padStart(9, '0')}`;
}

/** Derives a hexadecimal id of `length` digits from a key. */
export function hexId(seed: number, key: readonly (string | number)[], length: number): string {
  let text = '';
  for (let at = 0; text.length < length; at += 1) {
    text += Math.floor(chance(seed, [...key, at]) * 0xff_ff_ff_ff)
      .toString(16)
      .padStart(8, '0');
  }
  return text.slice(0, length);
}
