// Decodes an answer's bytes into the page's bytes: a few content codings, and a cap on the output of each. A cap on the
// ratio of output to input would be useless: 203 bytes of br decode to 256 MiB.

import { createInflateRaw } from 'node:zlib';
import type { Transform } from 'node:stream';

import { contentDecoder, type ContentCoding } from '../base/content-codings.ts';
import { messageOf } from '../base/fault.ts';
import { FetchError } from './fetch-error.ts';

/** More members than any server writes. A bomb of members reaches the output cap first. */
const MAX_GZIP_MEMBERS = 64;
const GZIP_TRAILER_BYTES = 8;

type DecodeLimits = {
  readonly maxBytes: number;
  /** Whether to truncate at the cap instead of failing: robots.txt is read up to its limit. */
  readonly truncate: boolean;
};

/**
 * Decodes a whole body, the coding applied last first. What is still encoded may have as many bytes as the wire. Throws
 * `bad_encoding` or `too_large`.
 */
export async function decompressBody(
  wire: Buffer,
  codings: readonly ContentCoding[],
  { wireBytes, ...limits }: DecodeLimits & { readonly wireBytes: number },
): Promise<Buffer> {
  const middle = { maxBytes: wireBytes, truncate: false };
  let body = wire;
  for (const [left, coding] of [...codings.entries()].toReversed()) {
    if (body.length === 0) break;
    // Two servers in a row may announce gzip although only one applied it.
    if (coding === 'gzip' && left < codings.length - 1 && !startsGzip(body)) continue;
    body = await decodeOnce(body, coding, left === 0 ? limits : middle);
  }
  return capped(body, limits);
}

async function decodeOnce(
  wire: Buffer,
  coding: ContentCoding,
  limits: DecodeLimits,
): Promise<Buffer> {
  try {
    const { output } = await inflate(contentDecoder(coding, wire), wire, limits);
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
