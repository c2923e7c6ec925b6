// Amounts whose cents are in their own element: joined if a visitor reads one price, and never taken for the price alone.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { amountOf } from '../../../src/base/listing/money/minor-units.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { pageOf } from '../retailers/page-fixtures.ts';

function priceShown(below: string): string | null {
  const page = `<!doctype html><html lang="fr"><head><title>Lampe de bureau | Boutique</title></head><body>
    <h1>Lampe de bureau</h1>${below}<button>Ajouter au panier</button></body></html>`;
  const verdict = readGenericPage(pageOf(page), new UnknownWords());
  if (verdict.kind !== 'read') return null;
  const { price, listPrice } = verdict.value;
  const amounts = [price, listPrice].filter((money) => money !== null);
  return amounts.length === 0
    ? null
    : amounts.map((money) => `${amountOf(money)} ${money.currency ?? '-'}`).join(', was ');
}

const JOINED: readonly (readonly [string, string])[] = [
  // The sign, the whole and the cents, each in its own element on its own line.
  [
    '<span class="price"><i>R$</i>\n<i class="fraction">799</i>\n<i class="amount__cents">90</i></span>',
    '799.9 BRL',
  ],
  ['<div class="price"><i>€</i> <i>1.299</i> <i class="centimos">00</i></div>', '1299 EUR'],
  ['<div class="prezzo"><i>€</i> <i>12</i> <i class="centesimi">50</i></div>', '12.5 EUR'],
  ['<div class="price"><span>249</span><span>€99</span></div>', '249.99 EUR'],
  ['<p><span>249</span><span>€99</span></p>', '249.99 EUR'],
  ['<span class="price">249<span class="cents">€99</span></span>', '249.99 EUR'],
  ['<span class="product-price">249<span>€99</span></span>', '249.99 EUR'],
  ['<b class="price-int">249</b><b class="price-dec">€99</b>', '249.99 EUR'],
  ['<div class="price"><span>1 249</span><span>&euro;99</span></div>', '1249.99 EUR'],
  ['<div class="price"><span>249€</span><span>99</span></div>', '249.99 EUR'],
  ['<div class="price"><span>249</span><span>€</span><span>99</span></div>', '249.99 EUR'],
  ['<div class="price">249<sup>€<span>99</span></sup></div>', '249.99 EUR'],
  ['<div class="price">249<sup>€</sup>99</div>', '249.99 EUR'],
  ['<div class="price"><span>9</span><span>€05</span></div>', '9.05 EUR'],
  ['<div class="price"><span>249</span><span>€00</span></div>', '249 EUR'],
  ['<div class="price">Prix : <span>249</span><span>€99</span> TTC</div>', '249.99 EUR'],
  [
    '<div class="price"><del><i>299</i><i>€99</i></del> <ins><i>249</i><i>€99</i></ins></div>',
    '249.99 EUR, was 299.99 EUR',
  ],
  // An animated counter has each digit in its own element.
  [
    '<p class="price"><i>1</i><i>2</i><i>4</i><i>9</i><i>,</i><i>9</i><i>9</i> €</p>',
    '1249.99 EUR',
  ],
  ['<p class="price">EUR <b>2</b><b>4</b><b>9</b></p>', '249 EUR'],
  ['<p class="price"><del>299€99</del> <ins>249€99</ins></p>', '249.99 EUR, was 299.99 EUR'],
  ['<p class="price"><ins>249€99</ins> <del>299€99</del></p>', '249.99 EUR, was 299.99 EUR'],
];

const APART: readonly (readonly [string, string | null])[] = [
  ['<div class="price">€ 45 <span class="qty">12</span></div>', '45 EUR'],
  ['<div class="price"><i>€</i><i>799</i></div><div class="cents-off">90</div>', '799 EUR'],
  ['<p><i>3</i> <i>5</i> <b class="price">99 €</b></p>', '99 EUR'],
  ['<div><span class="qty">12</span><span class="price">€99</span></div>', '99 EUR'],
  ['<div class="price"><span class="quantity">12</span><span>€99</span></div>', '99 EUR'],
  ['<div class="price"><span>Lot de 12</span><span>€99</span></div>', '99 EUR'],
  ['<div class="price"><del>249</del><span>€99</span></div>', '99 EUR'],
  ['<p><span class="old-price">249</span><span class="price">€99</span></p>', '99 EUR'],
  ['<div><span class="rank">3</span><span class="price">€99</span></div>', '99 EUR'],
  ['<div><span class="price">249€</span><span>12</span></div>', '249 EUR'],
  ['<div class="price"><span>249€</span><span>50%</span></div>', '249 EUR'],
  ['<div class="price"><span>12</span><span>€199</span></div>', '199 EUR'],
  ['<div class="price"><div>12</div><div>€99</div></div>', '99 EUR'],
  ['<p class="price">€99</p><p class="sizes"><button><i>42</i><i>€99</i></button></p>', '99 EUR'],
  // Cents or a price: ambiguous.
  ['<div class="price"><span>249</span> <span>€99</span></div>', null],
  ['<div class="price"><span>12</span><span>$99</span></div>', null],
  ['<div class="price"><span>€249</span><span>€99</span></div>', null],
];

describe('cents in an element of their own', () => {
  for (const [below, expected] of JOINED) {
    test(`${below} is one amount`, () => assert.equal(priceShown(below), expected));
  }
  for (const [below, expected] of APART) {
    test(`${below} is no such amount`, () => assert.equal(priceShown(below), expected));
  }
});
