// Reads the contents of a zip archive from the directory at its end (APPNOTE.TXT of PKWARE): nothing is unpacked before its
// size is known, and never further than that. Pure.

import { crc32, createInflateRaw } from 'node:zlib';

export type ZipEntry = {
  readonly name: string;
  /** Unpacked size in bytes, as declared in the directory. */
  readonly size: number;
  readonly isEncrypted: boolean;
  /** 0 is stored as it is, 8 is deflate. */
  readonly method: number;
  /** 0 if it is not stated. */
  readonly checksum: number;
  /** Number of bytes in the archive, and where their header begins. */
  readonly packedSize: number;
  readonly at: number;
};

const END_LENGTH = 22;
const END_SIGN = 0x06_05_4b_50;
const LARGE_END_LENGTH = 56;
const LARGE_END_SIGN = 0x06_06_4b_50;
const LOCATOR_LENGTH = 20;
const LOCATOR_SIGN = 0x07_06_4b_50;
const ENTRY_LENGTH = 46;
const ENTRY_SIGN = 0x02_01_4b_50;
const HEADER_LENGTH = 30;
const HEADER_SIGN = 0x04_03_4b_50;
/** ZIP64: the value is in the extra field of this id. */
const LARGE_FIELD = 1;
const UNSTATED_16 = 0xff_ff;
const UNSTATED_32 = 0xff_ff_ff_ff;
/** Packed size of an empty part. */
const PACKED_NOTHING = 2;
/** The longest comment that may follow the end record. */
const MAX_REMARK = 65_535;
const STORED = 0;
const DEFLATED = 8;
const PIECE_BYTES = 65_536;

/**
 * Returns the entries. Null if the archive is cut off or damaged. Also null if it does not state the size of a part: unpacking
 * goes as far as a stated size, and without one as far as there are bytes.
 */
export function zipEntries(archive: Uint8Array): readonly ZipEntry[] | null {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const directory = directoryOf(view);
  if (directory === null) return null;
  const { count, end, shift } = directory;
  let { at } = directory;
  const entries: ZipEntry[] = [];
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_LENGTH > end || signAt(view, at) !== ENTRY_SIGN) return null;
    const flags = view.getUint16(at + 8, true);
    const nameLength = view.getUint16(at + 28, true);
    const extraAt = at + ENTRY_LENGTH + nameLength;
    const next = extraAt + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (next > end) return null;
    const places = largePlaces(view, at, extraAt);
    if (places === null) return null;
    const { size, packedSize } = places;
    const name = new TextDecoder().decode(archive.subarray(at + ENTRY_LENGTH, extraAt));
    // Bit 3: the size may be stated after the bytes.
    const isElsewhere = packedSize > PACKED_NOTHING || (packedSize === 0 && (flags & 8) !== 0);
    if (size === 0 && isElsewhere && !/[/\\]$/.test(name)) return null;
    entries.push({
      name,
      size,
      isEncrypted: (flags & 1) === 1,
      method: view.getUint16(at + 10, true),
      checksum: view.getUint32(at + 16, true),
      packedSize,
      at: places.at + shift,
    });
    at = next;
  }
  return entries;
}

type Directory = {
  readonly at: number;
  readonly end: number;
  readonly count: number;
  /** Number of bytes before the archive, which its own positions do not count. */
  readonly shift: number;
};

function directoryOf(view: DataView): Directory | null {
  const first = Math.max(0, view.byteLength - END_LENGTH - MAX_REMARK);
  // What looks like an end record may be part of a comment: it is one if a directory is where it says.
  for (let at = view.byteLength - END_LENGTH; at >= first; at -= 1) {
    const found = signAt(view, at) === END_SIGN ? directoryBefore(view, at) : null;
    if (found !== null) return found;
  }
  return null;
}

function directoryBefore(view: DataView, endAt: number): Directory | null {
  let end = endAt;
  let [count, length] = [view.getUint16(endAt + 10, true), view.getUint32(endAt + 12, true)];
  let at = view.getUint32(endAt + 16, true);
  if (count === UNSTATED_16 || length === UNSTATED_32 || at === UNSTATED_32) {
    const large = largeEndBefore(view, endAt);
    if (large === null) return null;
    end = large;
    [count, length, at] = [32, 40, 48].map((field) => largeNumber(view, large + field)) as [
      number,
      number,
      number,
    ];
  }
  if (count === 0) return { at: end, end, count, shift: 0 };
  // The directory ends where the end record begins, whatever precedes the archive.
  const found = [end - length, at].find((each) => signAt(view, each) === ENTRY_SIGN);
  return found === undefined || found < at ? null : { at: found, end, count, shift: found - at };
}

