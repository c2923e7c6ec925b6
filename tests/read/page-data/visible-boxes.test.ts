// How a page separates the lines around its price, by elements, styles or blanks, does not change the price that is read.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText, type Money } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, pageOf } from '../retailers/page-fixtures.ts';

type Shop = { readonly lang: string; readonly button: string };
const SHOPS = {
  cs: { lang: 'cs-CZ', button: 'Do košíku' },
  da: { lang: 'da-DK', button: 'Læg i kurv' },
  de: { lang: 'de-DE', button: 'In den Warenkorb' },
  es: { lang: 'es-ES', button: 'Añadir al carrito' },
  fr: { lang: 'fr-FR', button: 'Ajouter au panier' },
  hu: { lang: 'hu-HU', button: 'Kosárba' },
  it: { lang: 'it-IT', button: 'Aggiungi al carrello' },
  ja: { lang: 'ja-JP', button: 'カートに入れる' },
  nl: { lang: 'nl-NL', button: 'In winkelwagen' },
  pl: { lang: 'pl-PL', button: 'Do koszyka' },
  pt: { lang: 'pt-BR', button: 'Comprar' },
  ru: { lang: 'ru-RU', button: 'В корзину' },
  sv: { lang: 'sv-SE', button: 'Lägg i varukorg' },
  tr: { lang: 'tr-TR', button: 'Sepete ekle' },
  us: { lang: 'en-US', button: 'Add to cart' },
} satisfies Readonly<Record<string, Shop>>;

/** Elements with meaningless names. */
const named = (tag: string, line: string, index: number): string =>
  `<${tag} class="css-${index + 1}a7">${line}</${tag}>`;

const LAYOUTS: Readonly<Record<string, (lines: readonly string[]) => string>> = {
  'side by side': (lines) => lines.map((line, at) => named('span', line, at)).join(''),
  'side by side, as a framework parts its texts': (lines) =>
    lines.map((line, at) => named('span', line, at)).join('<!-- -->'),
  'with line breaks of the source': (lines) =>
    lines.map((line, at) => named('span', line, at)).join('\n  '),
  blocks: (lines) => lines.map((line, at) => named('div', line, at)).join(''),
  'a list': (lines) => `<ul>${lines.map((line, at) => named('li', line, at)).join('')}</ul>`,
};

function shown(block: string, { lang, button }: Shop): string {
  const body = `<h1>Blue Mug</h1><div class="css-9z">${block}</div><button>${button}</button>`;
  const page = html('', body).replace('lang="en"', `lang="${lang}"`);
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  if (verdict.kind !== 'read') return verdict.kind;
  const { price, listPrice } = verdict.value;
  const text = (money: Money | null): string => (money === null ? '-' : decimalText(money));
  return `${text(price)} ${text(listPrice)}`;
}

type Row = readonly [shop: keyof typeof SHOPS, lines: readonly string[], price: string];

const ROWS: readonly Row[] = [
  ['de', ['99 €', 'statt 129 €', 'Gratis Versand'], '99.00 129.00'],
  ['de', ['Jetzt 2.499 €', 'inkl. 19% MwSt. zzgl. Versand', '50 PAYBACK Punkte'], '2499.00 -'],
  ['de', ['nur 49,00 €', 'Grundpreis: 122,50 € / kg', 'ab 12,25 € / Monat'], '49.00 -'],
  ['de', ['49,00 €', '(122,50 € pro Liter)', 'Auf Lager'], '49.00 -'],
  ['sv', ['Nu 1 499 SEK', 'Frakt 49 SEK', '49 poäng'], '1499.00 -'],
  ['sv', ['5 995:-', 'Ord. pris 7 995:-', 'I lager'], '5995.00 7995.00'],
  ['sv', ['199 kr', 'ord. pris 249 kr', 'från 66 kr/mån'], '199.00 249.00'],
  ['pl', ['Teraz 199,95 PLN', 'z VAT', 'lub 4 rat x 49,99 PLN'], '199.95 -'],
  ['cs', ['899 Kč', 'Doprava od 49 Kč', '49 bodů'], '899.00 -'],
  ['da', ['Pris 49,-', 'Spar 21,-', 'Fragt 29,-', '49 point'], '49.00 -'],
  ['tr', ['İndirimli fiyat 49,00 TL', 'Eski fiyat 61,00 TL', '12,00 TL kazanç'], '49.00 61.00'],
  ['tr', ['Fiyat 129,00 TL', '%50', '129,00 TL kazanç', 'KDV dahil'], '129.00 -'],
  ['ru', ['490 ₽', 'с НДС', '1 230 ₽ / кг', 'от 120 ₽ в месяц'], '490.00 -'],
  ['ru', ['Цена 1 290 ₽', 'или 4 платежа по 322 ₽', 'Доставка 490 ₽'], '1290.00 -'],
  ['nl', ['899,-', 'van 1.199,-', '€ 2.247,50 per kg', 'of 4x € 224,75'], '899.00 1199.00'],
  ['fr', ['Maintenant 899 €', 'Payez en 3 fois 299,67 €', 'Livraison 5 €'], '899.00 -'],
  ['fr', ['49,90 €', 'soit 124,75 € le kilo', 'ou 4 x 12,48 €'], '49.90 -'],
  ['it', ['Prezzo € 899,00', 'Spedizione gratuita da € 49,00', 'Disponibile'], '899.00 -'],
  ['es', ['Precio 9,90 €', 'IVA incl.', 'o 3 plazos de 3,30 €', 'En stock'], '9.90 -'],
  ['pt', ['Por: R$ 14,99', 'Frete grátis acima de R$ 49,00'], '14.99 -'],
  ['ja', ['14,990円', 'メーカー希望小売価格 19,990円', '税込', '送料 500円'], '14990 19990'],
  ['us', ['Our price: $2,499.00', 'Free shipping over $49.00', 'Earn 49 points'], '2499.00 -'],
  ['us', ['Now $49.90', 'Was $99.80', 'Save 50%', '(24 oz, $2.08 / oz)'], '49.90 99.80'],
];

