// Data may state an amount without tax where the page shows it with tax: what a visitor pays counts, and only upward.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isWithTax, vatRatesOf } from '../../../src/base/listing/money/vat-rates.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { textOf } from './shown-page.ts';

type Shape = { readonly head?: string; readonly url?: string; readonly more?: object };

/** Reads a page whose data states "64.00 GBP" and which shows `block`. */
function priceOf(lang: string, data: string, block: string, { head, url, more }: Shape = {}) {
  const [price = '', priceCurrency = ''] = data.split(' ');
  const node = ld(mug({ offers: offer({ price, priceCurrency, ...more }) }));
  const body = `<h1>Blue Mug</h1><div>${block}</div><button>Add to cart</button>`;
  const page = html((head ?? '') + node, body).replace('lang="en"', `lang="${lang}"`);
  const verdict = readGenericPage(
    pageOf(page, url === undefined ? {} : { url }),
    new UnknownWords(),
  );
  assert.equal(verdict.kind, 'read', block);
  return verdict.kind === 'read' ? textOf(verdict.value.price) : null;
}

const shownAs = (text: string): string => `<p class="price">${text}</p>`;

const BY_RATE: readonly (readonly [string, string, string, string])[] = [
  ['nl-NL', '82.64 EUR', shownAs('€ 99,99'), '99.99 EUR'],
  ['de-DE', '1000.00 EUR', shownAs('1.190,00&nbsp;€'), '1190.00 EUR'],
  ['de-DE', '10.00 EUR', shownAs('10,70 €'), '10.70 EUR'],
  ['fr-FR', '83.33 EUR', shownAs('100,00 € TTC'), '100.00 EUR'],
  ['nb-NO', '1000 NOK', shownAs('1 250,-'), '1250.00 NOK'],
  ['de-CH', '100.00 CHF', shownAs('CHF 108.10'), '108.10 CHF'],
  // No rate, of no country, of a country with another currency, or downward.
  ['nl-NL', '82.64 EUR', shownAs('€ 94,99'), '82.64 EUR'],
  ['nl', '82.64 EUR', shownAs('€ 99,99'), '82.64 EUR'],
  ['en-GB', '100.00 USD', shownAs('$120.00'), '100.00 USD'],
  ['en-US', '100.00 USD', shownAs('$120.00'), '100.00 USD'],
  ['nl-NL', '99.99 EUR', shownAs('€ 82,64'), '99.99 EUR'],
  // The page shows both: the labelled one, if one is.
  ['de-DE', '249.00 EUR', '<p>249,00 € zzgl. MwSt.</p><p>296,31 € inkl. MwSt.</p>', '296.31 EUR'],
  ['it-IT', '100.00 EUR', '<p>100,00 € + IVA</p><p>122,00 € IVA inclusa</p>', '122.00 EUR'],
  ['en-GB', '64.00 GBP', '<p>Ex VAT: £64.00</p><p>Inc VAT: £76.80</p>', '76.80 GBP'],
  ['de-DE', '249.00 EUR', '<p>249,00 €</p><p>296,31 €</p>', '249.00 EUR'],
  ['de-DE', '296.31 EUR', '<p>249,00 € zzgl. MwSt.</p><p>296,31 € inkl. MwSt.</p>', '296.31 EUR'],
  ['en-GB', '64.00 GBP', `${shownAs('£64.00 inc VAT')}<p>£76.80 inc VAT</p>`, '64.00 GBP'],
  // The higher amount is of something else.
  ['en-GB', '64.00 GBP', `${shownAs('£64.00')}<p>Gift set £76.80 inc VAT</p>`, '64.00 GBP'],
  ['en-GB', '64.00 GBP', `${shownAs('£64.00')}<p>RRP £76.80 inc VAT</p>`, '64.00 GBP'],
  ['en-GB', '64.00 GBP', `<s>£76.80</s> <b class="price">£64.00</b>`, '64.00 GBP'],
];

test('a shown price that is the stated one plus a rate of the country is what a visitor pays', () => {
  for (const [lang, data, block, price] of BY_RATE) {
    assert.equal(priceOf(lang, data, block), price, `${lang} ${data} ${block}`);
  }
});

test('the country is that of the host, the address, the language or the region tag', () => {
  const shown = shownAs('€119.00');
  assert.equal(priceOf('en', '100.00 EUR', shown), '100.00 EUR');
  assert.equal(priceOf('en', '100.00 EUR', shown, { url: 'https://shop.de/mug' }), '119.00 EUR');
  const path = { url: 'https://shop.example/de-de/mug' };
  assert.equal(priceOf('en', '100.00 EUR', shown, path), '119.00 EUR');
  const head = metas({ 'og:locale': 'de_DE' });
  assert.equal(priceOf('de', '100.00 EUR', shown, { head }), '119.00 EUR');
});

test('data that says it is without tax gives way to a shown price with a rate of any country', () => {
  const specified = (valueAddedTaxIncluded: unknown): Shape => ({
    more: {
      priceSpecification: { price: '50.00', priceCurrency: 'EUR', valueAddedTaxIncluded },
    },
  });
  const shown = shownAs('59,50 € <small>inkl. MwSt.</small>');
  for (const said of [false, 'false', 'False', 'https://schema.org/False']) {
    assert.equal(priceOf('en', '50.00 EUR', shown, specified(said)), '59.50 EUR', String(said));
  }
  for (const said of [true, 'https://schema.org/True', null, 'perhaps']) {
    assert.equal(priceOf('en', '50.00 EUR', shown, specified(said)), '50.00 EUR', String(said));
  }
  const own = { more: { valueAddedTaxIncluded: false } };
  assert.equal(priceOf('en', '50.00 EUR', shown, own), '59.50 EUR');
  assert.equal(priceOf('en', '50.00 EUR', shownAs('77,00 €'), own), '50.00 EUR');
  // Data that says it is with tax is not doubted.
  assert.equal(priceOf('de-DE', '50.00 EUR', shown, specified(true)), '50.00 EUR');
});

test('the former price is shown with tax, too', () => {
  const block = '<p><del>£120.00</del> <ins class="price">£96.00</ins> inc. VAT</p>';
  assert.equal(priceOf('en-GB', '80.00 GBP', block), '96.00 GBP');
});

test('an amount with tax and the one without agree to the unit, whichever was rounded', () => {
  for (let gross = 1_001; gross < 200_000; gross += 997) {
    for (const rate of vatRatesOf('fi')) {
      const net = Math.round((gross * 100) / (100 + rate));
      assert.ok(isWithTax(gross, net, 'fi'), `${gross} ${rate}`);
      assert.ok(!isWithTax(net, gross, 'fi'), `${net} ${rate}`);
    }
  }
  assert.deepEqual(vatRatesOf('us'), []);
});
