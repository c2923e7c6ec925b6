// The addresses that the registries call special: an oracle for the guard's table, taken from the registries and not from
// that table. Also random addresses to compare both with.

import { BlockList, isIP } from 'node:net';

import { randomFrom } from './random.ts';

/** Not globally reachable by the IANA special-purpose registries (2025), plus multicast and reserved space. */
const REGISTRY_IPV4 = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
] as const;
const REGISTRY_IPV6 = [
  ['::', 3],
  ['2001::', 32],
  ['2001:2::', 48],
  ['2001:10::', 28],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['4000::', 2],
  ['8000::', 1],
] as const;

// One list per family: a BlockList also matches IPv4 addresses through their mapped IPv6 form.
const oracle = { ipv4: new BlockList(), ipv6: new BlockList() };
for (const [base, bits] of REGISTRY_IPV4) oracle.ipv4.addSubnet(base, bits, 'ipv4');
for (const [base, bits] of REGISTRY_IPV6) oracle.ipv6.addSubnet(base, bits, 'ipv6');

export function isSpecial(text: string): boolean {
  const family = isIP(text) === 4 ? 'ipv4' : 'ipv6';
  return oracle[family].check(text, family);
}

export function ipv4Text(value: number): string {
  return [24, 16, 8, 0].map((shift) => (value >>> shift) & 0xff).join('.');
}

export function ipv6Text(value: bigint): string {
  const hex = value.toString(16).padStart(32, '0');
  return hex.match(/.{4}/g)?.join(':') ?? '';
}

/**
 * Yields random addresses, the same number of each family. Two thirds of the IPv6 ones are inside 2000::/3, where the
 * interesting rows are, and half of those are near a row.
 */
export function* randomAddresses(seed: number, ofEachFamily: number): Generator<string> {
  const random = randomFrom(seed);
  const word = () => Math.floor(random() * 0x1_0000_0000);
  for (let count = 0; count < ofEachFamily; count += 1) {
    yield ipv4Text(word());
    const top = count % 3 === 0 ? word() : 0x2000_0000 + (word() % 0x2000_0000);
    const near =
      count % 2 === 0 ? top : [0x2001_0000, 0x2001_0db8, 0x2002_0000, 0x3fff_0000][count % 4];
    const rest = [near ?? top, word(), word(), word()];
    yield ipv6Text(rest.reduce((value, part) => (value << 32n) | BigInt(part), 0n));
  }
}
