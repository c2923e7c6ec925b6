// The category path and the picture of a page whose data states none.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';
import type { Listing } from '../../../src/base/listing/listing.ts';
import { readGenericPage } from '../../../src/read/retailers/generic/read-page.ts';
import { html, ld, metas, mug, pageOf } from '../retailers/page-fixtures.ts';

const BUY = '<p class="price">$12.50</p><button>Add to cart</button>';

function listingOf(body: string, head = ''): Listing {
  const verdict = readGenericPage(pageOf(html(head, body)), new UnknownWords());
  assert.equal(verdict.kind, 'read', body);
  if (verdict.kind !== 'read') throw new Error(body);
  return verdict.value;
}

const HOME = '<a href="/">Home</a>';
const LINKS = `${HOME} / <a href="/kitchen">Kitchen</a> / <a href="/kitchen/mugs">Mugs</a>`;
const OWN = '<a href="/p/blue-mug">Blue Mug</a>';

const TRAILS: readonly (readonly [body: string, categories: readonly string[]])[] = [
  [`<nav class="breadcrumb">${LINKS} / Blue Mug</nav>`, ['Kitchen', 'Mugs']],
  [`<ul id="navBreadCrumb"><li>${LINKS.replaceAll(' / ', '<li>')}</ul>`, ['Kitchen', 'Mugs']],
  [`<div aria-label="Breadcrumb">${LINKS} / ${OWN}</div>`, ['Kitchen', 'Mugs']],
  [`<div class="crumbs"><a href="/results">Back</a> ${LINKS}</div>`, ['Kitchen', 'Mugs']],
  [`<nav class="breadcrumb">${HOME} / Mugs</nav>`, []],
  // A style rule, a script, an icon and the page itself are not a path; the next element may be one.
  [`<style>.breadcrumb a{color:red}</style><p>${LINKS}</p>`, []],
  [`<script>var x='<ul class="breadcrumb">${LINKS}</ul>';</script>`, []],
  [`<div class="crumble-recipes">${LINKS}</div>`, []],
  [`<i class="breadcrumb"></i><ol class="breadcrumb">${LINKS}</ol>`, ['Kitchen', 'Mugs']],
  // A menu, links to other sites, a link that is not a category.
  [`<div class="breadcrumb">${'<a href="/a">Aa</a>'.repeat(12)}</div>`, []],
  [`<div class="breadcrumb"><a href="https://other.example/mugs">Mugs</a></div>`, []],
  [`<div class="breadcrumb"><a href="javascript:history.back()">Back</a></div>`, []],
];

test('the links of an element that is named after breadcrumbs are the categories', () => {
  for (const [body, categories] of TRAILS) {
    assert.deepEqual(listingOf(`${body}<h1>Blue Mug</h1>${BUY}`).categories, categories, body);
  }
});

test('a path that the data of a page states counts before the one that it shows', () => {
  const item = { '@type': 'ListItem', position: 1, name: 'Cups', item: '/cups' };
  const head = ld(mug({})) + ld({ '@type': 'BreadcrumbList', itemListElement: [item] });
  const body = `<nav class="breadcrumb">${LINKS}</nav><h1>Blue Mug</h1>${BUY}`;
  assert.deepEqual(listingOf(body, head).categories, ['Cups']);
});

const PICTURES: readonly (readonly [image: string, address: string | null])[] = [
  ['<img src="/mug.jpg" alt="Blue Mug">', 'https://shop.example/mug.jpg'],
  ['<img src="/a.jpg" alt="Logo"><img src="/mug.jpg" title="Picture of Blue Mug">', 'mug.jpg'],
  ['<img src="data:image/gif;base64,R0" data-src="/mug.jpg" alt="Blue Mug">', 'mug.jpg'],
  ['<IMG SRC="/mug.jpg" ALT="Blue Mug">', 'mug.jpg'],
  ['<img src="/mug.jpg" alt="Saucer for your blue mug, and for many another cup">', null],
  ['<img src="/mug.jpg" alt="">', null],
  ['<img src="/img/no_image.png" alt="Blue Mug">', null],
  ['<img src="/icons/mug.svg" alt="Blue Mug">', null],
  // No text describes them, only the names of their elements or files.
  ['<div class="product-image"><img src="/1000.jpg"></div>', '1000.jpg'],
  ["<div id='main-image-wrapper'><img src='/1000.jpg'></div>", '1000.jpg'],
  ['<img class="product__img" src="/1000.jpg">', '1000.jpg'],
  ['<ul class="product-gallery"><li><a href="/big.jpg"><img src="/1000.jpg"></a></ul>', '1000.jpg'],
  ['<img src="/upload/blue-mug_01.jpg?w=800">', 'upload/blue-mug_01.jpg?w=800'],
  ['<img data-src="/blue_mug.webp" src="data:image/gif;base64,R0">', 'blue_mug.webp'],
  ['<img src="/logo.png"><img src="/blue-mug.jpg">', 'blue-mug.jpg'],
  ['<img src="/blue-mug.jpg"><img src="/mug.jpg" alt="Blue Mug">', 'mug.jpg'],
  ['<img src="/blue-saucer.jpg">', null],
  ['<img src="/blue-mug.jpg" alt="Our saucer">', null],
  ['<a href="/p/other"><img src="/blue-mug.jpg"></a>', null],
  ['<a href="/p/other"><div class="product-image"><img src="/1000.jpg"></div></a>', null],
  ['<div class="product-images-of-others"><img src="/1000.jpg"></div>', null],
  ['<div class="product-image"></div><p><img src="/1000.jpg"></p>', null],
  [`<!--${'x'.repeat(9000)}--><img src="/blue-mug.jpg">`, null],
];

test('a picture that is described by nearly all words of the name is the product’s, where none has them all', () => {
  const title = 'Carne & Vegetais Adulto - Pedra';
  const page = (image: string): string | null => {
    const body = `<h1>${title}</h1>${image}${BUY}`;
    const out = readGenericPage(pageOf(html('', body, `${title} | Shop`)), new UnknownWords());
    return out.kind === 'read' ? out.value.imageUrl : out.kind;
  };
  const near = '<img src="/near.jpg" alt="Carne &amp; Vegetais Adulto 3Kg - Pedra">';
  assert.equal(page(near), 'https://shop.example/near.jpg');
  assert.equal(page(`<a href="/p/other">${near}</a>`), null, 'a way to other goods');
  assert.equal(page(`${near}<img src="/own.jpg" alt="${title}">`), 'https://shop.example/own.jpg');
  assert.equal(page('<img src="/a.jpg" alt="Carne Adulto Pedra Frango Filhote">'), null);
});

test('the picture of a page without one in its data is that which is called like the product, or stands in its place', () => {
  for (const [image, address] of PICTURES) {
    const { imageUrl } = listingOf(`<h1>Blue Mug</h1>${image}${BUY}`);
    const wanted = address === null ? null : new URL(address, 'https://shop.example/').href;
    assert.equal(imageUrl, wanted, image);
  }
  const tagged = metas({ 'og:image': 'https://shop.example/own.jpg' });
  const body = `<h1>Blue Mug</h1><img src="/mug.jpg" alt="Blue Mug">${BUY}`;
  assert.equal(listingOf(body, tagged).imageUrl, 'https://shop.example/own.jpg');
});
