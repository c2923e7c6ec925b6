// All address books as a list, for tests that apply to each of them.

import { KNOWN_SLUGS } from '../../src/base/retailer.ts';
import type { AddressBook } from '../../src/read/retailers/adapter.ts';
import { bookOf } from '../../src/read/retailers/addresses/address-books.ts';

export function addressBooks(): readonly AddressBook[] {
  return KNOWN_SLUGS.map(bookOf);
}
