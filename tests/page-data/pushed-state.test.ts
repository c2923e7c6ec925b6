import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '../../src/page-data/html.ts';
import { pushedStates } from '../../src/page-data/pushed-state.ts';

const page = (...scripts: readonly string[]) =>
  readHtml(scripts.map((text) => `<script>${text}</script>`).join('<p>Stream.push({"a":0})</p>'));

test('every object that scripts push onto the name, in page order', () => {
  const found = pushedStates(
    page(
      '(window[Symbol.for("Stream")] ??= []).push({"a":1});Stream.push({"a":2})',
      'Other.push({"a":3})',
      'window[\'Stream\'].push({"a":{"b":["}"]}})',
    ),
    'Stream',
  );
  assert.deepEqual(found, [{ a: 1 }, { a: 2 }, { a: { b: ['}'] } }]);
});

test('undefined is null, what is broken or never ends is left out', () => {
  const found = pushedStates(
    page(
      'Stream.push({"a":undefined})',
      'Stream.push({"a":',
      'Stream.push({"a"})',
      'Stream.push(1)',
    ),
    'Stream',
  );
  assert.equal(JSON.stringify(found), '[{"a":null}]');
});

test('text outside scripts and names without a push are nothing', () => {
  assert.deepEqual(pushedStates(page('var Stream = {}; f(Stream)'), 'Stream'), []);
  assert.deepEqual(pushedStates(readHtml('Stream.push({"a":1})'), 'Stream'), []);
});
