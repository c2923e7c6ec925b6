// Lists of pages in other trackers' export formats.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readUrlList } from '../../../src/rules/watches/url-list.ts';

const one = (identifier: string) => ({ identifiers: [identifier], belowCents: null });

test('a line is an address, with or without tags after it, in either kind of line end', () => {
  const text =
    "\uFEFFhttps://a.example/p/1 ['4f0c', '77ab']\r\nhttps://b.example/p?x=1&y=2\r\n\r\n# kitchen\r\n" +
    'https://a.example/p/1 again\r\n614141000005\r\nlamp\r\n';
  assert.deepEqual(readUrlList(text), {
    watches: [
      one('https://a.example/p/1'),
      one('https://b.example/p?x=1&y=2'),
      one('614141000005'),
    ],
    unread: [{ line: 7, why: '"lamp" is neither an address nor a code' }],
  });
});

test('a product of several shops is one watch, with the price to notify at', () => {
  const products = [
    {
      title: 'Lamp',
      notify_price: '19.99',
      urls: [{ url: 'https://a.example/1' }, { url: 'https://b.example/1' }],
      price_cache: [{ url: 'https://a.example/1', price: 25 }],
    },
    { title: 'Kettle', notify_price: null, price_cache: [{ url: 'https://c.example/2' }] },
    { title: 'Nothing' },
  ];
  const expected = {
    watches: [
      { identifiers: ['https://a.example/1', 'https://b.example/1'], belowCents: 1_999 },
      one('https://c.example/2'),
    ],
    unread: [{ line: 3, why: 'the product has no address' }],
  };
  assert.deepEqual(readUrlList(JSON.stringify(products)), expected);
  assert.deepEqual(readUrlList(JSON.stringify({ data: products })), expected);
});

test('a file that is not a list is refused', () => {
  assert.deepEqual(readUrlList('{"data": ['), {
    watches: [],
    unread: [{ line: 1, why: 'this is not valid JSON' }],
  });
  assert.deepEqual(readUrlList(''), { watches: [], unread: [] });
});
