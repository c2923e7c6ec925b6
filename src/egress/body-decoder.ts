// Decodes an answer's bytes into the page's bytes: one content coding, and a cap on the output. A cap on the ratio of
// output to input would be useless: 203 bytes of br decode to 256 MiB.

import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Transform } from 'node:stream';

import { messageOf } from '../base/fault.ts';
import { FetchError } from './fetch-error.ts';

type Coding = 'identity' | 'gzip' | 'deflate' | 'br' | 'zstd';

/** More members than any server writes. A bomb of members reaches the output cap first. */
const MAX_GZIP_MEMBERS = 64;
const GZIP_TRAILER_BYTES = 8;

/**
 * Returns the single coding of a `Content-Encoding` value; null for several codings or an unknown one. `none`, and a
 * charset intended for `Content-Type`, are not codings: browsers use the body as it is.
 */
export function codingOf(header: string): Coding | null {
  const codings = header
    .split(',')
    .map((each) => each.trim().toLowerCase())
    .filter((each) => !['', 'identity', 'none'].includes(each) && !isCharset(each));
  if (codings.length > 1) return null;
  const [coding = 'identity'] = codings;
  if (coding === 'x-gzip') return 'gzip';
  const known: readonly Coding[] = ['identity', 'gzip', 'deflate', 'br', 'zstd'];
  return known.find((each) => each === coding) ?? null;
}

function isCharset(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== '';
  } catch {
    return false;
  }
}

type DecodeLimits = {
  readonly maxBytes: number;
  /** Whether to truncate at the cap instead of failing: robots.txt is read up to its limit. */
  readonly truncate: boolean;
};

/** Decodes a whole body. Throws `bad_encoding` or `too_large`. */
export async function decompressBody(
  wire: Buffer,
  coding: Coding,
  limits: DecodeLimits,
): Promise<Buffer> {
  if (coding === 'identity' || wire.length === 0) return capped(wire, limits);
  try {
    const { output } = await inflate(decoderFor(coding, wire), wire, limits);
    return output;
  } catch (error) {
    // Bytes after the last gzip member are ignored, as in every browser; zlib reports them as a bad header.
    if (coding === 'gzip' && startsGzip(wire) && /incorrect header check/.test(messageOf(error))) {
      return gunzipMembers(wire, limits);
    }
    throw error;
  }
}

function capped(body: Buffer, limits: DecodeLimits): Buffer {
  if (body.length <= limits.maxBytes) return body;
  if (limits.truncate) return body.subarray(0, limits.maxBytes);
  throw new FetchError('too_large', `more than ${limits.maxBytes} bytes`);
}

function startsGzip(bytes: Buffer): boolean {
  return bytes[0] === 0x1f && bytes[1] === 0x8b && bytes[2] === 8;
}

/** `deflate` is zlib by RFC 9110 and raw deflate by many servers; the zlib header distinguishes them. */
function hasZlibHeader(bytes: Buffer): boolean {
  const first = bytes[0] ?? 0;
  return (first & 0x0f) === 8 && ((first << 8) | (bytes[1] ?? 0)) % 31 === 0;
}

function decoderFor(coding: Exclude<Coding, 'identity'>, wire: Buffer): Transform {
  switch (coding) {
    case 'gzip':
      return createGunzip();
    case 'deflate':
      return hasZlibHeader(wire) ? createInflate() : createInflateRaw();
    case 'br':
      return createBrotliDecompress();
    case 'zstd':
      return createZstdDecompress();
  }
}

type Inflated = { readonly output: Buffer; readonly cut: boolean };

/** Feeds the decoder and stops at the cap. A bomb costs the cap and one block more, not its full size. */
async function inflate(decoder: Transform, wire: Buffer, limits: DecodeLimits): Promise<Inflated> {
  const { promise, resolve, reject } = Promise.withResolvers<Inflated>();
  const pieces: Buffer[] = [];
  let size = 0;
  decoder.on('data', (piece: Buffer) => {
    pieces.push(piece);
    size += piece.length;
    if (size <= limits.maxBytes) return;
    decoder.destroy();
    if (limits.truncate) {
      resolve({ output: Buffer.concat(pieces).subarray(0, limits.maxBytes), cut: true });
    } else reject(new FetchError('too_large', `decodes to more than ${limits.maxBytes} bytes`));
  });
  decoder.once('end', () => resolve({ output: Buffer.concat(pieces), cut: false }));
  decoder.on('error', (error) => {
    reject(new FetchError('bad_encoding', `content coding: ${error.message}`, { cause: error }));
  });
  decoder.end(wire);
  try {
    return await promise;
  } finally {
    decoder.destroy();
  }
}

/** Decodes member by member, until what follows is not a member. */
async function gunzipMembers(wire: Buffer, limits: DecodeLimits): Promise<Buffer> {
  const outputs: Buffer[] = [];
  let left = limits.maxBytes;
  let rest = wire;
  for (let member = 0; member < MAX_GZIP_MEMBERS && startsGzip(rest); member += 1) {
    const data = rest.subarray(gzipHeaderLength(rest));
    const decoder = createInflateRaw();
    const { output, cut } = await inflate(decoder, data, { ...limits, maxBytes: left });
    outputs.push(output);
    left -= output.length;
    if (cut) break;
    rest = data.subarray(decoder.bytesWritten + GZIP_TRAILER_BYTES);
  }
  return Buffer.concat(outputs);
}

/** RFC 1952 2.3: ten bytes, then the optional fields indicated by the flags. */
function gzipHeaderLength(bytes: Buffer): number {
  const flags = bytes[3] ?? 0;
  let at = 10;
  if ((flags & 0x04) !== 0) at += 2 + (bytes[at] ?? 0) + ((bytes[at + 1] ?? 0) << 8);
  for (const textFlag of [0x08, 0x10]) {
    if ((flags & textFlag) === 0) continue;
    const end = bytes.indexOf(0, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return (flags & 0x02) !== 0 ? at + 2 : at;
}
