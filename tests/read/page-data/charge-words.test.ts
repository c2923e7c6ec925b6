// The words next to an amount: a price for some customers only is not the price, something free is not a charge, and a sale
// counts under any name. Every page here is invented.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';

const PROSE = `<p>${'A mug for tea, thrown by hand. '.repeat(20)}</p>`;

const text = (money: Listing['price']): string =>
  money === null ? 'none' : `${decimalText(money)} ${money.currency ?? '-'}`;

/** Returns price and list price of a page with these lines around its button; `stated`: the price in its data. */
function prices(lines: string, lang: string, stated: readonly [string, string] | null = null) {
  const [price = '', priceCurrency = ''] = stated ?? [];
  const head = stated === null ? '' : ld(mug({ offers: offer({ price, priceCurrency }) }));
  const body = `<h1>Blue Mug</h1><div>${lines}</div><button>Add to cart</button>${PROSE}`;
  const page = html(head, body).replace('lang="en"', `lang="${lang}"`);
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  if (verdict.kind !== 'read') return 'none, none';
  return `${text(verdict.value.price)}, ${text(verdict.value.listPrice)}`;
}

/** By language and price: lines next to the price. */
const OF_SOME: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'en-US',
    '$20.00',
    '20.00 USD',
    [
      'Autoship price $18.00',
      'Autoship: $18.00',
      'Get it for $18.00 with code SAVE',
      '$18.00 with code SAVE',
      'Insider price $18.00',
      'VIP price $18.00',
      'Students pay $18.00',
      'App price $18.00',
      'Used from $14.00',
      'Wholesale price: $12.00',
      'Pay by wire: $19.00',
      'Pay today: $5.00',
      'Engraving: $9.00',
      'Current bid $12.00',
      'Buyback price $8.00',
      'With loyalty card $18.00',
      'You’re $15.00 away from free shipping',
      'Or pay $5.00 every two weeks',
      '$5.00 bi-weekly',
    ],
  ],
  [
    'de',
    '20,00 €',
    '20.00 EUR',
    [
      '18,00 € mit Code SOMMER',
      'Mitgliederpreis: 18,00 €',
      'App-Preis 18,00 €',
      'Vorkasse: 19,40 €',
      'Gebraucht ab 12,00 €',
      'Aktuelles Gebot: 12,00 €',
      'Ankaufspreis 7,00 €',
      'Montage: 9,00 €',
    ],
  ],
  [
    'de',
    '20,00 €',
    '20.00 EUR',
    ['mit Vertrag ab 1,00 €', 'Tarif 9,99 € mtl.', '15,00 € nach Cashback'],
  ],
  ['sv-SE', '200 kr', '200.00 SEK', ['Tidigare lägsta pris: 180 kr']],
  ['it', '20,00 €', '20.00 EUR', ['Il prezzo più basso: 18,00 €']],
  ['ko', '20,000원', '20000 KRW', ['배송비 3,000원', '50,000원 이상 무료배송']],
  ['fr', '20,00 €', '20.00 EUR', ['Reconditionné dès 12,00 €']],
  ['fr', '20,00 €', '20.00 EUR', ['18,00 € avec le code ETE', 'Prix abonné : 18,00 €']],
  ['es', '20,00 €', '20.00 EUR', ['18,00 € con el código VERANO', 'Precio socio 18,00 €']],
  ['it', '20,00 €', '20.00 EUR', ['18,00 € con il codice ESTATE', 'Usato da 12,00 €']],
  ['nl', '€ 20,00', '20.00 EUR', ['Ledenprijs € 18,00', '€ 18,00 met code ZOMER']],
  [
    'pt-BR',
    'R$ 20,00',
    '20.00 BRL',
    [
      'No Pix: R$ 18,00',
      'R$ 18,00 com o cupom VERAO',
      'R$ 18,00 à vista com 10% de desconto no boleto',
    ],
  ],
  ['pl', '20,00 zł', '20.00 PLN', ['Z kodem LATO: 18,00 zł', 'Cena z kartą 18,00 zł']],
  ['cs', '200 Kč', '200.00 CZK', ['Cena pro členy 180 Kč', 'S kódem LETO 180 Kč']],
  ['ru', '200 ₽', '200.00 RUB', ['180 ₽ с Картой', 'по карте 180 ₽', 'с промокодом 180 ₽']],
  ['sv-SE', '200 kr', '200.00 SEK', ['Medlemspris 180 kr', 'Klubbpris 180 kr']],
  ['ja', '2,000円', '2000 JPY', ['買取価格 800円', '定期購入 1,800円', '3回払い 667円']],
  ['ru', '2 000 ₽', '2000.00 RUB', ['Вы экономите 500 ₽', 'Долями по 500 ₽']],
  ['el', '20,00 €', '20.00 EUR', ['Κερδίζετε 5,00 €']],
  ['he', '₪200', '200.00 ILS', ['3 תשלומים של ₪66.67']],
  ['id', 'Rp200.000', '200000.00 IDR', ['Hemat Rp50.000']],
  ['vi', '200.000₫', '200000 VND', ['Tiết kiệm 50.000₫']],
  ['zh-TW', 'NT$200', '200.00 TWD', ['運費 NT$60', '會員價 NT$180', '折價券後 NT$180']],
  ['zh-CN', '¥200', '200.00 CNY', ['PLUS价 ¥180', '使用优惠券 ¥180']],
  ['hu', '2 000 Ft', '2000.00 HUF', ['Törzsvásárlói ár: 1 800 Ft', 'NYAR10 kóddal: 1 800 Ft']],
  ['fi', '20,00 €', '20.00 EUR', ['Etukortilla 18,00 €', 'Koodilla KESA: 18,00 €']],
  ['et', '20,00 €', '20.00 EUR', ['Kliendikaardiga 18,00 €']],
  ['lt', '20,00 €', '20.00 EUR', ['Su kodu: 18,00 €', 'Su lojalumo kortele: 18,00 €']],
  ['lv', '20,00 €', '20.00 EUR', ['Ar kodu VASARA: 18,00 €']],
  ['hr', '20,00 €', '20.00 EUR', ['Članovi: 18,00 €', 'Karticom: 18,00 €']],
  ['sl', '20,00 €', '20.00 EUR', ['Cena s kodo: 18,00 €']],
  ['sk', '20,00 €', '20.00 EUR', ['Cena s kupónom: 18,00 €']],
  ['ro', '200 Lei', '200.00 RON', ['Cu codul VARA: 180 Lei', 'Preț membri: 180 Lei']],
  ['ru', '200 ₽', '200.00 RUB', ['С кодом ЛЕТО: 180 ₽']],
  ['uk', '200 ₴', '200.00 UAH', ['З кодом ЛІТО: 180 ₴', 'З промокодом: 180 ₴']],
  ['el', '20,00 €', '20.00 EUR', ['Με κωδικό: 18,00 €', 'Τιμή για μέλη: 18,00 €']],
  ['tr', '200 TL', '200.00 TRY', ['Sepette 180 TL', 'Kart ile: 180 TL', 'YAZ koduyla: 180 TL']],
  ['he', '₪200', '200.00 ILS', ['מחיר לחברי מועדון: ₪180', 'עם קוד: ₪180']],
  ['ar', '200 ر.س', '200.00 SAR', ['بكود الخصم: 180 ر.س', 'سعر للأعضاء: 180 ر.س']],
  ['ko', '20,000원', '20000 KRW', ['와우할인가 18,000원']],
  ['vi', '200.000₫', '200000 VND', ['Giá với mã giảm: 180.000₫']],
  ['th', '฿200', '200.00 THB', ['ใช้โค้ดเหลือ ฿180', 'ราคาสมาชิก ฿180']],
  ['id', 'Rp200.000', '200000.00 IDR', ['Pakai kode: Rp180.000', 'Harga anggota: Rp180.000']],
  ['pt-BR', 'R$ 20,00', '20.00 BRL', ['No app: R$ 18,00']],
];

