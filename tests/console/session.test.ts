// The key of a tab when the browser allows storage and when it does not, and what is removed from an address.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import { forgetKey, isKey, keepKey, key, keyId, takeKey } from '../../console/session.js';

const KEY = `osk_live_abcdefgh_${'x'.repeat(38)}`;
const before = ['sessionStorage', 'location', 'history'].map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);

afterEach(() => {
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
});

const define = (name: string, get: () => unknown) =>
  Object.defineProperty(globalThis, name, { get, configurable: true });

test('where storage is refused the key lasts for the page, and is forgotten like any other', () => {
  define('sessionStorage', () => {
    throw new Error('storage is off');
  });
  assert.equal(key(), null);
  assert.equal(keepKey(KEY), false, 'it says that the next page will not have it');
  assert.deepEqual([key(), keyId()], [KEY, 'abcdefgh']);
  forgetKey();
  assert.equal(key(), null);
});

test('an address is cleaned of whatever stands for a key, and nobody is signed in by that', () => {
  const stored = new Map<string, string>();
  define('sessionStorage', () => ({
    getItem: (name: string) => stored.get(name) ?? null,
    setItem: (name: string, value: string) => stored.set(name, value),
    removeItem: (name: string) => stored.delete(name),
  }));
  for (const [hash, given] of [
    [`#key=${KEY}`, KEY],
    [`#key=%20${KEY}%0A`, KEY],
    [`#a=1&key=${KEY}`, KEY],
    ['#key=', ''],
    ['#key=osk_live_cut', 'osk_live_cut'],
    ['#content', null],
    ['', null],
  ] as const) {
    const addresses: string[] = [];
    define('location', () => ({ hash, pathname: '/console', search: '?q=1' }));
    define('history', () => ({
      state: null,
      replaceState: (_state: unknown, _title: string, address: string) => addresses.push(address),
    }));
    assert.equal(takeKey(), given, hash);
    assert.deepEqual(addresses, given === null ? [] : ['/console?q=1'], hash);
    assert.equal(key(), null, hash);
    assert.equal(isKey(given ?? ''), given === KEY, hash);
  }
});
