// An invented price list as suppliers send it: a cover, a title above the headings, codes of cases and of pieces, costs written
// in several ways, and cells with formats.

import { checkDigit } from '../../sandbox/market/codes.ts';
import { sheetsParts, withRelated, zipArchive } from './zip-archive.ts';

export const SUPPLIER_HEADINGS = [
  'Item no.',
  'Description',
  'Case UPC',
  'Unit UPC',
  'Your cost',
  'In season',
  'Valid from',
  'Discount',
  'Min. order',
] as const;

/** The number formats of the cells, by style. */
const FORMATS = ['General', '000000', '"$"#,##0.00', 'd-mmm-yy', '0.0%', '000000000000'];

/** What the n-th row costs, in cents. */
export const supplierCents = (at: number): number => 150 + ((at * 37) % 900);

/** Each way of writing an amount, as the XML of a cell. */
const COSTS: readonly ((place: string, cents: number) => string)[] = [
  (place, cents) => numberCell(place, cents / 100, 2),
  (place, cents) => textCell(place, `$${(cents / 100).toFixed(2)}`),
  (place, cents) => textCell(place, `${(cents / 100).toFixed(2)} ea`),
  (place, cents) => textCell(place, `USD ${(cents / 100).toFixed(2)}`),
];

/** Returns the workbook; `codes` are UPCs of twelve digits. */
export function supplierWorkbook(codes: readonly string[]): Buffer {
  const cover =
    row(1, [textCell('A1', 'Spring price list')]) + row(3, [textCell('A3', 'Valid from March')]);
  const head = SUPPLIER_HEADINGS.map((name, at) => textCell(`${letter(at)}4`, name));
  const rows = codes.map((code, at) => {
    const line = at + 5;
    const base = `10${code.slice(0, 11)}`;
    return row(line, [
      numberCell(`A${line}`, at + 1, 1),
      textCell(`B${line}`, `Article ${at + 1}, boxed`),
      textCell(`C${line}`, `${base}${checkDigit(base)}`),
      at % 2 === 0 ? textCell(`D${line}`, code) : numberCell(`D${line}`, Number(code), 5),
      COSTS[at % COSTS.length]?.(`E${line}`, supplierCents(at)) ?? '',
      `<c r="F${line}" t="b"><v>${at % 2}</v></c>`,
      numberCell(`G${line}`, 46_082 + at, 3),
      numberCell(`H${line}`, 0.125, 4),
      numberCell(`I${line}`, 12 * ((at % 4) + 1), 0),
    ]);
  });
  const list = row(1, [textCell('A1', 'Wholesale, all prices net')]) + row(4, head) + rows.join('');
  const parts = sheetsParts([
    { name: 'Welcome', rows: cover },
    { name: 'Price list', rows: list },
  ]);
  return zipArchive(withRelated(parts, { styles: { name: 'xl/styles.xml', text: styles() } }));
}

const letter = (at: number): string => String.fromCharCode(65 + at);
const row = (line: number, cells: readonly string[]): string =>
  `<row r="${line}">${cells.join('')}</row>`;
const textCell = (place: string, text: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
const numberCell = (place: string, value: number, style: number): string =>
  `<c r="${place}" s="${style}"><v>${value}</v></c>`;

function styles(): string {
  const codes = FORMATS.map(
    (code, at) => `<numFmt numFmtId="${164 + at}" formatCode="${code.replaceAll('"', '&quot;')}"/>`,
  );
  const xfs = FORMATS.map((_, at) => `<xf numFmtId="${at === 0 ? 0 : 164 + at}"/>`);
  return (
    '<?xml version="1.0"?><styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    `<numFmts>${codes.join('')}</numFmts><cellXfs>${xfs.join('')}</cellXfs></styleSheet>`
  );
}