describe('what is asked only of some is no price, and no reason to take the price for a former one', () => {
  for (const [lang, price, expected, lines] of OF_SOME) {
    for (const line of lines) {
      test(`${price} next to ${line}`, () => {
        const [amount = '', currency = ''] = expected.split(' ');
        for (const saving of ['', ' (-10%)', ' (10% off)']) {
          const shown = `<p>${price}</p><p>${line}${saving}</p>`;
          assert.equal(prices(shown, lang), `${expected}, none`, `without data${saving}`);
          const read = prices(shown, lang, [amount, currency]);
          assert.equal(read, `${expected}, none`, `with data${saving}`);
        }
      });
    }
  }
});

test('a lower amount by a name that nobody knows does not turn the price into a former one, whatever percentage stands next to it', () => {
  const lines = '<p class="price">$20.00</p><p>Friends of Acme $18.00 (10% off)</p>';
  assert.equal(prices(lines, 'en-US', ['20.00', 'USD']), '20.00 USD, none');
  assert.equal(prices(lines, 'en-US'), 'none, none');
});

test('what one unit of measure costs is not a price when the unit is set equal to it', () => {
  for (const unit of ['1 kg', '100 g', '1 Liter', '10 m', '1 m²']) {
    const line = `<p>Pris <b>${unit} = 4,90 €</b></p>`;
    assert.equal(prices(`${line}<p>12,90 €</p>`, 'de-DE'), '12.90 EUR, none', unit);
    assert.equal(prices(`<p>12,90 € (${unit} = 4,90 €)</p>`, 'de-DE'), '12.90 EUR, none', unit);
    assert.equal(prices(line, 'de-DE'), 'none, none', unit);
  }
  assert.equal(prices('<p>1 Set = 12,90 €</p>', 'de-DE'), '12.90 EUR, none');
});

