// What one retailer's tests need from its readers.

import assert from 'node:assert/strict';

import type { KnownSlug } from '../../../src/base/retailer.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import type { Page } from '../../../src/base/listing/page.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';

export function readersOf(slug: KnownSlug) {
  /** Returns the verdict of the named reader, which the retailer must have. */
  const read = (page: Page, reader = 'product') =>
    readAnswer(page, reader, slug) ?? assert.fail(`${slug} has no reader ${reader}`);
  /** Returns the listing of a page that must be read as a product. */
  const listingOf = (page: Page, reader = 'product'): Listing => {
    const verdict = read(page, reader);
    const isProduct = verdict.kind === 'read' && verdict.value.kind === 'product';
    assert.ok(isProduct, JSON.stringify(verdict).slice(0, 500));
    return verdict.value.listing;
  };
  return { read, listingOf };
}

type Facts = { readonly [name in keyof Listing]?: unknown };

/** Checks the named facts; others may exist. */
export function assertHolds(listing: Listing, facts: Facts): void {
  for (const [name, value] of Object.entries(facts)) {
    assert.deepEqual(listing[name as keyof Listing], value, name);
  }
}
