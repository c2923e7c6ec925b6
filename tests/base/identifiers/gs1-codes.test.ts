// What a 2D scanner reads (D75): element strings and Digital Link addresses, from tables and with seeded random input.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { applicationIdentifier } from '../../../src/base/identifiers/application-identifiers.ts';
import { gs1CheckDigit } from '../../../src/base/identifiers/check-digit.ts';
import { parseDigitalLink } from '../../../src/base/identifiers/digital-link.ts';
import { parseIdentifier } from '../../../src/base/identifiers/parse-identifier.ts';
import { parseInput } from '../../../src/answer/lookup/steps/parse-input.ts';
import { cpuMs } from '../../support/cpu-time.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { hostOf } from '../../support/retailer-urls.ts';

const GTIN = '09506000134352';
const GS = '\u001d';

/** Returns `kind value` of each meaning, and the other elements as scanner software prints them. */
function meaningOf(text: string, format?: string): readonly [meanings: string, others: string] {
  const parsed = parseInput(text, format);
  if (!parsed.ok) return [parsed.fault.code, parsed.fault.detail];
  const meanings = parsed.identifiers.map(({ kind, value }) => `${kind} ${value}`).join(', ');
  return [
    meanings,
    (parsed.otherElements ?? []).map(({ ai, value }) => `(${ai})${value}`).join(''),
  ];
}

const CODES: readonly (readonly [text: string, others: string])[] = [
  [`(01)${GTIN}`, ''],
  [`(01)${GTIN}(10)ABC`, '(10)ABC'],
  ['(01) 0 95 06000 13435 2 (17) 251231 (10) AB12/C', '(17)251231(10)AB12/C'],
  [`(17)251231(01)${GTIN}(10)A(b)c`, '(17)251231(10)A(b)c'],
  [`]C1(01)${GTIN}(10)ABC`, '(10)ABC'],
  [`]C101${GTIN}10ABC`, '(10)ABC'],
  [`]d201${GTIN}1725123110ABC${GS}21x-1`, '(17)251231(10)ABC(21)x-1'],
  [`]Q301${GTIN}3103000195${GS}39329784711`, '(3103)000195(3932)9784711'],
  [`]e001${GTIN}`, ''],
  [`]J1${GS}01${GTIN}`, ''],
  [`01${GTIN}`, ''],
  [`${GS}01${GTIN}10ABC${GS}`, '(10)ABC'],
  [`1725123101${GTIN}10ABC`, '(17)251231(10)ABC'],
  [`01${GTIN}10ABC\u241d422276`, '(10)ABC(422)276'],
  [`01${GTIN}01${GTIN}`, ''],
  [`  (01)${GTIN}(21)1  `, '(21)1'],
  [`01${GTIN}800826010112${GS}7007260101260102`, '(8008)26010112(7007)260101260102'],
];

test('an element string names its GTIN and nothing else, however a scanner sends it', () => {
  for (const [text, others] of CODES) {
    const found = meaningOf(text);
    assert.deepEqual(found, [`gtin14 ${GTIN}`, others], JSON.stringify(text));
  }
});

const MALFORMED: readonly (readonly [text: string, said: RegExp])[] = [
  ['(01)09506000134353', /check digit of \(01\)09506000134353 is wrong: 2 would be right/],
  [']d20109506000134353', /check digit of .* is wrong: 2 would be right/],
  ['(01)9506000134352', /takes 14 digits, not 13: .* \(01\)09506000134352/],
  ['(01)614141000005', /takes 14 digits, not 12: .* \(01\)00614141000005/],
  ['(01)0950600013435', /\(01\) takes 14 digits, not 13/],
  ['(01)', /\(01\) GTIN has no value: it takes 14 digits/],
  [`(01)${GTIN}(17)2512`, /\(17\) USE BY or EXPIRY takes 6 digits, not "2512"/],
  [`]C101${GTIN}172512`, /\(17\) .* takes 6 digits, not "2512"/],
  [`(01)${GTIN}(05)1`, /"05" is not a GS1 application identifier/],
  [`]C101${GTIN}05123`, /"0512" \(character 17 of the element string\) is not a GS1/],
  [`01${GTIN}42227610ABC`, /\(422\) ORIGIN takes 3 digits, not "27610ABC".*FNC1 .*%1D/],
  [`(01)${GTIN}(10)${'A'.repeat(21)}`, /\(10\) BATCH\/LOT takes up to 20 /],
  [`(01)${GTIN}(10)AB 1`, /\(10\) BATCH\/LOT takes .* ASCII characters without spaces, not "AB 1"/],
  [`(01)${GTIN}(10)Ä`, /ASCII characters without spaces, not "Ä"/],
  ['(00)106141412345678908', /no \(01\), which is the GTIN/],
  [
    `(02)${GTIN}(37)12`,
    /\(02\) is the GTIN of what a logistic unit contains.*send 09506000134352 alone/,
  ],
  [`(8006)${GTIN}0102`, /\(8006\) is the GTIN of a piece .*send 09506000134352 alone/],
  [`(01)${GTIN}(01)00614141000005`, /contains two GTINs, 09506000134352 and 00614141000005/],
  ['(1)2', /does not begin with an application identifier/],
  [']d2', /no \(01\)/],
  [']Q3614141000005', /\(01\)|application identifier/],
];

