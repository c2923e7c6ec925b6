// Decides from the text which addresses notices may be posted to: those of the public web, as for pages, and each host and port
// listed by the operator (OPENSHELF_NOTIFY_ALLOW), which may be private. Pure.

import { authorityProblem, isLiteral, rawTextProblem } from '../../base/listing/public-url.ts';
import type { OriginMap } from '../origins.ts';
import { guardUrl, type UrlVerdict } from './url-guard.ts';

/**
 * Entries of the form `host:port`, with the host as in a URL: lower-case ASCII, IPv6 in brackets. A path after it allows only
 * addresses at or below the path, the name of an organization and `=` before it only channels of that organization.
 */
export type AllowedReceivers = ReadonlySet<string>;

const ENTRY =
  /^(?:(?<organization>.+)=)?(?<host>\[[\da-f:.]+\]|[\p{L}\p{N}._-]+):(?<port>\d{1,5})(?<path>\/[^\s?#]*)?$/iu;

type AllowedReceiver = {
  /** Null if any organization may use it. */
  readonly organization: string | null;
  /** Host and port. */
  readonly place: string;
  /** Without a slash at its end; empty for all paths. */
  readonly path: string;
};

/** Parses an entry; null if it has another form. */
function receiverOf(entry: string): AllowedReceiver | null {
  const { organization, host = '', port = '', path = '' } = ENTRY.exec(entry)?.groups ?? {};
  const url = URL.parse(`http://${host}${path}`);
  const name = url?.hostname.replace(/\.$/, '') ?? '';
  const number = Number(port);
  if (url === null || name === '' || number < 1 || number > 65_535) return null;
  return {
    organization: organization?.trim() ?? null,
    place: `${name}:${number}`,
    path: url.pathname.replace(/\/+$/, ''),
  };
}

/** Describes what is wrong with an entry; null if it is a host and a port. */
export function allowedReceiverProblem(entry: string): string | null {
  if (receiverOf(entry) !== null) return null;
  return `"${entry}" is not a host and a port such as hooks.internal:8080 or 127.0.0.1:4020`;
}

/** Returns the canonical forms of the entries. Invalid ones are ignored. */
export function parseAllowedReceivers(entries: readonly string[]): AllowedReceivers {
  const parsed = entries.map(receiverOf).filter((receiver) => receiver !== null);
  return new Set(
    parsed.map(({ organization, place, path }) => {
      return `${organization === null ? '' : `${organization}=`}${place}${path}`;
    }),
  );
}

/** Whether an entry is for one organization only. */
export function namesOrganizations(allowed: AllowedReceivers): boolean {
  return [...allowed].some((entry) => receiverOf(entry)?.organization !== null);
}

type ReceiverVerdict = {
  readonly verdict: UrlVerdict;
  /** Whether the operator lists this host and port, so that it may be private. */
  readonly isAllowed: boolean;
};

/** Checks a receiver's address. Total: any string gets a verdict. IP addresses are refused unless they are listed. */
export function guardReceiver(
  text: string,
  options: {
    readonly allowed: AllowedReceivers;
    readonly origins: OriginMap;
    /** Name of the organization whose channel it is; null if no entry is for one only. */
    readonly organization: string | null;
  },
): ReceiverVerdict {
  const listed = listedTarget(text, options);
  if (listed !== null) return { verdict: listed, isAllowed: true };
  return { verdict: guardUrl(text, { origins: options.origins }), isAllowed: false };
}

/** Returns the target if the operator lists it, otherwise null. The same rules for the raw text apply. */
function listedTarget(
  text: string,
  { allowed, organization }: Parameters<typeof guardReceiver>[1],
): UrlVerdict | null {
  const authority = /^(?:https?|mqtts?):\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined || rawTextProblem(text) !== null) return null;
  // Ports of brokers are never those of the web, so a broker is reached only if it is listed.
  const address = text.replace(/^mqtt/i, 'http');
  const url = authorityProblem(authority) === null ? URL.parse(address) : null;
  if (url === null) return null;
  url.hash = '';
  const name = url.hostname.replace(/\.$/, '');
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  const isListed = [...allowed].some((entry) => {
    const receiver = receiverOf(entry);
    return (
      receiver !== null &&
      receiver.place === `${name}:${port}` &&
      (receiver.organization === null || receiver.organization === organization) &&
      isBelow(url.pathname, receiver.path)
    );
  });
  if (!isListed) return null;
  const host = name.startsWith('[') ? name.slice(1, -1) : name;
  return { ok: true, target: { url, host, literal: isLiteral(name), mappedTo: null } };
}

/** Checks by whole segments. What a receiver may decode to another path is below none. */
function isBelow(pathname: string, path: string): boolean {
  if (path === '') return true;
  if (/%(?:2e|2f|5c|25)/i.test(pathname)) return false;
  return pathname === path || pathname.startsWith(`${path}/`);
}
