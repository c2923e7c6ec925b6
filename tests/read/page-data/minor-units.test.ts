// Prices in currencies that have not two decimals (D87): every source of a page states them, and where one source has the
// currency and another the amount, the amount is counted in its unit from then on.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import type { Listing } from '../../../src/base/listing/listing.ts';
import {
  amountOf,
  decimalText,
  decimalsOf,
  type Money,
} from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { mergeHostedStore } from '../../../src/read/retailers/hosted-store.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { html, ld, metas, mug, offer, pageOf } from '../retailers/page-fixtures.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

function readOf(page: string): Listing {
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
  if (verdict.kind !== 'read') throw new Error('not read');
  return verdict.value;
}

/** The ways in which a page states an amount and its currency, with more of the same product around. */
const FORMS: Readonly<Record<string, (money: Money) => string>> = {
  'a number in JSON-LD': (money) =>
    html(ld(mug({ offers: offer({ price: amountOf(money), priceCurrency: money.currency }) }))),
  'a text in JSON-LD': (money) =>
    html(ld(mug({ offers: offer({ price: decimalText(money), priceCurrency: money.currency }) }))),
  'a price specification': (money) =>
    html(
      ld(
        mug({
          offers: {
            '@type': 'Offer',
            priceSpecification: { price: amountOf(money), priceCurrency: money.currency },
          },
        }),
      ),
    ),
  microdata: (money) =>
    html(
      '',
      `<div itemscope itemtype="https://schema.org/Product"><h1 itemprop="name">Blue Mug</h1>
        <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <meta itemprop="priceCurrency" content="${money.currency}">
        <meta itemprop="price" content="${decimalText(money)}"></div></div>`,
    ),
  'meta tags': (money) =>
    html(
      metas({
        'og:type': 'product',
        'og:title': 'Blue Mug',
        'product:price:amount': decimalText(money),
        'product:price:currency': money.currency ?? '',
      }),
      '<h1>Blue Mug</h1>',
    ),
  'an amount in JSON-LD and its currency in tags': (money) =>
    html(
      ld(mug({ offers: { '@type': 'Offer', price: amountOf(money) } })) +
        metas({
          'product:price:amount': decimalText(money),
          'product:price:currency': money.currency ?? '',
        }),
    ),
  'a displayed amount': (money) =>
    html(
      metas({ 'og:type': 'product', 'og:title': 'Blue Mug' }),
      `<h1>Blue Mug</h1><p class="price">${money.currency} ${decimalText(money)}</p><button>Add to cart</button>`,
    ),
};

const CURRENCIES = ['JPY', 'KRW', 'VND', 'KWD', 'BHD', 'OMR', 'TND', 'USD', 'EUR'];

for (const [form, pageWith] of Object.entries(FORMS)) {
  test(`${form}: the price is in the minor unit of its currency`, () => {
    const seed = seedOf(871);
    const random = randomFrom(seed);
    for (let round = 0; round < 43; round += 1) {
      const currency = pick(random, CURRENCIES);
      const unit = 10 ** decimalsOf(currency);
      const money = { cents: unit + integerBelow(random, 9_000 * unit), currency };
      const { price } = readOf(pageWith(money));
      assert.deepEqual(price, money, `${decimalText(money)} ${currency}, seed ${seed}`);
    }
  });
}

