import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readHtml } from '../../src/page-data/html.ts';
import { quotedStateAfter } from '../../src/page-data/quoted-state.ts';

const CASES: readonly (readonly [string, string, string | null])[] = [
  ['an assignment', `__S__ = JSON.parse("{\\"a\\":1}");`, '{"a":1}'],
  ['a call within a call', `'__S__': { value: deepFreeze(JSON.parse("[1]")) }`, '[1]'],
  [
    'single quotes and code escapes',
    String.raw`__S__ = JSON.parse('"\x41\u0042\'\\n"')`,
    `"AB'\\n"`,
  ],
  ['a broken code escape, letter by letter', String.raw`__S__ = JSON.parse("\uZZ")`, 'uZZ'],
  ['no text that never ends', `__S__ = JSON.parse("abc`, null],
  ['no call without a text', '__S__ = JSON.parse(data)', null],
  ['no call at all', '__S__ = {}', null],
  ['no other name’s text', `__T__ = JSON.parse("[1]")`, null],
];

for (const [what, script, expected] of CASES) {
  test(`the quoted state of a script is read from ${what}`, () => {
    assert.equal(quotedStateAfter(readHtml(`<script>${script}</script>`), '__S__'), expected);
  });
}

test('the first script that mentions the name with a text counts', () => {
  const page = readHtml(`<script>use(__S__)</script><script>__S__ = JSON.parse("[2]")</script>`);
  assert.equal(quotedStateAfter(page, '__S__'), '[2]');
});
