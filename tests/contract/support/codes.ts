// Codes as a caller may type them.

import { isbn10Of } from '../../../sandbox/market/codes.ts';

/** The ten characters of a 978 ISBN. */
export function isbn10FromIsbn13(isbn13: string): string {
  return isbn10Of(isbn13.padStart(14, '0'));
}
