// The address table: its edges, random addresses against an oracle written from the registries, refused spellings, and the
// operator's permits.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  checkAddresses,
  classifyAddress,
  parseAddress,
  parseCidr,
} from '../../src/egress/guard/address-guard.ts';
import {
  NON_PUBLIC_IPV4,
  NON_PUBLIC_IPV6,
  OPERATOR_IPV6,
} from '../../src/egress/guard/address-table.ts';
import { ipv4Text, ipv6Text, isSpecial, randomAddresses } from '../support/address-registry.ts';

test('every row refuses its first and last address', () => {
  for (const row of [...NON_PUBLIC_IPV4, ...NON_PUBLIC_IPV6, ...OPERATOR_IPV6]) {
    const range = parseCidr(row.cidr);
    assert.ok(range, row.cidr);
    for (const value of [range.first, range.last]) {
      const text: string = range.family === 4 ? ipv4Text(Number(value)) : ipv6Text(value);
      assert.equal(classifyAddress(text).public, false, `${row.cidr} ${text}`);
    }
  }
});

test('the address before and the address after each IPv4 row are public unless another row has them', () => {
  const ranges = NON_PUBLIC_IPV4.map((row) => parseCidr(row.cidr)).filter(
    (range) => range !== null,
  );
  let edges = 0;
  for (const range of ranges) {
    for (const value of [range.first - 1n, range.last + 1n]) {
      if (value < 0n || value > 0xffff_ffffn) continue;
      const elsewhere = ranges.some((other) => value >= other.first && value <= other.last);
      const text = ipv4Text(Number(value));
      assert.equal(classifyAddress(text).public, !elsewhere, text);
      edges += 1;
    }
  }
  assert.ok(edges >= 30, `${edges} edges`);
});

test('inside 2000::/3 the neighbours of each IPv6 row are public, outside nothing is', () => {
  for (const row of NON_PUBLIC_IPV6) {
    const range = parseCidr(row.cidr);
    assert.ok(range);
    for (const value of [range.first - 1n, range.last + 1n]) {
      const text = ipv6Text(value);
      const global = value >> 125n === 1n;
      assert.equal(classifyAddress(text).public, global, text);
    }
  }
  for (const text of ['1fff:ffff::1', '4000::', '::', 'fe80::1', 'ff02::1', 'fec0::1', '100::1']) {
    assert.equal(classifyAddress(text).public, false, text);
  }
});

test('100,000 random addresses: nothing is public that the registries call special', (t) => {
  const seed = 20260105;
  t.diagnostic(`seed ${seed}`);
  let publicCount = 0;
  for (const text of randomAddresses(seed, 50_000)) {
    const verdict = classifyAddress(text);
    if (verdict.public) publicCount += 1;
    assert.ok(!(verdict.public && isSpecial(text)), `${text} must not be public`);
  }
  assert.ok(publicCount > 40_000, `${publicCount} public`);
});

test('what is not a canonical address is refused', () => {
  const texts = [
    '',
    ' ',
    '1.2.3',
    '1.2.3.4.5',
    '01.2.3.4',
    '1.2.3.256',
    '0x1.2.3.4',
    '1.2.3.4 ',
    '1.2.3.-4',
  ];
  texts.push(
    '2600',
    '2600:',
    ':',
    ':::',
    '2600::1::2',
    '2600:1:2:3:4:5:6:7:8',
    '2600::12345',
    '2600::%1',
  );
  texts.push(
    '2600::1/64',
    '[2600::1]',
    '1.2.3.4:80',
    '２.2.2.2',
    '2600::1.2.3',
    '2600:1.2.3.4::',
    'localhost',
  );
  for (const text of texts) assert.equal(classifyAddress(text).public, false, JSON.stringify(text));
});

test('each way to write an address gives its canonical text', () => {
  const pairs = [
    ['2600:0:0:0:0:0:0:1', '2600::1'],
    ['2600:0:0:1:0:0:0:1', '2600:0:0:1::1'],
    ['2600:AB::0001', '2600:ab::1'],
    ['2600::9.9.9.9', '2600::909:909'],
    ['2600:1:2:3:4:5:0:7', '2600:1:2:3:4:5:0:7'],
    ['9.9.9.9', '9.9.9.9'],
    ['::', '::'],
  ] as const;
  for (const [text, canonical] of pairs) assert.equal(parseAddress(text)?.text, canonical);
});

test('one refused answer refuses the host; duplicates are one address', () => {
  const policy = { permits: [], localAddresses: [] };
  assert.equal(checkAddresses('a.example', ['9.9.9.9', '10.0.0.1'], policy).ok, false);
  assert.equal(checkAddresses('a.example', [], policy).ok, false);
  const verdict = checkAddresses(
    'a.example',
    ['9.9.9.9', '9.9.9.9', '2600::1', '2600:0::1'],
    policy,
  );
  assert.ok(verdict.ok);
  assert.deepEqual(
    verdict.addresses.map((each) => each.text),
    ['9.9.9.9', '2600::1'],
  );
});

test('no permit opens loopback, link-local, metadata or tunnel addresses', () => {
  const closed = [
    '127.0.0.1',
    '0.0.0.0',
    '169.254.169.254',
    '100.100.100.200',
    '168.63.129.16',
    '::1',
    '::',
  ];
  closed.push(
    'fe80::1',
    'fd00:ec2::254',
    'fd20:ce::254',
    '::ffff:10.0.0.1',
    '64:ff9b::a00:1',
    '224.0.0.1',
  );
  const permits = ['0.0.0.0/0', '::/0'].map((cidr) => ({ host: 'a.example', cidr }));
  for (const address of closed) {
    const verdict = checkAddresses('a.example', [address], { permits, localAddresses: [] });
    assert.equal(verdict.ok, false, address);
  }
  for (const address of ['10.0.0.1', '172.16.0.1', '192.168.0.1', '100.64.0.1', 'fd00::1']) {
    const verdict = checkAddresses('a.example', [address], { permits, localAddresses: [] });
    assert.equal(verdict.ok, true, address);
    assert.equal(checkAddresses('b.example', [address], { permits, localAddresses: [] }).ok, false);
  }
});
