// Decides whether a socket may be opened to an address. Only public addresses may be reached, by one table of ranges. An
// address that cannot be parsed is refused, and sockets are opened to the canonical text only. Pure.

import {
  GLOBAL_UNICAST_IPV6,
  METADATA_ADDRESSES,
  NON_PUBLIC_IPV4,
  NON_PUBLIC_IPV6,
  OPERATOR_IPV6,
} from './address-table.ts';
import type { AddressRow } from './address-table.ts';

/** An address as a number, with the text that is handed to the socket. */
export type ParsedAddress = {
  readonly family: 4 | 6;
  readonly value: bigint;
  readonly text: string;
};

/** An operator's exception for one host and one range. A range alone would be open for every name that points there. */
export type AddressPermit = { readonly host: string; readonly cidr: string };

type AddressVerdict =
  | { readonly public: true; readonly address: ParsedAddress }
  | { readonly public: false; readonly why: string };

type Range = {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
};
type TableRange = Range & { readonly row: AddressRow };

const IPV4_BITS = 32;
const IPV6_BITS = 128;

/** Strict dotted decimal: four parts, no leading zeros, no other base. Resolvers write no other form. */
function parseIpv4(text: string): bigint | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part)) return null;
    const octet = Number(part);
    if (octet > 255) return null;
    value = (value << 8n) | BigInt(octet);
  }
  return value;
}

/** Parses RFC 4291 text, including a dotted tail; no zone identifier. */
function parseIpv6(text: string): bigint | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = groupsOf(halves[0] ?? '', halves.length === 1);
  const tail = halves.length === 2 ? groupsOf(halves[1] ?? '', true) : [];
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return groups.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

function groupsOf(text: string, mayEndDotted: boolean): number[] | null {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (const [index, part] of parts.entries()) {
    if (mayEndDotted && index === parts.length - 1 && part.includes('.')) {
      const dotted = parseIpv4(part);
      if (dotted === null) return null;
      groups.push(Number(dotted >> 16n), Number(dotted & 0xffffn));
    } else {
      if (!/^[0-9a-f]{1,4}$/i.test(part)) return null;
      groups.push(Number.parseInt(part, 16));
    }
  }
  return groups.length > 8 ? null : groups;
}

function textOf(family: 4 | 6, value: bigint): string {
  if (family === 4) {
    return [24n, 16n, 8n, 0n].map((shift) => String((value >> shift) & 0xffn)).join('.');
  }
  const groups = Array.from({ length: 8 }, (_, index) =>
    ((value >> BigInt(112 - 16 * index)) & 0xffffn).toString(16),
  );
  return compressZeros(groups);
}

/** RFC 5952: the longest run of two or more zero groups, the first of equals, becomes `::`. */
function compressZeros(groups: readonly string[]): string {
  let bestStart = -1;
  let bestLength = 1;
  for (let start = 0; start < groups.length; start += 1) {
    let length = 0;
    while (groups[start + length] === '0') length += 1;
    if (length > bestLength) {
      bestStart = start;
      bestLength = length;
    }
  }
  if (bestStart < 0) return groups.join(':');
  const before = groups.slice(0, bestStart).join(':');
  return `${before}::${groups.slice(bestStart + bestLength).join(':')}`;
}

/** Parses an address; null if the text is not one. IPv6 is formatted as in RFC 5952. */
export function parseAddress(text: string): ParsedAddress | null {
  const family = text.includes(':') ? 6 : 4;
  const value = family === 4 ? parseIpv4(text) : parseIpv6(text);
  return value === null ? null : { family, value, text: textOf(family, value) };
}

/** Returns the first and last address of `address/prefix`; null if the text is not a range. */
export function parseCidr(text: string): Range | null {
  const match = /^([^/]+)\/(0|[1-9]\d{0,2})$/.exec(text);
  const base = parseAddress(match?.[1] ?? '');
  if (base === null) return null;
  const bits = base.family === 4 ? IPV4_BITS : IPV6_BITS;
  const prefix = Number(match?.[2]);
  if (prefix > bits) return null;
  const size = 1n << BigInt(bits - prefix);
  const first = base.value - (base.value % size);
  return { family: base.family, first, last: first + size - 1n };
}

function tableRange(row: AddressRow): TableRange {
  const range = parseCidr(row.cidr);
  if (range === null) throw new Error(`address table: ${row.cidr} is not a range`);
  return { ...range, row };
}

