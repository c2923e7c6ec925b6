// State in scripts is found by its name, however a page writes it, and never executed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { wordToFind } from '../../../src/read/page-data/html/find-word.ts';
import { readHtml } from '../../../src/read/page-data/html/html.ts';
import {
  assignedState,
  stateOfScript,
  pushedStates,
  quotedStateAfter,
} from '../../../src/read/page-data/json/script-state.ts';
import { cpuMs } from '../../support/cpu-time.ts';

const STATE = wordToFind('__STATE__');
const STREAM = wordToFind('Stream');
const QUOTED_STATE = wordToFind('__S__');

const page = (script: string) => readHtml(`<html><body><script>${script}</script></body></html>`);

const FOUND: readonly (readonly [string, string])[] = [
  ['dot notation', 'window.__STATE__ = {"a":1};'],
  ['brackets and single quotes', 'window[\'__STATE__\'] = {"a":1}'],
  ['brackets and double quotes', 'window["__STATE__"]={"a":1};var b = {};'],
  ['a mention before the assignment', 'if (!window.__STATE__) log(); window.__STATE__ = {"a":1};'],
  ['brackets inside strings', 'window.__STATE__ = {"a":1,"b":"}}]{\\"}"};x={}'],
  ['undefined and trailing commas', 'window.__STATE__ = {"a":1,"b":undefined,};'],
];

/** Object literals as shops write them into their scripts by hand. */
const LITERALS: readonly (readonly [literal: string, value: unknown])[] = [
  ['{event: "view", list: {price: 5}}', { event: 'view', list: { price: 5 } }],
  [`{'name': 'TV 55" {', 'price': '5'}`, { name: 'TV 55" {', price: '5' }],
  [`{name: 'it\\'s', price: 5}`, { name: "it's", price: 5 }],
  ['{name: `TV 55" {`, price: 5}', { name: 'TV 55" {', price: 5 }],
  ['{user: window.uid || null, price: 5}', { user: null, price: 5 }],
  ['{price: net * 1.19, list: [5, f(1, "]")]}', { price: null, list: [5, null] }],
  [`{price: parseFloat('5.00'), id: "a" + b}`, { price: null, id: null }],
  ['{price: `${price}`, event}', { price: null, event: null }],
  ['{done: function() { go("}"); /* ) */ }, price: 5}', { done: null, price: 5 }],
  [`{// don't send it twice\n price: 5}`, { price: 5 }],
  ['{price: 5,}', { price: 5 }],
];

test('an object literal is read without being run: what must be computed is null', () => {
  for (const [literal, value] of LITERALS) {
    const plain = (state: unknown): unknown => JSON.parse(JSON.stringify(state ?? null));
    assert.deepEqual(plain(assignedState(page(`__STATE__ = ${literal};`), STATE)), value, literal);
    const pushed = pushedStates(page(`Stream.push(${literal}); f();`), STREAM);
    assert.deepEqual(pushed.map(plain), [value], literal);
  }
});

for (const [name, script] of FOUND) {
  test(`an assigned state is found: ${name}`, () => {
    const state = assignedState(page(script), STATE);
    assert.equal((state as Record<string, unknown>)['a'], 1);
  });
}

test('what is not an assigned object is not one', () => {
  const scripts = [
    '',
    'var a = 1',
    'window.__STATE__',
    'window.__STATE__ = null',
    '__STATE__ = "x"',
  ];
  scripts.push('window.__STATE__ = {"a":', `__STATE__ = ${'['.repeat(100)}${']'.repeat(100)}`);
  for (const script of scripts) assert.equal(assignedState(page(script), STATE), undefined);
});

test('a state of another script or outside of scripts does not count', () => {
  assert.equal(assignedState(readHtml('<p>__STATE__ = {"a":1}</p>'), STATE), undefined);
  const two = readHtml('<script>var a</script><script>__STATE__ = {"a":1}</script>');
  assert.deepEqual(assignedState(two, STATE), { a: 1 });
});

test('however often a page writes the name next to its scripts, the state is found', () => {
  const beside = '<p>__STATE__</p><script>var a</script>'.repeat(100);
  const html = readHtml(`${beside}<script>__STATE__ = {"a":1}</script>`);
  assert.deepEqual(assignedState(html, STATE), { a: 1 });
});

test('a script block is found by its id', () => {
  const html = readHtml('<script id="__DATA__" type="application/json">{"a":[1]}</script>');
  assert.deepEqual(stateOfScript(html, '__DATA__'), { a: [1] });
  assert.equal(stateOfScript(html, 'other'), undefined);
});

test('many mentions and scripts cost one pass', () => {
  const many = readHtml('<script>__STATE__</script>'.repeat(20_000));
  const started = cpuMs();
  assert.equal(assignedState(many, STATE), undefined);
  assert.ok(cpuMs() - started < 500);
});

const pageOf = (...scripts: readonly string[]) =>
  readHtml(scripts.map((text) => `<script>${text}</script>`).join('<p>Stream.push({"a":0})</p>'));

test('every object that scripts push onto the name, in page order', () => {
  const found = pushedStates(
    pageOf(
      '(window[Symbol.for("Stream")] ??= []).push({"a":1});Stream.push({"a":2})',
      'Other.push({"a":3})',
      'window[\'Stream\'].push({"a":{"b":["}"]}})',
    ),
    STREAM,
  );
  assert.deepEqual(found, [{ a: 1 }, { a: 2 }, { a: { b: ['}'] } }]);
});

test('undefined is null, what is broken or never ends is left out', () => {
  const found = pushedStates(
    pageOf(
      'Stream.push({"a":undefined})',
      'Stream.push({"a":',
      'Stream.push({"a"})',
      'Stream.push(1)',
    ),
    STREAM,
  );
  assert.equal(JSON.stringify(found), '[{"a":null}]');
});

test('text outside scripts and names without a push are nothing', () => {
  assert.deepEqual(pushedStates(pageOf('var Stream = {}; f(Stream)'), STREAM), []);
  assert.deepEqual(pushedStates(readHtml('Stream.push({"a":1})'), STREAM), []);
});

const QUOTED: readonly (readonly [string, string, string | null])[] = [
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

for (const [what, script, expected] of QUOTED) {
  test(`the quoted state of a script is read from ${what}`, () => {
    assert.equal(quotedStateAfter(readHtml(`<script>${script}</script>`), QUOTED_STATE), expected);
  });
}

test('the first script that mentions the name with a text counts', () => {
  const page = readHtml(`<script>use(__S__)</script><script>__S__ = JSON.parse("[2]")</script>`);
  assert.equal(quotedStateAfter(page, QUOTED_STATE), '[2]');
});
