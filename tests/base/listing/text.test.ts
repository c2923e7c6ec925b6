// Plain text from what pages publish.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { cleanText, decodeEntities, plainTextOfHtml } from '../../../src/base/listing/text/text.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

test('references are decoded until none is left', () => {
  for (const [text, plain] of [
    ['A &amp; B', 'A & B'],
    ['A &amp;amp;amp; B', 'A & B'],
    ['&amp;#40;5&#41;', '(5)'],
    ['&lt;b&gt; &quot;x&quot; &apos;y&apos;', '<b> "x" \'y\''],
    ['&eacute;&Eacute;&scaron;&Scaron;&ccaron;&euro;&pound;', 'éÉšŠč€£'],
    ['&#233; &#xE9; &#XE9; &#0233;', 'é é é é'],
    ['&#128; &#150; &#153;', '€ – ™'],
    ['Tom&#39s &quotx&quot', 'Tom\'s &quotx"'],
    ['AT&T, R&D, a&b;', 'AT&T, R&D, a&b;'],
    ['?a=1&para=2&copy=3&amp=4', '?a=1&para=2&copy=3&amp=4'],
    ['&unknown; &#; &#x; &', '&unknown; &#; &#x; &'],
    ['&#0; &#xD800; &#1114112;', '\ufffd \ufffd \ufffd'],
    ['&#99999999999999999999;', '&#99999999999999999999;'],
    ['&frac12; &times; &Prime; &nbsp;|', '½ × ″ \u00a0|'],
  ] as const) {
    assert.equal(decodeEntities(text), plain, text);
  }
});

test('clean text is one line without invisible characters, cut between characters', () => {
  for (const [text, max, plain] of [
    ['  a \n\t b\u00a0c  ', 100, 'a b c'],
    ['a\u200bb\u00adc\ufeff', 100, 'abc'],
    ['\u202eabc\u202c \u2066d\u2069', 100, 'abc d'],
    ['a\u0000b\u0007c\u001b[0m', 100, 'abc[0m'],
    ['x\u{e0041}\u{e0042}y', 100, 'xy'],
    ['one\u0085two \u2028 three', 100, 'one two three'],
    ['\u0085one\u009b31m', 100, 'one31m'],
    ['می\u200cخواهم', 100, 'می\u200cخواهم'],
    ['a\u200db', 100, 'ab'],
    ['👨\u200d👩', 100, '👨\u200d👩'],
    ['\ud800lone\udc00', 100, 'lone'],
    ['abcdef', 3, 'abc'],
    ['ab cdef', 3, 'ab'],
    ['ab👍', 3, 'ab'],
    ['ab👍', 4, 'ab👍'],
    ['&amp;amp; x', 100, '& x'],
    ['', 5, ''],
  ] as const) {
    assert.equal(cleanText(text, max), plain, JSON.stringify(text));
  }
  assert.equal(cleanText('<b>Bold</b> <i>x</i>', 100, { tags: true }), 'Bold x');
  assert.equal(cleanText('<b>Bold</b>', 100), '<b>Bold</b>', 'markup stays unless asked');
});

test('a description loses its markup and keeps its words apart', () => {
  for (const [html, plain] of [
    ['<p>Hello<br>World</p>', 'Hello World'],
    ['<ul><li>one</li><li>two</li></ul>', 'one two'],
    ['H<sub>2</sub>O <b>w</b>ater', 'H2O water'],
    ['a<script>if (1 < 2) { "</p>" }</script>b', 'a b'],
    ['a<STYLE>p{}</STYLE>b', 'a b'],
    ['a<!-- <b> -->b', 'ab'],
    ['<p class="a>b">text</p>', 'text'],
    ['5 < 10 and 10 > 5, I <3 it', '5 < 10 and 10 > 5, I <3 it'],
    ['&lt;p&gt;escaped&lt;/p&gt;', 'escaped'],
    ['&amp;lt;p&amp;gt;twice&amp;lt;/p&amp;gt;', 'twice'],
    ['text <unclosed', 'text'],
    ['a<script>never closed', 'a'],
    ['<p>\n  spaced\u00a0 out \n</p>', 'spaced out'],
    ['<img alt="x"/>', ''],
  ] as const) {
    assert.equal(plainTextOfHtml(html, 200), plain, html);
  }
});

test('cleaned text is short, well formed and free of invisible characters, whatever came in', () => {
  const seed = seedOf(99);
  const random = randomFrom(seed);
  const pieces = [
    '&amp;',
    '&lt;',
    '<b>',
    '</b>',
    '<',
    '>',
    '&#40;',
    '&',
    '#',
    ';',
    'amp',
    'x',
    ' ',
    '\n',
    '"',
    "='",

    '\u200b',
    '\u200d',
    '\ud83d',
    '\udc4d',
    '\u202e',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '\0',
    'é',
  ];
  for (let round = 0; round < 10_000; round += 1) {
    const text = Array.from({ length: integerBelow(random, 16) }, () => pick(random, pieces)).join(
      '',
    );
    const once = cleanText(text, 30);
    const note = `${JSON.stringify(text)}, seed ${seed}`;
    assert.ok(once.length <= 30 && once.isWellFormed(), note);
    assert.ok(!/[\0-\x1f\u200b\u202e]/.test(once), note);
    assert.ok(plainTextOfHtml(text, 30).isWellFormed(), note);
    const short = decodeEntities(text);
    assert.equal(decodeEntities(short), short, note);
  }
});

test('every character is kept, dropped or taken for a blank alike, whatever else is in the text', () => {
  const isInvisible = /[\0-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\p{Cf}\p{Cs}\u2065\p{Co}\ufff9-\ufffb]/u;
  for (let code = 0; code <= 0xffff; code += 1) {
    const character = String.fromCharCode(code);
    if (character === '&') continue;
    const line = cleanText(`a${character}\n b  c`, 20);
    // A leading invisible character forces the slower path.
    assert.equal(cleanText(`\u200b a${character}\n b  c`, 20), line, code.toString(16));
    if (/[\s\x85]/.test(character)) assert.equal(line, 'a b c', code.toString(16));
    else if (!isInvisible.test(character)) assert.equal(line, `a${character} b c`);
  }
});

test('a text of any size and depth ends in an answer', () => {
  const large = 200_000;
  for (const piece of [
    '<',
    '<a',
    '<!--',
    '<script>',
    '&',
    '&amp;',
    '&#',
    '"',
    '<a ="',
    '</',
    '\u200d',
    ' ',
  ]) {
    const text = piece.repeat(large);
    assert.ok(cleanText(text, 100).length <= 100);
    assert.ok(plainTextOfHtml(text, 100).length <= 100);
    decodeEntities(text);
  }
  assert.equal(cleanText(`&${'amp;'.repeat(50)}lt;`, 500).length > 0, true);
});
