// Shops whose pages count for a barcode although they are not among the seven: the operator lists their hosts (D57).

import { isKnownSlug } from '../../../base/retailer.ts';

/** Checks whether a listing is from one of the seven or from a listed shop; a listed host covers its subdomains. */
export function createIsTrustedShop(
  hosts: readonly string[],
): (listing: { readonly retailer: string; readonly url: string }) => boolean {
  return ({ retailer, url }) => {
    if (isKnownSlug(retailer)) return true;
    if (hosts.length === 0 || !URL.canParse(url)) return false;
    return isListedHost(hosts, new URL(url).hostname);
  };
}

/** Checks whether a host is one of these, or a subdomain of one. */
export function isListedHost(hosts: readonly string[], host: string): boolean {
  return hosts.some((each) => host === each || host.endsWith(`.${each}`));
}
