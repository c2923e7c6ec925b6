// Which pages without a product in their data are product pages by their visible content, and which are not.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, offer, pageOf } from '../retailers/page-fixtures.ts';
import { BUY, PROSE } from './shown-page.ts';

const TILE = (name: string, price: string): string =>
  `<li><a href="/p/${name}">${name}</a><span class="price">${price}</span>${BUY}</li>`;

const CARTS = [
  'Your Basket',
  'Mon panier',
  'Mi cesta',
  'Kasse',
  'Order #77',
  '購物車',
  'Koszyk (1)',
];

test('lists, front pages, carts, articles and pages without a button are not product pages', () => {
  const tiles = ['a', 'b', 'c', 'd', 'e', 'f'].map((name, at) => TILE(name, `$1${at}.50`)).join('');
  const cases: readonly (readonly [string, string, string])[] = [
    ['tiles', html('', `<h1>Mugs</h1><ul>${tiles}</ul>`, 'Mugs'), '/mugs'],
    ['a front page', html('', `<h1>Blue Mug</h1><p class="price">$5.00</p>${BUY}`), '/'],
    [
      'an article',
      html(metas({ 'og:type': 'article' }), `<h1>Blue Mug</h1><p class="price">$5.00</p>${BUY}`),
      '/a',
    ],
    [
      'a recipe',
      html(
        ld({ '@type': 'Recipe', name: 'Blue Mug' }),
        `<h1>Blue Mug</h1><p class="price">$5.00</p>${BUY}`,
      ),
      '/a',
    ],
    ...['MusicEvent', 'SportsEvent', 'Course', 'Hotel', 'Apartment', 'BusTrip'].map(
      (type): readonly [string, string, string] => [
        type,
        html(
          ld({ '@type': type, name: 'Blue Mug', offers: offer({}) }),
          `<h1>Blue Mug</h1><p class="price">$12.50</p>${BUY}`,
        ),
        '/a',
      ],
    ),
    ...[2, 3, 4].map((count): readonly [string, string, string] => {
      const names = ['a', 'b', 'c', 'd'].slice(0, count);
      const cards = names.map(
        (name, at) => `<a href="/p/${name}">${name}</a><p>$1${at}.50</p>${BUY}`,
      );
      return [
        `${count} tiles without names`,
        html('', `<h1>Mugs</h1>${cards.join('')}`, 'Mugs'),
        '/mugs',
      ];
    }),
    ['no button', html('', `<h1>Blue Mug</h1><p class="price">$5.00</p>${PROSE}`), '/a'],
    ...CARTS.map((name): readonly [string, string, string] => [
      name,
      html('', `<h1>${name}</h1><p>Blue Mug</p><p class="price">$12.50</p>${BUY}`, name),
      '/a',
    ]),
  ];
  for (const [name, page, path] of cases) {
    const { kind } = readGenericPage(
      pageOf(page, { url: `https://shop.example${path}` }),
      new UnknownWords(),
    );
    assert.notEqual(kind, 'read', name);
  }
});

test('`og:type` alone does not make a product of an episode, a recipe, or a page full of text', () => {
  const tag = metas({ 'og:type': 'product', 'og:title': 'Blue Mug', 'og:image': '/a.jpg' });
  const kindOf = (head: string, body: string) =>
    readGenericPage(pageOf(html(head, body)), new UnknownWords()).kind;
  assert.equal(kindOf(tag, ''), 'read', 'a page that its script fills');
  for (const type of ['PodcastEpisode', 'Recipe', 'NewsArticle', 'Event']) {
    assert.notEqual(kindOf(tag + ld({ '@type': type, name: 'Blue Mug' }), ''), 'read', type);
  }
  assert.equal(kindOf(tag, `<h1>Blue Mug</h1>${PROSE}`), 'unreadable');
  const priced = metas({
    'og:type': 'article',
    'product:price:amount': '12.50',
    'og:title': 'Blue Mug',
  });
  assert.equal(kindOf(priced, ''), 'read', 'a stated price counts whatever the type');
});
