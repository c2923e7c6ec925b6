// retailer_a: damaged answers give a verdict, in time that grows only with the page.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAnswer } from '../../../../src/read/retailers/registry.ts';
import { cpuMs } from '../../../support/cpu-time.ts';
import { testDamage, type WholeAnswer } from '../damage.ts';
import { ADDRESS, answerOf, pageOf } from '../page-fixtures.ts';
import * as a from './fixtures.ts';

const ANSWERS: readonly (readonly [string, string])[] = [
  ['product', a.productHtml()],
  ['search', a.SEARCH],
  ['offers', a.OFFERS],
  ['api:creators_items', JSON.stringify({ itemsResult: { items: [a.CREATORS_ITEM] } })],
  ['api:creators_search', JSON.stringify({ searchResult: { items: [a.CREATORS_ITEM] } })],
  ['api:catalog_search', JSON.stringify(a.CATALOG)],
  ['api:item_offers', JSON.stringify(a.ITEM_OFFERS)],
  ['api:restrictions', '{"restrictions":[{"reasons":[{"message":"m","reasonCode":"c"}]}]}'],
  [
    'api:inbound_eligibility',
    '{"payload":{"isEligibleForProgram":false,"ineligibilityReasonList":["x"]}}',
  ],
];

testDamage(
  'retailer_a',
  ANSWERS.map(([name, text]): WholeAnswer => [name, answerOf(name, text, ADDRESS)]),
);

/** Pieces that, repeated, make a careless reader walk the page again and again. */
const REPEATED: readonly (readonly [string, string])[] = [
  ['unclosed price blocks', '<div id="corePrice_feature_div"><span class="a-price">'],
  ['unclosed detail tables', '<table class="prodDetTable"><tr><th>UPC<td>'],
  ['unclosed rows of options', '<div id="newAccordionRow_1"><div id="availability">'],
  [
    'unclosed delivery promises',
    '<span data-csa-c-delivery-time="x" data-csa-c-delivery-price="fastest">',
  ],
  ['unclosed cards', '<div data-component-type="s-search-result" data-asin="B0ACME0001"><h2>x'],
  ['unclosed offers', '<div id="aod-offer"><a href="?seller=A1ACMEOUTLET1">'],
  ['open brackets', '<'],
  ['ampersands', '&amp;amp;'],
  ['blanks', '>          '],
  ['digits', '1-1 of 1 5 star 1% '],
];

test('1.5 MB of the worst pieces are read in bounded time by every page reader', () => {
  const prefix = a.productHtml().replace('</body></html>', '');
  for (const [name, piece] of REPEATED) {
    const page = pageOf(prefix + piece.repeat(Math.ceil(1_500_000 / piece.length)));
    for (const kind of ['product', 'search', 'offers']) {
      const startedMs = cpuMs();
      readAnswer(page, kind, 'retailer_a');
      const ms = cpuMs() - startedMs;
      // About a hundred times what such a page takes: this only distinguishes linear from quadratic.
      assert.ok(ms < 3000, `${kind} of ${name}: ${ms.toFixed(0)} ms`);
    }
  }
});

test('a rating of a seller that is made of open brackets is read in bounded time', () => {
  const rating = `<div id="aod-offer-seller-rating">${'</'.repeat(75_000)}</div>`;
  const offer = a.OFFERS.replace(/<div id="aod-offer-seller-rating">/, rating);
  assert.notEqual(offer, a.OFFERS);
  const startedMs = cpuMs();
  readAnswer(pageOf(offer), 'offers', 'retailer_a');
  const ms = cpuMs() - startedMs;
  assert.ok(ms < 300, `${ms.toFixed(0)} ms`);
});