test('an amount from which on delivery is free is not one in languages without blanks, too', () => {
  for (const words of ['以上で送料無料', '以上のご購入で送料無料', '以上免运费'])
    assert.equal(
      prices(`<p>2,980円</p><p><b class="price">¥1,980</b>${words}</p>`, 'ja'),
      '2980 JPY, none',
      words,
    );
});

test('what is missing for free delivery is not a price, also where no other is shown', () => {
  const lines: readonly (readonly [string, string])[] = [
    ['en-US', 'You’re $15.00 away from free shipping'],
    ['de', 'Noch 15,00 € bis zum kostenlosen Versand'],
    ['fr', 'Plus que 15,00 € pour la livraison gratuite'],
    ['es', 'Te faltan 15,00 € para el envío gratis'],
    ['pt-BR', 'Faltam R$ 15,00 para frete grátis'],
    ['it', 'Ti mancano 15,00 € per la spedizione gratuita'],
    ['nl', 'Nog € 15,00 tot gratis verzending'],
    ['pl', 'Brakuje 15,00 zł do darmowej dostawy'],
    ['cs', 'Zbývá 150 Kč do dopravy zdarma'],
  ];
  for (const [lang, line] of lines) {
    assert.equal(prices(`<p>Call for price</p><p>${line}</p>`, lang), 'none, none', line);
  }
});

