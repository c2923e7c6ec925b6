// Codes as people type, paste and scan them: every way of writing names the product that its check digit confirms, or an error
// that says what to send.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readGtin } from '../../../src/base/identifiers/gtin.ts';
import { parseIdentifier } from '../../../src/base/identifiers/parse-identifier.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const PEN = '04006381333931';
const BOOK = '09780306406157';
const MUG = '00614141000005';

const WRITTEN: Readonly<Record<string, readonly (readonly [text: string, gtin: string])[]>> = {
  'characters that cannot be seen are not part of a code': [
    ['\u200b4006381333931', PEN],
    ['4006381333931\u200e', PEN],
    ['40063\u00ad81333931', PEN],
    ['\ufeff4006381\u2060333931', PEN],
    ['\u202a4006381333931\u202c', PEN],
    ['\u061c\u20664006381333931\u2069', PEN],
    ['40063\u180e81333931\ufe0f', PEN],
    ['\u31644006381333931', PEN],
    ['4006381\u00a0333\u2009931', PEN],
  ],
  'every dash parts the groups of a code, and points do where there are several': [
    ['978\u22120\u2212306\u221240615\u22127', BOOK],
    ['978\u20140\u2014306\u201440615\u20147', BOOK],
    ['978\uff0d0\uff0d306\uff0d40615\uff0d7', BOOK],
    ['978\ufe630\ufe63306\ufe6340615\ufe637', BOOK],
    ['978\u20430\u2043306\u204340615\u20437', BOOK],
    ['978\u30fc0\u30fc306\u30fc40615\u30fc7', BOOK],
    ['978\u301c0306406157', BOOK],
    ['978.0.306.40615.7', BOOK],
    ['0.306.40615.2', BOOK],
  ],
  'digits of other scripts and full-width characters are what they stand for': [
    ['\uff14\uff10\uff10\uff16\uff13\uff18\uff11\uff13\uff13\uff13\uff19\uff13\uff11', PEN],
    ['\u0664\u0660\u0660\u0666\u0663\u0668\u0661\u0663\u0663\u0663\u0669\u0663\u0661', PEN],
    ['\u06f4\u06f0\u06f0\u06f6\u06f3\u06f8\u06f1\u06f3\u06f3\u06f3\u06f9\u06f3\u06f1', PEN],
    ['\u096a\u0966\u0966\u096c\u0969\u096e\u0967\u0969\u0969\u0969\u096f\u0969\u0967', PEN],
    ['\uff29\uff33\uff22\uff2e 978\uff0d0\uff0d306\uff0d40615\uff0d7', BOOK],
    ['\uff0801\uff0904006381333931', PEN],
  ],
  'the two or five digits next to a symbol are not part of it': [
    ['9771234567003 05', '09771234567003'],
    ['977123456700305', '09771234567003'],
    ['9780306406157 51999', BOOK],
    ['978-0-306-40615-7 51999', BOOK],
    ['978030640615751999', BOOK],
    ['9780306406157+51999', BOOK],
    ['614141000005 00211', MUG],
    ['61414100000500211', MUG],
    ['614141000005 05', MUG],
    ['ISBN 9780306406157 90000', BOOK],
  ],
  'a label before a code is read': [
    ['EAN: 4006381333931', PEN],
    ['GTIN-13 4006381333931', PEN],
    ['UPC#614141000005', MUG],
    ['ISBN-13: 978-0-306-40615-7', BOOK],
    ['ISBN-10: 0306406152', BOOK],
    ['Art.-EAN 4006381333931', PEN],
    ['EAN Nr. 4006381333931', PEN],
    ['Code-barres : 4006381333931', PEN],
    ['Strichcode: 4006381333931', PEN],
    ['JANコード：4006381333931', PEN],
    ['UPC: 45496590161', '00045496590161'],
    ['EAN-8: 96385074', '00000096385074'],
    ['UPC 01234514', '00012100003454'],
  ],
  'zeros in front change nothing': [
    ['0614141000005', MUG],
    ['00614141000005', MUG],
    ['000614141000005', MUG],
    ['000000614141000005', MUG],
    ['00000000000096385074', '00000096385074'],
  ],
  'whatever stands for FNC1 ends an element': [
    [`01${MUG}10ABC\\u001d17261231`, MUG],
    [`01${MUG}10ABC{GS}17261231`, MUG],
    [`01${MUG}10ABC<GS>17261231`, MUG],
    [`01${MUG}10ABC[FNC1]17261231`, MUG],
    [`01${MUG}10ABC|17261231`, MUG],
    [`01${MUG}10ABC^]17261231`, MUG],
    [`01${MUG}10ABC~17261231`, MUG],
    [`~101${MUG}10ABC~117261231`, MUG],
    [`^01${MUG}10ABC^21XY`, MUG],
    [`01${MUG}10ABC%1D17261231`, MUG],
    [`[01]${MUG}[10]ABC`, MUG],
    [`01 ${MUG} 17 261231`, MUG],
  ],
  'punctuation around a code, and after a label a remark in brackets, are not part of it': [
    ['#4006381333931', PEN],
    ['*4006381333931*', PEN],
    ['[4006381333931]', PEN],
    ['(4006381333931)', PEN],
    ['\u201c4006381333931\u201d', PEN],
    ['4006381333931;', PEN],
    ['4006381333931 (EAN)', PEN],
    ['4006381333931 EAN', PEN],
    ['GTIN: 0614141000005 (unit)', MUG],
    ['ISBN 978-0-306-40615-7 (hardcover)', BOOK],
    ['9780306406157|90000', BOOK],
  ],
  'two ways of writing one code are that code': [
    ['UPC 614141000005 EAN 0614141000005', MUG],
    ['9780306406157, 0306406152', BOOK],
    ['614141000005 / 0614141000005', MUG],
  ],
};

