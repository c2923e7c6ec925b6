// OPENSHELF_ORIGINS: which entries are valid, and what is reported for the others.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parseOrigins } from '../../src/egress/origins.ts';

test('origins are mapped both ways', () => {
  const text =
    'https://www.example.com=http://127.0.0.1:4010, https://Other.example = http://localhost:80/';
  const { origins, problems } = parseOrigins(text);
  assert.deepEqual(problems, []);
  assert.equal(origins.size, 2);
  assert.equal(origins.targetOf('https://www.example.com')?.port, '4010');
  assert.equal(origins.targetOf('http://www.example.com'), null);
  assert.equal(origins.targetOf('https://other.example')?.hostname, 'localhost');
  assert.equal(origins.originOf('http://127.0.0.1:4010'), 'https://www.example.com');
  assert.equal(origins.originOf('http://127.0.0.1:4011'), null);
});

test('a host is the same with a dot after it, in the setting and in an address', () => {
  const text =
    'https://www.example.com.=http://mirror.example.:4010,https://b.example:8443=http://127.0.0.1:1';
  const { origins, problems } = parseOrigins(text);
  assert.deepEqual(problems, []);
  for (const dot of ['', '.']) {
    const target = origins.targetOf(`https://www.example.com${dot}`);
    assert.equal(target?.origin, 'http://mirror.example:4010');
    assert.equal(origins.targetOf(`https://b.example${dot}:8443`)?.port, '1');
    assert.equal(origins.originOf(`http://mirror.example${dot}:4010`), 'https://www.example.com');
  }
  const twice = parseOrigins('https://a.example.=http://b.example,https://a.example=http://c.d');
  assert.equal(twice.problems.length, 1);
});

test('an empty text maps nothing', () => {
  for (const text of ['', ' ', ',', '\n']) {
    const { origins, problems } = parseOrigins(text);
    assert.deepEqual([origins.size, problems], [0, []]);
  }
});

test('each bad entry has its own sentence and the good ones stay', () => {
  const bad = [
    'x',
    'https://a.example',
    'https://a.example=ftp://b',
    'https://a.example/p=http://b',
  ];
  bad.push(
    'https://u@a.example=http://b',
    'https://a.example=http://b=c',
    'a.example=http://b',
    '=',
  );
  for (const entry of bad) {
    const { origins, problems } = parseOrigins(`https://good.example=http://127.0.0.1:1,${entry}`);
    assert.equal(problems.length, 1, entry);
    assert.match(problems[0] ?? '', /^OPENSHELF_ORIGINS: /);
    assert.equal(origins.size, 1);
  }
  const twice = parseOrigins(
    'https://a.example=http://b.example,https://A.example:443=http://c.example',
  );
  assert.equal(twice.problems.length, 1);
});
