// retailer_a: layouts of its pages from 2017 to 2021. Superscript cents, tables without names, boxes that select no seller.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Listing } from '../../../../src/base/listing/listing.ts';
import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { pageOf } from '../page-fixtures.ts';
import { readersOf } from '../own-readers.ts';
import * as a from './fixtures.ts';

function listingOf(body: string): Listing {
  const html =
    `<input type="hidden" id="ASIN" value="${a.ASIN}"><span id="productTitle">Anvil</span>${body}` +
    `<div id="sims">${a.amount('$1.11')}</div>`;
  return readersOf('retailer_a').listingOf(pageOf(html, { url: a.URL_OF_PAGE }));
}

const raised = (text: string): string =>
  `<span class="a-size-small price-info-superscript">${text}</span>`;
const swatch = (text: string, state = 'selected'): string =>
  `<li class="swatchElement ${state}"><a><span>Hardcover</span><br><span>${text}</span></a></li>`;

describe('the price', () => {
  const CASES: readonly (readonly [string, string, number | null])[] = [
    ['stands in a span of its own', '<span id="priceblock_ourprice">$24.42</span>', 2442],
    [
      'has its cents set high',
      `<span id="priceblock_ourprice"><span class="price-large">19</span>${raised('99')}</span>`,
      1999,
    ],
    [
      'has sign and cents set high',
      `<span id="priceblock_ourprice">${raised('$')}<span class="price-large">1,019</span>${raised('99')}</span>`,
      101_999,
    ],
    [
      'has cents set high in other words',
      '<span id="priceblock_ourprice">$<span class="buyingPrice">19</span><span class="priceToPayPadding">99</span></span>',
      1999,
    ],
    [
      'is not guessed from digits that run together',
      `<span id="priceblock_ourprice">$19${raised('99')}</span>`,
      null,
    ],
    [
      'is not half an amount',
      '<div id="corePrice_feature_div"><span class="a-price"><span class="a-price-whole"></span><span class="a-price-fraction">99</span></span></div>',
      null,
    ],
    [
      'is distinguished from the saving by its size',
      `<div id="corePrice_desktop">${a.amount('$10.00', 'a-text-price a-size-base', 'data-a-color="price"')}${a.amount('$29.99', 'a-text-price a-size-medium', 'data-a-color="price"')}</div>`,
      2999,
    ],
    ['is a range', '<span id="priceblock_ourprice">$12.99 - $29.99</span>', 1299],
    [
      'is a row of the table of an electronic book',
      '<table><tr class="kindle-price"><td>Kindle Price:</td><td>$9.99</td></tr></table>',
      999,
    ],
    [
      'stands at the chosen format only',
      `<ul>${swatch('$4.00', 'unselected')}${swatch('$12.37')}</ul>`,
      1237,
    ],
    ["is not what others' copies start at", `<ul>${swatch('from $3.99')}</ul>`, null],
    [
      'is not that either where no blank stands before it',
      `<ul>${swatch('</span><span>from $3.99').replace('<br>', '')}</ul>`,
      null,
    ],
    [
      'is the cheapest new offer where the box chose no seller',
      '<div id="unqualifiedBuyBox"><span class="a-color-price">$18.50</span> + free shipping</div>',
      1850,
    ],
  ];
  for (const [name, body, cents] of CASES) {
    test(name, () => {
      assert.deepEqual(listingOf(body).price, cents === null ? null : { cents, currency: 'USD' });
    });
  }
});

test('the struck price of an electronic book is its list price', () => {
  const rows =
    '<table><tr class="digital-list-price"><td>Digital List Price:</td><td>$14.99</td></tr>' +
    '<tr class="kindle-price"><td>Kindle Price:</td><td>$9.99</td></tr></table>';
  assert.equal(listingOf(rows).listPrice?.cents, 1499);
});

test('details stand in tables and lists without names of their own', () => {
  const table =
    '<a id="brand" href="/acme">Acme</a><div id="prodDetails"><table>' +
    '<tr><td>Item Weight</td><td>2.5 pounds</td></tr>' +
    '<tr><td>UPC</td><td>099900000012</td></tr></table></div>';
  const listing = listingOf(table);
  assert.deepEqual(
    [listing.brand, listing.weightLbs, listing.gtin],
    ['Acme', 2.5, '00099900000012'],
  );
  const list =
    '<table><tr><td><div id="detail_bullets_id"><ul><li><b>Hardcover:</b> 272 pages</li>' +
    '<li><b>UPC:</b> 099900000012</li></ul></div></td></tr></table>';
  assert.equal(listingOf(list).gtin, '00099900000012');
});

test('a card of a result list says its reviews as a bare number', () => {
  const stars = '<span class="a-icon-alt">4.5 out of 5 stars</span>';
  const counts = [
    '<span aria-label="1,234"></span>',
    '<a href="/x#customerReviews"><span>1,234</span></a>',
  ];
  for (const count of counts) {
    const html = `<div class="s-main-slot">${a.card(a.ASIN, 'Anvil', stars + count)}</div>`;
    const verdict = readAnswer(pageOf(html), 'search', 'retailer_a');
    assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'search');
    assert.equal(verdict.value.hits[0]?.reviewCount, 1234);
  }
});
