// A zip archive built from its parts, which may state false sizes.

import { constants, crc32, deflateRawSync } from 'node:zlib';

export type ZipPart = {
  readonly name: string;
  readonly text: string | Uint8Array;
  /** Unpacked bytes as the archive states them; by default the true number. */
  readonly declared?: number;
  /** MiB of spaces after the text, which are never in memory. */
  readonly spacesMib?: number;
};

type Packed = { readonly packed: Buffer; readonly size: number; readonly checksum: number };

const MIB = 1_048_576;

function pack({ text, spacesMib = 0 }: ZipPart): Packed {
  const bytes = Buffer.from(text);
  if (spacesMib === 0) {
    return { packed: deflateRawSync(bytes), size: bytes.length, checksum: crc32(bytes) };
  }
  // Data ending with a full flush can be joined.
  const toBeJoined = { finishFlush: constants.Z_FULL_FLUSH };
  const spaces = Buffer.alloc(MIB, ' ');
  const piece = deflateRawSync(spaces, toBeJoined);
  const pieces = Array.from({ length: spacesMib }, () => piece);
  let checksum = crc32(bytes);
  for (const _ of pieces) checksum = crc32(spaces, checksum);
  return {
    packed: Buffer.concat([deflateRawSync(bytes, toBeJoined), ...pieces, deflateRawSync('')]),
    size: bytes.length + spacesMib * MIB,
    checksum,
  };
}

/** How an archive is written; every program that reads zip archives accepts all of it. */
export type ZipSpelling = {
  /** Bytes before the archive, which its positions count or not. */
  readonly before?: string;
  readonly countsBefore?: boolean;
  readonly comment?: string;
  /** Sizes and positions are in the fields of ZIP64. */
  readonly isLarge?: boolean;
  /** Sizes follow the bytes, as programs write that cannot go back. */
  readonly isStreamed?: boolean;
  readonly isStored?: boolean;
};

const UNSTATED = 0xff_ff_ff_ff;
const large = (...values: readonly number[]): Buffer => {
  const field = Buffer.alloc(8 * values.length);
  values.forEach((value, at) => field.writeBigUInt64LE(BigInt(value), 8 * at));
  return field;
};

/** Returns the fields that the header of an entry and its line in the directory have in common. */
function commonFields(
  part: ZipPart,
  { packed, size, checksum }: Packed,
  { isLarge = false, isStreamed = false, isStored = false }: ZipSpelling,
): Buffer {
  const common = Buffer.alloc(26);
  common.writeUInt16LE(isLarge ? 45 : 20, 0);
  common.writeUInt16LE(isStreamed ? 8 : 0, 2);
  common.writeUInt16LE(isStored ? 0 : 8, 4);
  common.writeUInt32LE(checksum, 10);
  common.writeUInt32LE(isLarge ? UNSTATED : packed.length, 14);
  common.writeUInt32LE(isLarge ? UNSTATED : (part.declared ?? size), 18);
  common.writeUInt16LE(Buffer.byteLength(part.name), 22);
  return common;
}

