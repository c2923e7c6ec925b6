// Pages without data: which heading names the product, and which part of it is the name.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { html, pageOf } from './page-fixtures.ts';

const BUY = '<div class="price">$12.50</div><button class="add-to-cart">Add to cart</button>';
const TITLE = 'Halden Tools Drill 18V | Example Shop';

const CASES: readonly (readonly [title: string, headings: string])[] = [
  ['Halden Tools Drill 18V', '<h1>Halden Tools Drill 18V</h1>'],
  ['Halden Tools Drill 18V', '<h1>Tools</h1><h1>Halden Tools Drill 18V</h1>'],
  ['Halden Tools Drill 18V', '<h1>Halden Tools Drill 18V <span class="badge">New</span></h1>'],
  ['Halden Tools Drill 18V', '<h1><em class="sale-label">-20 %</em> Halden Tools Drill 18V</h1>'],
  ['Halden Tools Drill 18V', '<h1>Halden Tools Drill 18V <small>SKU: 12345</small></h1>'],
  ['Halden Tools Drill 18V', '<h1>Halden Tools Drill 18V <span>Art.-Nr.: HT-18</span></h1>'],
  ['Halden Tools Drill 18V Set', '<h1>Halden Tools Drill 18V <span class="size">Set</span></h1>'],
  ['Label', '<h1><span class="label">Label</span></h1>'],
  // Set apart by their style alone.
  ['Halden Tools Drill 18V', '<h1><span>Halden</span><span>Tools Drill 18V</span></h1>'],
  ['HaldenTools Drill', '<h1>HaldenTools Drill</h1>'],
];

test('the product of a page without data is named by its heading, without the labels in it', () => {
  for (const [wanted, headings] of CASES) {
    const title = TITLE.startsWith(wanted)
      ? TITLE
      : `${wanted.replace(/ Set$/, '')} | Example Shop`;
    const verdict = readGenericPage(pageOf(html('', headings + BUY, title)), new UnknownWords());
    assert.equal(verdict.kind === 'read' ? verdict.value.title : verdict.kind, wanted, headings);
  }
});
