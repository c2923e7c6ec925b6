import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { decodeBody } from '../../../src/read/page-data/html/charset.ts';

/** Single-byte and wide encodings that this file needs, without a library: Node only decodes. */
function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex.replaceAll(' ', ''), 'hex'));
}

function latin(text: string): Uint8Array {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}

function wide(text: string, order: 'le' | 'be', mark: boolean): Uint8Array {
  const units = mark ? `\ufeff${text}` : text;
  const bytes = Buffer.from(units, 'utf16le');
  return Uint8Array.from(order === 'le' ? bytes : bytes.swap16());
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('the encoding is taken', () => {
  const rows: readonly (readonly [string, Uint8Array, string | undefined, string])[] = [
    ['from nothing: UTF-8', utf8('Größe'), undefined, 'Größe'],
    ['from the header', latin('Gr\xf6\xdfe'), 'text/html; charset=iso-8859-1', 'Größe'],
    ['from a quoted header', latin('Gr\xf6\xdfe'), 'text/html; charset="ISO-8859-15"', 'Größe'],
    [
      'from the first of two',
      utf8('Größe'),
      'text/html; charset="utf-8"; charset=iso-8859-1',
      'Größe',
    ],
    ['not from an unknown label', utf8('Größe'), 'text/html; charset=no-such-charset', 'Größe'],
    ['not from utf-7', utf8('Größe'), 'text/html; charset=utf-7', 'Größe'],
    [
      'from a byte order mark against the header',
      joined(bytesOf('efbbbf'), utf8('Größe')),
      'text/html; charset=iso-8859-1',
      'Größe',
    ],
    ['UTF-16 by its mark', wide('Größe', 'le', true), undefined, 'Größe'],
    ['UTF-16BE by its mark', wide('Größe', 'be', true), undefined, 'Größe'],
    ['UTF-16LE by the header', wide('Größe', 'le', false), 'text/html; charset=utf-16le', 'Größe'],
    ['UTF-16BE by the header', wide('Größe', 'be', false), 'text/html; charset=utf-16be', 'Größe'],
    ['UTF-16 by its zero bytes', wide('<html>Größe', 'be', false), undefined, '<html>Größe'],
    [
      'from meta charset',
      joined(latin('<meta charset=windows-1251>'), bytesOf('cfeb e0f2 fce5')),
      undefined,
      '<meta charset=windows-1251>Платье',
    ],
    [
      'from http-equiv',
      joined(
        latin('<META http-equiv="Content-Type" content="text/html; charset=Shift_JIS">'),
        bytesOf('8365 8358 8367'),
      ),
      'text/html',
      '<META http-equiv="Content-Type" content="text/html; charset=Shift_JIS">テスト',
    ],
    [
      'not from a comment',
      joined(latin('<!-- <meta charset=windows-1251> -->'), utf8('Größe')),
      undefined,
      '<!-- <meta charset=windows-1251> -->Größe',
    ],
    [
      'UTF-8 although the page claims UTF-16',
      joined(latin('<meta charset="utf-16">'), utf8('Größe')),
      undefined,
      '<meta charset="utf-16">Größe',
    ],
    [
      'from the XML declaration',
      joined(latin('<?xml version="1.0" encoding="iso-8859-2"?>'), bytesOf('b1')),
      undefined,
      '<?xml version="1.0" encoding="iso-8859-2"?>ą',
    ],
    [
      'windows-1252 where UTF-8 was promised and broken',
      latin('Gr\xf6\xdfe'),
      'text/html; charset=utf-8',
      'Größe',
    ],
    [
      'UTF-8 where a single-byte encoding was promised and all of it is UTF-8',
      utf8('Größe – 12 €'),
      'text/html; charset=iso-8859-1',
      'Größe – 12 €',
    ],
    ['windows-1252 where nothing was promised', latin('Prix : 12 \x80'), undefined, 'Prix : 12 €'],
    ['gb18030', bytesOf('b1ed'), 'text/html; charset=gb18030', '表'],
    [
      'iso-2022-jp',
      bytesOf('1b2442 2546 2539 2548 1b2842'),
      'text/html; charset=iso-2022-jp',
      'テスト',
    ],
  ];
  for (const [name, bytes, header, text] of rows) {
    test(name, () => assert.equal(decodeBody(bytes, header).text, text));
  }
});

/** `Платье` in windows-1251: windows-1252 makes `Ïëàòüå` of it, and UTF-8 nothing. */
const DRESS = bytesOf('cfeb e0f2 fce5');
const FILLER = `<!-- ${'x'.repeat(9_000)} -->`;

describe('a declaration', () => {
  const rows: readonly (readonly [string, string, 'used' | 'not used'])[] = [
    ['behind a long comment', `${FILLER}<meta charset="windows-1251">`, 'used'],
    [
      'behind a long script and in capitals',
      `<script>var a = "${'x'.repeat(9_000)}";</script><META CHARSET='Windows-1251' />`,
      'used',
    ],
    [
      'of the old form behind a style sheet',
      `<style>${'a{}'.repeat(4_000)}</style><meta content="text/html;charset=cp1251" http-equiv=content-type>`,
      'used',
    ],
    ['in the body', `<body>${'<p>x</p>'.repeat(2_000)}<meta charset=windows-1251>`, 'used'],
    ['in the last bytes', `${'x'.repeat(65_507)}<meta charset=windows-1251> `, 'used'],
    ['beyond the first 64 KB', `${'x'.repeat(65_536)}<meta charset=windows-1251>`, 'not used'],
    ['after one with an unknown label', '<meta charset=x-shop><meta charset=windows-1251>', 'used'],
    ['after an empty one', '<meta charset><meta charset=windows-1251>', 'used'],
    ['after another one', '<meta charset=koi8-r><meta charset=windows-1251>', 'not used'],
    ['in a comment', `${FILLER}<!-- <meta charset=windows-1251> -->`, 'not used'],
    ['in a script', '<script>x = "<meta charset=windows-1251>"</script>', 'not used'],
    ['in a value', '<p title="<meta charset=windows-1251>">', 'not used'],
    ['in a text field', '<textarea><meta charset=windows-1251></textarea>', 'not used'],
    ['in a description', '<meta name=description content="charset=windows-1251">', 'not used'],
    ['in the text of a JSON answer', '{"html": "<meta charset=windows-1251>"}', 'not used'],
  ];
  for (const [name, start, use] of rows) {
    test(`${name} is ${use}`, () => {
      const { text } = decodeBody(joined(latin(start), DRESS), 'text/html');
      assert.equal(text.endsWith('Платье'), use === 'used', text.slice(-40));
    });
  }
});

test('the header goes before a declaration, and a text that is surely UTF-8 before both', () => {
  const declared = latin(`${FILLER}<meta charset=koi8-r>`);
  const { charset } = decodeBody(joined(declared, DRESS), 'text/html; charset=windows-1251');
  assert.equal(charset, 'windows-1251');
  const { text } = decodeBody(joined(declared, utf8('Größe – 12 €')), 'text/html');
  assert.ok(text.endsWith('Größe – 12 €'));
});

test('broken bytes are weighed against the others beyond ASCII wherever they stand', () => {
  const html = 'text/html';
  for (let before = 0; before < 70; before += 1) {
    // At every memory alignment of the bytes, and at every position in the groups in which they are counted.
    const whole = joined(
      utf8('x'.repeat(before)),
      latin('\xf6'),
      utf8('Größe'),
      utf8('y'.repeat(40)),
    );
    const body = whole.subarray(before % 5);
    assert.equal(decodeBody(body, html).charset, 'utf-8', String(before));
    const broken = joined(utf8('x'.repeat(before)), latin('\xf6 \xf6 \xf6 '), utf8('Größe'));
    assert.equal(decodeBody(broken.subarray(before % 5), html).charset, 'windows-1252');
  }
});

test('a few broken bytes do not turn a UTF-8 page into another one', () => {
  const bytes = joined(utf8('Größe Maße Höhe '), bytesOf('ff'));
  assert.equal(decodeBody(bytes, 'text/html; charset=utf-8').text, 'Größe Maße Höhe \ufffd');
});

test('an empty body is an empty text', () => {
  assert.equal(decodeBody(new Uint8Array(), undefined).text, '');
});