/** Prices for several, each or together. */
const SEVERAL: readonly (readonly [string, string, string, readonly string[]])[] = [
  [
    'en-GB',
    '£20.00',
    '20.00 GBP',
    [
      'Buy 3 or more for £18.00 each',
      'Any 2 for £30.00',
      '6 or more: £18.00',
      '10-24 pcs £18.00',
      '3+ £18.00 each',
      '£18.00 when you mix six',
      '£18.00 Mix Six',
      'Case of 12: £216.00',
    ],
  ],
  ['de', '20,00 €', '20.00 EUR', ['ab 3 Stück je 18,00 €', 'ab 10: 16,00 €', '4 Reifen: 80,00 €']],
  ['fr', '20,00 €', '20.00 EUR', ['À partir de 10 : 18,00 €', 'Dès 6 bouteilles 18,00 €']],
  ['fr', '20,00 €', '20.00 EUR', ['18,00 € la bouteille par 6', 'soit 80,00 € les 4']],
  ['es', '20,00 €', '20.00 EUR', ['2 unidades por 35,00 €', 'A partir de 3 unidades: 18,00 €']],
  ['nl', '€ 20,00', '20.00 EUR', ['2 voor € 35,00', 'Vanaf 6 stuks € 18,00']],
  ['da', '1 fl. 200,00 kr.', '200.00 DKK', ['v/ 6 fl. 180,00 kr.', 'Ved køb af 3 stk. 180,00 kr.']],
  ['pl', '20,00 zł', '20.00 PLN', ['od 5 szt. 18,00 zł', '10 lub więcej 18,00 zł']],
  ['ru', '200 ₽', '200.00 RUB', ['от 5 шт. 180 ₽', '10 или более 180 ₽']],
  ['uk', '200 ₴', '200.00 UAH', ['10 або більше 180 ₴']],
  ['cs', '200 Kč', '200.00 CZK', ['10 nebo více 180 Kč']],
  ['hu', '2 000 Ft', '2000.00 HUF', ['10 vagy több 1 800 Ft']],
  ['tr', '200,00 TL', '200.00 TRY', ['10 veya üzeri 180,00 TL']],
  ['en-GB', '£20.00', '20.00 GBP', ['</p><table><tr><td>5+</td><td>£18.00</td></tr></table><p>']],
  ['de', '20,00 €', '20.00 EUR', ['</p><dl><dt>Ab 100</dt><dd>15,00 €</dd></dl><p>']],
];

describe('what is asked of those who take several is not a price beside the one for one', () => {
  for (const [lang, price, expected, lines] of SEVERAL) {
    for (const line of lines) {
      test(`${price} next to ${line.replaceAll(/<[^>]*>/g, ' ').trim()}`, () => {
        assert.equal(prices(`<p>${price}</p><p>${line}</p>`, lang), `${expected}, none`);
      });
    }
  }
  test('a former price and the days on which it held are not for several', () => {
    const lines = '<p>€20.00</p><p>Was €25.00 (from 25/03/26 to 27/11/26)</p>';
    assert.equal(prices(lines, 'en-IE'), '20.00 EUR, 25.00 EUR');
  });
  test('with it alone, it is the price', () => {
    assert.equal(prices('<p>Sepette 180 TL</p>', 'tr'), '180.00 TRY, none');
    assert.equal(prices('<p class="price">10 Stück 9,90 €</p>', 'de'), '9.90 EUR, none');
  });
});

/** A former price, a lower one and the wording of the difference. */
const SALES: readonly (readonly [string, string, string])[] = [
  ['en-US', '<p>$20.00</p><p>Sale price $10.00</p><p>-50%</p>', '10.00 USD, 20.00 USD'],
  ['en-US', '<p>$20.00</p><p>Black Friday price $10.00 (50% off)</p>', '10.00 USD, 20.00 USD'],
  [
    'en-US',
    '<p>Price: $20.00</p><p>Discounted price: $10.00</p><p>50% off</p>',
    '10.00 USD, 20.00 USD',
  ],
  ['en-GB', '<p>Was £20.00</p><p>Then £15.00</p><p>Now £10.00</p>', '10.00 GBP, none'],
  ['de', '<p>20,00 €</p><p>Aktionspreis: 10,00 €</p><p>-50%</p>', '10.00 EUR, 20.00 EUR'],
  ['nl', '<p>Van € 20,00</p><p>Voor € 10,00</p>', '10.00 EUR, 20.00 EUR'],
  ['fr', '<p>Prix public conseillé 20,00 €</p><p>Notre prix 10,00 €</p>', '10.00 EUR, 20.00 EUR'],
  ['es', '<p>20,00 €</p><p>Precio con descuento 10,00 €</p><p>-50%</p>', '10.00 EUR, 20.00 EUR'],
  ['pl', '<p>20,00 zł</p><p>Cena: 10,00 zł</p><p>-50%</p>', '10.00 PLN, 20.00 PLN'],
  ['ru', '<p>200 ₽</p><p>Цена со скидкой 100 ₽</p><p>-50%</p>', '100.00 RUB, 200.00 RUB'],
  ['ja', '<p>2,000円</p><p>セール価格 1,000円</p><p>50%OFF</p>', '1000 JPY, 2000 JPY'],
];

