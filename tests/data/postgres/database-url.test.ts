// Addresses of one server and of several, as a setting.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { readConfig } from '../../../src/edge/config.ts';
import {
  databaseName,
  hostUrls,
  readDatabaseUrl,
} from '../../../src/data/postgres/database-url.ts';

test('an address may name several servers, each with its own port', () => {
  const text = 'postgres://user:p%40ss,word@one:5432,[::1]:5433,three/shelf?sslmode=require';
  assert.deepEqual(readDatabaseUrl(text), { url: text, problem: null });
  assert.deepEqual(hostUrls(text), [
    'postgres://user:p%40ss,word@one:5432/shelf?sslmode=require',
    'postgres://user:p%40ss,word@[::1]:5433/shelf?sslmode=require',
    'postgres://user:p%40ss,word@three/shelf?sslmode=require',
  ]);
  assert.equal(databaseName(text), 'one:5432,[::1]:5433,three/shelf');
});

test('the words of libpq are taken where they ask for what is done, and refused where not', () => {
  const asking = (word: string) => `postgres://u@a,b/shelf?target_session_attrs=${word}`;
  for (const word of ['read-write', 'primary']) {
    assert.equal(readDatabaseUrl(asking(word)).problem, null);
  }
  assert.match(readDatabaseUrl(asking('standby')).problem ?? '', /read-write or primary/);
  const replica = 'postgres://u@a/shelf?target_session_attrs=';
  assert.equal(readDatabaseUrl(`${replica}any`, 'replica').problem, null);
  assert.match(readDatabaseUrl(`${replica}standby`, 'replica').problem ?? '', /only be any/);
});

for (const text of [
  'postgres://u:secret@one,two',
  'postgres://u:secret@one:x,two/shelf',
  'postgres://u:secret@one,,two/shelf',
  'postgres://u:secret#@one,two/shelf',
  'mysql://u:secret@one,two/shelf',
  'secret',
]) {
  test(`${text} is refused, and not repeated`, () => {
    const { url, problem } = readDatabaseUrl(text);
    assert.equal(url, null);
    assert.doesNotMatch(problem ?? '', /secret/);
  });
}

test('a read replica is one server', () => {
  const { problem } = readDatabaseUrl('postgres://u@one,two/shelf', 'replica');
  assert.match(problem ?? '', /several servers/);
});

test('a read replica needs a primary, and neither password stands in a message', () => {
  const replica = 'postgres://u:secret@one/shelf';
  assert.equal(
    readConfig({ DATABASE_URL: 'postgres://u@two/shelf', OPENSHELF_READ_URL: replica }).readUrl,
    replica,
  );
  for (const url of [replica, 'postgres://u:secret@one,two/shelf']) {
    assert.throws(
      () => readConfig({ OPENSHELF_READ_URL: url }),
      (error: Error) => {
        assert.match(error.message, /OPENSHELF_READ_URL/);
        assert.doesNotMatch(error.message, /secret/);
        return true;
      },
    );
  }
});
