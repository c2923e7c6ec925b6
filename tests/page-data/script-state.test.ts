import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../../src/page-data/html.ts';
import { assignedState, stateOfScript } from '../../src/page-data/script-state.ts';

const page = (script: string) => readHtml(`<html><body><script>${script}</script></body></html>`);

const FOUND: readonly (readonly [string, string])[] = [
  ['dot notation', 'window.__STATE__ = {"a":1};'],
  ['brackets and single quotes', 'window[\'__STATE__\'] = {"a":1}'],
  ['brackets and double quotes', 'window["__STATE__"]={"a":1};var b = {};'],
  ['a mention before the assignment', 'if (!window.__STATE__) log(); window.__STATE__ = {"a":1};'],
  ['brackets inside strings', 'window.__STATE__ = {"a":1,"b":"}}]{\\"}"};x={}'],
  ['undefined and trailing commas', 'window.__STATE__ = {"a":1,"b":undefined,};'],
];

for (const [name, script] of FOUND) {
  test(`an assigned state is found: ${name}`, () => {
    const state = assignedState(page(script), '__STATE__');
    assert.equal((state as Record<string, unknown>)['a'], 1);
  });
}

test('what is no assigned object is none', () => {
  const scripts = [
    '',
    'var a = 1',
    'window.__STATE__',
    'window.__STATE__ = null',
    '__STATE__ = "x"',
  ];
  scripts.push('window.__STATE__ = {"a":', `__STATE__ = ${'['.repeat(100)}${']'.repeat(100)}`);
  for (const script of scripts) assert.equal(assignedState(page(script), '__STATE__'), undefined);
});

test('a state of another script or outside of scripts does not count', () => {
  assert.equal(assignedState(readHtml('<p>__STATE__ = {"a":1}</p>'), '__STATE__'), undefined);
  const two = readHtml('<script>var a</script><script>__STATE__ = {"a":1}</script>');
  assert.deepEqual(assignedState(two, '__STATE__'), { a: 1 });
});

test('a script block is found by its id', () => {
  const html = readHtml('<script id="__DATA__" type="application/json">{"a":[1]}</script>');
  assert.deepEqual(stateOfScript(html, '__DATA__'), { a: [1] });
  assert.equal(stateOfScript(html, 'other'), undefined);
});

test('many mentions and scripts cost one pass', () => {
  const many = readHtml('<script>__STATE__</script>'.repeat(20_000));
  const started = performance.now();
  assert.equal(assignedState(many, '__STATE__'), undefined);
  assert.ok(performance.now() - started < 500);
});
