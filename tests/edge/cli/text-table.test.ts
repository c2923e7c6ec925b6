// Formats rows as terminal columns, and counts with their nouns.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { counted } from '../../../src/edge/cli/command.ts';
import { textTable } from '../../../src/edge/cli/text-table.ts';

test('a column is as wide as its widest cell, numbers stand at its right edge, and no line ends in blanks', () => {
  const rows = [
    ['shop', 'price', ''],
    ['a', '$1,234.50', 'mind'],
    ['lanterns', '$5.00', ''],
  ];
  assert.deepEqual(
    textTable(rows, (column) => column === 1),
    ['shop          price', 'a         $1,234.50  mind', 'lanterns      $5.00'],
  );
  assert.deepEqual(
    textTable([
      ['ab', 'c'],
      ['d', 'ef'],
    ]),
    ['ab  c', 'd   ef'],
  );
  assert.deepEqual(textTable([]), []);
});

test('a count stands with the noun that fits it', () => {
  assert.deepEqual(
    [
      counted(0, 'call'),
      counted(1, 'call'),
      counted(1, 'entry', 'entries'),
      counted(2, 'entry', 'entries'),
    ],
    ['0 calls', '1 call', '1 entry', '2 entries'],
  );
});
