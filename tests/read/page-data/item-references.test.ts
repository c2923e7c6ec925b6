import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { readHtml } from '../../../src/read/page-data/html/html.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function itemsOf(html: string): unknown {
  return JSON.parse(JSON.stringify(readHtml(html).items)) as unknown;
}

const item = (type: string, rest: string, inside = ''): string =>
  `<div itemscope itemtype="${type}" ${rest}>${inside}</div>`;
const PRICE = '<b><meta itemprop="price" content="5"></b>';
const THING = { '@type': ['Thing'] };

describe('an item has the properties of the elements that it refers to', () => {
  const rows: readonly (readonly [string, string, unknown])[] = [
    ['after it', `${item('Thing', 'itemref="a"')}<p id="a">${PRICE}</p>`, { price: '5' }],
    ['before it', `<p id=a>${PRICE}</p>${item('Thing', 'itemref=a')}`, { price: '5' }],
    [
      'that are the property',
      `<i id=a itemprop=name>N</i>${item('Thing', "itemref='x a'")}`,
      { name: 'N' },
    ],
    [
      'that are an item',
      `${item('Offer', 'id=a itemprop=offers', PRICE)}${item('Thing', 'itemref=a')}`,
      { offers: { '@type': ['Offer'], price: '5' } },
    ],
    [
      'one inside the other',
      `<p id=a><i id=b itemprop=name>N</i>${PRICE}</p>${item('Thing', 'itemref="a b"')}`,
      { name: 'N', price: '5' },
    ],
    [
      'but not the second of one id',
      `<p id=a></p><p id=a>${PRICE}</p>${item('Thing', 'itemref=a')}`,
      {},
    ],
  ];
  for (const [name, html, properties] of rows) {
    test(name, () => assert.deepEqual(itemsOf(html), [{ ...THING, ...(properties as object) }]));
  }
});

test('an element inside an item belongs to both', () => {
  const html = item('Page', '', `<p id=a>${PRICE}</p>`) + item('Thing', 'itemref=a');
  assert.deepEqual(itemsOf(html), [
    { '@type': ['Page'], price: '5' },
    { ...THING, price: '5' },
  ]);
});

test('what no item refers to belongs to none', () => {
  assert.deepEqual(itemsOf(`${item('Thing', 'itemref=b')}<p id=a>${PRICE}</p>`), [THING]);
});

test('an item that refers to what it is in does not become a part of itself', () => {
  const inner = item('Thing', 'itemprop=part itemref=a', PRICE);
  assert.deepEqual(itemsOf(`<p id=a>${inner}</p>`), [{ ...THING, price: '5' }]);
});

test('3,000 items that refer to one another are read in a moment', () => {
  const items = Array.from({ length: 3_000 }, (_, at) =>
    item(
      'Thing',
      `id=i${at % 150} itemprop=next itemref="i${(at + 1) % 150} i${(at + 2) % 150}"`,
      PRICE,
    ),
  );
  const startedMs = cpuMs();
  readHtml(items.join(''));
  assert.ok(cpuMs() - startedMs < 2_000);
});
