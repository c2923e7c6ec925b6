// A table of the console as a file: text of hostile shops stays text in a spreadsheet of any language.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csvOf } from '../../src/console/csv.js';

test('what a spreadsheet would run has an apostrophe before it, also behind a semicolon, a tab or a line break', () => {
  const rows = [
    ['=1+1', 'tea;=1+1', 'tea;"=1+1;'],
    ['tea\n=1+1', 'tea\t+1+1', 'tea;-2+A1'],
    ['20;-5;+3,5', 'black; = white; a=b', -5],
  ];
  assert.equal(
    csvOf(rows),
    `'=1+1,tea;'=1+1,"tea;""'=1+1;"\r\n` +
      `"tea\n'=1+1",tea\t'+1+1,tea;'-2+A1\r\n` +
      '"20;-5;+3,5",black; = white; a=b,-5\r\n',
  );
});
