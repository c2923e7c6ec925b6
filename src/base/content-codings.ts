// Content codings (RFC 9110 8.4): which ones a header names, and a decoder for each.

import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';

export const CONTENT_CODINGS = ['gzip', 'deflate', 'br', 'zstd'] as const;
export type ContentCoding = (typeof CONTENT_CODINGS)[number];

/** A server and a proxy or two in front of it may each apply a coding; more are an attack. */
const MAX_CODINGS = 3;

/**
 * Returns the codings of a `Content-Encoding` value in the order in which they were applied (RFC 9110 8.4); null for an
 * unknown one or too many. `none`, and a charset intended for `Content-Type`, are not codings: browsers use the body as
 * it is.
 */
export function codingsOf(header: string): readonly ContentCoding[] | null {
  const named = header
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !['', 'identity', 'none'].includes(each) && !isCharset(each))
    .map((each) => CONTENT_CODINGS.find((known) => known === each.replace(/^x-(?=gzip$)/, '')));
  const codings = named.filter((each) => each !== undefined);
  return codings.length < named.length || codings.length > MAX_CODINGS ? null : codings;
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

/** `deflate` is zlib by RFC 9110 and raw deflate by many senders; the zlib header distinguishes them. */
function hasZlibHeader(bytes: Uint8Array): boolean {
  const first = bytes[0] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0;
}

/** The largest window that a sender of zstd may use (RFC 9659): a decoder needs as much memory. */
const ZSTD_WINDOW_LOG = 23;

/** Creates a decoder. `start`: the first bytes, two at least if there are as many. */
export function contentDecoder(coding: ContentCoding, start: Uint8Array): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return hasZlibHeader(start) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress({
        params: { [constants.ZSTD_d_windowLogMax]: ZSTD_WINDOW_LOG },
      });
  }
}
