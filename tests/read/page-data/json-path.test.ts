import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  at,
  boolAt,
  hasObjectAt,
  listAt,
  numberAt,
  textAt,
} from '../../../src/read/page-data/json/json-path.ts';

const VALUE: unknown = JSON.parse(
  '{"a":{"b":[{"c":"x"},{"c":7}]},"blank":"  ","price":"12.50","yes":"true","no":false,"list":[1,2,3],"__proto__":{"x":1},"empty":{}}',
);

const CASES: readonly (readonly [string, unknown, unknown])[] = [
  ['a nested value', at(VALUE, 'a.b.0.c'), 'x'],
  ['a missing step', at(VALUE, 'a.z.0.c'), undefined],
  ['a step through a text', at(VALUE, 'blank.length'), undefined],
  ['an inherited property', at({}, 'constructor'), undefined],
  ['the prototype’s own name', at({}, '__proto__.x'), undefined],
  ['a number as text', textAt(VALUE, 'a.b.1.c'), '7'],
  ['blank text', textAt(VALUE, 'blank'), null],
  ['a number in a text', numberAt(VALUE, 'price'), 12.5],
  ['no number', numberAt(VALUE, 'a.b.0.c'), null],
  ['an infinite number', numberAt(Number.POSITIVE_INFINITY), null],
  ['a boolean word', boolAt(VALUE, 'yes'), true],
  ['a boolean', boolAt(VALUE, 'no'), false],
  ['neither', boolAt(VALUE, 'price'), null],
  ['a list', listAt(VALUE, 'list', 2).length, 2],
  ['no list', listAt(VALUE, 'a').length, 0],
  ['an object', hasObjectAt(VALUE, 'a'), true],
  ['an empty object', hasObjectAt(VALUE, 'empty'), false],
];

for (const [what, got, expected] of CASES) {
  test(`a path into JSON gives ${what} as it is, or nothing`, () => {
    assert.deepEqual(got, expected);
  });
}
