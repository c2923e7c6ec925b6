// An amount that the page itself states without tax is not what a visitor pays, even if no other amount is next to it.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { decimalText } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, mug, offer, pageOf } from '../retailers/page-fixtures.ts';

function priceOf(block: string, lang: string, head = ''): string | null {
  const body = `<h1>Blue Mug</h1><div>${block}</div><button>Add to cart</button>`;
  const page = html(head, body).replace('lang="en"', `lang="${lang}"`);
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  assert.equal(verdict.kind, 'read', `${block}: a product page, whatever is said of its tax`);
  const price = verdict.kind === 'read' ? verdict.value.price : null;
  return price === null ? null : `${decimalText(price)} ${price.currency ?? '-'}`;
}

const SHOWN: readonly (readonly [lang: string, block: string, price: string | null])[] = [
  ['de-DE', '<p class="price">349,00 € <small>exkl. MwSt.</small></p>', null],
  ['de-AT', '<p class="price">1,20 €</p><p>zzgl. 20 % MwSt.</p>', null],
  ['fr-FR', '<p class="price">1,85 € HT</p>', null],
  ['nl-NL', '<p class="price">€ 12,95</p><p>excl. btw</p>', null],
  ['en-GB', '<p class="price">£79.00 ex VAT</p>', null],
  ['ja-JP', '<p class="price">￥8,000 <span>税抜</span></p>', null],
  ['tr-TR', '<p class="price">120,00 TL + KDV</p>', null],
  ['en-IN', '<p class="price">₹ 4,500 + GST</p>', null],
  // If tax is added to every price, one without tax is the price.
  ['en-US', '<p class="price">$18.40 plus tax</p>', '18.40 USD'],
  ['en-CA', '<p class="price">CAD 18.40 plus tax</p>', '18.40 CAD'],
  // With an amount including tax next to it, that one counts.
  ['fr-FR', '<p class="price">238,80 € TTC</p><p>199,00 € HT</p>', '238.80 EUR'],
  ['es-AR', '<p>$45.000,00</p><p>Precio sin impuestos nacionales $37.190,08</p>', '45000.00 ARS'],
  ['es-ES', '<p class="precio">99,95 € impuestos incluidos</p>', '99.95 EUR'],
  // First without tax, in one line: the second restates the first.
  ['nl-NL', '<span>€ 249,00 excl. btw</span> <span>€ 301,29 incl. btw</span>', '301.29 EUR'],
  ['en-GB', '<p><b>£120.00</b> <i>ex. VAT</i> <b>£144.00</b> <i>inc. VAT</i></p>', '144.00 GBP'],
  ['fr-FR', '<p><b>120,00 € HT</b> <span>144,00 € TTC</span></p>', '144.00 EUR'],
  // In the next line, in brackets: it also restates the one above.
  ['ja-JP', '<p class="price">¥9,800<small>+税</small></p><p>（税込 ¥10,780）</p>', '10780 JPY'],
  ['en-GB', '<p>£24.99 ex VAT</p><p>(£29.99 inc VAT)</p>', '29.99 GBP'],
  // Separate, and only the one with tax is emphasized: it is what a visitor pays.
  ['cs-CZ', '<p>Cena bez DPH: 41 314 Kč</p><p><b>Cena s DPH: 49 990 Kč</b></p>', '49990.00 CZK'],
  ['de-DE', '<p>Netto: 134,45 €</p><h2>159,99 € inkl. MwSt.</h2>', '159.99 EUR'],
  ['cs-CZ', '<div><i>1 652 Kč bez DPH</i><b>1 999 Kč</b></div>', '1999.00 CZK'],
  // Words in an element with the second amount apply to that one.
  ['cs-CZ', '<p><b>18 990,-</b><i>bez DPH 15 694,-</i></p>', '18990.00 CZK'],
  ['nl-NL', '<p><b>€ 199,00</b> excl. btw</p><p>€ 240,79 incl. btw</p>', null],
  ['nl-NL', '<p><b>€ 199,00</b> excl. btw</p><p><b>€ 240,79</b> incl. btw</p>', null],
  // Separate, as in business shops: which of the two a visitor pays is undecided.
  ['de-DE', '<p>249,00 € zzgl. MwSt.</p><p>296,31 € inkl. MwSt.</p>', null],
  ['it-IT', '<p>IVA esclusa: 100,00 €</p><p>IVA inclusa: 122,00 €</p>', null],
  ['de-DE', '<p>249,00 € zzgl. MwSt.</p><p>296,31 €</p>', null],
  // Class names alone mean nothing: shops whose prices include tax keep those of their theme.
  ['en-AU', '<span class="price price--withoutTax">$24.99</span>', '24.99 AUD'],
];

test('a price without tax alone is not one, but where no shop states another', () => {
  for (const [lang, block, price] of SHOWN) assert.equal(priceOf(block, lang), price, block);
});

test('a price that the data states stays, whatever the page says of its tax', () => {
  const stated = ld(mug({ offers: offer({ price: '349.00', priceCurrency: 'EUR' }) }));
  const block = '<p class="price">349,00 € <small>exkl. MwSt.</small></p>';
  assert.equal(priceOf(block, 'de-DE', stated), '349.00 EUR');
});

test('a product whose price is called without tax is one next to other goods, too', () => {
  const other =
    '<div><a href="/p/x"><h3>Other</h3></a><p>3,00 €</p><button>Add to cart</button></div>';
  const block = `<p class="price">349,00 € exkl. MwSt.</p><button>Add to cart</button>${other}`;
  assert.equal(priceOf(block, 'de-DE'), null);
});
