// Reads the contents of a zip archive from the directory at its end: nothing is unpacked before its size is known. Pure.

import { inflateRawSync } from 'node:zlib';

export type ZipEntry = {
  readonly name: string;
  /** Unpacked size in bytes, as declared in the directory. */
  readonly size: number;
  readonly isEncrypted: boolean;
  readonly isPacked: boolean;
  /** Number of bytes in the archive, and where their header begins. */
  readonly packedSize: number;
  readonly at: number;
};

const END_LENGTH = 22;
const END_SIGN = 0x06_05_4b_50;
const ENTRY_LENGTH = 46;
const ENTRY_SIGN = 0x02_01_4b_50;
const UNSTATED_16 = 0xff_ff;
const UNSTATED_32 = 0xff_ff_ff_ff;
/** Packed size of an empty part. */
const PACKED_NOTHING = 2;
/** The longest comment that may follow the end record. */
const MAX_REMARK = 65_535;

/**
 * Returns the entries. Null if the archive is cut off, damaged, or larger than 4 GB. Also null if it does not state the size
 * of a part: unpacking goes as far as a stated size, and without one as far as there are bytes.
 */
export function zipEntries(archive: Uint8Array): readonly ZipEntry[] | null {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = endOf(view);
  if (end === null) return null;
  const count = view.getUint16(end + 10, true);
  const length = view.getUint32(end + 12, true);
  let at = view.getUint32(end + 16, true);
  // The directory is elsewhere, in the larger format.
  if (count === UNSTATED_16 || length === UNSTATED_32 || at === UNSTATED_32) return null;
  const entries: ZipEntry[] = [];
  for (let entry = 0; entry < count; entry += 1) {
    if (at + ENTRY_LENGTH > end || view.getUint32(at, true) !== ENTRY_SIGN) return null;
    const flags = view.getUint16(at + 8, true);
    const packedSize = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const rest = view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    const bytes = archive.subarray(at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength);
    const name = new TextDecoder().decode(bytes);
    if (size === UNSTATED_32 || packedSize === UNSTATED_32) return null;
    // Bit 3: the size may be stated after the bytes.
    const isElsewhere = packedSize > PACKED_NOTHING || (packedSize === 0 && (flags & 8) !== 0);
    if (size === 0 && isElsewhere && !name.endsWith('/')) return null;
    entries.push({
      name,
      size,
      isEncrypted: (flags & 1) === 1,
      isPacked: view.getUint16(at + 10, true) !== 0,
      packedSize,
      at: view.getUint32(at + 42, true),
    });
    at += ENTRY_LENGTH + nameLength + rest;
  }
  return entries;
}

const HEADER_LENGTH = 30;

/** Returns the text of a small entry; null if it is damaged, or longer than `most` bytes. */
export function zipText(archive: Uint8Array, entry: ZipEntry, most: number): string | null {
  const header = archive.subarray(entry.at, entry.at + HEADER_LENGTH);
  if (header.length < HEADER_LENGTH || entry.isEncrypted) return null;
  const view = new DataView(header.buffer, header.byteOffset);
  const from = entry.at + HEADER_LENGTH + view.getUint16(26, true) + view.getUint16(28, true);
  const bytes = archive.subarray(from, from + Math.min(entry.packedSize, most));
  try {
    const plain = entry.isPacked ? inflateRawSync(bytes, { maxOutputLength: most }) : bytes;
    return new TextDecoder().decode(plain);
  } catch {
    return null;
  }
}

function endOf(view: DataView): number | null {
  const first = Math.max(0, view.byteLength - END_LENGTH - MAX_REMARK);
  for (let at = view.byteLength - END_LENGTH; at >= first; at -= 1) {
    if (view.getUint32(at, true) === END_SIGN) return at;
  }
  return null;
}
