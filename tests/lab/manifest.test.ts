// Reading a manifest and creating the bodies it specifies; errors name their row.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { bodyOf, isHtmlRow } from '../../lab/eval/parsing/feed.ts';
import { parseManifest } from '../../lab/eval/parsing/manifest.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

test('every row that cannot be understood is named with its number', () => {
  const good = '{"file":"a","slug":"s","reader":"product","url":null,"expect":{}}';
  for (const [line, problem] of [
    ['{"file":', /^row 2: /],
    ['[]', /^row 2: not a JSON object/],
    ['{"slug":"s","reader":"product"}', /^row 2: "file"/],
    ['{"file":"a","slug":"s"}', /^row 2: "reader"/],
    ['{"file":"a","slug":"s","reader":"product","url":"nowhere"}', /^row 2: "url"/],
    ['{"file":"a","slug":"s","reader":"product","expect":5}', /^row 2: "expect"/],
    ['{"file":"a","slug":"s","reader":"product","expect_any":{"price":5}}', /expect_any\.price/],
    ['{"file":"a","slug":"s","reader":"product","expect":{"entries":{}}}', /entries/],
    ['{"file":"a","slug":"s","reader":"product","feed":{"into":"xml"}}', /feed\.into/],
    ['{"file":"a","slug":"s","reader":"product","scored":"no"}', /"scored"/],
  ] as const) {
    const { problems } = parseManifest(`${good}\n${line}\n`);
    assert.equal(problems.length, 1, line);
    assert.match(problems[0] ?? '', problem);
  }
  assert.equal(parseManifest('').problems.length, 1, 'an empty manifest measures nothing');
  assert.equal(parseManifest(`\ufeff${good}\r\n\r\n${good}\r\n`).rows.length, 2);
});

test('a feed takes a part of a file, nests it and wraps it as the page would', () => {
  const file = encode('{"data":{"items":[{"t":"<b>"}]}}');
  const take = 'data.items.0';
  assert.equal(decode(bodyOf(file, { into: 'json', take })), '{"t":"<b>"}');
  assert.equal(
    decode(bodyOf(file, { into: 'json', take, at: 'product' })),
    '{"product":{"t":"<b>"}}',
  );
  assert.equal(
    decode(bodyOf(file, { into: 'next_data', take, at: 'props.a' })),
    '<!doctype html><html><head><title></title></head><body>' +
      '<script id="__NEXT_DATA__" type="application/json">' +
      '{"props":{"a":{"t":"\\u003cb>"}}}</script></body></html>',
  );
  assert.equal(
    decode(bodyOf(file, { into: 'preloaded_state', take })),
    `<!doctype html><html><body><script>window['__PRELOADED_STATE__'] = {"t":"\\u003cb>"}</script></body></html>`,
  );
  assert.equal(
    decode(bodyOf(file, { into: 'apollo_events', take })),
    '<!doctype html><html><body><script>(window[Symbol.for("ApolloSSRDataTransport")] ??= [])' +
      '.push({"events":[{"type":"next","value":{"data":{"t":"\\u003cb>"}}}]})</script></body></html>',
  );
  assert.equal(bodyOf(file, null), file, 'without a feed the bytes are the body');
  assert.throws(() => bodyOf(file, { into: 'json', take: 'data.nothing' }), /nothing/);
  assert.throws(() => bodyOf(encode('{'), { into: 'json' }));
});

test('a page is distinguished from data by its first character, and wrapped data is not a page', () => {
  assert.ok(isHtmlRow(encode('\ufeff \n<!doctype html>'), null));
  assert.ok(!isHtmlRow(encode('{"a":"<b>"}'), null));
  assert.ok(!isHtmlRow(encode('<html>'), { into: 'next_data' }));
});