test('what is wrong with an element string is said, with what would be right', () => {
  for (const [text, said] of MALFORMED) {
    const [code, detail] = meaningOf(text);
    assert.equal(code, 'invalid_identifier', JSON.stringify(text));
    assert.match(detail, said, JSON.stringify(text));
    assert.ok(!/[\u0000-\u001f]/.test(detail));
  }
  assert.equal(meaningOf('(01)02000000000008')[0], 'not_found', 'a code that no product has');
});

test('a scanner that names another symbol is understood too', () => {
  for (const [text, meaning] of [
    [']E00614141000005', 'ean13 0614141000005'],
    [']E412345670', 'ean8 12345670'],
    [']E3978014300723400', 'isbn13 9780143007234'],
    [']I109506000134352', 'gtin14 09506000134352'],
    [']C0B010000001', 'asin B010000001, retailer_b_product_id B010000001'],
    [']Q1https://shop.example/p', 'url https://shop.example/p'],
    [
      ']d1https://id.gs1.org/01/09506000134352',
      `gtin14 ${GTIN}, url https://id.gs1.org/01/${GTIN}`,
    ],
  ] as const) {
    assert.equal(meaningOf(text)[0], meaning, text);
  }
});

const SHOP = 'https://brand.example';
const LINKS: readonly (readonly [path: string, code: string, others: string])[] = [
  [`/01/${GTIN}`, `gtin14 ${GTIN}`, ''],
  [`/01/${GTIN}/`, `gtin14 ${GTIN}`, ''],
  [`/en/products/01/${GTIN}/22/2A/10/AB%2FC/21/7`, `gtin14 ${GTIN}`, '(22)2A(10)AB/C(21)7'],
  [`/01/${GTIN}?17=251231&linkType=gs1:pip&10=&x=1`, `gtin14 ${GTIN}`, '(17)251231'],
  ['/gtin/4006381333931/lot/A/ser/1', 'ean13 4006381333931', '(10)A(21)1'],
  ['/gtin/614141000005', 'upc12 614141000005', ''],
  ['/01/12345670', 'ean8 12345670', ''],
  ['/gtin/9780143007234', 'isbn13 9780143007234', ''],
  [`/01/00614141000005/01/${GTIN}`, `gtin14 ${GTIN}`, ''],
];

test('a Digital Link is the barcode first and the page second', () => {
  for (const [path, code, others] of LINKS) {
    assert.deepEqual(meaningOf(SHOP + path), [`${code}, url ${SHOP}${path}`, others], path);
  }
});

test('an address that only looks like a Digital Link stays an address', () => {
  for (const path of [
    '/01/09506000134353',
    `/01/${GTIN}/reviews`,
    `/01/${GTIN}/10`,
    `/01/${GTIN}/99x/1`,
    `/02/${GTIN}`,
    '/01/123456789',
    '/01',
    `/01/${GTIN}/10/%FF`,
    `/p?01=${GTIN}`,
    '/Acorn-Desk-Lamp-1000',
    '/AFRAME-LADDER-12',
    '/Artisan_Bread_Knife',
  ]) {
    assert.equal(meaningOf(SHOP + path)[0], `url ${SHOP}${path}`, path);
  }
  // With a code that no product has, only the page remains.
  assert.equal(meaningOf(`${SHOP}/01/02000000000008`)[0], `url ${SHOP}/01/02000000000008`);
  for (const slug of ['retailer_w', 'retailer_t', 'retailer_h'] as const) {
    const [meaning] = meaningOf(`https://www.${hostOf(slug)}/gtin/614141000005`);
    assert.ok(!meaning.includes('upc12'), `${slug}: ${meaning}`);
  }
  assert.equal(meaningOf(`https://user@brand.example/01/${GTIN}`)[0], 'url_not_allowed');
});

