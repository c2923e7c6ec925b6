// What a request's target means: path and query of one address, and its parameters. An address that another program could read
// differently is refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressOf, parametersOf } from '../../src/server/asked.ts';

/** Path and query; null if target and host are not an address of this service. */
const ADDRESSES: readonly (readonly [
  target: string,
  host: string,
  address: readonly [path: string, query: string] | null,
])[] = [
  ['/', 'a', ['/', '']],
  ['/v1/products/1?a=b&c', 'shop.example:8080', ['/v1/products/1', 'a=b&c']],
  ['/v1?', 'a', ['/v1', '']],
  ['/v1??a=/?', 'a', ['/v1', '?a=/?']],
  ['//v1//usage/', 'a', ['//v1//usage/', '']],
  ['/v1/https%3A%2F%2Fa%2Fb%3Fc', 'a', ['/v1/https%3A%2F%2Fa%2Fb%3Fc', '']],
  // Dot segments are resolved, however they are written.
  ['/a/./b', 'a', ['/a/b', '']],
  ['/a/../b', 'a', ['/b', '']],
  ['/a/%2e%2E/b', 'a', ['/b', '']],
  ['/a/.%2e', 'a', ['/', '']],
  ['/a/..?b', 'a', ['/', 'b']],
  ['/../../etc/passwd', 'a', ['/etc/passwd', '']],
  ['/a/..%2Fb', 'a', ['/a/..%2Fb', '']],
  ['/a/...', 'a', ['/a/...', '']],
  ['/a/.b/c..', 'a', ['/a/.b/c..', '']],
  ['/a?b=/../c', 'a', ['/a', 'b=/../c']],
  // Characters not allowed unescaped are escaped.
  ['/a"<\u00e4>', 'a', ['/a%22%3C%C3%A4%3E', '']],
  ['/a?b="\u00e4"', 'a', ['/a', 'b=%22%C3%A4%22']],
  ['/a#b', 'a', ['/a', '']],
  // A proxy sends absolute addresses.
  ['http://other.example/a?b=c', 'a', ['/a', 'b=c']],
  ['https://other.example', '', ['/', '']],
  ['http://a/x/../b', 'a', ['/b', '']],
  ['http://a:99999/', 'a', null],
  ['http://', 'a', null],
  ['ftp://a/b', 'a', null],
  ['a/b', 'a', null],
  ['*', 'a', null],
  ['', 'a', null],
  // To some programs a backslash is a slash.
  ['/a\\b', 'a', null],
  ['\\\\a', 'a', null],
  ['/a\\..\\b', 'a', null],
  ['http://a\\b/', 'a', null],
  ['/a?b=\\', 'a', ['/a', 'b=\\']],
  // Hosts.
  ['/a', '', null],
  ['/a', 'bad host', null],
  ['/a', 'a/b', null],
  ['/a', 'a?b', null],
  ['/a', 'a#b', null],
  ['/a', 'user@a', null],
  ['/a', 'a:b', null],
  ['/a', 'a:99999', null],
  ['/a', '1.2.3.999', null],
  ['/a', '0x7f.1', ['/a', '']],
  ['/a', '127.1', ['/a', '']],
  ['/a', 'a\\b', null],
  ['/a', '127.0.0.1:1', ['/a', '']],
  ['/a', '[::1]:8080', ['/a', '']],
  ['/a', '[::ffff:127.0.0.1]', ['/a', '']],
  ['/a', '[::1]a', null],
  ['/a', '[::1', null],
  ['/a', 'LOCALHOST', ['/a', '']],
  ['/a', 'a_b.example', ['/a', '']],
  ['/a', 'a.example.', ['/a', '']],
  // Names in other scripts arrive encoded.
  ['/a', 'xn--bcher-kva.example', ['/a', '']],
  ['/a', 'b\u00fccher.example', null],
];

for (const [target, host, expected] of ADDRESSES) {
  const meaning = expected === null ? 'make no address' : `ask for ${expected.join(' ? ')}`;
  test(`the target ${target} and the host ${host} ${meaning}`, () => {
    const address = addressOf(target, host);
    assert.deepEqual(address === null ? null : [address.path, address.query], expected);
  });
}

test('a plus sign in a query is a blank, and escapes are read once', () => {
  assert.deepEqual(parametersOf('a=b+c&d%20e=%2B%26%3D%2525&f=g=h'), {
    a: ['b c'],
    'd e': ['+&=%25'],
    f: ['g=h'],
  });
});

test('a parameter that is sent again has all of its values, in their order', () => {
  assert.deepEqual(parametersOf('a=1&b=2&a=3&a=&%61=4'), { a: ['1', '3', '', '4'], b: ['2'] });
});

test('a name without a value has an empty one, and what is between two ampersands is nothing', () => {
  assert.deepEqual(parametersOf('a&&b=&=c&'), { a: [''], b: [''], '': ['c'] });
  assert.deepEqual(parametersOf(''), {});
});

test('what is not well escaped stays as it was sent, next to what is', () => {
  assert.deepEqual(parametersOf('a=%zz+%20%&b=%ff%41&c=%C3%A4%C3'), {
    a: ['%zz  %'],
    b: ['%ff%41'],
    c: ['%C3%A4%C3'],
  });
  assert.deepEqual(parametersOf('a=%E4x%41'), { a: ['%E4xA'] });
});

test('the name of a prototype is a name like any other', () => {
  const found = parametersOf('__proto__=1&constructor=2&__proto__=3');
  assert.deepEqual(Object.entries(found), [
    ['__proto__', ['1', '3']],
    ['constructor', ['2']],
  ]);
  assert.equal(Object.getPrototypeOf(found), Object.prototype);
  assert.equal(Object.getPrototypeOf({}), Object.prototype);
});