/** Returns the position of the larger end record (ZIP64), which a locator before the end record states; null if none. */
function largeEndBefore(view: DataView, endAt: number): number | null {
  const locator = endAt - LOCATOR_LENGTH;
  if (signAt(view, locator) !== LOCATOR_SIGN) return null;
  const usual = locator - LARGE_END_LENGTH;
  const stated = largeNumber(view, locator + 8);
  return [usual, stated].find((each) => signAt(view, each) === LARGE_END_SIGN) ?? null;
}

type Places = { readonly size: number; readonly packedSize: number; readonly at: number };

/** Returns the sizes and the position of an entry. Those that need more than 32 bits are in its extra field, in this order. */
function largePlaces(view: DataView, entry: number, extraAt: number): Places | null {
  const extraEnd = extraAt + view.getUint16(entry + 30, true);
  let at = extraAt;
  let field = { at: 0, end: 0 };
  while (at + 4 <= extraEnd) {
    const end = at + 4 + view.getUint16(at + 2, true);
    if (view.getUint16(at, true) === LARGE_FIELD) field = { at: at + 4, end };
    at = end;
  }
  const [size, packedSize, place] = [24, 20, 42].map((offset) => {
    const small = view.getUint32(entry + offset, true);
    if (small !== UNSTATED_32) return small;
    if (field.at + 8 > Math.min(field.end, extraEnd)) return Number.NaN;
    const large = largeNumber(view, field.at);
    field = { ...field, at: field.at + 8 };
    return large;
  }) as [number, number, number];
  return Number.isSafeInteger(size + packedSize + place) ? { size, packedSize, at: place } : null;
}

function signAt(view: DataView, at: number): number | null {
  return at >= 0 && at + 4 <= view.byteLength ? view.getUint32(at, true) : null;
}

/** Reads a number of 64 bits; NaN outside the archive, or if it is larger than any archive. */
function largeNumber(view: DataView, at: number): number {
  if (at < 0 || at + 8 > view.byteLength) return Number.NaN;
  const value = Number(view.getBigUint64(at, true));
  return Number.isSafeInteger(value) ? value : Number.NaN;
}

/**
 * Yields the bytes of an entry. Throws if they cannot be unpacked, if there are more than the directory declares, or if they
 * have another checksum.
 */
export async function* unpacked(
  archive: Uint8Array,
  entry: ZipEntry,
): AsyncGenerator<Uint8Array, void, undefined> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  if (entry.isEncrypted) throw new Error('it is encrypted');
  if (signAt(view, entry.at) !== HEADER_SIGN || entry.at + HEADER_LENGTH > view.byteLength) {
    throw new Error(`its part ${entry.name} is not where it should be`);
  }
  const from =
    entry.at +
    HEADER_LENGTH +
    view.getUint16(entry.at + 26, true) +
    view.getUint16(entry.at + 28, true);
  let size = 0;
  let checksum = 0;
  for await (const piece of piecesOf(archive.subarray(from, from + entry.packedSize), entry)) {
    size += piece.length;
    if (size > entry.size) throw new Error(`its part ${entry.name} is larger than declared`);
    checksum = crc32(piece, checksum);
    yield piece;
  }
  if (size !== entry.size || (entry.checksum !== 0 && checksum !== entry.checksum)) {
    throw new Error(`its part ${entry.name} is damaged`);
  }
}

async function* piecesOf(packed: Uint8Array, { method, name }: ZipEntry) {
  if (method === STORED) {
    for (let at = 0; at < packed.length; at += PIECE_BYTES) {
      yield packed.subarray(at, at + PIECE_BYTES);
    }
  } else if (method === DEFLATED) {
    const inflate = createInflateRaw({ chunkSize: PIECE_BYTES });
    inflate.end(packed);
    yield* inflate as AsyncIterable<Uint8Array>;
  } else {
    throw new Error(`its part ${name} is packed in a way (${method}) that Excel does not use`);
  }
}
