// What an identifier may mean, in which order, and the error when it means nothing (D6, D7, D8).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  FORMATS,
  MAX_URL_LENGTH,
  parseIdentifier,
} from '../../../src/base/identifiers/parse-identifier.ts';
import type { Fault } from '../../../src/base/fault.ts';
import { vectorRows, vectorRowsWithSpaces } from '../../support/vectors.ts';
import { cpuMs } from '../../support/cpu-time.ts';

function kindsOrFault(text: string, format?: string): string {
  const parsed = parseIdentifier(text, format);
  return parsed.ok ? parsed.identifiers.map(({ kind }) => kind).join(',') : parsed.fault.code;
}

function faultOf(text: string, format?: string): Fault {
  const parsed = parseIdentifier(text, format);
  return parsed.ok ? assert.fail(`${text} was accepted`) : parsed.fault;
}

test('every published row is read in the order of the rules', () => {
  for (const [text = '', format = '', expected] of vectorRowsWithSpaces(
    'identifier_kinds.tsv',
    3,
  )) {
    const found = kindsOrFault(text, format === '-' ? undefined : format);
    assert.equal(found, expected, JSON.stringify([text, format]));
  }
});

test('identifiers carry the clean value, the normal form of a barcode, and the retailer', () => {
  assert.deepEqual(parseIdentifier(' 0 45496 59016 1 '), {
    ok: true,
    identifiers: [
      { kind: 'upc12', value: '045496590161', gtin14: '00045496590161' },
      { kind: 'item_id', value: '045496590161', retailer: 'retailer_w' },
    ],
  });
  assert.deepEqual(parseIdentifier('0-19-963209-x'), {
    ok: true,
    identifiers: [
      { kind: 'isbn10', value: '019963209X', gtin14: '09780199632091' },
      { kind: 'asin', value: '019963209X', retailer: 'retailer_a' },
    ],
  });
  assert.deepEqual(parseIdentifier('12345670'), {
    ok: true,
    identifiers: [
      { kind: 'item_id', value: '12345670', retailer: 'retailer_w' },
      { kind: 'retailer_b_sku', value: '12345670', retailer: 'retailer_b' },
      { kind: 'ean8', value: '12345670', gtin14: '00000012345670' },
      { kind: 'upce', value: '12345670', gtin14: '00123456000070' },
    ],
  });
  assert.deepEqual(parseIdentifier('45496590161', 'upc'), {
    ok: true,
    identifiers: [{ kind: 'upc12', value: '045496590161', gtin14: '00045496590161' }],
  });
});

test('every valid barcode of 12, 13 or 14 digits is read as one, in its normal form', () => {
  for (const [code = '', gtin14] of vectorRows('gtin_valid.tsv', 2)) {
    const [first] = parsedCandidates(code);
    if (!/^[0-9]{12,14}$/.test(code)) continue;
    assert.ok(first !== undefined && 'gtin14' in first, code);
    assert.equal(first.gtin14, gtin14, code);
  }
});

function parsedCandidates(text: string) {
  const parsed = parseIdentifier(text);
  return parsed.ok ? parsed.identifiers : assert.fail(`${text}: ${parsed.fault.detail}`);
}

test('codes of no product are left out; alone they are not_found with the reason', () => {
  for (const [code = ''] of vectorRows('gtin_restricted.tsv', 2)) {
    const alone = faultOf(code, 'GTIN');
    assert.equal(alone.code, 'not_found', code);
    assert.ok(alone.detail.startsWith(`${code} `), alone.detail);
    assert.match(alone.detail, /circulation|coupon|receipt|range|placeholder/);
    const kinds = kindsOrFault(code).split(',');
    const kept = { 8: 'item_id,retailer_b_sku', 12: 'item_id' }[code.length] ?? 'not_found';
    // The same eight digits may also be a product's UPC-E.
    assert.equal(kinds.filter((kind) => kind !== 'upce').join(','), kept, code);
  }
});

test('an address is kept as it was sent, with a scheme', () => {
  const rows: readonly [string, string][] = [
    ['  https://shop.example/p?a=1#b ', 'https://shop.example/p?a=1#b'],
    ['www.shop.example/p', 'https://www.shop.example/p'],
    ['HTTP://user@shop.example/a b', 'HTTP://user@shop.example/a b'],
  ];
  for (const [text, value] of rows) {
    assert.deepEqual(parsedCandidates(text), [{ kind: 'url', value }]);
  }
});

test('faults say what would be right', () => {
  const any = faultOf('???');
  for (const form of [
    'UPC',
    'EAN',
    'ISBN',
    'GTIN-14',
    'ASIN',
    'item_id',
    'SKU',
    'product id',
    'https',
  ]) {
    assert.ok(any.detail.includes(form), form);
  }
  assert.match(faultOf('7501031311308').detail, /check digit .* wrong: .* it would be 9\./);
  assert.doesNotMatch(faultOf('978902453827', 'ISBN').detail, /it would be/);
  const format = faultOf('045496590161', 'SKU');
  assert.equal(format.parameter, 'format');
  assert.deepEqual(format.allowed, FORMATS);
  for (const name of FORMATS) assert.match(faultOf('!', name).detail, new RegExp(`format=${name}`));
  assert.ok(!faultOf('<script>alert(1)</script>').detail.includes('script'));
});

test('input of any size is answered at once', () => {
  const started = cpuMs();
  const host = 'https://shop.example/';
  assert.equal(kindsOrFault(host.padEnd(MAX_URL_LENGTH, 'a')), 'url');
  assert.equal(kindsOrFault(host.padEnd(MAX_URL_LENGTH + 1, 'a')), 'invalid_identifier');
  for (const unit of ['1', ' ', '-', 'B', '1-', 'https://', 'www.', '\u2028', '\ud83d']) {
    assert.equal(kindsOrFault(unit.repeat(2_000_000)), 'invalid_identifier', unit);
  }
  assert.equal(kindsOrFault('045496590161', 'U'.repeat(2_000_000)), 'invalid_parameter');
  assert.ok(cpuMs() - started < 2000);
});
