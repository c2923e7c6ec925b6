// The settings of option pickers, by which shops of one system price the variant that an address names.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, pageOf } from '../retailers/page-fixtures.ts';

const option = (id: string, label: string): object => ({ id, label, products: [] });
const price = (amount: number, oldAmount = amount): object => ({
  oldPrice: { amount: oldAmount },
  finalPrice: { amount },
});
const CONFIG = {
  attributes: {
    '93': { id: '93', code: 'color', options: [option('49', 'Black'), option('50', 'Blue')] },
    '142': { id: '142', code: 'size', options: [option('167', 'S'), option('168', 'M')] },
  },
  index: {
    '11': { '93': '49', '142': '167' },
    '12': { '93': '49', '142': '168' },
    '13': { '93': '50', '142': '167' },
    '14': { '93': '50', '142': '168' },
  },
  optionPrices: { '11': price(30, 40), '12': price(42), '13': price(30), '14': price(45.5) },
};
const init = (settings: object): string =>
  `<script type="text/x-magento-init">${JSON.stringify(settings)}</script>`;
const SWATCHES = init({ '[data-role=swatch-options]': { renderer: { jsonConfig: CONFIG } } });
const DROP_DOWNS = init({ '#product_addtocart_form': { configurable: { spConfig: CONFIG } } });

const RANGE = { '@type': 'AggregateOffer', lowPrice: 30, highPrice: 45.5, priceCurrency: 'USD' };

function priceAt(tail: string, settings: string): string | null {
  const page = html(ld(mug({ offers: RANGE })), `<h1>Blue Mug</h1>${settings}`);
  const made = pageOf(page, { url: `https://shop.example/blue-mug.html${tail}` });
  const verdict = readGenericPage(made, new UnknownWords());
  assert.equal(verdict.kind, 'read');
  const { price: money, listPrice } = verdict.value;
  return [money, listPrice]
    .filter((one) => one !== null)
    .map(decimalText)
    .join(' was ');
}

describe('option pickers give the price of the variant that the address names', () => {
  const rows: readonly (readonly [string, string])[] = [
    ['?color=49&size=168', '42.00'],
    ['#93=49&142=168', '42.00'],
    ['#color=50&size=168', '45.50'],
    ['#93=49&142=167', '30.00 was 40.00'],
    ['?super_attribute[93]=50&super_attribute[142]=168', '45.50'],
    ['?color=black&size=m', '42.00'],
    ['?color=50', '30.00'],
    ['#142=168', '42.00'],
    ['?color=77', ''],
    ['?color=49&size=999', ''],
    ['', '30.00'],
    ['?page=2', '30.00'],
    ['#reviews', '30.00'],
  ];
  for (const [tail, expected] of rows) {
    test(`${tail || 'no option'}: ${expected || 'no price'}`, () => {
      assert.equal(priceAt(tail, SWATCHES), expected, 'swatches');
      assert.equal(priceAt(tail, DROP_DOWNS), expected, 'drop-downs');
    });
  }

  test('two pickers of one product count, and those of two products do not', () => {
    assert.equal(priceAt('#93=49&142=168', SWATCHES + DROP_DOWNS), '42.00');
    const { '14': _last, ...index } = CONFIG.index;
    const other = init({ other: { renderer: { jsonConfig: { ...CONFIG, index } } } });
    assert.equal(priceAt('#93=49&142=168', SWATCHES + other), '30.00');
  });
});
