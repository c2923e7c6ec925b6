// What a page shows: the price if it is unambiguous, otherwise null. Every page here is invented.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, PROSE, shown, textOf } from './shown-page.ts';

const TABLE: readonly (readonly [string, string, string | null, string | null])[] = [
  ['a price below the heading', '<span class="price">$12.50</span>', '12.50 USD', null],
  ['no class at all', '<p>$12.50</p>', '12.50 USD', null],
  [
    'in pieces',
    '<div class="price"><span>$</span><span>12</span><sup>50</sup></div>',
    '12.50 USD',
    null,
  ],
  ['the regular price alone', '<p>Regular price $12.50</p>', '12.50 USD', null],
  [
    'a pack beside the single one, in an element that is named after comparing',
    '<p class="price">$12.50</p><p class="multipack-compare">4-pack: $38.96</p>',
    '12.50 USD',
    null,
  ],
  [
    'a pack by the words "pack of"',
    '<p class="price">$12.50</p><p class="price-compare">Pack of 6: $60.00</p>',
    '12.50 USD',
    null,
  ],
  [
    'what a pack was, beside what it is',
    '<p class="price">$38.96 <del>4-pack: $50.00</del></p>',
    '38.96 USD',
    '50.00 USD',
  ],
  [
    'a deposit on top of the price',
    '<p class="price">€1.79</p><p>plus kaucja €0.25</p>',
    '1.79 EUR',
    null,
  ],
  [
    'what it is regularly',
    '<p class="price">$12.50</p><p>regularly $20.00</p>',
    '12.50 USD',
    '20.00 USD',
  ],
  [
    'those who subscribe, by the line above',
    '<div><span>Achat unique</span><p>14,50 €</p></div><div><span>Abonnement</span><p>13,05 €</p></div>',
    '14.50 EUR',
    null,
  ],
  ['a price from which on', '<p>À partir de 899,00 €</p>', '899.00 EUR', null],
  ['the official price alone', '<p>P.V.P. 12,50 €</p>', '12.50 EUR', null],
  [
    'the official price beside a lower one',
    '<p>PVP: 20,00 €</p><p>Ahora: 12,50 €</p>',
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'the official price beside the one without tax',
    '<p>PVP: 12,50 €</p><p>10,33 € sin IVA</p>',
    '12.50 EUR',
    null,
  ],
  [
    'with a card of some name, behind the amount',
    '<p>$9.00 <span>with Acme Card</span></p><p>$12.50</p>',
    '12.50 USD',
    null,
  ],
  [
    'with a purse of some name, said between the two',
    '<div><span>120,00 ₽</span><span>с Acme Кошельком</span><ins class="price">129,00 ₽</ins> <del>240,00 ₽</del></div>',
    '129.00 RUB',
    '240.00 RUB',
  ],
  ['with a card of some name, before it', '<p>$12.50</p><p>con CMR: $9.00</p>', '12.50 USD', null],
  [
    'a part that is for recycling',
    '<p>899,00 €</p><p>dont 12,50 € d’éco-participation</p>',
    '899.00 EUR',
    null,
  ],
  [
    'after a rebate',
    '<p class="price">$49.00 after rebate</p><p class="price">$59.00</p>',
    '59.00 USD',
    null,
  ],
  [
    'members in Japan',
    '<p>会員価格 <b class="price">3,800円</b></p><p class="price">4,378円</p>',
    '4378 JPY',
    null,
  ],
  ['tax in Japan, both', '<p class="price">3,980円（税込4,378円）</p>', '4378 JPY', null],
  ['tax in Japan', '<p class="price">税込4,378円</p>', '4378 JPY', null],
  [
    'a coupon in Korea',
    '<p class="price">39,900원</p><p class="price">쿠폰적용가 35,900원</p>',
    '39900 KRW',
    null,
  ],
  [
    'the regular price beside the one of members',
    '<p>Member price $10.50</p><p>Regular price $12.50</p>',
    '12.50 USD',
    null,
  ],
  [
    'the regular price beside another',
    '<p>Regular price $20.00</p><p>$12.50</p>',
    '12.50 USD',
    '20.00 USD',
  ],
  [
    'prices with a dash for no decimals that touch',
    '<b class="price-old">399,-</b><b class="price">329,-</b>',
    '329.00 USD',
    '399.00 USD',
  ],
  [
    'what is saved, in a language of which nobody wrote the word',
    '<p>€49.00 <s>€69.00</s></p><p>Faldaw €20.00</p>',
    '49.00 EUR',
    '69.00 EUR',
  ],
  [
    'what is saved, and no price above it that would make the former one',
    '<p>€49.00 <s>€79.00</s></p><p>Faldaw €35.00</p>',
    null,
    null,
  ],
  [
    'a former price behind the one without tax',
    '<p class="price">349,00 €</p><p>283,74 € bez DPH</p><p>Bežná cena 429,00 €</p>',
    '349.00 EUR',
    '429.00 EUR',
  ],
  [
    'a share that is in the price, behind a former one',
    '<p>€ 799</p><p>Adviesprijs: € 949</p><p>Inclusief € 1,00 Recupelbijdrage</p>',
    '799.00 EUR',
    '949.00 EUR',
  ],
  ['raised cents behind thousands', '<p>€ 1.299<sup>50</sup></p>', '1299.50 EUR', null],
  ['raised cents behind a comma', '<p>$1,299<sup>50</sup></p>', '1299.50 USD', null],
  ['cents behind the sign', '<p>1 299€50</p>', '1299.50 EUR', null],
  ['raised cents behind the sign', '<p>249€<sup>50</sup></p>', '249.50 EUR', null],
  ['the sign raised with the cents', '<p>249<sup>€50</sup></p>', '249.50 EUR', null],
  ['cents behind the sign of a rate', '<p>€24.50</p><p>9€50 / mois</p>', '24.50 EUR', null],
  ['two amounts that touch', '<p><b>15€</b><b>20€</b></p>', null, null],
  ['three decimals', '<p class="price">24.900 KD</p>', '24.900 KWD', null],
  ['a range of three decimals', '<p class="price">10.500 - 12.500 KD</p>', '10.500 KWD', null],
  ['three decimals behind a comma', '<p class="price">129,900 TND</p>', '129.900 TND', null],
  ['thousands without decimals', '<p class="price">25.000 IQD</p>', '25000.000 IQD', null],
  ['struck through', '<del>$20.00</del> <ins>$12.50</ins>', '12.50 USD', '20.00 USD'],
  [
    'struck through by an element far around it',
    '<del><span class="amount"><b><bdi>€20.00</bdi></b></span></del> <ins><span>€12.50</span></ins>',
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'called old in Dutch, without a sign of its own',
    '<i class="prijs-oud">20.00</i> <i class="prijs-nu">€ 12,50</i> <i>€ 25,00 per kg</i>',
    '12.50 EUR',
    '20.00 EUR',
  ],
  [
    'a number beside it without a sign of its own',
    '<i>12</i> <i class="price">€ 6,50</i>',
    '6.50 EUR',
    null,
  ],
  [
    'labels that touch the amount before them',
    '<span>Cena promocyjna 12,50 zł</span><span>Cena regularna 20,00 zł</span>',
    '12.50 PLN',
    '20.00 PLN',
  ],
  [
    'the lowest price of 30 days beside it',
    '<p class="price">12,50 zł</p><p class="price">Najniższa cena z 30 dni: 11,00 zł</p>',
    '12.50 PLN',
    null,
  ],
  [
    'digits of another script',
    '<p class="price">\u0661\u0662\u066b\u0665\u0660 ر.س</p>',
    '12.50 SAR',
    null,
  ],
  [
    'a lower price for one way to pay',
    '<p>R$ 12,50</p><p>R$ 11,25 à vista no Pix (10% de desconto)</p>',
    '12.50 BRL',
    null,
  ],
  ['a list price in Japanese', '<p>定価 2,000円 <b>1,250円</b></p>', '1250 JPY', '2000 JPY'],
  [
    'called old',
    '<i class="old-price">€20,00</i><i class="new-price">€12,50</i>',
    '12.50 EUR',
    '20.00 EUR',
  ],
  ['a word before it', '<p>Was $20.00</p><p>$12.50</p>', '12.50 USD', '20.00 USD'],
  [
    'a word in German',
    '<p>statt 20,00 €</p><p class="preis">12,50 €</p>',
    '12.50 EUR',
    '20.00 EUR',
  ],
  ['by its percentage', '<b>€20.00</b><b>-50%</b><b>€10.00</b>', '10.00 EUR', '20.00 EUR'],
  ['by its saving', '<b>€20.00</b><b>€15.00</b><b>You save €5.00</b>', '15.00 EUR', '20.00 EUR'],
  [
    'instalments beside it',
    '<p class="price">$12.50</p><p>4 payments of $3.13</p>',
    '12.50 USD',
    null,
  ],
  [
    'a price per unit beside it',
    '<p class="price">€12.50</p><p>€3.13 / 100 g</p>',
    '12.50 EUR',
    null,
  ],
  [
    'delivery beside it',
    '<p class="price">$12.50</p><p>Delivery from $4.99</p>',
    '12.50 USD',
    null,
  ],
  [
    'free delivery over an amount',
    '<p class="price">12,50 €</p><p>Versand gratis ab 50,00 €</p>',
    '12.50 EUR',
    null,
  ],
  [
    'with and without tax',
    '<p class="price">€12.50 incl. VAT</p><p class="price">€10.00 excl. VAT</p>',
    '12.50 EUR',
    null,
  ],
  [
    'without tax first',
    '<p class="price">€10.00 excl. VAT</p><p class="price">€12.50 incl. VAT</p>',
    null,
    null,
  ],
  [
    'two prices, nothing decides',
    '<p class="price">$12.50</p><p class="price">$17.50</p>',
    null,
    null,
  ],
  ['a range', '<p class="price">$12.50 - $17.50</p>', '12.50 USD', null],
  ['a price on the button', '<button>Buy now - $12.50</button>', '12.50 USD', null],
];