describe('what is called a sale is the price, and the higher amount what it was before', () => {
  for (const [lang, lines, expected] of SALES) {
    test(`${lang}: ${lines.replaceAll(/<[^>]*>/g, ' ').trim()}`, () => {
      assert.equal(prices(lines, lang), expected);
    });
  }
});

/** Lines stating what the price includes or what is added to it. */
const BESIDE: readonly (readonly [string, string, string])[] = [
  ['de', '<p>12,50 € zzgl. Versand</p>', '12.50 EUR, none'],
  ['de', '<p>12,50 €* <small>zzgl. Versandkosten</small></p>', '12.50 EUR, none'],
  ['de', '<p>12,50 € versandkostenfrei</p>', '12.50 EUR, none'],
  ['de', '<p>Versandkostenfrei</p><p>12,50 €</p>', '12.50 EUR, none'],
  ['en-US', '<p>$12.50 Free shipping</p>', '12.50 USD, none'],
  ['en-US', '<p>Free shipping</p><p>$12.50</p>', '12.50 USD, none'],
  ['en-US', '<p>$12.50</p><p>$4.00 shipping</p>', '12.50 USD, none'],
  ['fr', '<p>12,50 € Livraison gratuite</p>', '12.50 EUR, none'],
  ['ja', '<p>1,250円 送料無料</p>', '1250 JPY, none'],
  ['ru', '<p>125 ₽ Бесплатная доставка</p>', '125.00 RUB, none'],
  ['de', '<p>12,50 €</p><p>Versand gratis ab</p><p>50,00 €</p>', '12.50 EUR, none'],
  ['en-US', '<p>Assembly required</p><p>$12.50</p>', '12.50 USD, none'],
  ['en-US', '<p>Students love it</p><p>$12.50</p>', '12.50 USD, none'],
  ['en-US', '<p>Insider price</p><p>$10.00</p><p class="price">$12.50</p>', '12.50 USD, none'],
  ['de', '<p>Gravur möglich</p><p>12,50 €</p>', '12.50 EUR, none'],
  ['en-US', '<p>Set of 4 - $12.50</p>', '12.50 USD, none'],
  // Item numbers of the shop, in words that discount codes also use.
  ['ru', '<p>Код товара: 12345 Цена: 200 ₽</p>', '200.00 RUB, none'],
  ['ro', '<p>Cod produs: 12345 Preț: 200 Lei</p>', '200.00 RON, none'],
  ['el', '<p>Κωδικός: 12345 Τιμή: 20,00 €</p>', '20.00 EUR, none'],
  ['he', '<p>קוד מוצר: 12345 מחיר: ₪200</p>', '200.00 ILS, none'],
  ['es', '<p>12,50 € con IVA</p>', '12.50 EUR, none'],
  ['en-US', '<p><s>$20.00</s></p><p>$12.50 with FREE Shipping</p>', '12.50 USD, 20.00 USD'],
];

describe('lines about delivery or something else beside the product make a price no charge', () => {
  for (const [lang, lines, expected] of BESIDE) {
    test(`${lang}: ${lines.replaceAll(/<[^>]*>/g, ' ').trim()}`, () => {
      assert.equal(prices(lines, lang), expected);
    });
  }
});

/** Amounts distinguished only by the words or marks after them. */
const BEHIND: readonly (readonly [string, string, string, string])[] = [
  [
    'a dash for no decimals',
    'sv',
    '<p>1 295:-</p><p>Ord. pris 1 795:-</p>',
    '1295.00 SEK, 1795.00 SEK',
  ],
  ['a dash behind a comma', 'nb', '<p>1 295,-</p><p>134,- /mnd</p>', '1295.00 NOK, none'],
  ['a dash behind a point', 'de-CH', '<p>199.–</p>', '199.00 CHF, none'],
  [
    'days, not amounts',
    'de-CH',
    '<p>Lieferung vom 10.- 12. Mai</p><p>CHF 199.–</p>',
    '199.00 CHF, none',
  ],
  [
    'each of two with its tax behind it',
    'cs',
    '<p>2 890,00 Kč vč. DPH (2 388,43 Kč bez DPH)</p>',
    '2890.00 CZK, none',
  ],
  ['the same in another currency', 'hr', '<p>79,90 € (602,01 kn)</p>', '79.90 EUR, none'],
  [
    'both prices in two currencies',
    'bg',
    '<p><s>399,00 лв. / 204,01 €</s> <b>299,00 лв. / 152,88 €</b></p>',
    '299.00 BGN, 399.00 BGN',
  ],
];

