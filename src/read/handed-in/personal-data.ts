// Removes from an address and a listing the data that may be about the person who handed the page in, so that it is never
// stored (D84): session and account parameters, mail addresses, numbers of orders, long random texts. Pure, and linear in
// the text.

import type { Listing } from '../../base/listing/listing.ts';
import { ORDER_NUMBER } from './order-number.ts';

/** Parameters about a visit or a visitor, regardless of their values. */
const PERSONAL_PARAMETER =
  /(?:^|[_.-])(?:auth|cust|first_?name|jwt|last_?name|login|nonce|order|otp|password|phone|recipient|secret|sid|sig|signature|uid|user|visitor)(?:$|[_.-])|token|session|sessid|e-?mail|customer|order_?(?:id|no|number)|user_?(?:id|name)/i;
/** Parameters of the path, as servers add them for a session. */
const PATH_SESSION = /;[^/?#]*/g;
/** Text without a blank of this length may be a token. */
const TOKEN_LENGTH = 24;

/** Returns the address without parts that may be about a person. */
export function withoutPersonalParameters(address: URL): URL {
  const url = new URL(address);
  url.hash = '';
  url.username = '';
  url.password = '';
  if (url.pathname.includes(';')) url.pathname = url.pathname.replaceAll(PATH_SESSION, '');
  const remaining = url.search
    .slice(1)
    .split('&')
    .filter((pair) => pair !== '' && !isPersonalParameter(pair))
    .join('&');
  if (url.search !== (remaining === '' ? '' : `?${remaining}`)) url.search = remaining;
  return url;
}

function isPersonalParameter(pair: string): boolean {
  const [name = '', value = ''] = pair.split('=', 2);
  return PERSONAL_PARAMETER.test(name.slice(0, 100)) || isPersonalWord(value);
}

/** Whether a text without blanks is a mail address, a signed token or random. */
function isPersonalWord(word: string): boolean {
  const at = Math.max(word.indexOf('@'), word.indexOf('%40'));
  if (at > 0 && word.indexOf('.', at) > at + 1) return true;
  if (word.length < TOKEN_LENGTH) return false;
  return word
    .split(/[^A-Za-z\d]/)
    .some(
      (part) =>
        part.length >= TOKEN_LENGTH &&
        (/\d.*[a-z]|[a-z].*\d/i.test(part) || part.startsWith('eyJ')),
    );
}

/** Returns the listing without data that may be about a person. */
export function withoutPersonalData(listing: Listing): Listing {
  const image = listing.imageUrl === null ? null : URL.parse(listing.imageUrl);
  return {
    ...listing,
    title: cleaned(listing.title),
    brand: cleaned(listing.brand),
    description: cleaned(listing.description),
    imageUrl: image === null ? null : withoutPersonalParameters(image).href,
    categories: listing.categories.filter((category) => cleaned(category) === category),
    specs: listing.specs.filter(({ name, value }) => {
      const row = `${name}: ${value}`;
      return cleaned(row) === row;
    }),
    sellerName: cleaned(listing.sellerName),
  };
}

function cleaned(text: string | null): string | null {
  if (text === null) return null;
  const plain = text.replaceAll(ORDER_NUMBER, '');
  const words = plain.split(' ');
  const remaining = words.filter((word) => !isPersonalWord(word));
  if (plain === text && remaining.length === words.length) return text;
  return remaining.join(' ').trim() || null;
}
