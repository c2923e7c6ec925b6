// Words missing from every vocabulary are returned next to the meaning, normalized, and never given a meaning.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readAvailability } from '../../../src/base/listing/vocabularies/availability.ts';
import { readCondition } from '../../../src/base/listing/vocabularies/condition.ts';
import {
  declaredHazmat,
  hazmatCode,
  hazmatInSpecs,
} from '../../../src/base/listing/vocabularies/hazmat.ts';
import {
  firstUnderstood,
  notUnderstood,
  UnknownWords,
  type Understood,
} from '../../../src/base/listing/vocabularies/unknown-words.ts';
import { readAnswer } from '../../../src/read/retailers/registry.ts';

const wordsOf = (...read: readonly Understood<unknown>[]) => {
  const words = new UnknownWords();
  for (const each of read) words.note(each);
  return words.list().map(({ vocabulary, word }) => `${vocabulary}: ${word}`);
};

test('a word that is not known has no meaning and is unknown to its vocabulary', () => {
  const read = [
    readCondition('Scratch and dent'),
    readAvailability('https://schema.org/QuantumStock'),
    declaredHazmat(['class_9_maybe']),
    hazmatInSpecs([{ name: 'Hazardous Material', value: 'see label' }]),
    hazmatCode('H'),
  ];
  for (const { meaning } of read) assert.equal(meaning, null);
  assert.deepEqual(wordsOf(...read), [
    'condition: Scratch and dent',
    'availability: https://schema.org/QuantumStock',
    'hazmat: class_9_maybe',
    'hazmat: see label',
    'hazmat: H',
  ]);
});

test('known words, silence and words that leave it open are not unknown', () => {
  const conditions = ['New', 'Club', 'club_club', 'Any', 'Other', 'Unknown', '', '3000', '7000'];
  const stock = ['InStock', 'UNKNOWN', 'pending', '', 'NOT_AVAILABLE', 'ItemAvailability'];
  const read = [
    ...conditions.map(readCondition),
    ...stock.map(readAvailability),
    declaredHazmat(['ghs', 'unknown', 'not_applicable', '']),
    hazmatInSpecs([{ name: 'Hazmat', value: 'No' }]),
    hazmatInSpecs([{ name: 'Material', value: 'Oak' }]),
    hazmatCode('N'),
  ];
  assert.deepEqual(wordsOf(...read), []);
});

test('an id that retailer_e does not list has the condition of its family and is unknown all the same', () => {
  const words = new UnknownWords();
  assert.equal(words.note(readCondition('2040')), 'refurbished');
  assert.deepEqual(words.list(), [{ vocabulary: 'condition', word: '2040' }]);
});

test('where one of several spellings is known none is unknown, else the first', () => {
  const known = firstUnderstood(['Gently loved', 'Used'], readCondition);
  assert.equal(known.meaning, 'used_good');
  assert.deepEqual(wordsOf(known), []);
  const none = firstUnderstood(['Gently loved', 'Somewhat loved'], readCondition);
  assert.equal(none.meaning, null);
  assert.deepEqual(wordsOf(none), ['condition: Gently loved']);
});

test('each word once, ten of an answer at most, short and plain', () => {
  const long = `a${'\u001b[31m\u202e<b>"@'.repeat(20)}${'x'.repeat(300)}`;
  const [word = ''] = wordsOf(notUnderstood('condition', long));
  assert.match(word, /^condition: [\w ;.]{1,40}$/);
  const odd = notUnderstood('hazmat', 'odd');
  assert.equal(wordsOf(odd, odd, odd).length, 1);
  const many = Array.from({ length: 1_000 }, (_, at) => notUnderstood('condition', `odd ${at}`));
  assert.equal(wordsOf(...many).length, 10);
});

test('the words of one answer are not those of another', () => {
  const [one, other] = [new UnknownWords(), new UnknownWords()];
  one.note(readCondition('Gently loved'));
  other.note(hazmatCode('H'));
  assert.deepEqual([one.list().length, other.list().length], [1, 1]);
  assert.equal(other.list()[0]?.vocabulary, 'hazmat');
});

test('a page’s notes list its unknown words, and its facts remain null', () => {
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