describe('the lines around a price', () => {
  for (const [name, layout] of Object.entries(LAYOUTS)) {
    test(`${name}: the price is the same`, () => {
      for (const [shop, lines, price] of ROWS) {
        assert.equal(shown(layout(lines), SHOPS[shop]), price, lines.join(' | '));
      }
    });
  }
});

describe('the price of one piece', () => {
  const ALONE: readonly Row[] = [
    ['cs', ['1 990 Kč / ks'], '1990.00 -'],
    ['pl', ['49,00 zł', '/ 1 szt.'], '49.00 -'],
    ['hu', ['5 990 Ft/db'], '5990.00 -'],
    ['sv', ['199 kr/st'], '199.00 -'],
    ['da', ['199 kr pr. stk.'], '199.00 -'],
    ['de', ['12,90 € pro Stück'], '12.90 -'],
    ['nl', ['€ 12,95 per stuk'], '12.95 -'],
    ['es', ['12,95 €/ud'], '12.95 -'],
    ['us', ['$12.95 per piece'], '12.95 -'],
  ];
  test('is the price where no other stands next to it', () => {
    for (const [shop, lines, price] of ALONE) {
      assert.equal(shown(`<p>${lines.join(' ')}</p>`, SHOPS[shop]), price, lines.join(' | '));
    }
  });

  test('is not one next to the price of the pack', () => {
    assert.equal(shown('<p>24,00 €</p><p>2,00 € / Stück</p>', SHOPS.de), '24.00 -');
    assert.equal(shown('<p>240 Kč</p><p>(20 Kč / ks)</p>', SHOPS.cs), '240.00 -');
  });

  test('by weight, volume or length is not a price, also alone', () => {
    for (const rate of ['12,50 € / kg', '12,50 € le kilo', '12,50 € le mètre', '12,50 € / 100 g']) {
      assert.equal(shown(`<p>${rate}</p>`, SHOPS.fr), 'unreadable', rate);
    }
  });
});

describe('a page with a button to buy and no price that can be read', () => {
  test('is a product page that cannot be read, in the words of any shop', () => {
    for (const shop of Object.values(SHOPS)) {
      assert.equal(shown('<p>12 × 8 cm</p>', shop), 'unreadable', shop.button);
    }
  });

  test('is not one where it shows several goods, or is called a cart', () => {
    const tile = (name: string, price: string): string =>
      `<div><b>${name}</b><p>${price}</p><button>Læg i kurv</button></div>`;
    const tiles = tile('Aura', '799 kr') + tile('Luna', '999 kr');
    const lamps = html('', `<h1>Bordlamper</h1>${tiles}`, 'Bordlamper').replace('"en"', '"da"');
    assert.equal(readGenericPage(pageOf(lamps), new UnknownWords()).kind, 'not_a_product');
    const cart = html('', '<h1>Indkøbskurv</h1><button>Læg i kurv</button>', 'Indkøbskurv');
    assert.equal(readGenericPage(pageOf(cart), new UnknownWords()).kind, 'not_a_product');
  });
});
