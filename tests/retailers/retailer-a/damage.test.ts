// retailer_a: whatever arrives, each reader answers with a verdict, in time that grows with the page only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from '../../../src/listing/page.ts';
import { UnknownWords } from '../../../src/listing/unknown-words.ts';
import { retailerAAdapter } from '../../../src/retailers/retailer-a/adapter.ts';
import { randomFrom, seedOf } from '../../support/random.ts';
import { mutated } from '../../support/text-mutations.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { pageOf } from '../page-fixtures.ts';
import * as a from './fixtures.ts';

const ROUNDS = 2000;

type Read = (page: Page) => { readonly kind: string };

function reader(name: string): Read {
  const read = retailerAAdapter.readers[name];
  assert.ok(read !== undefined);
  return (page) => read(page, new UnknownWords());
}

const ANSWERS: readonly (readonly [string, string, Read])[] = [
  ['product', a.productHtml(), reader('product')],
  ['search', a.SEARCH, reader('search')],
  ['offers', a.OFFERS, reader('offers')],
  [
    'creators items',
    JSON.stringify({ itemsResult: { items: [a.CREATORS_ITEM] } }),
    reader('api:creators_items'),
  ],
  [
    'creators search',
    JSON.stringify({ searchResult: { items: [a.CREATORS_ITEM] } }),
    reader('api:creators_search'),
  ],
  ['catalog', JSON.stringify(a.CATALOG), reader('api:catalog_search')],
  ['item offers', JSON.stringify(a.ITEM_OFFERS), reader('api:item_offers')],
  [
    'restriction',
    '{"restrictions":[{"reasons":[{"message":"m","reasonCode":"c"}]}]}',
    reader('api:restrictions'),
  ],
  [
    'eligibility',
    '{"payload":{"isEligibleForProgram":false,"ineligibilityReasonList":["x"]}}',
    reader('api:inbound_eligibility'),
  ],
];

const KINDS = new Set([
  'read',
  'follow',
  'not_found',
  'not_a_product',
  'blocked',
  'retry',
  'unreadable',
]);

for (const [name, text, read] of ANSWERS) {
  test(`${name}: ${ROUNDS} damaged answers, each with a verdict`, (context) => {
    const seed = seedOf(20_261_120);
    context.diagnostic(`seed ${seed}`);
    const random = randomFrom(seed);
    for (let round = 0; round < ROUNDS; round += 1) {
      const damaged = mutated(text, random);
      const isJson = text.startsWith('{');
      const page = pageOf(
        damaged,
        isJson ? { headers: { 'content-type': 'application/json' } } : {},
      );
      assert.ok(KINDS.has(read(page).kind), damaged);
    }
  });
}

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
      reader(kind)(page);
      const ms = cpuMs() - startedMs;
      // Some hundred times what such a page takes: this tells linear from quadratic, no more.
      assert.ok(ms < 3000, `${kind} of ${name}: ${ms.toFixed(0)} ms`);
    }
  }
});
