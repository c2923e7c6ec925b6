// The address by which a request counts against the per-address limits.

import type { IncomingMessage } from 'node:http';

/** A longer text is not an address. */
const MAX_ADDRESS = 64;

/**
 * Returns the address as limits count it: all of an IPv4 address; of an IPv6 address the 64-bit network, which is what a
 * provider gives one customer. Null for a text that is not an address.
 */
export function addressGroup(text: string): string | null {
  const bare = withoutPort(text.trim());
  if (bare === '' || bare.length > MAX_ADDRESS) return null;
  const v4 = /^(?:::ffff:)?(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(bare)?.[1];
  if (v4 !== undefined) return v4;
  return networkOf(bare.split('%')[0] ?? '');
}

/** Returns the address of the client: the one that the proxy in front saw, otherwise that of the connection. */
export function clientAddress(
  request: Pick<IncomingMessage, 'headers' | 'socket'>,
  isBehindProxy: boolean,
): string | null {
  return isBehindProxy
    ? forwardedAddress(request)
    : addressGroup(request.socket.remoteAddress ?? '');
}

/** Strips the port: `[2001:db8::1]:443`, `192.0.2.1:443` and the same without a port. */
function withoutPort(text: string): string {
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(text)?.[1];
  return bracketed ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
}

function networkOf(v6: string): string | null {
  if (!/^[\da-f:]*:[\da-f:.]*$/i.test(v6)) return null;
  const [before = '', after] = v6.split('::');
  const head = before === '' ? [] : before.split(':');
  const tail = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array.from({ length: zeros }, () => '0'), ...tail].slice(0, 4);
  return groups.map((each) => (Number.parseInt(each, 16) || 0).toString(16)).join(':');
}

/**
 * Returns the address that the proxy in front saw, which is the last one of `X-Forwarded-For`. The entries before it were
 * sent by the caller and may be anything. Null if the header is missing or its last entry is not an address.
 */
export function forwardedAddress({ headers }: Pick<IncomingMessage, 'headers'>): string | null {
  const given = headers['x-forwarded-for'];
  const text = Array.isArray(given) ? given.join(',') : (given ?? '');
  return addressGroup(text.slice(text.lastIndexOf(',') + 1));
}
