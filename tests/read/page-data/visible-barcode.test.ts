// The barcode that a page prints next to a label, where its data has none.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, pageOf } from '../retailers/page-fixtures.ts';

const H1 = '<h1>Blue Mug</h1>';
const BUY = '<p class="price">$12.50</p><button>Add to cart</button>';
const [EAN, UPC, OTHER] = ['4006381333931', '036000291452', '4012345678901'];

function barcodeOf(body: string, head = ''): string | null {
  const verdict = readGenericPage(pageOf(html(head, H1 + body + BUY)), new UnknownWords());
  assert.equal(verdict.kind, 'read', body);
  return verdict.kind === 'read' ? verdict.value.gtin : null;
}

const SHOWN: readonly (readonly [body: string, barcode: string | null])[] = [
  [`<p>EAN: ${EAN}</p>`, EAN],
  [`<p>EAN-Code: ${EAN}</p>`, EAN],
  [`<p>UPC: 0 36000 29145 2</p>`, UPC],
  [`<table><tr><th>GTIN</th><td>${EAN}</td></tr></table>`, EAN],
  [`<dl><dt>JANコード</dt><dd>${EAN}</dd></dl>`, EAN],
  [`<small>SKU: <b>A-60</b></small> <small>UPC: ${UPC}</small>`, UPC],
  [`<p>SKU: A-60 | EAN: ${EAN} | In stock</p>`, null],
  [`<p>SKU: A-60 | EAN: ${EAN}</p>`, EAN],
  [`<p>EAN: ${EAN}</p><p>GTIN: ${EAN}</p>`, EAN],
  // With several sizes none is the page's; a wrong check digit, a number without a label, and codes of other goods.
  [`<p>EAN: ${EAN}</p><p>EAN: ${OTHER}</p>`, null],
  [`<p>EAN: 4006381333930</p>`, null],
  [`<p>SKU: ${EAN}</p><p>${EAN}</p>`, null],
  [`<p>EAN: ${EAN}, ${OTHER}</p>`, null],
  [`<div class="related-products"><p>EAN: ${EAN}</p></div>`, null],
];

test('a barcode is read next to its label, when the page shows one alone', () => {
  for (const [body, barcode] of SHOWN) {
    assert.equal(barcodeOf(body), barcode?.padStart(14, '0') ?? null, body);
  }
});

test('the data of a page says more of its barcode than what it shows', () => {
  assert.equal(barcodeOf(`<p>EAN: ${EAN}</p>`, ld(mug({ gtin13: OTHER }))), `0${OTHER}`);
});
