import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { absoluteUrl, addressMatch } from '../../../src/read/page-data/page-address.ts';
import { isFrontPage, isNumberIn, nameMatch } from '../../../src/read/page-data/page-names.ts';

const page = new URL('https://www.shop.example/p/Blue%20Mug/?variant=1&size=S');

describe('an address is the page when host and path are', () => {
  const rows: readonly (readonly [string, 0 | 1 | 2])[] = [
    ['http://shop.example/p/blue%20mug', 2],
    ['https://m.shop.example/p/blue-mug?variant=1', 2],
    ['/p/blue%20mug?size=S&variant=1', 2],
    ['/p/blue%20mug?variant=2', 1],
    ['/p/blue%20mug?color=red', 1],
    ['/p/red', 0],
    ['https://other.example/p/blue%20mug', 0],
    ['/p/blue%20mug#reviews', 2],
  ];
  for (const [stated, match] of rows) {
    test(stated, () => assert.equal(addressMatch(absoluteUrl(stated, page), page), match));
  }
});

test('only addresses of the web are addresses', () => {
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@b.example',
    '',
    'http://',
  ]) {
    assert.equal(absoluteUrl(text, page)?.protocol === 'javascript:', false);
  }
  assert.equal(absoluteUrl('javascript:alert(1)', page), null);
  assert.equal(absoluteUrl('data:text/html,x', page), null);
  assert.equal(absoluteUrl('', page), null);
});

test("a name is the page's when a heading or the address says so", () => {
  const names = ['Blue Mug', 'Buy the Blue Mug online at the Example Shop'];
  assert.equal(nameMatch('Blue Mug™', names, null), 3);
  assert.equal(nameMatch('Blue Mug Set', names, null), 2);
  assert.equal(nameMatch('Mug online', names, null), 1);
  assert.equal(nameMatch('Mug', names, null), 0);
  assert.equal(nameMatch('Steel Kettle', names, null), 0);
  assert.equal(
    nameMatch('Steel Kettle 2 l', [], new URL('https://a.example/steel-kettle-2-l.html')),
    2,
  );
});

test('a number of the shop in the address', () => {
  assert.ok(isNumberIn(new URL('https://a.example/product/4667999'), '4667999'));
  assert.ok(isNumberIn(new URL('https://a.example/p/AB-12_x.html'), 'ab-12'));
  assert.ok(!isNumberIn(new URL('https://a.example/product/46679991'), '4667999'));
  assert.ok(!isNumberIn(new URL('https://a.example/c/mugs'), 'mugs'));
});

test('front pages of shops and of their languages', () => {
  const front = ['/', '/en', '/en-US/', '/index.html', '/home'];
  for (const path of front) assert.ok(isFrontPage(new URL(path, page)), path);
  for (const path of ['/p/1', '/mug', '/en/p/1'])
    assert.ok(!isFrontPage(new URL(path, page)), path);
});