/** The first three are examples published by GS1 and its toolkits, with the GTIN that each encodes. */
const COMPRESSED: readonly (readonly [address: string, code: string])[] = [
  ['https://id.gs1.org/ARHKVAdpQg', '09780345418913'],
  ['https://id.gs1.org/AQnYUc1gmiCNV4JG', '05412345000013'],
  ['https://brand.example/q/AQnYUc1gmg', '05412345000013'],
  ['https://id.gs1.org/hello-hello', ''],
];

test('a compressed Digital Link is refused with a sentence, and with its GTIN if that can be read', () => {
  for (const [address, gtin] of COMPRESSED) {
    const [code, detail] = meaningOf(address);
    assert.equal(code, 'invalid_identifier', address);
    assert.match(detail, /compressed GS1 Digital Link.*\/01\/\{GTIN\}/);
    assert.ok(detail.includes(gtin), detail);
  }
});

test('format narrows a GS1 code to the length of the format', () => {
  const upc = '(01)00614141000005';
  for (const [text, format, meaning] of [
    [upc, 'UPC', 'upc12 614141000005'],
    [upc, 'EAN', 'ean13 0614141000005'],
    [upc, 'GTIN', 'gtin14 00614141000005'],
    ['(01)09780143007234', 'ISBN', 'isbn13 9780143007234'],
    ['(01)00000012345670', 'ean', 'ean8 12345670'],
    [`${SHOP}/01/00614141000005`, 'upc', 'upc12 614141000005'],
    [`(01)${GTIN}`, 'UPC', 'invalid_identifier'],
    [upc, 'ASIN', 'invalid_identifier'],
    [upc, 'item_id', 'invalid_identifier'],
    [upc, 'nonsense', 'invalid_parameter'],
    [`${SHOP}/01/00614141000005`, 'nonsense', 'invalid_parameter'],
  ] as const) {
    assert.equal(meaningOf(text, format)[0], meaning, `${text} ${format}`);
  }
});

test('the table holds the lengths of the General Specifications', () => {
  for (const [ai, good, bad] of [
    ['00', '1'.repeat(18), '1'.repeat(17)],
    ['20', '01', '1'],
    ['30', '12345678', '123456789'],
    ['235', 'x'.repeat(28), 'x'.repeat(29)],
    ['253', '1'.repeat(30), '1'.repeat(12)],
    ['255', '1'.repeat(25), '1'.repeat(26)],
    ['3105', '000001', '00001'],
    ['3912', '840' + '9'.repeat(15), '840'],
    ['3943', '1234', '123'],
    ['421', '276ABC', '27'],
    ['423', '276276276', '2762'],
    ['4309', '1'.repeat(20), '1'.repeat(19)],
    ['4333', '000123-', '00012-'],
    ['7003', '2601011200', '260101'],
    ['7008', 'ABC', 'ABCD'],
    ['7039', '276' + 'x'.repeat(27), '276'],
    ['7040', '1ABC', '1AB'],
    ['7230', 'AB' + 'x'.repeat(28), 'AB'],
    ['7256', 'x'.repeat(90), 'x'.repeat(91)],
    ['8001', '1'.repeat(14), '1'.repeat(13)],
    ['8003', `${'0'.repeat(14)}x`, '0'.repeat(13)],
    ['8008', '26010112', '2601011'],
    ['8010', 'A-1/#', 'a'],
    ['8030', 'aZ-_=', 'a+'],
    ['99', 'x'.repeat(90), 'x'.repeat(91)],
  ] as const) {
    const known = applicationIdentifier(ai);
    assert.deepEqual([known?.matches(good), known?.matches(bad)], [true, false], ai);
  }
  for (const digits of ['04', '05', '14', '18', '19', '23', '38', '3106', '7043', '89', '0', '']) {
    assert.equal(applicationIdentifier(digits), null, digits);
  }
});

