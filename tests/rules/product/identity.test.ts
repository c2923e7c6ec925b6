import assert from 'node:assert/strict';
import { test } from 'node:test';

import { toGtin14, type Gtin14 } from '../../../src/base/identifiers/gtin.ts';
import { tie, type IdentityState } from '../../../src/rules/product/identity.ts';
import { KNOWN_SLUGS, RETAILERS, type IdentityMethod } from '../../../src/base/retailer.ts';

function gtin(text: string): Gtin14 {
  const code = toGtin14(text);
  if (code === null) throw new Error(`${text} is no barcode`);
  return code;
}

const ASKED = gtin('0045496590161');
const OTHER = gtin('4006381333931');
const CASE_OF_ASKED = gtin('10045496590168');

/** D35: which retailers' listings can be confirmed, and by which method. */
const CONFIRMABLE: Readonly<Record<string, IdentityMethod | null>> = {
  retailer_w: 'catalog_key',
  retailer_e: 'catalog_key',
  retailer_b: 'page_barcode',
  retailer_l: 'page_barcode',
  retailer_h: 'page_barcode',
  retailer_a: null,
  retailer_t: null,
  lanternworks: 'page_barcode',
};

type Case = readonly [published: Gtin14 | null, state: IdentityState, hasMethod: boolean];

const CASES: Readonly<Record<string, Case>> = {
  'its own barcode': [ASKED, 'confirmed', true],
  'no barcode': [null, 'unconfirmed', false],
  'another barcode': [OTHER, 'mismatch', true],
  'the same item in another packaging': [CASE_OF_ASKED, 'unconfirmed', false],
};

/** D58: another barcode contradicts at every retailer; if none can be confirmed, the page's barcode was compared. */
function expected(method: IdentityMethod | null, [, state, hasMethod]: Case) {
  if (state === 'mismatch') return { state, method: method ?? 'page_barcode' };
  return method === null
    ? { state: 'unconfirmed', method: null }
    : { state, method: hasMethod ? method : null };
}

for (const [retailer, method] of Object.entries(CONFIRMABLE)) {
  for (const [what, row] of Object.entries(CASES)) {
    const [pageBarcode] = row;
    const wanted = expected(method, row);
    test(`${retailer} whose record publishes ${what} is ${wanted.state}`, () => {
      const read = { retailer, listing: { gtin: pageBarcode }, fetchedAtMs: 5 };
      assert.deepEqual(tie(ASKED, read, true), { ...wanted, pageBarcode, checkedAtMs: 5 });
    });
  }
}

test('a shop that is not trusted confirms nothing, whatever it prints', () => {
  const tied = (gtin: Gtin14 | null) =>
    tie(ASKED, { retailer: 'lanternworks', listing: { gtin }, fetchedAtMs: 5 }, false).state;
  for (const printed of [ASKED, CASE_OF_ASKED, null]) assert.equal(tied(printed), 'unconfirmed');
  assert.equal(tied(OTHER), 'mismatch');
});

test('the table of this test has every known retailer', () => {
  for (const slug of KNOWN_SLUGS) {
    assert.equal(RETAILERS[slug].identityMethod, CONFIRMABLE[slug]);
  }
});
