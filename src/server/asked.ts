// Reads what a request asks from its head: an address without dot segments, and the fields by name.

import type { IncomingMessage } from 'node:http';

import type { Asked, ExpectedBody, SentBody } from './call.ts';
import type { Exchange } from './listen/connection-book.ts';

/** Says how much has come of the body of a request. */
type ExpectBody = (request: IncomingMessage) => Promise<ExpectedBody>;

/** What is asked; null where the head makes no address of this service, or two. */
export function askedOf({ request, response }: Exchange, expect: ExpectBody): Asked | null {
  const { method = 'GET', url: target = '', httpVersion, rawHeaders } = request;
  const headers = new Map<string, string>();
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = rawHeaders[at + 1] ?? '';
    const before = headers.get(name);
    // Node takes the first of two hosts, a proxy perhaps the other: such a request means two things (RFC 9112, 3.2).
    if (before !== undefined && name === 'host') return null;
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  // HTTP/1.0 knows no `Host`, and load balancers that check health with it send none. To HAProxy a service that demands one is
  // down. No answer depends on the name given here.
  const host = headers.get('host') ?? (httpVersion === '1.0' ? 'localhost' : '');
  const address = addressOf(target, host);
  if (address === null) return null;
  const hasBody =
    headers.has('transfer-encoding') || (headers.get('content-length') ?? '0') !== '0';
  const invite = () => response.writeContinue();
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
    // A body that is read in part must not take its connection with it.
    [Symbol.asyncIterator]: () =>
      request.iterator({ destroyOnReturn: false }) as NodeJS.AsyncIterator<Buffer>,
  };
}

/** Characters that stand for themselves in every path and query. */
const PLAIN_TARGET = /^\/[\w.~%!$&'()*+,;=:@/[\]-]*(?:\?[\w.~%!$&'()*+,;=:@/?[\]-]*)?$/;
/** Dot segments, which are removed from an address however they are written. */
const DOTS = /\/(?:\.|%2e){1,2}(?:[/?]|$)/i;
/** Hosts that can always stand in an address. */
const NAME = /^(?:[a-z0-9-]+\.)*[a-z][a-z0-9-]*(?::[1-5]?\d{1,4})?$/i;
const IPV4 =
  /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)\.){3}(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?::[1-5]?\d{1,4})?$/;
const ENCODED_NAME = 'xn--';
/** Hosts that end before the path, however they are written: `127.1`, `[::ffff:127.0.0.1]`. */
const BOUNDED = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i;

type Address = Pick<Asked, 'path' | 'query'>;

/** Path and query of the address that a target makes with a host; null where they make none. */
export function addressOf(target: string, host: string): Address | null {
  if (PLAIN_TARGET.test(target) && !DOTS.test(target) && isPlainHost(host)) {
    const at = target.indexOf('?');
    if (at === -1) return { path: target, query: '' };
    return { path: target.slice(0, at), query: target.slice(at + 1) };
  }
  const isAbsolute = /^https?:\/\//.test(target);
  if (!isAbsolute && (host === '' || !target.startsWith('/'))) return null;
  // In an address a backslash is a slash: what was checked by one reading would be answered by another.
  if ((target.split('?', 1)[0] ?? '').includes('\\')) return null;
  const url = URL.parse(isAbsolute ? target : `http://${host}${target}`);
  if (url === null) return null;
  const isOfHost =
    isAbsolute || BOUNDED.test(host) || url.hostname === host.replace(/:\d*$/, '').toLowerCase();
  return isOfHost ? { path: url.pathname, query: url.search.slice(1) } : null;
}

let plainHost = '';

/** Whether a host can stand in an address as it is. Nearly all calls name the same one. */
export function isPlainHost(host: string): boolean {
  if (host === plainHost && host !== '') return true;
  const isPlain =
    IPV4.test(host) || (NAME.test(host) && !host.toLowerCase().includes(ENCODED_NAME));
  if (isPlain) plainHost = host;
  return isPlain;
}

/** The values of each parameter of a query, in their order. What cannot be decoded stays as it was sent. */
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
  // Every name becomes a property of its own, also that of the prototype.
  return Object.fromEntries(found);
}

const decoded = (text: string): string =>
  /[%+]/.test(text) ? decodedBy(decodeURIComponent, text.replaceAll('+', ' ')) : text;

/** Decodes a text, or of a text that is not well encoded whatever is. */
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
