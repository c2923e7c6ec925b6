// Words that no vocabulary holds are noted for who counts them, made plain, and never given a meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAvailability } from '../../src/listing/availability.ts';
import { readCondition } from '../../src/listing/condition.ts';
import { declaredHazmat, hazmatCode, hazmatField } from '../../src/listing/hazmat.ts';
import { firstKnown, noteUnknown, withUnknownWords } from '../../src/listing/unknown-words.ts';
import { readAnswer } from '../../src/retailers/registry.ts';

const wordsOf = (read: () => unknown) =>
  withUnknownWords(read).unknown.map(({ vocabulary, word }) => `${vocabulary}: ${word}`);

test('a word that is not known is null and noted under its vocabulary', () => {
  const { value, unknown } = withUnknownWords(() => [
    readCondition('Scratch and dent'),
    readAvailability('https://schema.org/QuantumStock'),
    declaredHazmat(['class_9_maybe']),
    hazmatField('Hazardous Material', 'see label'),
    hazmatCode('H'),
  ]);
  assert.deepEqual(value, [null, null, null, null, null]);
  assert.deepEqual(
    unknown.map(({ vocabulary, word }) => `${vocabulary}: ${word}`),
    [
      'condition: Scratch and dent',
      'availability: https://schema.org/QuantumStock',
      'hazmat: class_9_maybe',
      'hazmat: see label',
      'hazmat: H',
    ],
  );
});

test('known words, silence and words that leave it open are not noted', () => {
  const read = () => {
    for (const word of ['New', 'Club', 'club_club', 'Any', 'Other', 'Unknown', '', '3000', '7000'])
      readCondition(word);
    for (const word of ['InStock', 'UNKNOWN', 'pending', '', 'NOT_AVAILABLE', 'ItemAvailability'])
      readAvailability(word);
    declaredHazmat(['ghs', 'unknown', 'not_applicable', '']);
    hazmatField('Hazmat', 'No');
    hazmatField('Material', 'Oak');
    hazmatCode('N');
  };
  assert.deepEqual(wordsOf(read), []);
});

test('an id that retailer_e does not list has the condition of its family and is noted all the same', () => {
  const { value, unknown } = withUnknownWords(() => readCondition('2040'));
  assert.equal(value, 'refurbished');
  assert.deepEqual(unknown, [{ vocabulary: 'condition', word: '2040' }]);
});

test('where one of several spellings is known none is noted, else the first', () => {
  assert.deepEqual(
    wordsOf(() => firstKnown(['Gently loved', 'Used'], readCondition)),
    [],
  );
  assert.deepEqual(
    wordsOf(() => firstKnown(['Gently loved', 'Somewhat loved'], readCondition)),
    ['condition: Gently loved'],
  );
});

test('each word once, ten of an answer at most, short and plain', () => {
  const long = `a${'\u001b[31m\u202e<b>"@'.repeat(20)}${'x'.repeat(300)}`;
  const [word = ''] = wordsOf(() => noteUnknown('condition', long));
  assert.match(word, /^condition: [\w ;.]{1,40}$/);
  assert.equal(wordsOf(() => [1, 2, 3].forEach(() => noteUnknown('hazmat', 'odd'))).length, 1);
  const many = () => {
    for (let at = 0; at < 1_000; at += 1) noteUnknown('condition', `odd ${at}`);
  };
  assert.equal(wordsOf(many).length, 10);
});

test('a reading inside another one keeps its words, and one that throws leaves nothing behind', () => {
  const outer = wordsOf(() => {
    noteUnknown('hazmat', 'outer');
    assert.deepEqual(
      wordsOf(() => noteUnknown('hazmat', 'inner')),
      ['hazmat: inner'],
    );
  });
  assert.deepEqual(outer, ['hazmat: outer']);
  assert.throws(() =>
    withUnknownWords(() => {
      noteUnknown('hazmat', 'lost');
      throw new Error('a reader that fails');
    }),
  );
  noteUnknown('hazmat', 'nobody listens');
  assert.deepEqual(
    wordsOf(() => null),
    [],
  );
});

test('the notes of a page tell its unknown words, and its facts stay null', () => {
  const product = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: 'Oak Stool',
    offers: {
      '@type': 'Offer',
      price: '40.00',
      priceCurrency: 'USD',
      availability: 'https://schema.org/InTheBackRoom',
      itemCondition: 'https://schema.org/PatinatedCondition',
    },
    additionalProperty: [{ '@type': 'PropertyValue', name: 'Hazardous Material', value: 'mild' }],
  };
  const html = `<title>Oak Stool</title><h1>Oak Stool</h1>
    <script type="application/ld+json">${JSON.stringify(product)}</script>`;
  const page = {
    requestedUrl: 'https://www.stools.example/p/1',
    url: 'https://www.stools.example/p/1',
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8' },
    body: new TextEncoder().encode(html),
    fetchedAtMs: 0,
  };
  const verdict = readAnswer(page, 'product');
  assert.ok(verdict?.kind === 'read' && verdict.value.kind === 'product');
  const { condition, inStock, hazmat } = verdict.value.listing;
  assert.deepEqual([condition, inStock, hazmat], [null, null, null]);
  assert.deepEqual(verdict.notes.unknownWords?.map(({ vocabulary }) => vocabulary).toSorted(), [
    'availability',
    'condition',
    'hazmat',
  ]);
});