describe('the words after an amount decide what it is', () => {
  for (const [name, lang, lines, expected] of BEHIND) {
    test(`${name}: ${expected}`, () => assert.equal(prices(lines, lang), expected));
  }
});

test('a reduction with a dash of print shows the list price next to data that is complete', () => {
  const lines = '<p class="price-final">$12.50</p><p class="price-standard">$20.00</p><p>–38 %</p>';
  assert.equal(prices(lines, 'en-US', ['12.50', 'USD']), '12.50 USD, 20.00 USD');
});

/** Amounts whose parts, or whose two ends, are in several elements or next to words. */
const WRITTEN: readonly (readonly [string, string, string, string])[] = [
  ['an apostrophe for the decimal point', 'es', "<p>12'95 €</p>", '12.95 EUR, none'],
  ['the same in elements', 'es', "<p><b>12</b><i>'95</i><i>€</i></p>", '12.95 EUR, none'],
  ['an apostrophe that parts thousands', 'de-CH', "<p>CHF 1'290.00</p>", '1290.00 CHF, none'],
  [
    'raised cents behind a blank',
    'en-US',
    '<p class="price">$12 <sup>99</sup></p>',
    '12.99 USD, none',
  ],
  [
    'cents behind a sign that a blank parts from the number',
    'fr',
    '<p class="price">1&nbsp;299 <i>€</i><i class="cents">95</i></p>',
    '1299.95 EUR, none',
  ],
  ['a range in words', 'de', '<p>von 10,00 € bis 20,00 €</p>', '10.00 EUR, none'],
  [
    'a range whose first word is of a former price elsewhere',
    'fr',
    '<p>de 10,00 € à 20,00 €</p>',
    '10.00 EUR, none',
  ],
  [
    'a former price with that word',
    'pt-BR',
    '<p>de R$ 20,00 por R$ 10,00</p>',
    '10.00 BRL, 20.00 BRL',
  ],
  [
    'the upper end of a range by its name',
    'en-US',
    '<p class="price-min">$10.00</p><p class="price-max">$20.00</p>',
    '10.00 USD, none',
  ],
  [
    'a range of a bundle',
    'en-US',
    '<p class="price-from">From <b class="price">$10.00</b></p><p class="price-to">To <b class="price">$20.00</b></p>',
    '10.00 USD, none',
  ],
];

describe('an amount is read whole, and of a range the lower end', () => {
  for (const [name, lang, lines, expected] of WRITTEN) {
    test(`${name}: ${expected}`, () => assert.equal(prices(lines, lang), expected));
  }
});

/** By language: a price without tax and the same with tax, with the words in either order. */
const TAXED: readonly (readonly [string, string, readonly (readonly [string, string])[]])[] = [
  [
    'de',
    '€',
    [
      ['exkl. 19 % MwSt.', 'inkl. 19 % MwSt.'],
      ['netto', 'brutto'],
      ['zzgl. USt', 'inkl. USt'],
    ],
  ],
  ['el', '€', [['χωρίς ΦΠΑ', 'με ΦΠΑ']]],
  ['sl', '€', [['brez DDV', 'z DDV']]],
  ['hr', '€', [['bez PDV', 's PDV']]],
  ['lt', '€', [['be PVM', 'su PVM']]],
  ['nb', 'kr', [['uten mva', 'inkl. mva']]],
  ['fr', '€', [['hors TVA', 'TVA incluse']]],
  ['ro', 'lei', [['fără TVA', 'cu TVA']]],
  ['tr', 'TL', [['KDV hariç', 'KDV dahil']]],
  ['bg', '€', [['без ДДС', 'с ДДС']]],
  ['vi', '₫', [['chưa VAT', 'đã bao gồm VAT']]],
  ['ko', '원', [['부가세 별도', '부가세 포함']]],
  ['zh-CN', '元', [['未税', '含税']]],
  [
    'en-GB',
    '£',
    [
      ['ex. VAT', 'inc. 20% VAT'],
      ['excluding VAT', 'including VAT'],
    ],
  ],
];

