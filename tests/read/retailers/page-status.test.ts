import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { gzipSync, zstdCompressSync } from 'node:zlib';

import { readStatus } from '../../../src/read/retailers/page-status.ts';
import { readProductPage } from '../../../src/read/retailers/registry.ts';
import { html, ld, MUG, pageOf } from './page-fixtures.ts';

describe('the status decides before the body', () => {
  const rows: readonly (readonly [number, string | null])[] = [
    [200, null],
    [206, null],
    [301, 'retry'],
    [304, 'retry'],
    [400, 'retry'],
    [401, 'blocked'],
    [403, 'blocked'],
    [404, 'not_found'],
    [408, 'retry'],
    [410, 'not_found'],
    [412, 'blocked'],
    [429, 'blocked'],
    [430, 'blocked'],
    [451, 'blocked'],
    [500, 'retry'],
    [502, 'retry'],
    [503, 'retry'],
    [999, 'retry'],
  ];
  for (const [status, kind] of rows) {
    test(`${status}`, () => {
      assert.equal(readStatus(pageOf(html(ld(MUG)), { status }))?.kind ?? null, kind);
    });
  }
});

describe('Retry-After', () => {
  const rows: readonly (readonly [string, number | undefined])[] = [
    ['120', 120],
    ['0', 0],
    ['999999999', 86_400],
    ['Fri, 20 Nov 2026 00:01:00 GMT', 60],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
  ];
  for (const [text, seconds] of rows) {
    test(JSON.stringify(text), () => {
      const verdict = readStatus(pageOf('', { status: 429, headers: { 'retry-after': text } }));
      assert.equal(verdict?.kind, 'blocked');
      if (verdict?.kind === 'blocked') assert.equal(verdict.retryAfterSeconds, seconds);
    });
  }
});

describe('content types', () => {
  const rows: readonly (readonly [string | undefined, boolean])[] = [
    ['text/html; charset=utf-8', true],
    ['TEXT/HTML', true],
    ['application/xhtml+xml', true],
    ['application/json', true],
    ['application/ld+json', true],
    ['', true],
    [undefined, true],
    [`text/html;${'a'.repeat(5000)}`, true],
    ['text/plain', false],
    ['application/octet-stream', false],
    ['image/png', false],
    ['text/javascript', false],
    ['application/pdf', false],
  ];
  for (const [type, isRead] of rows) {
    test(String(type).slice(0, 40), () => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const verdict = readProductPage(pageOf(html(ld(MUG)), { headers }));
      assert.equal(verdict.kind, isRead ? 'read' : 'not_a_product');
    });
  }
});

describe('an answer without anything in it is asked for again, whatever its status says', () => {
  const page = html(ld(MUG));
  const rows: readonly (readonly [string, string | Uint8Array, string])[] = [
    ['no byte', '', 'retry'],
    ['white space', ' \r\n\t\n', 'retry'],
    ['the mark of UTF-8', Buffer.from([0xef, 0xbb, 0xbf]), 'retry'],
    ['the bytes of gzip, unsaid', gzipSync(page), 'retry'],
    ['the bytes of zstd, unsaid', zstdCompressSync(page), 'retry'],
    [
      'a script that fills it',
      '<html><body><script src="/a.js"></script></body></html>',
      'unreadable',
    ],
    ['a word', '<html><body><p>Hello</p></body></html>', 'not_a_product'],
    ['a picture', '<html><body><img src="/a.png"></body></html>', 'not_a_product'],
    ['a product behind white space', `\n\n${page}`, 'read'],
  ];
  for (const [name, body, kind] of rows) {
    test(name, () => {
      assert.equal(readProductPage({ ...pageOf(''), body: Buffer.from(body) }).kind, kind);
    });
  }
  test('of a type that is not read', () => {
    const headers = { 'content-type': 'video/mp4' };
    assert.equal(readProductPage(pageOf('', { headers })).kind, 'not_a_product');
  });
});