describe('sources that count differently', () => {
  const stated = (price: unknown, amount: string, currency: string): Money | null =>
    readOf(
      html(
        ld(mug({ offers: offer({ price, priceCurrency: currency }) })) +
          metas({ 'og:price:amount': amount, 'og:price:currency': currency }),
      ),
    ).price;

  test('a whole number in minor units is corrected by the source with decimals, in the unit of either', () => {
    assert.deepEqual(stated(4567, '4.567', 'KWD'), { cents: 4567, currency: 'KWD' });
    assert.deepEqual(stated(450, '4.500', 'KWD'), { cents: 4500, currency: 'KWD' });
    assert.deepEqual(stated(198_000, '1980', 'JPY'), { cents: 1980, currency: 'JPY' });
    assert.deepEqual(stated(1980, '1980', 'JPY'), { cents: 1980, currency: 'JPY' });
    assert.deepEqual(stated(1250, '12.50', 'EUR'), { cents: 1250, currency: 'EUR' });
  });

  const displayed = (state: unknown, price: string, lang = 'en'): Money | null =>
    readOf(
      html(
        metas({ 'og:type': 'product', 'og:title': 'Blue Mug' }) +
          `<script type="application/json">${JSON.stringify({ name: 'Blue Mug', ...(state as object) })}</script>`,
        `<h1>Blue Mug</h1><p class="price">${price}</p><button>Add to cart</button>`,
      ).replace('lang="en"', `lang="${lang}"`),
    ).price;

  test('an amount of a script counts where the page shows it, whichever unit the script counts in', () => {
    const cents = (amount: number, code: string) => ({
      price: { centAmount: amount, currencyCode: code },
    });
    // The page's sign does not name the currency; the script's does.
    assert.deepEqual(displayed(cents(1980, 'JPY'), '¥1,980'), { cents: 1980, currency: 'JPY' });
    assert.deepEqual(displayed(cents(198_000, 'JPY'), '¥1,980'), { cents: 1980, currency: 'JPY' });
    assert.deepEqual(displayed(cents(1250, 'CAD'), '$12.50'), { cents: 1250, currency: 'CAD' });
  });

  test('a list price is in the unit of its price', () => {
    const page = html(
      '',
      '<h1>Blue Mug</h1><p class="price"><s>2,500円</s> <b>1,980円</b></p><button>カートに入れる</button>',
    ).replace('lang="en"', 'lang="ja"');
    const { price, listPrice } = readOf(page);
    assert.deepEqual(
      [price, listPrice],
      [
        { cents: 1980, currency: 'JPY' },
        { cents: 2500, currency: 'JPY' },
      ],
    );
  });
});

describe('hosted stores', () => {
  const read = (product: unknown, ending: string): Listing => {
    const url = `https://shop.example/products/blue-mug${ending}`;
    const headers = { 'content-type': 'application/json' };
    const verdict = readProductPage(pageOf(JSON.stringify(product), { url, headers }));
    if (verdict.kind !== 'read') throw new Error(JSON.stringify(verdict));
    return verdict.value;
  };
  const json = (price: string, listPrice = '') =>
    read(
      {
        product: {
          title: 'Blue Mug',
          body_html: '',
          variants: [{ id: 1, price, compare_at_price: listPrice }],
        },
      },
      '.json',
    );
  const js = (price: number, listPrice: number | null = null) =>
    read(
      {
        title: 'Blue Mug',
        price,
        variants: [{ id: 1, price, compare_at_price: listPrice, available: true }],
      },
      '.js',
    );

  test('integers are hundredths in every currency, and the currency that is known later has its own unit', () => {
    const merged = mergeHostedStore({ js: js(198_000, 250_000), currency: 'JPY' });
    assert.deepEqual(merged?.price, { cents: 1980, currency: 'JPY' });
    assert.deepEqual(merged?.listPrice, { cents: 2500, currency: 'JPY' });
    assert.deepEqual(mergeHostedStore({ js: js(198_000) })?.price, {
      cents: 198_000,
      currency: null,
    });
    const page = { ...js(1), price: { cents: 1980, currency: 'JPY' } };
    assert.deepEqual(mergeHostedStore({ js: js(198_000), html: page })?.price, page.price);
  });

  test('texts keep the three decimals of a currency that is known later, and count before rounded integers', () => {
    const dinars = { cents: 4567, currency: 'KWD' };
    const stated = json('4.567', '5.125');
    assert.deepEqual(mergeHostedStore({ json: stated, currency: 'KWD' })?.price, dinars);
    const merged = mergeHostedStore({ js: js(457), json: stated, currency: 'KWD' });
    assert.deepEqual(merged?.price, dinars);
    assert.deepEqual(merged?.listPrice, { cents: 5125, currency: 'KWD' });
    const other = mergeHostedStore({ js: js(500), json: stated, currency: 'KWD' });
    assert.deepEqual(other?.price, { cents: 5000, currency: 'KWD' });
    assert.deepEqual(mergeHostedStore({ json: json('1980'), currency: 'JPY' })?.price, {
      cents: 1980,
      currency: 'JPY',
    });
  });
});
