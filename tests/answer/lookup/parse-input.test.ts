// The identifiers that a text may mean, with addresses reduced (D9).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseInput } from '../../../src/answer/lookup/steps/parse-input.ts';
import { integerBelow, pick, randomFrom, seedOf } from '../../support/random.ts';
import { hostOf, retailerUrlRows } from '../../support/retailer-urls.ts';
import { vectorRowsWithSpaces } from '../../support/vectors.ts';

test('a known address becomes its identifier, the others keep their reduced form', () => {
  for (const [text = '', kind, value] of retailerUrlRows()) {
    const found = parseInput(text);
    assert.ok(found.ok, text);
    assert.equal(found.fromUrl, true);
    assert.equal(found.identifiers.length, 1);
    assert.equal(found.identifiers[0]?.kind, kind === '-' ? 'url' : kind, text);
    if (kind !== '-') assert.equal(found.identifiers[0]?.value, value, text);
  }
  const www = parseInput(`www.${hostOf('retailer_w')}/ip/184195173?a=1`);
  assert.deepEqual(www.ok && www.identifiers, [
    { kind: 'item_id', value: '184195173', retailer: 'retailer_w' },
  ]);
  const search = parseInput(`https://www.${hostOf('retailer_w')}/search?q=lamp&utm_source=x#top`);
  assert.deepEqual(search.ok && search.identifiers, [
    { kind: 'url', value: `https://www.${hostOf('retailer_w')}/search?q=lamp` },
  ]);
});

test('identify refuses an address that is not written plainly, always with the same words', () => {
  const texts = [
    'https://user@shop.example/p',
    'https://shop.example\\@evil.example/',
    'http://a b/',
  ];
  const answers = texts.map((text) => parseInput(text));
  for (const answer of answers) {
    assert.ok(!answer.ok);
    assert.equal(answer.fault.code, 'url_not_allowed');
    assert.deepEqual(answer, answers[0]);
  }
});

test('identify leaves bare identifiers as they are', () => {
  const found = parseInput('045496590161');
  assert.ok(found.ok);
  assert.equal(found.fromUrl, false);
  assert.deepEqual(
    found.identifiers.map(({ kind }) => kind),
    ['upc12', 'item_id'],
  );
  const refused = parseInput('045496590161', 'nonsense');
  assert.ok(!refused.ok);
  assert.equal(refused.fault.code, 'invalid_parameter');
});

test('the address of another shop is kept in its reduced form, which stays what it is', () => {
  for (const [text = '', reduced = ''] of vectorRowsWithSpaces('shop_urls.tsv', 2)) {
    if (reduced === '-') {
      assert.equal(parseInput(text).ok, false, text);
      continue;
    }
    const found = parseInput(text);
    assert.deepEqual(found.ok && found.identifiers, [{ kind: 'url', value: reduced }], text);
    assert.deepEqual(parseInput(reduced), found);
  }
});

test('100,000 broken addresses give an identifier or a fault, and never a crash', (t) => {
  const seed = seedOf(20_260_108);
  t.diagnostic(`seed ${seed}`);
  const random = randomFrom(seed);
  const parts = [
    '/',
    '//',
    '?',
    '#',
    '&',
    '=',
    '%',
    '%zz',
    '@',
    ':',
    '[',
    ']',
    '..',
    '\\',
    ' ',
    'var',
  ];
  parts.push(
    'ip',
    'dp',
    'p',
    '-',
    'A-',
    'itm',
    'site',
    '.p',
    'B0TEST0001',
    '184195173',
    '\ud800',
    '\u0000',
  );
  const hosts = [
    'shop.example',
    '1.2.3.4',
    '[::1]',
    'x',
    '',
    hostOf('retailer_w'),
    hostOf('retailer_a'),
  ];
  hosts.push(hostOf('retailer_e'), hostOf('retailer_t'), hostOf('retailer_b'));
  for (let round = 0; round < 100_000; round += 1) {
    const tail = Array.from({ length: integerBelow(random, 9) }, () => pick(random, parts)).join(
      '',
    );
    const start = pick(random, ['https://', 'http://', 'www.', 'https://www.']);
    const text = start + pick(random, hosts) + tail;
    const found = parseInput(text);
    if (found.ok) assert.equal(found.identifiers.length, 1, JSON.stringify(text));
    else
      assert.match(
        found.fault.code,
        /^(url_not_allowed|invalid_identifier)$/,
        JSON.stringify(text),
      );
  }
});
