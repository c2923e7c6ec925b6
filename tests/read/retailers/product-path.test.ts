// Paths of product addresses, on the right hosts only.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isHostOf, pathOn } from '../../../src/read/retailers/addresses/product-path.ts';

const HOSTS = ['shop.example', 'api.shop.example'];

test('double and trailing slashes, dot segments and the query are not part of a path', () => {
  const url = new URL('https://www.shop.example//p//a/../b/?p=/c#/d');
  assert.deepEqual(pathOn(HOSTS, url), ['p', 'b']);
  assert.deepEqual(pathOn(HOSTS, new URL('https://shop.example')), []);
});

test('another host has no path', () => {
  assert.equal(pathOn(HOSTS, new URL('https://other.example/p')), null);
});

test('www, m and the root dot are accepted, other names are not', () => {
  for (const host of ['shop.example', 'www.shop.example', 'M.Shop.Example', 'api.shop.example.']) {
    assert.ok(isHostOf(HOSTS, host), host);
  }
  for (const host of [
    'notshop.example',
    'shop.example.evil.example',
    'x.shop.example',
    'example',
    '',
  ]) {
    assert.ok(!isHostOf(HOSTS, host), host);
  }
});
