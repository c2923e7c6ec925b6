// Removes from an address and a listing what may be about the person who handed the page in, so that it is never stored (D84):
// session and account parameters, mail addresses, numbers of orders, long random texts. Pure.

import type { Listing } from '../../base/listing/listing.ts';
import { oneOf } from '../../base/listing/words/all-languages.ts';

/** Parameters about a visit or a visitor, whatever their values. */
const PRIVATE_PARAMETER =
  /(?:^|[_.-])(?:auth|cust|first_?name|jwt|last_?name|login|nonce|order|otp|password|phone|recipient|secret|sid|sig|signature|uid|user|visitor)(?:$|[_.-])|token|session|sessid|e-?mail|customer|order_?(?:id|no|number)|user_?(?:id|name)/i;
/** A mail address, also as it stands in a query. */
const MAIL = /[\p{L}\d._%+-]+(?:@|%40)[\p{L}\d-]+(?:\.[\p{L}\d-]+)+/giu;
/** A signed token, or a text of letters and digits that is too long for a product number. */
const TOKEN =
  /\beyJ[\w-]{8,}\.[\w-]+(?:\.[\w-]*)?|(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]*[a-z\d]{24,}[\w-]*/gi;
const ORDER_NUMBER = new RegExp(
  `${oneOf('orderNumber')}\\s*[.:#]*\\s*#?(?=[a-z-]*\\d)[a-z\\d-]{4,}`,
  'giu',
);
/** A parameter of the path, as servers add them for a session. */
const PATH_SESSION = /;[^/?#]*/g;

/** Returns the address without what may be about a person. */
export function withoutPersonalParameters(address: URL): URL {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  if (url.pathname.includes(';')) url.pathname = url.pathname.replaceAll(PATH_SESSION, '');
  const kept = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isPersonal(pair))
    .join('&');
  if (url.search !== (kept === '' ? '' : `?${kept}`)) url.search = kept;
  return url;
}

function isPersonal(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2);
  return PRIVATE_PARAMETER.test(name) || hasPersonalText(value);
}

function hasPersonalText(text: string): boolean {
  return withoutPersonalText(text) !== text;
}

function withoutPersonalText(text: string): string {
  return text.replaceAll(MAIL, '').replaceAll(ORDER_NUMBER, '').replaceAll(TOKEN, '');
}

/** Returns the listing without what may be about a person. Its address becomes `url`, the one under which it is stored. */
export function withoutPersonalData(listing: Listing, url: string): Listing {
  const image = listing.imageUrl === null ? null : URL.parse(listing.imageUrl);
  return {
    ...listing,
    url,
    title: cleaned(listing.title),
    brand: cleaned(listing.brand),
    description: cleaned(listing.description),
    imageUrl: image === null ? null : withoutPersonalParameters(image).href,
    categories: listing.categories.filter((category) => !hasPersonalText(category)),
    specs: listing.specs.filter(
      ({ name, value }) => !hasPersonalText(name) && !hasPersonalText(`${name}: ${value}`),
    ),
    sellerName: cleaned(listing.sellerName),
  };
}

function cleaned(text: string | null): string | null {
  if (text === null || !hasPersonalText(text)) return text;
  return withoutPersonalText(text).replaceAll(/\s+/g, ' ').trim() || null;
}