describe('a page without data is read by what it shows', () => {
  for (const [name, below, price, list] of TABLE) {
    test(`${name}: ${price ?? 'no price'}`, () => {
      const verdict = shown(below);
      assert.equal(verdict.kind, 'read', JSON.stringify(verdict));
      if (verdict.kind !== 'read') return;
      const { value } = verdict;
      assert.deepEqual([textOf(value.price), textOf(value.listPrice)], [price, list]);
      assert.equal(value.priceReadFrom, price === null ? null : 'visible');
      assert.deepEqual([value.title, value.inStock], ['Blue Mug', true]);
    });
  }
});

test('an amount that was the price, or is recommended, is not one, also where no other is shown', () => {
  for (const label of ['Was', 'List price', 'RRP', 'Compare at', 'Statt']) {
    assert.notEqual(shown(`<p>${label} $12.50</p>`).kind, 'read', label);
  }
  assert.notEqual(shown('<p>Regular price <s>$12.50</s></p>').kind, 'read', 'struck through');
  for (const elsewhere of ['See price in cart', 'Sale price', '20% off in cart']) {
    const page = `<p>Regular price $12.50</p><p>${elsewhere}</p>`;
    assert.notEqual(shown(page).kind, 'read', elsewhere);
  }
});

test('the name of the product is not a label of the price below it, whatever its words mean', () => {
  for (const name of [
    'Pillow Cover',
    'Pullover',
    'Camper Van',
    'Gift Card Box',
    'Reserve Merlot',
  ]) {
    const body = `<h1>${name}</h1><p class="price">$12.50</p><p>Set of two $22.00</p>${BUY}${PROSE}`;
    const page = pageOf(html('', body, name).replace('lang="en"', 'lang="en-US"'));
    const verdict = readGenericPage(page, new UnknownWords());
    assert.equal(
      verdict.kind === 'read' ? textOf(verdict.value.price) : verdict.kind,
      '12.50 USD',
      name,
    );
  }
});

