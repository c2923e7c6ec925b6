// A JSON object that is kept compressed and gets its last fields when it is sent. A client that accepts gzip gets these fields
// as a stored block after the compressed ones, so that nothing is compressed again. Any other client gets them after the
// text, which is decompressed once for many calls.

import { constants, crc32, deflateRawSync, inflateRawSync } from 'node:zlib';

import { createBoundedMap } from '../../../base/bounded-map.ts';

export type PackedBody = {
  /** The object's text without its last brace, in UTF-8, as DEFLATE blocks that end with a whole byte, without the last block. */
  readonly deflated: Buffer;
  /**
   * Length in bytes and check sum of that text. The check sum has 32 bits and a sign, so that it takes no memory of its own.
   */
  readonly headBytes: number;
  readonly headCrc: number;
};

/** `text` is a JSON object with at least one field, `head` the part before its last brace, in UTF-8. */
export function splicedBody(text: string): { readonly body: PackedBody; readonly head: Buffer } {
  const head = exactly(Buffer.from(text.slice(0, -1)));
  // The level is that of streams, so that the bytes equal those of the other way of answering.
  const deflated = exactly(deflateRawSync(head, { finishFlush: constants.Z_SYNC_FLUSH }));
  return { body: { deflated, headBytes: head.length, headCrc: crc32(head) | 0 }, head };
}

/** The text without its last brace, decompressed again: 16 us for 2.9 KB, of which compressing took 63. */
export function inflatedHead({ deflated, headBytes }: PackedBody): Buffer {
  const options = { finishFlush: constants.Z_SYNC_FLUSH, chunkSize: Math.max(64, headBytes + 1) };
  return inflateRawSync(deflated, options);
}

/**
 * A copy in memory of its own. What zlib returns is a part of 16 KB, and a short buffer is a part of a pool (2.4 GB of 0.4
 * measured).
 */
function exactly(bytes: Buffer): Buffer {
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  return own;
}

/** The head of a gzip member: Deflate, no flags, no time, any system (RFC 1952). */
const GZIP_HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255]);
/**
 * A last block of stored bytes has a first byte and its length twice. The trailer after it is the check sum and the length of
 * everything.
 */
const STORED_HEADER_BYTES = 5;
const TRAILER_BYTES = 8;

/**
 * The whole object as one member of gzip. `fields` are the last fields with the comma before them and the brace after them,
 * ASCII, less than 64 KiB.
 */
export function gzipBytes({ deflated, headBytes, headCrc }: PackedBody, fields: string): Buffer {
  const tail = Buffer.from(fields, 'latin1');
  const bytes = Buffer.allocUnsafe(
    GZIP_HEADER.length + deflated.length + STORED_HEADER_BYTES + tail.length + TRAILER_BYTES,
  );
  let at = GZIP_HEADER.copy(bytes);
  at += deflated.copy(bytes, at);
  at = bytes.writeUInt8(1, at);
  at = bytes.writeUInt16LE(tail.length, at);
  at = bytes.writeUInt16LE(tail.length ^ 0xffff, at);
  at += tail.copy(bytes, at);
  at = bytes.writeUInt32LE(crc32(tail, headCrc >>> 0), at);
  bytes.writeUInt32LE((headBytes + tail.length) >>> 0, at);
  return bytes;
}

/** Bytes that a text takes besides itself. */
const TEXT_BYTES = 300;
/** Of the texts that have to be made again, one in so many is stored, so that they do not push each other out for nothing. */
const MISSES_A_TEXT = 8;

/** The plain texts of compressed bodies that were asked for lately, within `maxBytes`. */
export function createTexts(maxBytes: number) {
  const texts = createBoundedMap<PackedBody, Buffer>(maxBytes, ({ length }) => TEXT_BYTES + length);
  let missed = 0;
  return {
    /** The text of a body without its last brace, in UTF-8. Made if it is not there. */
    of(body: PackedBody): Buffer {
      const known = texts.use(body);
      if (known !== undefined) return known;
      const head = inflatedHead(body);
      missed += 1;
      if (missed % MISSES_A_TEXT === 0) texts.set(body, exactly(head));
      return head;
    },
    add: (body: PackedBody, head: Buffer): void => texts.set(body, head),
    delete: (body: PackedBody): void => texts.delete(body),
    bytes: (): number => texts.size(),
  };
}
