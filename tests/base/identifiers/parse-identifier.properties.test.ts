// Properties of identifiers over seeded random input: round trips, detected typing errors, and texts of every kind that
// never crash the parser.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  gs1CheckDigit,
  hasGs1CheckDigit,
  isbn13FromIsbn10,
  isIsbn10,
  upcAFromUpcE,
} from '../../../src/base/identifiers/check-digit.ts';
import { productCode, readGtin, toGtin14, wireForms } from '../../../src/base/identifiers/gtin.ts';
import { parseIdentifier } from '../../../src/base/identifiers/parse-identifier.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';

const ROUNDS = 5_000;
const TEXTS = 1_000_000;

function digits(random: () => number, length: number): string {
  return Array.from({ length }, () => String(integerBelow(random, 10))).join('');
}

function completed(body: string): string {
  return body + gs1CheckDigit(body);
}

test('every single-digit error of a GTIN is caught, and most swaps of neighbours', (t) => {
  const seed = seedOf(20_260_101);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const code = completed(digits(random, pick(random, [7, 11, 12, 13])));
    assert.ok(hasGs1CheckDigit(code), code);
    for (let at = 0; at < code.length; at += 1) {
      const digit = Number(code[at]);
      const wrong = (digit + 1 + integerBelow(random, 9)) % 10;
      const typed = code.slice(0, at) + String(wrong) + code.slice(at + 1);
      assert.equal(hasGs1CheckDigit(typed), false, `${code} typed as ${typed}`);
      assert.equal(toGtin14(typed), null);
      const next = Number(code[at + 1] ?? digit);
      const swapped =
        code.slice(0, at) +
        code
          .slice(at, at + 2)
          .split('')
          .reverse()
          .join('');
      // Weights 3 and 1 differ by 2: swapped digits that differ by 5 go undetected.
      const unseen = Math.abs(digit - next) % 5 === 0;
      assert.equal(hasGs1CheckDigit(swapped + code.slice(at + 2)), unseen, `${code} at ${at}`);
    }
  }
});

test('every error and swap of an ISBN-10 is caught, and 10 -> 13 -> 10 is the same', (t) => {
  const seed = seedOf(20_260_102);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const body = digits(random, 9);
    const valid = '0123456789X'
      .split('')
      .map((last) => body + last)
      .filter(isIsbn10);
    assert.equal(valid.length, 1, body);
    const isbn10 = valid[0] ?? '';
    const isbn13 = isbn13FromIsbn10(isbn10) ?? assert.fail(isbn10);
    assert.equal(wireForms(toGtin14(isbn13) ?? assert.fail(isbn13)).isbn, isbn13);
    const at = integerBelow(random, 9);
    const wrong = String((Number(isbn10[at]) + 1 + integerBelow(random, 9)) % 10);
    assert.equal(isIsbn10(isbn10.slice(0, at) + wrong + isbn10.slice(at + 1)), false, isbn10);
    const other = integerBelow(random, 9);
    const cells = isbn10.split('');
    [cells[at], cells[other]] = [cells[other] ?? '', cells[at] ?? ''];
    assert.equal(isIsbn10(cells.join('')), isbn10[at] === isbn10[other], isbn10);
  }
});

/** GS1's own suppression rules, the inverse of the expansion. */
function suppressed(upcA: string): string | null {
  const [system, maker, item] = [upcA.slice(0, 1), upcA.slice(1, 6), upcA.slice(6, 11)];
  const check = upcA.slice(11);
  if (/^..[012]00$/.test(maker) && item.startsWith('00')) {
    return system + maker.slice(0, 2) + item.slice(2) + maker.slice(2, 3) + check;
  }
  if (/^...00$/.test(maker) && item.startsWith('000')) {
    return `${system}${maker.slice(0, 3)}${item.slice(3)}3${check}`;
  }
  if (/^....0$/.test(maker) && item.startsWith('0000')) {
    return `${system}${maker.slice(0, 4)}${item.slice(4)}4${check}`;
  }
  return /^0000[5-9]$/.test(item) ? system + maker + item.slice(4) + check : null;
}

