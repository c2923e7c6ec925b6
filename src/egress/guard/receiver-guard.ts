// Decides from the text which addresses notices may be posted to: those of the public web, as for pages, and each host and port
// listed by the operator (OPENSHELF_NOTIFY_ALLOW), which may be private. Pure.

import { authorityProblem, isLiteral, rawTextProblem } from '../../base/listing/public-url.ts';
import type { OriginMap } from '../origins.ts';
import { guardUrl, type UrlVerdict } from './url-guard.ts';

/** Entries of the form `host:port`, with the host as in a URL: lower-case ASCII, IPv6 in brackets. */
export type AllowedReceivers = ReadonlySet<string>;

const ENTRY = /^(\[[\da-f:.]+\]|[\p{L}\p{N}._-]+):(\d{1,5})$/iu;

/** Returns the canonical form of `host:port`; null if the entry has another form. */
function receiverOf(entry: string): string | null {
  const [, host = '', port = ''] = ENTRY.exec(entry) ?? [];
  const name = URL.parse(`http://${host}`)?.hostname.replace(/\.$/, '') ?? '';
  const number = Number(port);
  return name === '' || number < 1 || number > 65_535 ? null : `${name}:${number}`;
}

/** Describes what is wrong with an entry; null if it is a host and a port. */
export function allowedReceiverProblem(entry: string): string | null {
  if (receiverOf(entry) !== null) return null;
  return `"${entry}" is not a host and a port such as hooks.internal:8080 or 127.0.0.1:4020`;
}

/** Parses the entries. Invalid ones are ignored. */
export function parseAllowedReceivers(entries: readonly string[]): AllowedReceivers {
  return new Set(entries.map(receiverOf).filter((receiver) => receiver !== null));
}

type ReceiverVerdict = {
  readonly verdict: UrlVerdict;
  /** Whether the operator lists this host and port, so that it may be private. */
  readonly isAllowed: boolean;
};

/** Checks a receiver's address. Total: any string gets a verdict. IP addresses are refused unless they are listed. */
export function guardReceiver(
  text: string,
  options: { readonly allowed: AllowedReceivers; readonly origins: OriginMap },
): ReceiverVerdict {
  const listed = listedTarget(text, options.allowed);
  if (listed !== null) return { verdict: listed, isAllowed: true };
  return { verdict: guardUrl(text, { origins: options.origins }), isAllowed: false };
}

/** Returns the target if the operator lists its host and port, otherwise null. The same rules for the raw text apply. */
function listedTarget(text: string, allowed: AllowedReceivers): UrlVerdict | null {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || rawTextProblem(text) !== null) return null;
  const url = authorityProblem(authority) === null ? URL.parse(text) : null;
  if (url === null) return null;
  url.hash = '';
  const name = url.hostname.replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  if (!allowed.has(`${name}:${port}`)) return null;
  const host = name.startsWith('[') ? name.slice(1, -1) : name;
  return { ok: true, target: { url, host, literal: isLiteral(name), mappedTo: null } };
}
