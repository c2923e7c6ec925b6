// Amounts next to a price on the pages of shop systems: other goods, several pieces, another currency, a payment method. None
// of them is the price, and none hides it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { decimalText, type Money } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, pageOf } from '../retailers/page-fixtures.ts';

/** Reads a page without data: its heading and the content below it. */
function read(lang: string, below: string): Listing | string {
  const page = html('', `<h1>Blue Mug</h1><div>${below}</div>`).replace(
    'lang="en"',
    `lang="${lang}"`,
  );
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  return verdict.kind === 'read' ? verdict.value : verdict.kind;
}

function priceOf(lang: string, below: string): string {
  const listing = read(lang, below);
  if (typeof listing === 'string') return listing;
  const { price, listPrice } = listing;
  const text = (money: Money | null): string => (money === null ? '-' : decimalText(money));
  return `${text(price)} ${price?.currency ?? '-'} ${text(listPrice)}`;
}

const DE = '<button>In den Warenkorb</button>';
const PL = '<button>Do koszyka</button>';
const BG = '<button>Добави в количката</button>';
const TR = '<button>Sepete Ekle</button>';
const TILE =
  '<div class="box"><div><a href="/p/lamp"><img src="/l.jpg" alt=""></a></div>' +
  '<div><div><a href="/p/lamp">Red Lamp</a></div><div class="price">59,00 €</div></div></div>';

const LONE =
  '<div><img src="/l.jpg"><a href="/p/lamp">Red Lamp</a><b class="price-new">59,00 €</b></div>';

const PICTURED =
  '<div><a href="/p/lamp"><img src="/l.jpg"></a><p>Red Lamp</p><b class="price-new">59,00 €</b></div>';