test('a sign that several countries share means the money of the page’s country, and `$` is dollars only where it says US', () => {
  const read = (lang: string, amount: string) => {
    const verdict = shown(`<p class="price">${amount}</p>`, { lang });
    return verdict.kind === 'read' ? textOf(verdict.value.price) : verdict.kind;
  };
  assert.equal(read('sv-SE', '125 kr'), '125.00 SEK');
  assert.equal(read('da-DK', '125 kr'), '125.00 DKK');
  assert.equal(read('en', '$125.00'), '125.00 -');
  assert.equal(read('en-CA', '$125.00'), '125.00 CAD');
});

test('the maker stands next to its label, in the language of the shop', () => {
  for (const row of [
    '<tr><th>Brand</th><td>Acme</td></tr>',
    '<p>Výrobca: Acme</p>',
    '<dl><dt>Marque :</dt><dd>Acme</dd></dl>',
  ]) {
    const verdict = shown(`<p class="price">$12.50</p>${row}`);
    assert.equal(verdict.kind === 'read' ? verdict.value.brand : null, 'Acme', row);
  }
});

test('a page without headings has the text for one that is the greater part of its title', () => {
  const kindOf = (name: string, title = 'Blue Mug, tested - Example Shop') => {
    const body = `<table><tr><td><a href="/">Home</a><td><font size=5>${name}</font><br>$12.50${BUY}</table>`;
    const verdict = readGenericPage(pageOf(html('', body, title)), new UnknownWords());
    return verdict.kind === 'read' ? verdict.value.title : verdict.kind;
  };
  assert.equal(kindOf('<b>Blue Mug, tested</b>'), 'Blue Mug, tested');
  assert.equal(kindOf('<a href="/mug">Blue Mug, tested</a>'), 'unreadable', 'a link leads on');
  assert.equal(kindOf('<b>Blue Mug, tested</b>', 'Welcome to the Example Shop'), 'unreadable');
});

