// What robots.txt and headers say about the use of pages: Content-Signal, Content-Usage (draft-ietf-aipref-attach and -vocab)
// and License (RSL 1.0), in every generated combination and in the examples of the documents.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import type { Signals } from '../../src/base/listing/signals.ts';
import { signalsField, unlessUnlicensed } from '../../src/egress/robots/page-signals.ts';
import { parseRobots } from '../../src/egress/robots/robots-txt.ts';
import { signalsAt } from '../../src/egress/robots/usage-rules.ts';
import { LICENSE, PAGE_PATH, robotsFiles } from '../support/robots-files.ts';

async function said(text: string, path: string): Promise<Signals | undefined> {
  const { usage } = await parseRobots(text, 'openshelf', () => Promise.resolve());
  return usage === null ? undefined : signalsAt(usage, path);
}

test('every combination of group, path, statement and spelling says what its parts say', async () => {
  const files = robotsFiles();
  assert.ok(files.length > 1_000, `${files.length} files`);
  const wrong: string[] = [];
  for (const { name, text, says } of files) {
    for (const written of [text, text.replaceAll('\n', '\r\n'), `\ufeff${text}`]) {
      const read = await said(written, PAGE_PATH);
      if (JSON.stringify(sorted(read)) !== JSON.stringify(sorted(says))) wrong.push(name);
    }
  }
  assert.deepEqual(wrong, []);
});

const sorted = (signals: Signals | undefined) =>
  signals === undefined ? null : Object.entries(signals).toSorted(([a], [b]) => (a < b ? -1 : 1));

test('the example of the draft gives the preferences of its table', async () => {
  const text = `User-Agent: *
Allow: /
Disallow: /never/
Content-Usage: / train-ai=n
Content-Usage: /ai-ok/ train-ai=y

User-Agent: ExampleBot
Allow: /
Content-Usage: / train-ai=y
`;
  assert.deepEqual(await said(text, '/test'), { aiTrain: false });
  assert.deepEqual(await said(text, '/ai-ok/test'), { aiTrain: true });
  const { usage } = await parseRobots(text, 'examplebot', () => Promise.resolve());
  assert.deepEqual(usage === null ? null : signalsAt(usage, '/test'), { aiTrain: true });
});

const dictionaries: readonly (readonly [string, Signals | undefined])[] = [
  ['train-ai=y, search=n', { aiTrain: true, search: false }],
  // Examples of draft-ietf-aipref-vocab: only tokens count, and the last of equal keys does.
  ['train-ai=y, train-ai, search=n, search="n"', undefined],
  ['train-ai;allow=n, train-ai=y', { aiTrain: true }],
  ['train-ai;has;parameters="?"', undefined],
  ['Train-AI=n', undefined],
  ['train-ai=n,, search=n', undefined],
  ['train-ai=n search=n', undefined],
  ['train-ai=N', undefined],
  ['train-ai=?0, search=n', { search: false }],
  ['train-ai=(n y), search=n', { search: false }],
  ['foo=:YWJj:, bar=@1, baz=-1.5, search=n', { search: false }],
  ['search=n ,\ttrain-ai=n', { search: false, aiTrain: false }],
];

for (const [text, signals] of dictionaries) {
  test(`Content-Usage: ${JSON.stringify(text)} says ${JSON.stringify(signals)}`, async () => {
    assert.deepEqual(await said(`User-agent: *\nContent-Usage: / ${text}`, '/p'), signals);
    const { signals: ofPage } = signalsField(null, { 'content-usage': text });
    assert.deepEqual(ofPage, signals, 'as a header');
  });
}

test('of robots.txt, its two kinds of rules and the headers, the strictest counts', async () => {
  const text = `User-agent: *
Content-Signal: search=yes, ai-input=yes
Content-Usage: / search=n
`;
  const ofRobots = (await said(text, '/p')) ?? null;
  assert.deepEqual(ofRobots, { search: false, aiInput: true });
  const page = signalsField(ofRobots, {
    'content-usage': 'ai-use=n',
    'content-signal': 'search=yes',
  });
  assert.deepEqual(page, { signals: { search: false, aiInput: false } });
  assert.deepEqual(signalsField(null, {}), {});
});

test('a licence before the first group is that of the file, unless our group has its own', async () => {
  const file = `License: ${LICENSE}\nUser-agent: *\nAllow: /\n`;
  assert.deepEqual(await said(file, '/p'), { license: LICENSE });
  const own = 'https://rsl.example/own.xml';
  assert.deepEqual(await said(`${file}User-agent: openshelf\nLicense: ${own}\n`, '/p'), {
    license: own,
  });
  for (const value of ['/licence.xml', 'ftp://rsl.example/l.xml', '', 'javascript:alert(1)']) {
    assert.equal(await said(`License: ${value}\nUser-agent: *\nAllow: /`, '/p'), undefined, value);
  }
  assert.equal(await said('Content-Signal: search=no\nUser-agent: *\nAllow: /', '/p'), undefined);
});

test('thousands of rules cost a page little, and rules about use never change what is allowed', async () => {
  const lines = Array.from({ length: 20_000 }, (_, at) => `Content-Signal: /a*b*${at} search=no`);
  const { usage, rules } = await parseRobots(
    `User-agent: *\nDisallow: /x\n${lines.join('\n')}`,
    'openshelf',
    () => Promise.resolve(),
  );
  assert.equal(rules.length, 1);
  assert.equal(usage?.signals.length, 1_000);
});

const answers: readonly (readonly [
  string,
  number,
  Record<string, string>,
  string | null | undefined,
])[] = [
  ['a page', 200, {}, undefined],
  ['payment required', 402, {}, null],
  [
    'a page with a licence',
    200,
    { link: `<${LICENSE}>; rel="license"; type="application/rsl+xml"` },
    LICENSE,
  ],
  [
    'a licence among other links',
    200,
    { link: `</a.css>; rel=preload, <${LICENSE}>; rel=license; type="application/rsl+xml"` },
    LICENSE,
  ],
  ['a licence for people', 200, { link: `<${LICENSE}>; rel="license"` }, undefined],
  [
    'a free licence',
    200,
    {
      link: '<https://creativecommons.org/licenses/by/4.0/>; rel="license"; type="application/rsl+xml"',
    },
    undefined,
  ],
  ['a token is wanted', 401, { 'www-authenticate': 'License error="invalid_request"' }, null],
  ['another login', 401, { 'www-authenticate': 'Basic realm="x"' }, undefined],
];

for (const [name, status, headers, license] of answers) {
  test(`an answer that is ${name} ${license === undefined ? 'is read' : 'needs a licence'}`, () => {
    const url = 'https://shop.example/p';
    const page = {
      requestedUrl: url,
      url,
      status,
      headers,
      body: new Uint8Array(),
      fetchedAtMs: 1,
    };
    const outcome = unlessUnlicensed({ ok: true, page }, () => false);
    assert.equal(outcome.ok, license === undefined);
    if (!outcome.ok) assert.equal(outcome.failure.license ?? null, license);
    assert.equal(unlessUnlicensed({ ok: true, page }, (host) => host === 'shop.example').ok, true);
  });
}