const ROWS: readonly (readonly [name: string, lang: string, below: string, wanted: string])[] = [
  [
    'other goods behind the button',
    'de',
    `<p class="price">189,00 €</p>${DE}<h2>Kennen Sie schon?</h2>${TILE}`,
    '189.00 EUR -',
  ],
  [
    'the name and the price of other goods in one line behind the button',
    'de',
    `<p class="price">189,00 €</p>${DE}<p class="price"><a href="/p/lamp">Red Lamp</a> 59,00 €</p>`,
    '189.00 EUR -',
  ],
  [
    'other goods behind the button, whose price is set off',
    'de',
    `<p>Preis: 189,00 €</p>${DE}<h2>Frisch eingetroffen</h2>${LONE}`,
    '189.00 EUR -',
  ],
  [
    'other goods behind the button, named by a heading that is not a link',
    'de',
    `<p>Preis: 189,00 €</p>${DE}<h4>Red Lamp</h4><p class="price">59,00 €</p>`,
    '189.00 EUR -',
  ],
  [
    'other goods behind the button, of which only the picture is a link',
    'de',
    `<p>Preis: 189,00 €</p>${DE}<h2>Frisch eingetroffen</h2>${PICTURED}`,
    '189.00 EUR -',
  ],
  [
    'the same, and no price of its own',
    'de',
    `<p>Preis auf Anfrage</p>${DE}<h2>Frisch eingetroffen</h2>${PICTURED}`,
    'unreadable',
  ],
  [
    'what one piece costs, in an element that is named after a unit',
    'en-GB',
    '<p class="pricePerUnit">£1.50/unit</p><p class="pricePerMeasure">£5.00/kg</p><button>Add to trolley</button>',
    '1.50 GBP -',
  ],
  [
    'a button that only its name and its words make one',
    'vi',
    '<p class="price">680.000₫</p><p id="addCart" class="Cart">Thêm vào giỏ hàng</p>',
    '680000 VND -',
  ],
  [
    'a heading behind the button that is the label of the price',
    'de',
    `${DE}<h4>Preis:</h4><p class="price">59,00 €</p>`,
    '59.00 EUR -',
  ],
  [
    'a single one of the goods under a heading that says so, and no price of its own',
    'de',
    `<p>Preis auf Anfrage</p>${DE}<h2>Ähnliche Artikel</h2>${LONE}`,
    'unreadable',
  ],
  [
    'a single one of the goods under such a heading',
    'de',
    `<p>189,00 €</p>${DE}<p>Das könnte Ihnen auch gefallen:</p>${LONE}`,
    '189.00 EUR -',
  ],
  [
    'a link to such a section above the price',
    'de',
    `<a href="#more">Ähnliche Artikel</a><p>189,00 €</p>${DE}`,
    '189.00 EUR -',
  ],
  [
    'what each costs of several, in the rows of a table',
    'de',
    `<p>39,90 €</p><table><tr><td>1-2 Stk</td><td class="price">je 39,90 €</td></tr><tr><td>&gt; 3 Stk</td><td class="price">je 36,50 €</td></tr></table>${DE}`,
    '39.90 EUR -',
  ],
  [
    'the label of a stock in the line of a button of another language',
    'pt-BR',
    '<p class="price">R$ 59,00</p><label>Qtde: <input></label><a class="botao" href="/c/1">Comprar</a> <b>Estoque: sim</b>',
    '59.00 BRL -',
  ],
  [
    'the ends of a range beside a wave',
    'ja',
    '<p><i>¥</i><b>1,980</b> ～ <i>¥</i><b>3,480</b></p><button>カートに入れる</button>',
    '1980 JPY -',
  ],
  [
    'a base price and the tax, by the names of their elements',
    'de',
    `<p class="PricebasePrice">20,00 €</p><p class="PricesalesPrice">18,60 €</p><p class="PricetaxAmount">3,60 €</p>${DE}`,
    '18.60 EUR 20.00',
  ],
  [
    'other goods without a link behind the only button, set off by their name alone',
    'de',
    `<p>189,00 €</p>${DE}<div><p>Red Lamp</p><p class="price">159,00 €</p></div>`,
    '189.00 EUR -',
  ],
  [
    'the same with what they were',
    'de',
    `<p>189,00 €</p>${DE}<p>Red Lamp</p><p class="price"><del>199,00 €</del> 159,00 €</p>`,
    '189.00 EUR -',
  ],
  [
    'the same with their name in the line',
    'de',
    `<p>189,00 €</p>${DE}<p>Red Lamp <b class="price">159,00 €</b></p>`,
    '189.00 EUR -',
  ],
  [
    'an amount by its own name behind one that has a name above it: nothing decides',
    'de',
    `<p>Hand thrown</p><p>189,00 €</p>${DE}<p>Red Lamp</p><p class="price">159,00 €</p>`,
    '- - -',
  ],
  [
    'a service before the button, and the name of the product above its price behind it',
    'de',
    `<p>Geschenkbox 4,00 €</p>${DE}<p>Blue Mug</p><p class="price">18,00 €</p>`,
    '18.00 EUR -',
  ],
  [
    'the same with the name in the line',
    'de',
    `<p>Geschenkbox 4,00 €</p>${DE}<p>Blue Mug <b class="price">18,00 €</b></p>`,
    '18.00 EUR -',
  ],
  [
    'a rate of tax that happens to part two amounts',
    'de',
    `<p class="price">120,00 €</p><p>inkl. 19 % MwSt.</p>${DE}<p>148,00 €</p>`,
    '120.00 EUR -',
  ],
  [
    'two prices behind one another, of which none is of other goods',
    'de',
    `<p class="price">189,00 €</p>${DE}<p class="price">159,00 €</p>`,
    '- - -',
  ],
  [
    'four pieces beside one that is called by the piece',
    'de',
    `<p class="price-per-tyre"><b>89,90 €</b> pro Reifen</p><p class="price">4 Stück: 359,60 €</p>${DE}`,
    'unreadable',
  ],
  ['four pieces alone', 'de', `<p class="price">4 Stück: 359,60 €</p>${DE}`, '359.60 EUR -'],
  [
    'the second one at a half',
    'es',
    `<p class="price">8,95 €</p><p>2ª unidad al 50%: 4,48 €</p><button>Añadir al carrito</button>`,
    '8.95 EUR -',
  ],
  [
    'the same in the currency before the euro',
    'bg',
    `<p class="price"><span>12.90 €</span> <span>25.23 лв.</span></p>${BG}`,
    '12.90 EUR -',
  ],
  [
    'the same in the currency before the euro, in a line of its own, and a former price in both',
    'bg',
    `<p class="price">12.90 €</p><p class="price">25.23 лв.</p><del>15.90 €</del> <del>31.10 лв.</del>${BG}`,
    '12.90 EUR 15.90',
  ],
  [
    'another amount in the currency before the euro',
    'bg',
    `<p class="price">12.90 €</p><p class="price">24.23 лв.</p>${BG}`,
    '- - -',
  ],
  [
    'a transfer in the row below',
    'tr',
    `<p class="price">₺1.299,90</p><p class="price">Havale / EFT</p><p class="price">₺1.234,91</p>${TR}`,
    '1299.90 TRY -',
  ],
  [
    'what a payment begins with',
    'tr',
    `<p class="price">₺1.299,90</p><p class="price">₺433,30 'den başlayan taksitlerle</p>${TR}`,
    '1299.90 TRY -',
  ],
  [
    'the lowest price of thirty days and the regular one, both struck through',
    'pl',
    `<p class="price">159,00 zł</p><p>Najniższa cena z 30 dni: <del>169,00 zł</del></p><p>Cena regularna: <del>219,00 zł</del></p>${PL}`,
    '159.00 PLN 219.00',
  ],
  [
    'a former price in an element that is named after a recommended price',
    'de',
    `<p class="suggested-price"><s>79,00 €</s></p><p class="price">59,00 €</p>${DE}`,
    '59.00 EUR 79.00',
  ],
  [
    'a button behind words of stock in its line',
    'de',
    '<p class="price">59,00 €</p><span>Auf Lager</span> <a class="btn" href="#">In den Warenkorb</a>',
    '59.00 EUR -',
  ],
  [
    'a link in the midst of a sentence',
    'de',
    '<p class="price">59,00 €</p><p>Man kann ihn hier <a href="/p/lamp">kaufen</a> oder leihen.</p>',
    'not_a_product',
  ],
  [
    'a picture for a button',
    'de',
    '<p class="price">59,00 €</p><input type="image" src="/b.gif" alt="In den Warenkorb">',
    '59.00 EUR -',
  ],
  [
    'a picture in a link for a button',
    'de',
    '<p class="price">59,00 €</p><a href="/add?id=3"><img src="/b.gif" alt="In den Warenkorb"></a>',
    '59.00 EUR -',
  ],
];

