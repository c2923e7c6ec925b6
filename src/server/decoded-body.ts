// Decodes the body of a request with `Content-Encoding` (RFC 9110 8.4) while it arrives. Neither what arrives nor what a
// decoder returns may exceed the route's limit: a few hundred bytes of br decode to 256 MiB, and endless empty members of
// gzip to nothing.

import { pipeline } from 'node:stream';

import {
  CONTENT_CODINGS,
  codingsOf,
  contentDecoder,
  type ContentCoding,
} from '../base/content-codings.ts';
import { FaultError } from '../base/fault.ts';
import type { Asked, SentBody } from './call.ts';

type Bytes = AsyncIterable<Uint8Array>;

/**
 * Returns the body without its codings; the same body if it has none. FaultError encoding_not_accepted at once for an unknown
 * coding; while it is read, body_too_large above `most` bytes, and invalid_parameter if it is not encoded as announced.
 */
export function decodedBody(
  { headers, body }: Pick<Asked, 'headers' | 'body'>,
  most: number,
): SentBody | null {
  const header = headers.get('content-encoding');
  if (body === null || header === undefined) return body;
  const codings = codingsOf(header);
  if (codings === null) throw notAccepted(header);
  if (codings.length === 0) return body;
  const { invite, expect } = body;
  const decode = (): AsyncIterator<Uint8Array> => {
    let bytes: Bytes = body;
    for (const coding of codings.toReversed()) bytes = decodedOnce(limited(bytes, most), coding);
    return limited(bytes, most)[Symbol.asyncIterator]();
  };
  return { length: null, invite, expect, [Symbol.asyncIterator]: decode };
}

async function* limited(bytes: Bytes, most: number): Bytes {
  let size = 0;
  for await (const piece of bytes) {
    size += piece.byteLength;
    if (size > most) throw tooLarge(most);
    yield piece;
  }
}

async function* decodedOnce(bytes: Bytes, coding: ContentCoding): Bytes {
  const pieces = bytes[Symbol.asyncIterator]();
  const start = await startOf(pieces);
  // A body without a byte has nothing to decode.
  if (start.length === 0) return;
  let failure: unknown = null;
  const source = async function* (): Bytes {
    yield start;
    try {
      yield* { [Symbol.asyncIterator]: () => pieces };
    } catch (error) {
      failure = error;
      throw error;
    }
  };
  // The error is thrown by the decoder too.
  const decoder = pipeline(source, contentDecoder(coding, start), () => undefined);
  try {
    yield* decoder as Bytes;
  } catch (error) {
    throw failure ?? wronglyEncoded(coding, error);
  }
}

/** Reads the first two bytes or more, by which raw deflate is recognized; fewer if there are no more. */
async function startOf(pieces: AsyncIterator<Uint8Array>): Promise<Uint8Array> {
  let start = Buffer.alloc(0);
  while (start.length < 2) {
    const next = await pieces.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  return start;
}

const ACCEPTED = CONTENT_CODINGS.join(', ');

function notAccepted(header: string): FaultError {
  return new FaultError({
    code: 'encoding_not_accepted',
    parameter: 'Content-Encoding',
    allowed: CONTENT_CODINGS,
    detail:
      `Bodies with the Content-Encoding "${header.slice(0, 64)}" are not accepted. Send the body without it, or with ` +
      `at most three of ${ACCEPTED}.`,
  });
}

function tooLarge(most: number): FaultError {
  return new FaultError({
    code: 'body_too_large',
    detail: `The body has more than ${most / 1_024} KB when decoded. Send less at a time.`,
  });
}

function wronglyEncoded(coding: ContentCoding, cause: unknown): FaultError {
  return new FaultError(
    {
      code: 'invalid_parameter',
      parameter: 'Content-Encoding',
      detail: `The body is not valid ${coding}, as its Content-Encoding states, or ends too early.`,
    },
    { cause },
  );
}

/**
 * Maximum bytes of the rest of an oversized body that are read and dropped, as a multiple of its limit. A client that is cut off
 * while it sends does not get to read why.
 */
const DROPPED_TIMES = 16;

/** Returns a whole body of at most `most` bytes. FaultError body_too_large with this detail. */
export async function wholeBody(
  body: SentBody | null,
  most: number,
  detail: string,
): Promise<Buffer> {
  const mostDropped = DROPPED_TIMES * most;
  const declared = body?.length ?? 0;
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (declared <= mostDropped && body !== null) {
    body.invite();
    for await (const piece of body) {
      size += piece.byteLength;
      if (size > mostDropped) break;
      if (size <= most) pieces.push(piece);
    }
  }
  if (Math.max(size, declared) <= most) return Buffer.concat(pieces);
  throw new FaultError({ code: 'body_too_large', detail });
}
