import assert from 'node:assert/strict';
import { test } from 'node:test';

import { EMPTY_LISTING } from '../../src/base/listing/listing.ts';
import { createParsedRecords } from '../../src/data/answers/parsed-records.ts';

const textOf = (title: string): string =>
  JSON.stringify({ listing: { ...EMPTY_LISTING, title }, notes: { missing: [], remarks: [] } });

test('the same text gives the same listing, and another text another one', () => {
  const parse = createParsedRecords();
  const first = parse(textOf('Kettle'));
  assert.equal(first.listing.title, 'Kettle');
  assert.equal(parse(textOf('Kettle')).listing, first.listing);
  assert.equal(parse(textOf('Lamp')).listing.title, 'Lamp');
});

test('what was used longest ago is forgotten first, and no more is kept than the limit', () => {
  const parse = createParsedRecords(textOf('a').length * 2);
  const [a, b] = [parse(textOf('a')), parse(textOf('b'))];
  assert.equal(parse(textOf('a')), a);
  parse(textOf('c'));
  assert.equal(parse(textOf('a')), a);
  assert.notEqual(parse(textOf('b')), b);
});

test('a text that is no record is an error each time', () => {
  const parse = createParsedRecords();
  for (const text of ['{', 'null', '{}', '{}']) assert.throws(() => parse(text));
});
