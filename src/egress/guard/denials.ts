// OPENSHELF_DENY (D73): hosts and networks that are never contacted. A fetch of one is refused like any other refused address,
// so that a caller cannot determine what is on the list. Pure.

import { contains, parseAddress, parseCidr } from './address-guard.ts';
import type { ParsedAddress } from './address-guard.ts';

/** Whether this host must never be contacted. `host` is lower-case ASCII, without a trailing dot. */
export type IsDeniedHost = (host: string) => boolean;

export type Denials = {
  readonly isDeniedHost: IsDeniedHost;
  /** Whether this resolved address must never be contacted. */
  readonly isDeniedAddress: (address: ParsedAddress) => boolean;
};

export const NO_DENIALS: Denials = { isDeniedHost: () => false, isDeniedAddress: () => false };

/** Returns the host of an entry in lower-case ASCII, as in a URL; null for a network, or for a text that is not a host. */
function hostOf(entry: string): string | null {
  if (/[/?#@%\\\s:[\]]/.test(entry)) return null;
  const host = URL.parse(`http://${entry}`)?.hostname.replace(/\.$/, '') ?? null;
  return host !== null && isHostName(host) ? host : null;
}

const NAME = /^(?:[a-z0-9_-]+\.)*[a-z0-9_-]+$/;

/**
 * Whether the text can be the host of a page. A pattern such as `*.shop.example` would match no host: an entry already covers
 * all its subdomains.
 */
export function isHostName(host: string): boolean {
  return NAME.test(host);
}

/** A single address is a network of one address. */
function networkOf(entry: string): ReturnType<typeof parseCidr> {
  const address = parseAddress(entry);
  if (address === null) return parseCidr(entry);
  return parseCidr(`${address.text}/${address.family === 4 ? 32 : 128}`);
}

/** Describes what is wrong with an entry; null if it is a host, an address or a network. */
export function denialProblem(entry: string): string | null {
  if (networkOf(entry) !== null || hostOf(entry) !== null) return null;
  return `"${entry}" is not a host such as shop.example, which covers those below it, or a network such as 198.51.100.0/24`;
}

/** A host covers itself and all its subdomains. Invalid entries are ignored. */
export function createDenials(entries: readonly string[]): Denials {
  const networks = entries.map(networkOf).filter((range) => range !== null);
  const hosts = new Set(entries.filter((entry) => networkOf(entry) === null).map(hostOf));
  return {
    isDeniedHost: (host) => {
      if (hosts.size === 0) return false;
      const labels = host.split('.');
      return labels.some((_, from) => hosts.has(labels.slice(from).join('.')));
    },
    isDeniedAddress: (address) => networks.some((range) => contains(range, address)),
  };
}
