// Parses a caller's input into its possible identifiers, in the order in which they are tried. A known retailer's address
// becomes the identifier that it stands for (D9). Fetches nothing; `openshelf identify` prints it.

import { FaultError, URL_NOT_ALLOWED, type Fault } from '../../../base/fault.ts';
import { holdsApiKey } from '../../../base/scopes.ts';
import { parseDigitalLink, type DigitalLink } from '../../../base/identifiers/digital-link.ts';
import type { Element } from '../../../base/identifiers/element-string.ts';
import {
  addressIn,
  parseDigitalLinkCode,
  parseIdentifier,
  type Identifier,
} from '../../../base/identifiers/parse-identifier.ts';
import { bookForHost, reduceUrl } from '../../../read/retailers/addresses/address-books.ts';
import {
  isPlainText,
  parsedUrl,
  reducedShopUrl,
} from '../../../read/retailers/addresses/shop-url.ts';

export type Input = {
  /** In the order they are tried. */
  readonly identifiers: readonly Identifier[];
  /** Whether an address was sent, whatever it was reduced to: a bare retailer_b id follows other rules (D13). */
  readonly fromUrl: boolean;
  /** Elements of a GS1 code besides its GTIN (D75). */
  readonly otherElements?: readonly Element[];
};

type ParsedInput = ({ readonly ok: true } & Input) | { readonly ok: false; readonly fault: Fault };

const HOLDS_A_KEY: Fault = {
  code: 'invalid_identifier',
  detail:
    'The identifier contains an API key. It would be sent to the shop with the address and shown to everyone ' +
    'who sees the product, so no request was sent. Send keys in the Authorization header only, and have this ' +
    'one replaced: it may already be in logs.',
};

/**
 * Another shop's address, or a known retailer's page that is not a product page, remains a `url` in its reduced form. An
 * address that is not written plainly is refused here with the guard's own answer (D50): the reduced form would hide the
 * defect from the guard.
 */
export function parseInput(text: string, format?: string): ParsedInput {
  if (holdsApiKey(text)) return { ok: false, fault: HOLDS_A_KEY };
  const address = addressIn(text);
  const link = address === null ? null : digitalLinkAt(address);
  if (address !== null && link !== null) return parsedLink(address, link, format);
  const parsed = parseIdentifier(text, format);
  if (!parsed.ok) return parsed;
  const [first] = parsed.identifiers;
  if (first?.kind !== 'url') return { ...parsed, fromUrl: false };
  const identifier = reducedUrl(first.value);
  if (identifier === null) return { ok: false, fault: URL_NOT_ALLOWED };
  return { ok: true, identifiers: [identifier], fromUrl: true };
}

/** Returns the Digital Link in an address; null at the seven retailers, which have their own path formats. */
function digitalLinkAt(address: string): DigitalLink | null {
  const url = URL.parse(address);
  return url === null || bookForHost(url.hostname) !== null ? null : parseDigitalLink(url);
}

/** D75: the barcode comes first, the page at that address second. With a format only the barcode is used. */
function parsedLink(address: string, link: DigitalLink, format: string | undefined): ParsedInput {
  if (link.kind === 'compressed') return { ok: false, fault: compressedLink(link.code) };
  const page = reducedUrl(address);
  if (page === null) return { ok: false, fault: URL_NOT_ALLOWED };
  const parsed = parseDigitalLinkCode(link, format);
  if (format !== undefined) return parsed.ok ? { ...parsed, fromUrl: true } : parsed;
  // If no product can have this code, the address may still be a page.
  const codes = parsed.ok ? parsed.identifiers : [];
  return { ok: true, identifiers: [...codes, page], fromUrl: true, otherElements: link.others };
}

function compressedLink(code: string | null): Fault {
  const instead =
    code === null
      ? 'Send the barcode of the product'
      : `Send its barcode, which seems to be ${code}`;
  return {
    code: 'invalid_identifier',
    detail:
      `This is a compressed GS1 Digital Link, which is not supported here. ${instead}, or the address with the GTIN written ` +
      'out: https://id.gs1.org/01/{GTIN}.',
  };
}

/**
 * Returns the identifier in an address. A user name in it is accepted for known retailers only, because what is fetched is
 * built from the identifier.
 */
function reducedUrl(text: string): Identifier | null {
  const url = parsedUrl(text);
  const known = url === null ? null : reduceUrl(url);
  if (known !== null) return known;
  const value = url === null || !isPlainText(text) ? null : reducedShopUrl(url);
  return value === null ? null : { kind: 'url', value };
}

/** Whether the address guard permits fetching this address. */
export type IsAllowedUrl = (text: string) => boolean;

/**
 * Parses a call's identifier. Throws the fault of a text that is not an identifier, or of an address that may not be fetched
 * (D50).
 */
export function parseAllowedInput(
  isAllowedUrl: IsAllowedUrl,
  text: string,
  format?: string,
): Input {
  const trimmed = text.trim();
  if (/^https?:\/\//i.test(trimmed) && !isAllowedUrl(trimmed)) {
    throw new FaultError(URL_NOT_ALLOWED);
  }
  const parsed = parseInput(trimmed, format);
  if (!parsed.ok) throw new FaultError(parsed.fault);
  const others = parsed.identifiers.filter(
    ({ kind, value }) => kind === 'url' && value !== trimmed,
  );
  if (others.some(({ value }) => !isAllowedUrl(value))) {
    throw new FaultError(URL_NOT_ALLOWED);
  }
  return parsed;
}
