// From what a caller sent to what is looked up: the readings of identifier.ts, with addresses of
// known retailers replaced by the identifiers they stand for (D9). Asks nobody; `openshelf
// identify` prints it.

import { URL_NOT_ALLOWED, type Fault } from '../core/fault.ts';
import { parseIdentifier, type Identifier } from '../identifiers/parse-identifier.ts';
import { reduceUrl } from '../retailers/address-books.ts';
import { normalizeUrlText, parsedUrl } from '../retailers/shop-url.ts';

export type ParsedInput =
  | {
      readonly ok: true;
      readonly identifiers: readonly Identifier[];
      /** True when an address was sent, whatever it was reduced to: D13 treats the two apart. */
      readonly fromUrl: boolean;
    }
  | { readonly ok: false; readonly fault: Fault };

/**
 * Candidates in the order they are tried, or the fault. An address of another shop, or a page of a
 * known retailer that is no product page, stays a `url` in its reduced form. One that is not
 * written plainly is refused here with the guard's own answer (D50): the reduced form would hide
 * from the guard what was wrong with it.
 */
export function identify(text: string, format?: string): ParsedInput {
  const parsed = parseIdentifier(text, format);
  if (!parsed.ok) return parsed;
  const [first] = parsed.identifiers;
  if (first?.kind !== 'url') return { ...parsed, fromUrl: false };
  const identifier = reducedUrl(first.value);
  if (identifier === null) return { ok: false, fault: URL_NOT_ALLOWED };
  return { ok: true, identifiers: [identifier], fromUrl: true };
}

/**
 * User information is let through for known retailers only: their addresses are read, never asked.
 */
function reducedUrl(text: string): Identifier | null {
  const url = parsedUrl(text);
  const known = url === null ? null : reduceUrl(url);
  if (known !== null) return known;
  const value = normalizeUrlText(text);
  return value === null ? null : { kind: 'url', value };
}
