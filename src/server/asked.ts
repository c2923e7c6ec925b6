// Parses a request's head: an address without dot segments, and the fields by name.

import type { IncomingMessage } from 'node:http';

import type { Asked, ExpectedBody, SentBody } from './call.ts';
import type { Exchange } from './listen/connection-book.ts';
import { completeSession } from './session-call.ts';

/** Returns how much of a request's body has arrived. */
type ExpectBody = (request: IncomingMessage) => Promise<ExpectedBody>;

/** Parses the request; null if the head does not form one address of this service. */
export function askedOf(
  { request, response }: Exchange,
  expect: ExpectBody,
  isBehindProxy: boolean,
): Asked | null {
  const { method = 'GET', url: target = '', httpVersion, rawHeaders } = request;
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const before = headers.get(name);
    // Node uses the first of two hosts, a proxy perhaps the other: such a request is ambiguous (RFC 9112, 3.2).
    if (before !== undefined && name === 'host') return null;
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  completeSession(method, headers, isBehindProxy);
  // HTTP/1.0 has no `Host`, and load balancers that check health with it send none. To HAProxy a service that requires one is
  // down. No answer depends on the name given here.
  const host = headers.get('host') ?? (httpVersion === '1.0' ? 'localhost' : '');
  const address = addressOf(target, host);
  if (address === null) return null;
  const hasBody =
    headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0';
  const isWaiting = httpVersion === '1.1' && /\b100-continue\b/i.test(headers.get('expect') ?? '');
  const invite = () => {
    if (isWaiting) response.writeContinue();
  };
  const body = hasBody ? sentBody(request, headers, { invite, expect }) : null;
  const peer = { address: request.socket.remoteAddress ?? '', httpVersion };
  return { method, ...address, target, headers, body, peer };
}

function sentBody(
  request: IncomingMessage,
  headers: ReadonlyMap<string, string>,
  { invite, expect }: { readonly invite: () => void; readonly expect: ExpectBody },
): SentBody {
  const length = headers.get('content-length');
  return {
    length: length === undefined ? null : Number(length),
    invite,
    expect: () => expect(request),
    // A body that is only partly read must not close its connection.
    [Symbol.asyncIterator]: () =>
      request.iterator({ destroyOnReturn: false }) as NodeJS.AsyncIterator<Buffer>,
  };
}

/** Characters that need no escaping in any path or query. */
const PLAIN_TARGET = /^\/[\w.~%!$&'()*+,;=:@/[\]-]*(?:\?[\w.~%!$&'()*+,;=:@/?[\]-]*)?$/;
/** Dot segments, which are removed from an address however they are written. */
const DOTS = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
/** Hosts that are always valid in an address. */
const NAME = /^(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::[1-5]?\d{1,4})?$/i;
const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::[1-5]?\d{1,4})?$/;
const ENCODED_NAME = 'xn--';
/** Hosts that end before the path, however they are written: `127.1`, `[::ffff:127.0.0.1]`. */
const BOUNDED = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

type Address = Pick<Asked, 'path' | 'query'>;

/** Returns path and query of the address formed by a target and a host; null if they form none. */
export function addressOf(target: string, host: string): Address | null {
  if (PLAIN_TARGET.test(target) && !DOTS.test(target) && isPlainHost(host)) {
    const at = target.indexOf('?');
    if (at === -1) return { path: target, query: '' };
    return { path: target.slice(0, at), query: target.slice(at + 1) };
  }
  const isAbsolute = /^https?:\/\//.test(target);
  if (!isAbsolute && (host === '' || !target.startsWith('/'))) return null;
  // URL parsers treat a backslash as a slash, so two parsers could understand the same path differently.
  if ((target.split('?', 1)[0] ?? '').includes('\\')) return null;
  const url = URL.parse(isAbsolute ? target : `http://${host}${target}`);
  if (url === null) return null;
  const isOfHost =
    isAbsolute || BOUNDED.test(host) || url.hostname === host.replace(/:\d*$/, '').toLowerCase();
  return isOfHost ? { path: url.pathname, query: url.search.slice(1) } : null;
}

let plainHost = '';

/** Checks whether a host can be used in an address as it is. Nearly all calls name the same one. */
export function isPlainHost(host: string): boolean {
  if (host === plainHost && host !== '') return true;
  const isPlain =
    IPV4.test(host) || (NAME.test(host) && !host.toLowerCase().includes(ENCODED_NAME));
  if (isPlain) plainHost = host;
  return isPlain;
}

/** Returns the values of each query parameter, in order. What cannot be decoded is left as sent. */
export function parametersOf(query: string): Record<string, string[]> {
  const found = new Map<string, string[]>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = decoded(at === -1 ? pair : pair.slice(0, at));
    const value = at === -1 ? '' : decoded(pair.slice(at + 1));
    const before = found.get(name);
    if (before === undefined) found.set(name, [value]);
    else before.push(value);
  }
  // Every name becomes an own property, including __proto__.
  return Object.fromEntries(found);
}

const decoded = (text: string): string =>
  /[%+]/.test(text) ? decodedBy(decodeURIComponent, text.replaceAll('+', ' ')) : text;

/** Decodes a text; if it is not well encoded, decodes the parts that are. */
export function decodedBy(decode: (text: string) => string, text: string): string {
  try {
    return decode(text);
  } catch {
    return text.replace(/(?:%[\da-f]{2})+/gi, (some) => {
      try {
        return decode(some);
      } catch {
        return some;
      }
    });
  }
}
