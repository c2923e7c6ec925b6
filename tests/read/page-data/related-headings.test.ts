// Headings above other goods, and lines that merely contain the same words.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { isRelatedHeading } from '../../../src/read/page-data/visible/lines/related-headings.ts';

const HEADINGS = [
  'Related products',
  'You may also like…',
  'Customers who bought this item also bought',
  'People also viewed',
  'Recently viewed items',
  'Das könnte Ihnen auch gefallen',
  'Kunden, die dieses Produkt gekauft haben, haben auch folgende Produkte gekauft:',
  'Misschien vind je dit ook leuk',
  'Vous aimerez aussi',
  'Les clients ayant acheté ce produit ont également acheté :',
  'Productos relacionados',
  'También te puede interesar',
  'Produtos relacionados',
  'Quem comprou também levou',
  'Ti potrebbe interessare anche',
  'Produse similare',
  'Podobne produkty',
  'Klienci, którzy kupili ten produkt, kupili również',
  'Související zboží',
  'Mohlo by vás zajímať',
  'Похожие товары',
  'С этим товаром покупают',
  'Вам може сподобатися',
  'Подобни продукти',
  'Liknande produkter',
  'Andre købte også',
  'Samankaltaisia tuotteita',
  'Kapcsolódó termékek',
  'Σχετικά προϊόντα',
  'Benzer Ürünler',
  'מוצרים קשורים',
  'منتجات ذات صلة',
  '関連商品',
  'この商品を買った人はこんな商品も買っています',
  '猜你喜欢',
  '관련상품',
  'Sản phẩm liên quan',
  'Produk serupa',
  'สินค้าที่เกี่ยวข้อง',
];

const OTHERS = [
  'Accessories',
  'Bestseller',
  'New arrivals',
  'Frequently bought together',
  'Customers rate it 4.8 of 5',
  'See our related guide on glazes',
  'Recommended retail price',
  'Ähnlich wie Porzellan',
  'Produit fait main',
  'Товар в наличии',
  '商品コード',
];

test('a heading above other goods is recognized by its words', () => {
  for (const line of HEADINGS) assert.ok(isRelatedHeading(line), line);
  for (const line of OTHERS) assert.ok(!isRelatedHeading(line), line);
  assert.ok(!isRelatedHeading(`You may also like ${'a mug and '.repeat(10)}`), 'running text');
});
