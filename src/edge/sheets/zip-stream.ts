// Writes a zip archive as a stream (APPNOTE.TXT of PKWARE): each part is packed while it is made, and its size follows it.

import { crc32, createDeflateRaw } from 'node:zlib';
import { Readable } from 'node:stream';

export type ZipPart = {
  readonly name: string;
  readonly text: AsyncIterable<string> | Iterable<string>;
};

type WrittenPart = {
  readonly name: Buffer;
  readonly at: number;
  readonly checksum: number;
  readonly packedSize: number;
  readonly size: number;
};

/** The sizes follow the part (bit 3), and its name is in UTF-8 (bit 11). */
const FLAGS = 0x08_08;
const DEFLATED = 8;
const VERSION = 20;
/** 1980-01-01, the first day that the format knows: the same table gives the same bytes. */
const FIRST_DAY = 0x00_21;
const MOST_BYTES = 0xff_ff_ff_ff;

/** Yields the archive. Throws if it, or a part of it, has 4 GiB. */
export async function* zipBytes(parts: AsyncIterable<ZipPart>): AsyncGenerator<Uint8Array> {
  const written: WrittenPart[] = [];
  let at = 0;
  for await (const { name, text } of parts) {
    const header = headerOf(Buffer.from(name));
    yield header;
    let [checksum, size, packedSize] = [0, 0, 0];
    const counted = async function* () {
      for await (const piece of text) {
        const bytes = Buffer.from(piece);
        checksum = crc32(bytes, checksum);
        size += bytes.length;
        yield bytes;
      }
    };
    const source = Readable.from(counted(), { objectMode: false });
    const packer = createDeflateRaw();
    source.on('error', (error) => packer.destroy(error));
    for await (const piece of source.pipe(packer) as AsyncIterable<Buffer>) {
      packedSize += piece.length;
      yield piece;
    }
    if (size > MOST_BYTES || at > MOST_BYTES) {
      throw new Error('The table is too large for a workbook. Write it as .csv or .parquet.');
    }
    written.push({ name: Buffer.from(name), at, checksum, packedSize, size });
    yield numbers([4, 0x08_07_4b_50], [4, checksum], [4, packedSize], [4, size]);
    at += header.length + packedSize + 16;
  }
  const entries = written.map(entryOf);
  const length = entries.reduce((sum, each) => sum + each.length, 0);
  yield Buffer.concat(entries);
  const count = written.length;
  const [end, none] = [0x06_05_4b_50, 0];
  yield numbers([4, end], [4, none], [2, count], [2, count], [4, length], [4, at], [2, none]);
}

function headerOf(name: Buffer): Buffer {
  const head = numbers([4, 0x04_03_4b_50], [2, VERSION], ...common(), [4, 0], [4, 0], [4, 0]);
  return Buffer.concat([head, numbers([2, name.length], [2, 0]), name]);
}

function entryOf({ name, at, checksum, packedSize, size }: WrittenPart): Buffer {
  const head = numbers([4, 0x02_01_4b_50], [2, VERSION], [2, VERSION], ...common());
  const sizes = numbers([4, checksum], [4, packedSize], [4, size], [2, name.length]);
  return Buffer.concat([head, sizes, Buffer.alloc(12), numbers([4, at]), name]);
}

type Field = readonly [bytes: 2 | 4, value: number];

const common = (): readonly Field[] => [
  [2, FLAGS],
  [2, DEFLATED],
  [2, 0],
  [2, FIRST_DAY],
];

function numbers(...fields: readonly Field[]): Buffer {
  const buffer = Buffer.alloc(fields.reduce((sum, [bytes]) => sum + bytes, 0));
  let at = 0;
  for (const [bytes, value] of fields) at = buffer.writeUIntLE(value, at, bytes);
  return buffer;
}