test('a UPC-A that can be zero-suppressed comes back from its UPC-E', (t) => {
  const seed = seedOf(20_260_103);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  let met = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const maker = digits(random, 5)
      .slice(0, 1 + integerBelow(random, 5))
      .padEnd(5, '0');
    const item = digits(random, integerBelow(random, 4)).padStart(5, '0');
    const upcA = completed(`${integerBelow(random, 2)}${maker}${item}`);
    const upcE = suppressed(upcA);
    if (upcE === null) continue;
    met += 1;
    assert.equal(upcAFromUpcE(upcE), upcA, upcE);
    assert.equal(toGtin14(upcE, { upcE: true }), toGtin14(upcA));
  }
  assert.ok(met > ROUNDS / 10, `only ${met} codes could be suppressed`);
});

test('8, 12, 13 and 14 digits have one normal form, and the record gives the code back', (t) => {
  const seed = seedOf(20_260_104);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  for (let round = 0; round < ROUNDS; round += 1) {
    const length = pick(random, [8, 12, 13, 14]);
    const code = completed(digits(random, length - 1));
    const gtin14 = toGtin14(code) ?? assert.fail(code);
    assert.equal(gtin14, code.padStart(14, '0'));
    for (const longer of [12, 13, 14].filter((n) => n >= length)) {
      assert.equal(toGtin14(code.padStart(longer, '0')), gtin14);
    }
    const { upc, ean, gtin } = wireForms(gtin14);
    for (const form of [upc, ean, gtin]) if (form !== null) assert.equal(toGtin14(form), gtin14);
    assert.ok(length > 12 || upc !== null);
    assert.ok(length > 13 || ean !== null);
    const parsed = parseIdentifier(code);
    const codes = parsed.ok ? parsed.identifiers.filter((c) => 'gtin14' in c) : [];
    if (length !== 8) assert.equal(codes.length > 0, productCode(gtin14).usable, code);
  }
});

const ALPHABETS: readonly (readonly string[])[] = [
  '0123456789'.split(''),
  '0123456789 -X'.split(''),
  '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'.split(''),
  '0123456789abcdefghijklmnopqrstuvwxyzBX- '.split(''),
  '%/?#@:[]\\.&=+;,~!$\'()*<>"{}|^`wht ps0'.split(''),
  [
    '\ud800',
    '\udfff',
    '\ud83d\ude00',
    '\u0000',
    '\u001f',
    '\u007f',
    '\u00a0',
    '\u2028',
    '\ufeff',
    '7',
  ],
  [
    '\u0661',
    '\uff11',
    '\u1b53',
    '\u00b2',
    '\u0130',
    '\u017f',
    '\u212a',
    '\u202e',
    '\u00df',
    '8',
    'B',
  ],
];
const STARTS = [
  '',
  '',
  '',
  '',
  'B',
  '978',
  '979',
  'https://',
  'http://',
  'www.',
  'HTTPS://[',
  'http:/',
];
const FORMAT_NAMES = [null, null, 'UPC', 'ean', 'ISBN', 'gtin', 'ASIN', 'ITEM_ID', '', 'x'];

test('1,000,000 texts of every kind give identifiers or a fault, and never a crash', (t) => {
  const seed = seedOf(20_260_105);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const codes = new Set(['invalid_identifier', 'invalid_parameter', 'not_found']);
  let accepted = 0;
  for (let round = 0; round < TEXTS; round += 1) {
    const alphabet = pick(random, ALPHABETS);
    let text = pick(random, STARTS);
    const length = integerBelow(random, pick(random, [12, 15, 61]));
    while (text.length < length) text += pick(random, alphabet);
    const format = pick(random, FORMAT_NAMES) ?? undefined;
    const parsed = parseIdentifier(text, format);
    const sound = parsed.ok ? parsed.identifiers.length > 0 : codes.has(parsed.fault.code);
    if (!sound) assert.fail(`${JSON.stringify(text)} ${format}: ${JSON.stringify(parsed)}`);
    const gtin14 = readGtin(text);
    if (gtin14 !== null && !hasGs1CheckDigit(gtin14)) assert.fail(text);
    if (!parsed.ok) continue;
    accepted += 1;
    for (const identifier of parsed.identifiers) {
      if (identifier.kind === 'url') continue;
      if (!/^[0-9A-Z]{6,14}$/.test(identifier.value))
        assert.fail(JSON.stringify([text, identifier]));
      if ('gtin14' in identifier && !hasGs1CheckDigit(identifier.gtin14)) assert.fail(text);
    }
  }
  t.diagnostic(`${accepted} of ${TEXTS} accepted`);
  assert.ok(accepted > TEXTS / 50);
});
