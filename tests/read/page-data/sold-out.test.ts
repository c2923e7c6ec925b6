// Pages without data whose product cannot be bought, and the buttons of those that can.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, pageOf } from '../retailers/page-fixtures.ts';
import { PROSE } from './shown-page.ts';

const H1 = '<h1>Blue Mug</h1>';
const PRICE = '<p class="price">$12.50</p>';

function read(body: string, title?: string, url?: string): string {
  const page = pageOf(html('', body, title), url === undefined ? {} : { url });
  const verdict = readGenericPage(page, new UnknownWords());
  if (verdict.kind !== 'read') return verdict.kind;
  const { title: name, inStock } = verdict.value;
  return `${name} ${inStock === null ? 'unknown' : inStock ? 'in stock' : 'out of stock'}`;
}

test('a heading, a price and words of stock next to it are the page of a product that is sold out', () => {
  const sold = [
    '<p class="availability">Sold out</p>',
    '<button disabled>Out of stock</button>',
    '<p>Out of stock</p><button disabled>Add to cart</button>',
    '<p>Tükendi</p><button>Gelince haber ver</button>',
  ];
  for (const below of sold) {
    assert.equal(read(H1 + PRICE + below), 'Blue Mug out of stock', below);
  }
});

test('words of stock make no product page without a price, a title, or next to other goods', () => {
  const sold = '<p class="availability">Sold out</p>';
  const others: readonly string[] = [
    H1 + sold,
    H1 + PRICE,
    `<h1>Our year in review</h1>${PRICE}${sold}`,
    `${H1}${PRICE}${PROSE}<p>Sold out</p>`,
    `${H1}<ul><li><a href="/p/1">Red Mug</a>${PRICE}${sold}<li><a href="/p/2">Pot</a>${PRICE}</ul>`,
  ];
  for (const body of others) {
    assert.notEqual(read(body), 'Blue Mug out of stock', body);
    assert.doesNotMatch(read(body), /out of stock/, body);
  }
});

test('what a page offers in the place of a product that cannot be bought lends it neither price nor stock', () => {
  const instead = (heading: string): string =>
    `${heading}<p class="price">$24.00</p><button>Add to cart</button>`;
  for (const sold of [
    'This product is no longer available.',
    'Nicht mehr lieferbar',
    'Uitverkocht',
    'Sold out',
  ]) {
    const said = `${H1}<p>${sold}</p>`;
    assert.equal(read(said + instead('<h3>Harbour Lantern</h3>')), 'unreadable', sold);
    // A price label does not name other goods, and a disabled button sells none.
    assert.match(read(said + instead('<h3>Your price</h3>')), /^Blue Mug/, sold);
  }
  const own = `${H1}${PRICE}<button>Add to cart</button><p>Red Mug: sold out</p><h3>Lantern</h3>`;
  assert.equal(read(own), 'Blue Mug in stock');
});

test('an element that is called a button is one, and a form that is named after its button is not one', () => {
  const buttons = [
    '<div class="btn">Add to cart</div>',
    '<button>Buy</button>',
    '<form class="add_to_basket"><button>Add to basket</button></form>',
    '<button>Adicionar à cesta</button>',
  ];
  for (const button of buttons)
    assert.equal(read(H1 + PRICE + button), 'Blue Mug in stock', button);
  const others = ['<a href="/for-sale">Buy</a>', '<div class="btn-group">Add to cart</div>'];
  for (const other of others) {
    assert.match(read(H1 + PRICE + other), /^(?:not_a_product|unreadable)$/, other);
  }
  const inForm = `<form class="add_to_basket">${H1}${PRICE}<p>Brand: Acme</p><button>Add to cart</button></form>`;
  assert.equal(read(inForm), 'Blue Mug in stock');
});

test('what shows its price and its button below a heading is called so, whatever the title of the page says', () => {
  const body = `${H1}${PRICE}<button>Add to cart</button>`;
  assert.equal(read(body, 'Cups for tea', 'https://shop.example/item/17'), 'Blue Mug in stock');
});