const REFUSED = [...NON_PUBLIC_IPV4, ...NON_PUBLIC_IPV6].map(tableRange);
const OPENABLE = [...NON_PUBLIC_IPV4, ...OPERATOR_IPV6]
  .filter((row) => row.operatorMayOpen === true)
  .map(tableRange);
const LOOPBACK = ['127.0.0.0/8', '::1/128'].map(parseCidr).filter((range) => range !== null);
const GLOBAL_IPV6 = tableRange({ cidr: GLOBAL_UNICAST_IPV6, name: '', source: 'RFC 4291' });

/** Whether the address is in the range. One of the other family never is. */
export function contains(range: Range, address: ParsedAddress): boolean {
  return (
    range.family === address.family && address.value >= range.first && address.value <= range.last
  );
}

/** ISATAP interface identifiers (RFC 5214): `0000:5efe` or `0200:5efe` before an IPv4 address. */
function isIsatap(address: ParsedAddress): boolean {
  return address.family === 6 && ((address.value >> 32n) & 0xfcff_ffffn) === 0x5efen;
}

/** Classifies an address as public or not, with a reason for the operator's log. */
export function classifyAddress(text: string): AddressVerdict {
  const address = parseAddress(text);
  if (address === null) return { public: false, why: 'not an address' };
  const hit = REFUSED.find((range) => contains(range, address));
  if (hit !== undefined) {
    return { public: false, why: `${address.text}: ${hit.row.name} (${hit.row.source})` };
  }
  if (address.family === 6 && !contains(GLOBAL_IPV6, address)) {
    return { public: false, why: `${address.text}: outside ${GLOBAL_UNICAST_IPV6} (RFC 4291)` };
  }
  if (isIsatap(address)) return { public: false, why: `${address.text}: ISATAP (RFC 5214)` };
  return { public: true, address };
}

/** The criteria for a host's addresses, in addition to the table. */
type AddressPolicy = {
  readonly permits: readonly AddressPermit[];
  /** Addresses of this machine's own interfaces: never a shop. */
  readonly localAddresses: readonly string[];
};

type AddressesVerdict =
  | { readonly ok: true; readonly addresses: readonly ParsedAddress[] }
  | { readonly ok: false; readonly why: string };

/**
 * Checks all addresses of a host. One non-public address refuses the name, because a resolver that mixes them in is either
 * broken or hostile. Duplicates are dropped, the order is kept.
 */
export function checkAddresses(
  host: string,
  answers: readonly string[],
  policy: AddressPolicy,
): AddressesVerdict {
  const local = new Set(policy.localAddresses.map((text) => parseAddress(text)?.text ?? text));
  const checked = new Map<string, ParsedAddress>();
  for (const answer of answers) {
    const verdict = classifyAddress(answer);
    const address = verdict.public ? verdict.address : permitted(host, answer, policy.permits);
    if (address === null) return { ok: false, why: verdict.public ? '' : verdict.why };
    if (local.has(address.text))
      return { ok: false, why: `${address.text}: an interface of this machine` };
    checked.set(address.text, address);
  }
  if (checked.size === 0) return { ok: false, why: 'no address' };
  return { ok: true, addresses: [...checked.values()] };
}

/**
 * Whether a host and port that the operator named may have this address. Public addresses, private networks and this machine
 * are allowed; link-local, metadata, tunnel and reserved ones never.
 */
export function isWithinOperatorsReach(address: ParsedAddress): boolean {
  if (METADATA_ADDRESSES.includes(address.text)) return false;
  return (
    classifyAddress(address.text).public ||
    [...OPENABLE, ...LOOPBACK].some((range) => contains(range, address))
  );
}

/**
 * Returns the address if a permit opens it. Loopback, link-local, metadata and tunnel addresses are in no openable row, so
 * no permit opens them.
 */
function permitted(
  host: string,
  answer: string,
  permits: readonly AddressPermit[],
): ParsedAddress | null {
  const address = parseAddress(answer);
  if (address === null || METADATA_ADDRESSES.includes(address.text)) return null;
  if (!OPENABLE.some((range) => contains(range, address))) return null;
  const named = permits.filter((permit) => permit.host.toLowerCase() === host);
  const covered = named.some((permit) => {
    const range = parseCidr(permit.cidr);
    return range !== null && contains(range, address);
  });
  return covered ? address : null;
}