export function zipArchive(parts: readonly ZipPart[], spelling: ZipSpelling = {}): Buffer {
  const { before = '', countsBefore = false, comment = '', isLarge = false } = spelling;
  const { isStreamed = false, isStored = false } = spelling;
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = countsBefore ? Buffer.byteLength(before) : 0;
  for (const part of parts) {
    const { name } = part;
    const deflated = pack(part);
    const kept = isStored ? { ...deflated, packed: Buffer.from(part.text) } : deflated;
    const common = commonFields(part, kept, spelling);
    const { packed, size, checksum } = kept;
    const extra = isLarge
      ? Buffer.concat([Buffer.from([1, 0, 24, 0]), large(part.declared ?? size, packed.length, at)])
      : Buffer.alloc(0);
    common.writeUInt16LE(extra.length, 24);
    const head = Buffer.from(common);
    if (isStreamed) head.fill(0, 10, 22);
    const after = Buffer.alloc(isStreamed ? 16 : 0);
    if (isStreamed) {
      after.write('PK\x07\x08', 'latin1');
      [checksum, packed.length, size].forEach((value, n) => after.writeUInt32LE(value, 4 + 4 * n));
    }
    const named = Buffer.concat([Buffer.from(name), extra]);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), head, named, packed, after]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(isLarge ? UNSTATED : at, 10);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, central, named]));
    pieces.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(isLarge ? 0xff_ff : parts.length, 4);
  end.writeUInt16LE(isLarge ? 0xff_ff : parts.length, 6);
  end.writeUInt32LE(isLarge ? UNSTATED : list.length, 8);
  end.writeUInt32LE(isLarge ? UNSTATED : at, 12);
  end.writeUInt16LE(Buffer.byteLength(comment), 16);
  if (isLarge) {
    const record = [
      large(44),
      Buffer.alloc(12),
      large(parts.length, parts.length, list.length, at),
    ];
    const locator = [Buffer.alloc(4), large(at + list.length), Buffer.from([1, 0, 0, 0])];
    pieces.push(list, Buffer.from('PK\x06\x06'), ...record, Buffer.from('PK\x06\x07'), ...locator);
  } else pieces.push(list);
  const ends = [Buffer.from('PK\x05\x06'), end, Buffer.from(comment)];
  return Buffer.concat([Buffer.from(before), ...pieces, ...ends]);
}

/** Returns the parts of a workbook with one sheet around the XML of its rows. */
export function workbookParts(rows: string): readonly ZipPart[] {
  return [
    {
      name: '[Content_Types].xml',
      text: '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    },
    {
      name: '_rels/.rels',
      text: '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    },
    {
      name: 'xl/workbook.xml',
      text: '<?xml version="1.0"?><workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>',
    },
    {
      name: 'xl/_rels/workbook.xml.rels',
      text: '<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    },
    {
      name: 'xl/worksheets/sheet1.xml',
      text: `<?xml version="1.0"?><worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData>${rows}</sheetData></worksheet>`,
    },
  ];
}

const KINDS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

/** Adds parts to which the workbook has a relationship of this kind, such as `sharedStrings`. */
export function withRelated(
  parts: readonly ZipPart[],
  related: Readonly<Record<string, ZipPart>>,
): readonly ZipPart[] {
  const links = Object.entries(related).map(
    ([kind, { name }]) =>
      `<Relationship Id="${kind}" Type="${KINDS}/${kind}" Target="/${name}"/></Relationships>`,
  );
  const linked = parts.map((part) =>
    part.name.endsWith('workbook.xml.rels')
      ? {
          ...part,
          text: links.reduce(
            (text, link) => text.replace('</Relationships>', link),
            String(part.text),
          ),
        }
      : part,
  );
  return [...linked, ...Object.values(related)];
}

type SheetPart = { readonly name: string; readonly rows: string; readonly state?: string };

/** Returns the parts of a workbook with several sheets: names as in XML. */
export function sheetsParts(sheets: readonly SheetPart[]): readonly ZipPart[] {
  const parts = sheets.flatMap(({ rows }, at) =>
    workbookParts(rows)
      .filter(({ name }) => name.endsWith('sheet1.xml'))
      .map((part) => ({ ...part, name: `xl/worksheets/sheet${at + 1}.xml` })),
  );
  const list = sheets.map(({ name, state = 'visible' }, at) => {
    return `<sheet name="${name}" sheetId="${at + 1}" state="${state}" r:id="rId${at + 1}"/>`;
  });
  const links = sheets.map((_, at) => {
    const type = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet';
    return `<Relationship Id="rId${at + 1}" Type="${type}" Target="worksheets/sheet${at + 1}.xml"/>`;
  });
  const common = workbookParts('').flatMap((part) => {
    if (part.name.endsWith('sheet1.xml')) return [];
    const text = String(part.text)
      .replace(/<sheet .*\/>/, list.join(''))
      .replace(/<Relationship [^>]*worksheet"[^>]*>/, links.join(''));
    return [{ ...part, text }];
  });
  return [...common, ...parts];
}
