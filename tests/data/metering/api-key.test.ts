import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  formatApiKey,
  generateKey,
  hashSecret,
  isSecret,
  parseApiKey,
} from '../../../src/data/metering/api-key.ts';

test('the format is the published one: a fixed key keeps its checksum for ever', () => {
  const id = 'ABCDEFGH';
  const secret = '0123456789abcdefghijABCDEFGHIJ01';
  assert.equal(formatApiKey({ id, secret }), `osk_live_${id}_${secret}1IDLZt`);
});

test('a generated key parses to its id and to the secret whose hash is stored', () => {
  const seen = new Set<string>();
  for (let n = 0; n < 500; n += 1) {
    const { id, text, secretSha256 } = generateKey();
    assert.match(text, /^osk_live_[0-9A-Za-z]{8}_[0-9A-Za-z]{38}$/);
    const parsed = parseApiKey(text);
    assert.equal(parsed?.id, id);
    assert.equal(hashSecret(parsed?.secret ?? ''), secretSha256);
    assert.equal(isSecret(parsed?.secret ?? '', secretSha256), true);
    assert.ok(!text.includes(secretSha256));
    seen.add(id).add(text);
  }
  assert.equal(seen.size, 1_000);
});

test('every single wrong character is refused by the checksum alone', () => {
  const { text } = generateKey();
  for (let index = 0; index < text.length; index += 1) {
    const other = text.charAt(index) === 'a' ? 'b' : 'a';
    assert.equal(parseApiKey(text.slice(0, index) + other + text.slice(index + 1)), null);
  }
});

test('what is not exactly a key is not one', () => {
  const { text } = generateKey();
  const wrong = ['', ' ', text.slice(1), text.slice(0, -1), `${text} `, ` ${text}`, `${text}\n`];
  wrong.push(
    text.replace('live', 'test'),
    text.toUpperCase(),
    `${text}a`,
    'osk_live_',
    'é'.repeat(56),
  );
  assert.deepEqual(
    wrong.filter((each) => parseApiKey(each) !== null),
    [],
  );
});

test('a secret fits only its own hash, and no secret fits an unknown id', () => {
  const one = generateKey();
  const secret = parseApiKey(one.text)?.secret ?? '';
  assert.equal(isSecret(secret, generateKey().secretSha256), false);
  assert.equal(isSecret(secret, null), false);
  assert.equal(isSecret('', null), false);
  assert.equal(isSecret(secret, ''), false);
});
