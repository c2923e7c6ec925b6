// The sign-in of a browser that allows storage and of one that does not, and what is removed from an address.

import assert from 'node:assert/strict';
import { afterEach, test } from 'node:test';

import {
  forgetSession,
  keepSession,
  keyId,
  offerIn,
  session,
  takeOffer,
} from '../../console/session.js';

const KEY = `osk_live_abcdefgh_${'x'.repeat(38)}`;
const CODE = '7QK2-M0XD-9AB3';
const SIGNED = { id: 'session1', key: 'abcdefgh', token: 'half' };
const NAMES = ['localStorage', 'sessionStorage', 'location', 'history'];
const before = NAMES.map(
  (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
);

afterEach(() => {
  forgetSession();
  for (const [name, descriptor] of before) {
    if (descriptor === undefined) Reflect.deleteProperty(globalThis, name);
    else Object.defineProperty(globalThis, name, descriptor);
  }
});

const define = (name: string, get: () => unknown) =>
  Object.defineProperty(globalThis, name, { get, configurable: true });

function storage(name: string): Map<string, string> {
  const stored = new Map<string, string>();
  define(name, () => ({
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  }));
  return stored;
}

test('where storage is refused the session lasts for the page, and is forgotten like any other', () => {
  for (const name of ['localStorage', 'sessionStorage']) {
    define(name, () => {
      throw new Error('storage is off');
    });
  }
  assert.equal(session(), null);
  assert.equal(keepSession(SIGNED, true), false, 'it says that the next page will not have it');
  assert.deepEqual([session(), keyId()], [SIGNED, 'abcdefgh']);
  forgetSession();
  assert.equal(session(), null);
});

test('what lasts is kept for the browser, the rest for the tab; signing out leaves what another tab has begun', () => {
  const [browser, tab] = [storage('localStorage'), storage('sessionStorage')];
  keepSession(SIGNED, false);
  assert.deepEqual([browser.size, tab.size], [0, 1]);
  forgetSession();
  assert.equal(tab.size, 0);
  keepSession(SIGNED, true);
  assert.deepEqual([browser.size, tab.size], [1, 0]);
  const later = JSON.stringify({ ...SIGNED, id: 'session2' });
  for (const name of browser.keys()) browser.set(name, later);
  assert.equal(session()?.id, 'session1', 'this page does not go on as somebody else');
  forgetSession();
  assert.deepEqual([...browser.values()], [later]);
  browser.clear();
});

test('an address is cleaned of whatever stands for a code or key, and nobody is signed in by that', () => {
  storage('localStorage');
  storage('sessionStorage');
  for (const [hash, given] of [
    [`#code=${CODE}`, CODE],
    [`#key=${KEY}`, KEY],
    [`#key=%20${KEY}%0A`, KEY],
    [`#a=1&code=${CODE}`, CODE],
    ['#key=', ''],
    ['#code=7QK2', '7QK2'],
    ['#content', null],
    ['', null],
  ] as const) {
    const addresses: string[] = [];
    define('location', () => ({ hash, pathname: '/console', search: '?q=1' }));
    define('history', () => ({
      state: null,
      replaceState: (_state: unknown, _title: string, address: string) => addresses.push(address),
    }));
    assert.equal(takeOffer(), given, hash);
    assert.deepEqual(addresses, given === null ? [] : ['/console?q=1'], hash);
    assert.equal(session(), null, hash);
  }
});

test('a code is read as people type it; anything else signs nobody in', () => {
  for (const text of [CODE, '7qk2m0xd9ab3', '7QK2 M0XD 9AB3']) {
    assert.deepEqual(offerIn(text), { code: text });
  }
  assert.deepEqual(offerIn(KEY), { key: KEY });
  for (const text of ['', '7QK2-M0XD', `${CODE}-1`, 'osk_live_cut'])
    assert.equal(offerIn(text), null);
});