test('of two amounts the one with tax is the price, whatever the tax is called', () => {
  for (const [lang, sign, words] of TAXED) {
    for (const [net, gross] of words) {
      const own = prices(`<p>120,00 ${sign} ${gross}</p><p>100,00 ${sign} ${net}</p>`, lang);
      assert.match(own, /^120(?:\.00)? \S+, none$/, `${gross}, ${net}`);
      const below = `<p>120,00 ${sign}</p><p>${gross}</p><p>100,00 ${sign} ${net}</p>`;
      assert.equal(prices(below, lang), own, `below: ${gross}, ${net}`);
    }
  }
});

test('an amount in the midst of a sentence is not a rival of the price', () => {
  const lines = '<p>$24.00</p><p>A similar vase was bought for $120 last year.</p>';
  assert.equal(prices(lines, 'en-US'), '24.00 USD, none');
  const note = '<p>24,00 € inkl. MwSt., zzgl. Versandkosten.</p>';
  assert.equal(
    prices(note, 'de'),
    '24.00 EUR, none',
    'a note behind a price ends with a point, too',
  );
});

const RECOMMENDED: readonly (readonly [string, readonly string[]])[] = [
  ['de', ['UVP des Herstellers', 'unverb. Preisempf.:', 'Listenpreis', 'Normalpreis:']],
  ['fr', ['Prix de référence', 'Prix habituel']],
  ['it', ['Prezzo consigliato', 'anziché']],
  ['es', ['PVPR', 'Precio recomendado:']],
  ['nl', ['Oorspronkelijke prijs']],
  ['el', ['Π.Λ.Τ.']],
  ['fi', ['ovh.', 'normaalihinta', 'norm.']],
  ['vi', ['Giá niêm yết:']],
  ['en-SG', ['U.P.', 'Usual price']],
];

test('the former or recommended price of many languages is the list price, and none of two prices', () => {
  for (const [lang, labels] of RECOMMENDED) {
    for (const label of labels) {
      const lines = `<p>10,00 €</p><p>${label} 20,00 €</p>`;
      assert.equal(prices(lines, lang), '10.00 EUR, 20.00 EUR', label);
    }
  }
});

/** By language: amounts per period. */
const BY_TIME: readonly (readonly [string, readonly string[]])[] = [
  ['en-US', ['$20.00</p><p>per month, 20 GB', '$20</p><p>/month', '$20 <i>billed annually</i>']],
  [
    'de',
    [
      '9,99 € pro Tag',
      '9,99 € / Nacht',
      '9,99 €</p><p>pro Monat',
      '99,00 € pro Jahr',
      '9,99 €/Woche',
    ],
  ],
  ['fr', ['9,99 € par jour', '9,99 € / semaine', '9,99 € par an']],
  ['es', ['9,99 € al día', '9,99 €/año']],
  ['it', ['9,99 € al giorno', '9,99 € a notte']],
  ['nl', ['€ 9,99 per dag', '€ 9,99 p/m']],
  ['sv-SE', ['99 kr per dygn']],
  ['pl', ['99 zł / doba']],
  ['ru', ['990 руб. в месяц', '990 руб./сутки', '990 руб/мес']],
  ['tr', ['99 TL/ay']],
  ['ja', ['月額 980円', '980円/月']],
];

test('an amount by the day, the night, the month or the year is not a price, also where the line below says so', () => {
  for (const [lang, lines] of BY_TIME) {
    for (const line of lines) {
      assert.equal(prices(`<p class="price">${line}</p>`, lang), 'none, none', line);
    }
  }
  const price = '<p class="price">$20.00</p>';
  for (const below of ['A day bag for the city', 'Per night one capsule', 'Month by month']) {
    assert.equal(prices(`${price}<p>${below}</p>`, 'en-US'), '20.00 USD, none', below);
  }
});
