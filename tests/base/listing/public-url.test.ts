// What an answer shows as an image or a link: a publicly fetchable address, or nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { publicUrl } from '../../../src/base/listing/public-url.ts';
import { cpuMs } from '../../support/cpu-time.ts';

test('addresses of the public web pass as they stand', () => {
  const urls = [
    'https://img.example.com/a.jpg?w=1&user@x',
    'http://cdn.shop.co.uk:80/%40.png',
    'https://xn--bcher-kva.example.org/a,b.webp',
  ];
  for (const url of urls) assert.equal(publicUrl(url), url);
});

test('credentials, private and local hosts, other schemes and odd ports are nothing', () => {
  const urls = [
    'https://user:pass@img.example.com/a.jpg',
    'https://user@img.example.com/a.jpg',
    'http://127.0.0.1/a.jpg',
    'http://10.0.0.8/a.jpg',
    'http://8.8.8.8/a.jpg',
    'http://0x7f000001/a.jpg',
    'http://[::1]/a.jpg',
    'http://localhost/a.jpg',
    'http://router.lan/a.jpg',
    'http://intranet/a.jpg',
    'http://metadata.goog/a.jpg',
    'https://img.example.com:8443/a.jpg',
    'javascript:alert(1)',
    'data:image/png;base64,AA==',
    'ftp://img.example.com/a.jpg',
    '//img.example.com/a.jpg',
    'https://img.example.com\\@10.0.0.1/a.jpg',
    'https://img.example.com/a b.jpg',
    `https://img.example.com/${'a'.repeat(9_000)}`,
    '',
  ];
  for (const url of urls) assert.equal(publicUrl(url), null, url.slice(0, 60));
  assert.equal(publicUrl(null), null);
});

test('a host of thousands of different letters is refused without encoding it', () => {
  const letters = Array.from({ length: 2_600 }, (_, at) => String.fromCodePoint(0x4e00 + at));
  const startedMs = cpuMs();
  for (let round = 0; round < 100; round += 1) {
    assert.equal(publicUrl(`https://${letters.join('')}.example.com/`), null);
  }
  assert.ok(cpuMs() - startedMs < 1_000, `${cpuMs() - startedMs} ms`);
  assert.equal(publicUrl('https://bücher.example.com/a.jpg'), 'https://bücher.example.com/a.jpg');
});
