// The answer of a barcode database for one barcode.

import type { BarcodeDatabase, IdentityFacts } from '../../base/identity-facts.ts';
import type { Page } from '../../base/listing/page.ts';
import type { Spec } from '../../base/listing/listing.ts';
import { decodeJson } from '../page-data/decode-bytes.ts';
import { parseJson } from '../page-data/json/bounded-json.ts';
import { lineAt } from '../page-data/json/json-values.ts';
import { listAt } from '../page-data/json/json-path.ts';

export type DatabaseAnswer =
  | { readonly kind: 'known'; readonly facts: IdentityFacts }
  /** It does not have the barcode, or has no name for it. */
  | { readonly kind: 'unknown' }
  /** Another database of the same family has the barcode. */
  | { readonly kind: 'elsewhere'; readonly source: BarcodeDatabase }
  /** Refused, down, or not the documented JSON. */
  | { readonly kind: 'failed' };

const MOST_CATEGORIES = 20;

/** Returns the parsed JSON of an answer; null if it is not JSON. */
export function jsonOf({ body, headers }: Page): unknown {
  return parseJson(decodeJson(body, headers['content-type']));
}

/** Returns a line with a letter or a digit; null for one that names nothing, such as `-`. */
export function nameAt(value: unknown, path: string): string | null {
  const line = lineAt(value, path);
  return line !== null && /[\p{L}\p{N}]/u.test(line) ? line : null;
}

/** Returns the names in a list: its members, or a field of its members. */
export function namesAt(value: unknown, path: string, field = ''): readonly string[] {
  return listAt(value, path, MOST_CATEGORIES).flatMap((each) => lineAt(each, field) ?? []);
}

/** Returns the specifications that have a value. */
export function specsOf(pairs: readonly (readonly [string, string | null])[]): readonly Spec[] {
  return pairs.flatMap(([name, value]) => (value === null || value === '' ? [] : { name, value }));
}

/** Returns a web address at the host or one of its subdomains; null for any other. */
export function addressBelow(host: string, text: string | null): string | null {
  const url = text === null ? null : URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  return url.hostname === host || url.hostname.endsWith(`.${host}`) ? url.href : null;
}
