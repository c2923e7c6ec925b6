// Product pages whose data is unreadable, distinguished from pages that are not product pages (D12).

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readHtml } from '../../../src/read/page-data/html/html.ts';
import { readOpenGraph } from '../../../src/read/page-data/open-graph.ts';
import { NOTHING_ASKED } from '../../../src/read/page-data/variants/asked-address.ts';
import { unreadProduct } from '../../../src/read/page-data/unread-product.ts';
import { OFFERS_OF_PAGE } from '../../../src/read/page-data/facts.ts';
import { UnknownWords } from '../../../src/base/listing/vocabularies/unknown-words.ts';

function judged(body: string, { path = '/tray', head = '' } = {}): string | null {
  const url = new URL(path, 'https://shop.example');
  const html = readHtml(`<html><head><title>Tray</title>${head}</head><body>${body}</body></html>`);
  const left = { offers: OFFERS_OF_PAGE };
  const words = new UnknownWords();
  const context = {
    url,
    canonical: url,
    asked: NOTHING_ASKED,
    dollarIsUs: true,
    currency: null,
    named: null,
    decimalMark: null,
    askedCurrency: null,
    country: null,
    shown: null,
    words,
    left,
    nowMs: 0,
  };
  return unreadProduct(html, readOpenGraph(html.metas, context), url);
}

const APP = '<div id="root"></div><script src="/app.js"></script>';
const TEXT = `<p>${'A tray begins as a plank. '.repeat(20)}</p>`;

test('a page with its button to buy, in the words of many shops, is a product page', () => {
  for (const button of [
    '<button class="x">Add to cart</button>',
    '<button>\n  Add to Basket\n</button>',
    '<a role="button" href="#">Buy now</a>',
    '<input type="submit" value="Add to bag">',
    '<button><span>In den Warenkorb</span></button>',
    '<button>Añadir al carrito</button>',
    '<button>Add to cart</button><button>Add to cart</button>',
    '<button><span>Do koszyka</span></button>',
    '<a class="btn" href="#"><b></b><span>カートに入れる</span></a>',
    '<INPUT TYPE="submit" VALUE="Sepete Ekle">'.toLowerCase(),
    '<button>A&ntilde;adir al carrito</button>',
    '<a class="button" href="#">Kaufen</a>',
  ]) {
    assert.match(String(judged(`${TEXT}${button}`)), /button to buy/, button);
  }
});

test('an empty page that a script fills may be one, and so may one whose tags say so', () => {
  assert.match(String(judged(APP)), /script runs/);
  const loading = `<noscript>You need to enable JavaScript to run this app.</noscript>${APP}`;
  assert.match(String(judged(loading)), /script runs/);
  const head = '<meta property="og:type" content="product">';
  assert.match(String(judged(TEXT, { head })), /tags/);
});

test('a front page, a service page, an article, a list and a page with text are none', () => {
  assert.equal(judged(APP, { path: '/' }), null);
  assert.equal(judged(APP, { path: '/cart' }), null);
  assert.equal(judged(TEXT), null);
  assert.equal(judged(''), null, 'no script would fill it');
  assert.equal(judged('<button>Add to cart</button>'.repeat(8) + TEXT), null, 'a list of tiles');
  assert.equal(judged(`${TEXT}<p>Add to cart whatever you like.</p>`), null);
  assert.equal(judged(`${TEXT}<p>Add to cart</p>`), null, 'no button');
  assert.equal(judged(`${TEXT}<a href="/buy">Kaufen</a>`), null, 'an item of a menu');
  const head = '<meta property="og:type" content="article">';
  assert.equal(judged(`${TEXT}<button>Add to cart</button>`, { head }), null);
  const links = '<a href="/a">A</a><a href="/b">B</a><a href="/c">C</a><a href="/d">D</a>';
  assert.equal(judged(links + APP), null, 'a page with ways on');
});
