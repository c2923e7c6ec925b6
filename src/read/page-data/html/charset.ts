// Decodes a page's bytes, with the encoding that its markup declares if nothing before it states one.

import { charsetParameter, decodeBytes, decoderFor, type DecodedText } from '../decode-bytes.ts';
import { numberOf } from './markup-names.ts';
import { MarkupScanner } from './markup.ts';

/**
 * The declaration must be within these bytes. Pages put it behind long comments and scripts; browsers use it wherever it
 * is, and read the page again.
 */
const DECLARATION_BYTES = 64 * 1024;
const META = numberOf('meta');

/**
 * Returns the encoding declared by the page: the first meta charset or http-equiv with a known label, or the XML
 * declaration. Only markup counts, so a declaration in a comment, a script or the text of a JSON answer is none.
 */
function declaredIn(body: Uint8Array): string | null {
  const head = new TextDecoder('windows-1252').decode(body.subarray(0, DECLARATION_BYTES));
  if (/^\s*[{[]/.test(head)) return null;
  const tag = new MarkupScanner(head);
  while (tag.next()) {
    if (tag.kind === 'close' || tag.number !== META) continue;
    const label = labelOf(tag);
    // A page whose declaration can be read byte by byte is not in UTF-16, even if it declares so.
    if (/^utf-?16/i.test(label)) return 'utf-8';
    if (decoderFor(label) !== null) return label;
  }
  return /^\s*<\?xml[^>]{0,200}?encoding\s*=\s*["']([^"']{1,40})["']/i.exec(head)?.[1] ?? null;
}

/** Returns the label in a meta tag; empty if there is none. */
function labelOf(tag: MarkupScanner): string {
  const label = tag.attribute('charset');
  if (label !== null) return label.trim();
  const isType = /^\s*content-type\s*$/i.test((tag.attribute('http-equiv') ?? '').slice(0, 100));
  return isType ? (charsetParameter((tag.attribute('content') ?? '').slice(0, 1000)) ?? '') : '';
}

/** Decodes the body of a page. Never throws; invalid bytes become U+FFFD. */
export function decodeBody(body: Uint8Array, contentType: string | undefined): DecodedText {
  return decodeBytes(body, contentType, declaredIn);
}