for (const [rule, texts] of Object.entries(WRITTEN)) {
  test(rule, () => {
    for (const [text, gtin] of texts) {
      const parsed = parseIdentifier(text);
      const [first] = parsed.ok ? parsed.identifiers : [];
      const found = first !== undefined && 'gtin14' in first ? first.gtin14 : null;
      assert.equal(found, gtin, JSON.stringify(text));
    }
  });
}

test('what cannot be the code that was meant is refused with what to send', () => {
  for (const [text, said] of [
    ['614141000005 / 614141000760', /two codes, 614141000005 and 614141000760\. Send one of them/],
    ['614141000005 614141000760', /two codes/],
    ['614141000005 - 614141000760', /two codes/],
    ['614141000005\u3001614141000760', /two codes/],
    ['614141000005 (614141000760)', /two codes/],
    ['614141000005 \u6216 614141000760', /two codes/],
    ['UPC1: 614141000005 UPC2: 614141000760', /two codes/],
    ['614141000005\n614141000760', /two codes/],
    ['EAN 4006381333931 / UPC 614141000005', /two codes/],
    ['B0ABCDEFGH, 614141000005', /two codes/],
    ['614141000005; 614141000760; 4006381333931', /3 codes/],
    [
      'https%3A%2F%2Fshop.example%2Fp',
      /percent-encoded twice: encode https:\/\/shop\.example\/p once/,
    ],
    ['978%2D0%2D306%2D40615%2D7', /percent-encoded twice/],
    ['EAN: 4006381333932', /check digit of 4006381333932 is wrong: .* 1\./],
    [`02${MUG}3712`, /\(02\) is the GTIN of what a logistic unit contains/],
  ] as const) {
    const parsed = parseIdentifier(text);
    assert.ok(!parsed.ok, text);
    assert.match(parsed.fault.detail, said, text);
  }
});

test('numbers that only look like a code with something around it are none', () => {
  for (const text of [
    '192.168.100.200',
    '106141412345678908',
    '4006381333931 123',
    '4006381333931 / lamp',
    'SKU: 614141000005x',
    '2026.11.30',
    '4006381333932 05',
    '4006381333931 (in stock)',
    'lamp 4006381333931',
  ]) {
    const parsed = parseIdentifier(text);
    assert.ok(!parsed.ok, text);
  }
});

test('an address keeps its characters, and loses only those around it', () => {
  const parsed = parseIdentifier('\u200bhttps://shop.example/\uff4c\u00ad\u2013\u200e');
  assert.deepEqual(parsed.ok && parsed.identifiers, [
    { kind: 'url', value: 'https://shop.example/\uff4c\u00ad\u2013' },
  ]);
});

test('a page may write its codes in the same characters', () => {
  assert.equal(readGtin('\uff2a\uff21\uff2e\uff1a4006381333931'), PEN);
  assert.equal(readGtin('EAN\u200b: 4006381\u2212333931'), PEN);
});

test('however often a text is percent-encoded, it is read in no time', () => {
  for (const text of [`%${'25'.repeat(3_000)}41`, `${' '.repeat(8_000)}x`, '('.repeat(8_000)]) {
    const before = cpuMs();
    parseIdentifier(text);
    assert.ok(cpuMs() - before < 500, text.slice(0, 20));
  }
});
