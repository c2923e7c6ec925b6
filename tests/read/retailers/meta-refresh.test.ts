// Pages that send their visitors on without a redirect: which are followed, and to where.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { html, ld, MUG, pageOf, type PageOptions } from './page-fixtures.ts';

const FROM = 'https://shop.example/old/mug?id=7';

/** Returns where the page leads, or what else it is. */
function followed(text: string, options: PageOptions = {}): string {
  const verdict = readProductPage(pageOf(text, { url: FROM, ...options }));
  return verdict.kind === 'follow' ? verdict.request.url : verdict.kind;
}

const meta = (content: string): string => `<meta http-equiv="refresh" content="${content}">`;

describe('a refresh', () => {
  const rows: readonly (readonly [content: string, to: string])[] = [
    ['0; url=/p/mug', 'https://shop.example/p/mug'],
    ['0;URL=mug-2', 'https://shop.example/old/mug-2'],
    ["0; url='/p/mug'", 'https://shop.example/p/mug'],
    ["5;URL = '/p/mug' trailing", 'https://shop.example/p/mug'],
    ['0, url=/p/mug', 'https://shop.example/p/mug'],
    ['0 url=/p/mug', 'https://shop.example/p/mug'],
    ['  1 ; /p/mug  ', 'https://shop.example/p/mug'],
    ['0.5;url=/p/mug', 'https://shop.example/p/mug'],
    ['.9;url=/p/mug', 'https://shop.example/p/mug'],
    ['0;url=?id=8&amp;size=2', 'https://shop.example/old/mug?id=8&size=2'],
    ['0;url=&quot;/p/mug&quot;', 'https://shop.example/p/mug'],
    ['0;url=//other.example/p/mug', 'https://other.example/p/mug'],
    ['0;url=https://other.example/p/mug#top', 'https://other.example/p/mug'],
    ['6; url=/p/mug', 'not_a_product'],
    ['3600; url=/p/mug', 'not_a_product'],
    ['-1; url=/p/mug', 'not_a_product'],
    ['soon; url=/p/mug', 'not_a_product'],
    ['url=/p/mug', 'not_a_product'],
    ['0', 'not_a_product'],
    ['0;', 'not_a_product'],
    ['0;url=', 'not_a_product'],
    ["0;url=''", 'not_a_product'],
    ['0;url=/old/mug?id=7#reviews', 'not_a_product'],
    ['0;url=http://shop.example/p/mug', 'not_a_product'],
    ['0;url=javascript:alert(1)', 'not_a_product'],
    ['0;url=data:text/html,x', 'not_a_product'],
    ['0;url=file:///etc/passwd', 'not_a_product'],
    [`0;url=/${'x'.repeat(9_000)}`, 'not_a_product'],
  ];
  for (const [content, to] of rows) {
    test(`"${content.slice(0, 60)}" is ${to}`, () => {
      assert.equal(followed(html(meta(content), '<p>This page has moved.</p>')), to);
    });
  }
});

describe('a refresh counts', () => {
  const refresh = meta('0;url=/p/mug');
  const to = 'https://shop.example/p/mug';
  const rows: readonly (readonly [string, string, string, PageOptions?])[] = [
    ['in a page of that tag alone', refresh, to],
    ['in capitals, without quotes', '<HEAD><META CONTENT=0;URL=/p/mug HTTP-EQUIV=Refresh>', to],
    [
      'by the base of the page',
      html(`<base href="/en/">${meta('0;url=mug')}`),
      'https://shop.example/en/mug',
    ],
    [
      'from http to https',
      html(meta('0;url=https://shop.example/p/mug')),
      to,
      { url: 'http://shop.example/x' },
    ],
    [
      'as a header',
      html('', '<p>Moved</p>'),
      to,
      { headers: { 'content-type': 'text/html', refresh: '0;url=/p/mug' } },
    ],
    ['not in the body', html('', refresh), 'not_a_product'],
    ['not in a comment', html(`<!-- ${refresh} -->`), 'not_a_product'],
    ['not in a script', html(`<script>x = '${refresh}'</script>`), 'not_a_product'],
    ['not for visitors without scripts', html(`<noscript>${refresh}</noscript>`), 'not_a_product'],
    [
      'behind something for visitors without scripts',
      html(`<noscript><p>x</p></noscript>${refresh}`),
      to,
    ],
    [
      'not under another name',
      html('<meta name="refresh" content="0;url=/p/mug">'),
      'not_a_product',
    ],
    ['not on a page with a product', html(`${refresh}${ld(MUG)}`), 'read'],
    [
      'not on an error page',
      html(refresh, '<h1>Page not found</h1>', 'Page not found'),
      'not_found',
    ],
    ['not with status 404', html(refresh), 'not_found', { status: 404 }],
    [
      'not on a page that asks for a check',
      html(refresh, '<div id="px-captcha"></div>'),
      'blocked',
    ],
    [
      'not with the token of a bot check',
      html(meta('5; URL=/p/mug?bm-verify=AAQAAAAN'), '', '&nbsp;'),
      'blocked',
    ],
  ];
  for (const [name, text, kind, options] of rows) {
    test(name, () => assert.equal(followed(text, options), kind));
  }
});

test('a hostile refresh costs no more than the page around it', () => {
  for (const content of [
    '1'.repeat(90_000),
    `0${' '.repeat(90_000)}`,
    `0;${'url='.repeat(20_000)}`,
  ]) {
    const startedMs = cpuMs();
    followed(html(meta(content)), { headers: { 'content-type': 'text/html', refresh: content } });
    followed(html(meta(content)));
    assert.ok(cpuMs() - startedMs < 500, content.slice(0, 5));
  }
});
