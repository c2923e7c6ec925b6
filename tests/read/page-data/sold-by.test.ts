// The price of what goods are sold by (a box, a pair, a roll), with or without a price by weight or area next to it.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { shown, textOf } from './shown-page.ts';

function priceOf(lines: readonly string[], lang: string, button = 'Add to cart'): string | null {
  const below = lines.map((line) => `<p>${line}</p>`).join('');
  const verdict = shown(below, { lang, button: `<button>${button}</button>` });
  return verdict.kind === 'read' ? textOf(verdict.value.price) : null;
}

const BUY: Readonly<Record<string, string>> = {
  'de-DE': 'In den Warenkorb',
  'fr-FR': 'Ajouter au panier',
  'nl-NL': 'In winkelwagen',
  'it-IT': 'Aggiungi al carrello',
  'es-ES': 'Añadir al carrito',
  'pl-PL': 'Do koszyka',
  'sv-SE': 'Lägg i varukorg',
};

/** By language: the lines of a page, and the price of what it sells. */
const SOLD: readonly (readonly [string, readonly string[], string])[] = [
  ['nl-NL', ['€ 24.95 / box'], '24.95 EUR'],
  ['en-US', ['$24.95 / box of 20', '$2.49 / sq. ft.'], '24.95 USD'],
  ['en-US', ['$2.49 / sq. ft.', '$24.95 / carton'], '24.95 USD'],
  ['en-US', ['Price per box: $24.95'], '24.95 USD'],
  ['en-GB', ['Price per m²: £12.90', 'Price per pack: £24.95'], '24.95 GBP'],
  ['en-US', ['$3.99 each'], '3.99 USD'],
  ['en-US', ['$24.95 a pair'], '24.95 USD'],
  ['en-GB', ['£6.00 per bag', '£1.20 per 100g'], '6.00 GBP'],
  ['en-US', ['$8.66 / lb', '$12.99 / package'], '12.99 USD'],
  ['en-US', ['$4.50 per stick'], '4.50 USD'],
  ['de-DE', ['12,90 € pro Paar'], '12.90 EUR'],
  ['de-DE', ['Preis pro Paar: 12,90 €'], '12.90 EUR'],
  ['de-DE', ['Preis pro m²: 12,90 €', 'Preis pro Karton: 24,95 €'], '24.95 EUR'],
  ['de-DE', ['39,00 € / Rolle', '3,90 € / m'], '39.00 EUR'],
  ['fr-FR', ['12,90 € par paire'], '12.90 EUR'],
  ['fr-FR', ['39,00 € le rouleau'], '39.00 EUR'],
  ['fr-FR', ['Prix au rouleau : 39,00 €'], '39.00 EUR'],
  ['nl-NL', ['€ 9,98 per m²', '€ 24,95 per pak'], '24.95 EUR'],
  ['nl-NL', ['Prijs per rol', '€ 39,00'], '39.00 EUR'],
  ['it-IT', ['12,90 € a confezione', '25,80 €/kg'], '12.90 EUR'],
  ['es-ES', ['Precio por caja: 24,95 €'], '24.95 EUR'],
  ['pl-PL', ['49,90 zł / opak.', '19,90 zł / m²'], '49.90 PLN'],
  ['sv-SE', ['129 kr/förp', '43 kr/m²'], '129.00 SEK'],
];

describe('a price per box, pair or roll is the price of what is sold', () => {
  for (const [lang, lines, price] of SOLD) {
    test(`${lang}: ${lines.join(', ')}`, () => {
      assert.equal(priceOf(lines, lang, BUY[lang]), price);
    });
  }
});

describe('a price by weight, area or person is not', () => {
  const rates: readonly (readonly [string, string])[] = [
    ['en-GB', '£12.90 per m²'],
    ['en-US', '$8.95 per yard'],
    ['en-GB', 'Price per litre: £8.95'],
    ['en-GB', '£81.95 per person'],
    ['de-DE', '12,90 € / kg'],
    ['de-DE', 'Preis pro 100 g: 1,29 €'],
    ['fr-FR', '12,90 € le m²'],
  ];
  for (const [lang, line] of rates) {
    test(`${lang}: ${line}`, () => assert.equal(priceOf([line], lang, BUY[lang]), null));
  }
});