describe('walls and error pages inside a 200', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['a robot question', html('', '<h1>Robot or human?</h1>', 'Robot or human?'), 'blocked'],
    [
      'access denied with a reference',
      html('', 'Access Denied. Reference #18.2f', 'Access Denied'),
      'blocked',
    ],
    [
      'a challenge',
      html('<script src="/cdn-cgi/challenge-platform/h/b/orchestrate/chl_page/v1?ray=1"></script>'),
      'blocked',
    ],
    [
      'the script that a bot guard puts into ordinary pages',
      html('<h1>Mugs</h1><script src="/cdn-cgi/challenge-platform/scripts/jsd/main.js"></script>'),
      'not_a_product',
    ],
    [
      'marks of a bot guard on a page that leads on',
      html(
        `<script src="/_Incapsula_Resource?x=1"></script>${'<a href="/c/mugs">Mugs</a>'.repeat(20)}`,
      ),
      'not_a_product',
    ],
    ['one moment', html('', '', 'Just a moment...'), 'blocked'],
    ['an interruption', html('', '<h1>Pardon Our Interruption...</h1>', 'shop'), 'blocked'],
    ['a captcha and nothing else', html('<div class="h-captcha"></div>', '', 'shop'), 'blocked'],
    ['page not found', html('', '<h1>Page not found</h1>', 'Example Shop'), 'not_found'],
    ['404 in the title', html('', '', '404 - Example Shop'), 'not_found'],
    [
      'a product that is gone',
      html('', '<h1>Sorry, this product is no longer available</h1>', 'Shop'),
      'not_found',
    ],
    ['another language', html('', '<h1>Seite nicht gefunden</h1>', 'Shop'), 'not_found'],
    ['an outage', html('', '<h1>This page is temporarily unavailable</h1>', 'Shop'), 'retry'],
    [
      'a product that is sold out, and no more on its page',
      html('', '<h1>This item is currently unavailable</h1>', 'Shop'),
      'retry',
    ],
    [
      'another visitor’s country',
      html('', '', 'Shop International: Select your Country'),
      'blocked',
    ],
    [
      'a product called like an error',
      html(ld({ ...MUG, name: '404 Mug' }), '<h1>404 Mug</h1>', '404 Mug'),
      'read',
    ],
    [
      'a product page with a captcha in a form',
      html(ld(MUG), '<div class="g-recaptcha"></div>'),
      'read',
    ],
    [
      'a long page with a captcha in a form',
      html('', `<div class="g-recaptcha"></div>${'<p>About us.</p>'.repeat(1000)}`, 'About us'),
      'not_a_product',
    ],
  ];
  for (const [name, body, kind] of rows) {
    test(name, () => assert.equal(readProductPage(pageOf(body)).kind, kind));
  }

  test('a page that shows nothing but a question about robots, or a refusal, is a wall in any language', () => {
    const said = [
      'ロボットではないことを確認してください。',
      'Подтвердите, что вы не робот.',
      '请拖动滑块完成验证',
      'Confirme que você não é um robô',
      'Potwierdź, że jesteś człowiekiem.',
      '로봇이 아닙니다를 체크해 주세요.',
      'تأكد من أنك لست روبوتًا',
      'Verifiera att du är en människa',
      'Toegang geweigerd',
      'The request could not be satisfied.',
    ];
    for (const text of said) {
      assert.equal(
        readProductPage(pageOf(html('', `<p>${text}</p>`, 'shop'))).kind,
        'blocked',
        text,
      );
      const filled = html('', `<p>${text}</p>${'<p>About our shop.</p>'.repeat(60)}`, 'shop');
      assert.equal(readProductPage(pageOf(filled)).kind, 'not_a_product', `a text: ${text}`);
      const leading = html('', `<p>${text}</p>${'<a href="/c">Mugs</a>'.repeat(20)}`, 'shop');
      assert.equal(readProductPage(pageOf(leading)).kind, 'not_a_product', `it leads on: ${text}`);
    }
    const toys = html('<meta property="og:title" content="Toys">', '<h1>Robots</h1>', 'Robots');
    assert.equal(readProductPage(pageOf(toys)).kind, 'not_a_product');
  });

  test('a redirect to a wall', () => {
    const page = pageOf(html(''), {
      url: 'https://shop.example/blocked?url=x',
      requestedUrl: 'https://shop.example/p/1',
    });
    assert.equal(readProductPage(page).kind, 'blocked');
  });

  test('a 503 that is a wall', () => {
    for (const body of ['<div id="px-captcha"></div>', '<p>Access denied. Reference #18.2f</p>']) {
      const page = pageOf(html('', body), { status: 503 });
      assert.equal(readStatus(page)?.kind, 'blocked', body);
    }
  });
});
