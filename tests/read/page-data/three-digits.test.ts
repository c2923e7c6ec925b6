// One separator and three digits in data may mean thousands or decimals. The currency and the language of the page decide, or
// another source of the page; nothing is guessed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { textOf } from './shown-page.ts';

const TABLE: readonly (readonly [
  lang: string,
  data: string,
  shown: string,
  price: string | null,
])[] = [
  // The language agrees with what the amount can be in the currency.
  ['de', '1.299 EUR', '', '1299.00 EUR'],
  ['pt-BR', '1.299 BRL', '', '1299.00 BRL'],
  ['en', '1,299 EUR', '', '1299.00 EUR'],
  ['en', '12.990 EUR', '', '12.99 EUR'],
  ['de-CH', '12.990 CHF', '', '12.99 CHF'],
  ['de', '0.345 EUR', '', '0.35 EUR'],
  // It does not.
  ['en', '1.299 EUR', '', null],
  ['de', '12.990 EUR', '', null],
  ['de', '1,299 EUR', '', null],
  ['en-ZA', '1,299 ZAR', '', null],
  ['', '1.299 EUR', '', null],
  // Then the page does.
  ['en', '1.299 EUR', '€1,299.00', '1299.00 EUR'],
  ['en', '12.345 EUR', '€12.35', '12.35 EUR'],
  ['de', '12.990 EUR', '12,99 €', '12.99 EUR'],
  ['de', '12.990 EUR', '12.990 €', '12990.00 EUR'],
  // Currencies without hundredths, or with thousandths, need no language.
  ['en', '12.990 CLP', '', '12990 CLP'],
  ['', '290.000 VND', '', '290000 VND'],
  ['de', '12.345 KWD', '', '12.345 KWD'],
];

test('three digits after one separator mean what currency and language agree on, else nothing', () => {
  for (const [lang, data, shown, expected] of TABLE) {
    const [price = '', priceCurrency = ''] = data.split(' ');
    const head = ld(mug({ offers: offer({ price, priceCurrency }) }));
    const body = `<h1>Blue Mug</h1><p class="price">${shown}</p><button>Add to cart</button>`;
    const page = pageOf(html(head, body).replace('lang="en"', `lang="${lang}"`));
    const verdict = readGenericPage(page, new UnknownWords());
    assert.equal(verdict.kind, 'read', data);
    const read = verdict.kind === 'read' ? textOf(verdict.value.price) : '';
    assert.equal(read, expected, `${lang} ${data} ${shown}`);
  }
});