describe('a price is read beside', () => {
  for (const [name, lang, below, wanted] of ROWS) {
    test(name, () => assert.equal(priceOf(lang, below), wanted));
  }
});

test('what the cart in the head of a page holds is not a price of its product', () => {
  const head = '<div class="header-cart">2 Artikel <b class="price">99,00 €</b></div>';
  const priceWith = (inside: string): number | string | undefined => {
    const page = html('', `${head}<h1>Blue Mug</h1><div>${inside}</div>`);
    const verdict = readGenericPage(pageOf(page), new UnknownWords());
    return verdict.kind === 'read' ? verdict.value.price?.cents : verdict.kind;
  };
  assert.equal(priceWith(`<p>Preis auf Anfrage</p>${DE}`), 'unreadable');
  assert.equal(priceWith(`<form class="cart"><p>59,00 €</p>${DE}</form>`), 5900, 'its own form');
});

test('the parts of a card that the heading stands in are of the product, and another card is not', () => {
  const card = (inside: string): string => `<div class="product-card">${inside}</div>`;
  const price = '<p class="product-card__price">59,00 €</p>';
  const other = card(`<a href="/p/lamp">Red Lamp</a><p class="product-card__price">49,00 €</p>`);
  const body = (inside: string, behind = ''): string =>
    card(`<h1 class="product-card__title">Blue Mug</h1>${inside}${DE}`) + behind;
  for (const page of [body(price), body(price, other), body(other + price)]) {
    const verdict = readGenericPage(pageOf(html('', page)), new UnknownWords());
    assert.equal(verdict.kind === 'read' ? verdict.value.price?.cents : verdict.kind, 5900, page);
  }
});

test('a maker stands next to its own label, whatever other labels and links its line has', () => {
  const price = `<p class="price">59,00 €</p>${DE}`;
  for (const line of [
    '<span>Hersteller: <a href="/acme">Acme Tools</a></span> <span>Artikelnummer: 12-A</span>',
    '<span>Artikelnummer: 12-A</span><span>Hersteller: Acme Tools</span>',
    'Hersteller: Acme Tools | Artikelnummer: 12-A',
    'Hersteller: Acme Tools, Artikelnummer: 12-A',
    'Hersteller: <a href="/acme">Acme Tools</a> | <a href="/all">Alle Produkte von Acme Tools</a>',
    'Hersteller: <a href="/acme">Acme Tools</a> <a href="/all">Mehr von Acme Tools</a>',
    'Hersteller: <a href="/acme">Acme Tools</a> (alle Produkte)',
    'Hersteller: <b>Acme Tools</b> / <a href="/all">Mehr davon</a>',
    'Hersteller: <b>Acme</b> Tools',
    'Hersteller</p><p><a href="/acme">Acme Tools</a> – <a href="/all">alle ansehen</a>',
  ]) {
    const listing = read('de', `<p>${line}</p>${price}`);
    const brand = typeof listing === 'string' ? listing : listing.brand;
    assert.equal(brand, 'Acme Tools', line);
  }
});
