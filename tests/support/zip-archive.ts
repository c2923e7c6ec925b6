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

export function zipArchive(parts: readonly ZipPart[]): Buffer {
  const pieces: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const part of parts) {
    const { name, declared } = part;
    const { packed, size, checksum } = pack(part);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum, 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declared ?? size, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    const central = Buffer.alloc(14);
    central.writeUInt32LE(at, 10);
    directory.push(
      Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), common, central, Buffer.from(name)]),
    );
    pieces.push(local);
    at += local.length;
  }
  const list = Buffer.concat(directory);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(parts.length, 4);
  end.writeUInt16LE(parts.length, 6);
  end.writeUInt32LE(list.length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...pieces, list, Buffer.from('PK\x05\x06'), end]);
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