/** Identifiers of every kind of length, with the form of their values. */
const ELEMENTS: readonly (readonly [
  ai: string,
  characters: string,
  least: number,
  most: number,
])[] = [
  ['10', '!"%&\'*+,-./:;<=>?ABCxyz_019', 1, 20],
  ['11', '0123456789', 6, 6],
  ['17', '0123456789', 6, 6],
  ['20', '0123456789', 2, 2],
  ['21', 'ABCxyz0123456789-/', 1, 20],
  ['3103', '0123456789', 6, 6],
  ['37', '0123456789', 1, 8],
  ['3922', '0123456789', 1, 15],
  ['414', '0123456789', 13, 13],
  ['422', '0123456789', 3, 3],
  ['7003', '0123456789', 10, 10],
  ['8020', 'ABCxyz0123456789', 1, 25],
  ['99', 'ABCxyz0123456789', 1, 90],
];
/** Fixed length, so no separator is needed after them. */
const FIXED = new Set(['01', '11', '17', '20', '3103', '414']);

test('what is written in brackets, as sent, or in an address means the same code', (t) => {
  const seed = seedOf(20_261_122);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const text = (characters: string, length: number) =>
    Array.from({ length }, () => pick(random, characters.split(''))).join('');
  for (let round = 0; round < 5_000; round += 1) {
    const body = `0${pick(random, ['4006', '9506', '0614', '0036'])}${text('0123456789', 8)}`;
    const gtin = body + gs1CheckDigit(body);
    const some = new Map(
      Array.from({ length: integerBelow(random, 5) }, () => {
        const [ai, characters, least, most] = pick(random, ELEMENTS);
        return [ai, text(characters, least + integerBelow(random, most - least + 1))] as const;
      }),
    );
    const others = [...some];
    const all = others.toSpliced(integerBelow(random, others.length + 1), 0, ['01', gtin]);
    const bracketed = all.map(([ai, value]) => `(${ai})${value}`).join('');
    const sent = all
      .map(([ai, value], at) =>
        FIXED.has(ai) && random() < 0.7
          ? ai + value
          : ai + value + (at === all.length - 1 ? '' : GS),
      )
      .join('');
    const prefix = pick(random, [']C1', ']d2', ']Q3', GS]);
    const query = others.map(([ai, value]) => `${ai}=${encodeURIComponent(value)}`).join('&');
    const link = parseDigitalLink(new URL(`${SHOP}/a/01/${gtin}?${query}`));
    const expected = { gtin, others };
    for (const each of [bracketed, prefix + sent]) {
      const parsed = parseIdentifier(each);
      // Some random codes are fillers.
      if (!parsed.ok) {
        assert.equal(parsed.fault.code, 'not_found', each);
        continue;
      }
      assert.deepEqual(
        {
          gtin: parsed.identifiers.map(({ value }) => value).join(),
          others: parsed.otherElements?.map(({ ai, value }) => [ai, value]),
        },
        expected,
        JSON.stringify(each),
      );
    }
    assert.ok(link?.kind === 'gtin');
    assert.deepEqual(
      { gtin: link.code, others: link.others.map(({ ai, value }) => [ai, value]) },
      expected,
    );
  }
});

test('no text crashes the parser or makes it slow', (t) => {
  const seed = seedOf(75);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const pieces = ['(01)', '(10)', '(', ')', GTIN, '01', '10', GS, ']C1', ']d2', ' ', 'A', 'é', '/'];
  for (let round = 0; round < 50_000; round += 1) {
    const text = Array.from({ length: integerBelow(random, 12) }, () => pick(random, pieces)).join(
      '',
    );
    const parsed = parseInput(text);
    if (!parsed.ok) assert.ok(parsed.fault.detail.length < 800, JSON.stringify(text));
  }
  for (const long of [
    '('.repeat(8_000),
    `(01)${GTIN}`.repeat(450),
    `01${GTIN}`.repeat(500),
    GS.repeat(8_000),
    '20'.repeat(4_000),
    `]C1${'99x'.repeat(2_600)}`,
  ]) {
    const before = cpuMs();
    parseInput(long);
    const spent = cpuMs() - before;
    assert.ok(spent < 200, `${long.slice(0, 20)}: ${spent} ms of processor time`);
  }
});

test('blanks between the elements of a code take linear time', () => {
  const start = cpuMs();
  for (const blank of [' ', '\u001d', '\u241d']) {
    parseIdentifier(`(01)09506000134352${blank.repeat(200_000)}1`);
  }
  // Searching for the last separator again at each one took a minute; the limit allows for a busy machine.
  assert.ok(cpuMs() - start < 2_000);
});
