// Which address the limits count by.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { addressGroup, forwardedAddress } from '../../src/server/listen/client-address.ts';

const ADDRESSES: readonly (readonly [text: string, group: string | null])[] = [
  ['192.0.2.1', '192.0.2.1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['192.0.2.1:4711', '192.0.2.1'],
  [' 192.0.2.1 ', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:DB8:1:2:ffff::', '2001:db8:1:2'],
  ['2001:0db8:0001:0002::7', '2001:db8:1:2'],
  ['[2001:db8:1:2::7]:443', '2001:db8:1:2'],
  ['2001:db8::7', '2001:db8:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['::1', '0:0:0:0'],
  ['', null],
  ['unknown', null],
  ['_hidden', null],
  ['a'.repeat(65), null],
];

test('an IPv4 address counts by itself, of IPv6 the network of 64 bits, and anything else not at all', () => {
  for (const [text, group] of ADDRESSES) assert.equal(addressGroup(text), group, text);
});

test('the forwarded address is the last one, which the proxy itself added', () => {
  const forwarded = (value?: string) =>
    forwardedAddress({ headers: value === undefined ? {} : { 'x-forwarded-for': value } });
  assert.equal(forwarded('203.0.113.9'), '203.0.113.9');
  assert.equal(forwarded('1.1.1.1, 203.0.113.9'), '203.0.113.9');
  assert.equal(forwarded('1.1.1.1, unknown'), null);
  assert.equal(forwarded(), null);
});