test('links to buy and to keep that stand side by side in a line are buttons, and a link in a sentence is not one', () => {
  const kindOf = (button: string): string => shown('<p>$12.50</p>', { button }).kind;
  const [buy, keep] = ['<a class="b1">Buy now</a>', '<a class="b2">Add to wishlist</a>'];
  for (const row of [buy, `${buy}${keep}`, `${keep} ${buy}`, `<div>${buy} ${buy}</div>`]) {
    assert.equal(kindOf(row), 'read', row);
  }
  for (const sentence of [`You can ${buy} or ${keep}`, `${buy}${keep} today`]) {
    assert.notEqual(kindOf(sentence), 'read', sentence);
  }
});

test('words and a button show whether it can be bought', () => {
  const out = shown('<p class="price">$12.50</p><b>Out of stock</b>', {
    button: '<button disabled>Add to cart</button>',
    head: metas({ 'og:type': 'product', 'product:brand': 'Acme' }),
  });
  assert.equal(out.kind === 'read' ? out.value.inStock : null, false);
});

test('two letters of a script without blanks are words of stock, too', () => {
  for (const words of ['품절', '售罄', '完売', 'Razprodano']) {
    const out = shown(`<p class="price">$12.50</p><b>${words}</b>`, {
      button: '<button disabled>Add to cart</button>',
      head: metas({ 'og:type': 'product', 'product:brand': 'Acme' }),
    });
    assert.equal(out.kind === 'read' ? out.value.inStock : null, false, words);
  }
});

test('where a button stands next to a line that calls the product out of stock, nothing says which of them counts', () => {
  const stockOf = (line: string) => {
    const verdict = shown(`<p class="price">$12.50</p>${line}`);
    return verdict.kind === 'read' ? verdict.value.inStock : verdict.kind;
  };
  assert.equal(stockOf('<p>Availability: Out of stock</p>'), null);
  assert.equal(stockOf('<p class="stock">Sold out</p>'), null);
  assert.equal(stockOf('<p>Availability: In stock</p>'), true);
  assert.equal(stockOf('<p>Gift wrap: sold out</p>'), true, 'a line about something else');
});

test('the amount of an auction is not one, whatever number its lot has', () => {
  const lot = ld({
    '@type': 'Product',
    name: 'Blue Mug, lot 1881',
    sku: 'L1881',
    offers: {
      '@type': 'Offer',
      price: '12',
      priceCurrency: 'USD',
      name: 'Lot 1881',
      availabilityEnds: '2026-12-24',
    },
  });
  const verdict = shown('', { head: lot, button: '' });
  assert.notEqual(verdict.kind === 'read' ? verdict.value.price?.cents : null, 1200);
});

test('what is asked for something else than the thing is not a price', () => {
  const texts = [
    '<p>Rent from <b class="price">$49.00</b></p>',
    '<p class="price">£1.00 <i>with 24 month contract</i></p>',
    '<p>£29.00 upfront</p><p>£35.00 a month</p>',
  ];
  for (const below of texts) assert.equal(shown(below).kind, 'unreadable', below);
  const page = pageOf(html('', `<h1>Blue Mug R5</h1>${BUY}`, 'Blue Mug R5'));
  assert.equal(readGenericPage(page, new UnknownWords()).kind, 'unreadable');
});

test('what stands after a rent under a name of its own is not a price, and the rent is not one', () => {
  const priceOf = (below: string): number | null => {
    const verdict = shown(below);
    return verdict.kind === 'read' ? (verdict.value.price?.cents ?? null) : null;
  };
  assert.equal(priceOf('<p>149,00 € / Tag</p><p>Kaution: 500,00 €</p>'), null);
  assert.equal(priceOf('<p>$75 per day</p><p>Retail value: $495.00</p>'), null);
  assert.equal(priceOf('<p><b class="prix">89,00 €</b> <span>la semaine</span></p>'), null);
  const both = '<p>$18.00/mo</p><p>One-time purchase: $24.00</p>';
  assert.equal(priceOf(both), 2400, 'a name of a price');
});

test('a deposit that comes on top is not a price, though no other amount stands there', () => {
  for (const deposit of ['+ pant €2.00', 'plus kaucja €0.50', 'exkl. pant €1.00']) {
    assert.notEqual(shown(`<p class="price">10:90</p><p>${deposit}</p>`).kind, 'read', deposit);
  }
});
