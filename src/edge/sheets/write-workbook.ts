// Writes a table as a workbook (XLSX) that opens ready to use: a fixed first row with filters, columns as wide as their
// contents, numbers and dates with their formats, addresses as links. Rows are written as they arrive.

import { serialOf, typedCellOf, type TableCell, type TableColumn } from './table-cell.ts';
import { zipBytes, type ZipPart } from './zip-stream.ts';
import { MAX_CELL } from './sheet-cells.ts';

export type WorkbookTable = {
  readonly columns: readonly TableColumn[];
  readonly rows: AsyncIterable<readonly TableCell[]>;
  /** Lines for a second tab, about the whole table. */
  readonly notes?: readonly string[];
};

/** Rows of one tab in Excel. A longer table continues in the next tab. */
const MOST_ROWS = 1_048_576;
/** Links of one tab in Excel; further addresses are text. */
const MOST_LINKS = 65_530;
const LONGEST_LINK = 2_079;
/** Rows whose contents determine the widths. */
const MEASURED_ROWS = 200;
const [NARROWEST, WIDEST] = [6, 50];

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATED = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';

const [GENERAL, PERCENT] = [0, 10];
const FORMATS: Readonly<Partial<Record<TableColumn['kind'], number | string>>> = {
  money: '#,##0.00;[Red]-#,##0.00',
  dollars: '[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00',
  percent: PERCENT,
  time: 'yyyy-mm-dd hh:mm',
};

/**
 * Returns the bytes of a workbook. A text remains text, whatever it looks like, and a formula is never written. Throws if a
 * part has 4 GiB.
 */
export function workbookBytes(table: WorkbookTable): AsyncIterable<Uint8Array> {
  return zipBytes(partsOf(table));
}

type Tab = { readonly name: string; readonly range: string | null };

async function* partsOf({ columns, rows, notes = [] }: WorkbookTable): AsyncGenerator<ZipPart> {
  const styles = createStyles();
  const tabs: Tab[] = [];
  const iterator = rows[Symbol.asyncIterator]();
  try {
    let next = await iterator.next();
    do {
      const sheet = createSheet(columns, styles);
      const text = async function* () {
        const first: (readonly TableCell[])[] = [];
        for (; next.done !== true && first.length < MEASURED_ROWS; next = await iterator.next()) {
          first.push(next.value);
        }
        yield sheet.head(first);
        for (const row of first) yield sheet.row(row);
        for (; next.done !== true && sheet.rows() < MOST_ROWS; next = await iterator.next()) {
          yield sheet.row(next.value);
        }
        yield sheet.end();
      };
      const number = tabs.length + 1;
      yield { name: `xl/worksheets/sheet${number}.xml`, text: inPieces(text()) };
      yield { name: `xl/worksheets/_rels/sheet${number}.xml.rels`, text: [sheet.links()] };
      tabs.push({ name: number === 1 ? 'openshelf' : `openshelf ${number}`, range: sheet.range() });
    } while (next.done !== true);
  } finally {
    await iterator.return?.();
  }
  if (notes.length > 0) {
    yield { name: `xl/worksheets/sheet${tabs.length + 1}.xml`, text: [notesXml(notes)] };
    tabs.push({ name: 'notes', range: null });
  }
  yield { name: 'xl/styles.xml', text: [styles.xml()] };
  yield { name: 'xl/workbook.xml', text: [bookXml(tabs)] };
  const sheets = tabs.map((_, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`] as const);
  const related = [...sheets, ['styles', 'styles.xml'] as const];
  yield { name: 'xl/_rels/workbook.xml.rels', text: [relationships(related)] };
  yield { name: '_rels/.rels', text: [relationships([['officeDocument', 'xl/workbook.xml']])] };
  yield { name: '[Content_Types].xml', text: [typesXml(tabs.length)] };
}

/** Joins texts, so that they are not packed in pieces of a hundred bytes. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<string> {
  let piece = '';
  for await (const text of texts) {
    piece += text;
    if (piece.length < 65_536) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

type Style = { readonly format: number | string; readonly font?: 'heading' | 'link' };

/** Collects the styles that are used, each once. */
function createStyles() {
  const styles = new Map<string, Style>([['0 ', { format: GENERAL }]]);
  const places = new Map([...styles.keys()].map((key, at) => [key, at]));
  /** The codes that are not built in, and their numbers. */
  const codes = new Map<string, number>();
  const fonts = { heading: 1, link: 2 };
  return {
    of(given: Style): number {
      const style = { ...given, format: usableFormat(given.format) };
      const key = `${style.format} ${style.font ?? ''}`;
      const known = places.get(key);
      if (known !== undefined) return known;
      places.set(key, styles.size);
      styles.set(key, style);
      const { format } = style;
      if (typeof format === 'string' && !codes.has(format))
        codes.set(format, FIRST_OWN + codes.size);
      return styles.size - 1;
    },
    xml(): string {
      const idOf = (format: number | string) =>
        typeof format === 'number' ? format : (codes.get(format) ?? GENERAL);
      const xfs = [...styles.values()].map(
        ({ format, font }) =>
          `<xf numFmtId="${idOf(format)}" fontId="${font === undefined ? 0 : fonts[font]}" fillId="0" borderId="0" xfId="0"` +
          ` applyNumberFormat="1" applyFont="1"/>`,
      );
      const own = [...codes].map(
        ([code, id]) => `<numFmt numFmtId="${id}" formatCode="${escaped(code)}"/>`,
      );
      return (
        `${XML}<styleSheet xmlns="${MAIN}">${listOf('numFmts', own)}` +
        `<fonts count="3"><font><sz val="11"/><name val="Calibri"/></font>` +
        `<font><b/><sz val="11"/><name val="Calibri"/></font>` +
        `<font><u/><sz val="11"/><color rgb="FF0563C1"/><name val="Calibri"/></font></fonts>` +
        `<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>` +
        `<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>` +
        `<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>` +
        listOf('cellXfs', xfs) +
        `<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles>` +
        `<dxfs count="1"><dxf><fill><patternFill><bgColor rgb="FFFFF2CC"/></patternFill></fill></dxf></dxfs></styleSheet>`
      );
    },
  };
}

/** Numbers below belong to built-in formats. */
const FIRST_OWN = 164;
const LONGEST_FORMAT = 255;

/** Returns the format; GENERAL instead of one that is in no workbook, as damaged files and browsers may name it. */
function usableFormat(format: number | string): number | string {
  if (typeof format === 'string') {
    const code = format.replace(UNWRITABLE, '').toWellFormed();
    return code === '' || code.length > LONGEST_FORMAT ? GENERAL : code;
  }
  return Number.isInteger(format) && format >= 0 && format < FIRST_OWN ? format : GENERAL;
}

const listOf = (name: string, items: readonly string[]): string =>
  items.length === 0 ? '' : `<${name} count="${items.length}">${items.join('')}</${name}>`;

function createSheet(columns: readonly TableColumn[], styles: ReturnType<typeof createStyles>) {
  const headings = columns.map(({ name, title }) => title ?? name);
  const heading = styles.of({ format: GENERAL, font: 'heading' });
  const link = styles.of({ format: GENERAL, font: 'link' });
  const letters = columns.map((_, at) => lettersOf(at));
  const links: { readonly place: string; readonly target: string }[] = [];
  let count = 0;
  const cellXml = (cell: TableCell, at: number): string => {
    const kind = columns[at]?.kind ?? 'text';
    const place = `${letters[at] ?? lettersOf(at)}${count}`;
    const { value, format } = writtenValue(cell, kind);
    if (value === null) return '';
    if (typeof value !== 'string') {
      const style = styleText(format === undefined ? 0 : styles.of({ format }));
      return typeof value === 'boolean'
        ? `<c r="${place}" t="b"${style}><v>${Number(value)}</v></c>`
        : `<c r="${place}"${style}><v>${value}</v></c>`;
    }
    const isLink = kind === 'link' && links.length < MOST_LINKS && isLinkable(value);
    if (isLink) links.push({ place, target: new URL(value).href });
    return textCell(place, value, isLink ? link : 0);
  };
  const row = (cells: readonly TableCell[]): string => {
    count += 1;
    return `<row r="${count}">${cells.map(cellXml).join('')}</row>`;
  };
  const marks = (): string => {
    const by = columns.findIndex(({ marksRows }) => marksRows === true);
    if (by === -1 || count < 2) return '';
    const range = rangeOf(letters, count).replace('A1', 'A2');
    return (
      `<conditionalFormatting sqref="${range}"><cfRule type="expression" dxfId="0" priority="1">` +
      `<formula>$${letters[by]}2&lt;&gt;""</formula></cfRule></conditionalFormatting>`
    );
  };
  return {
    head(sample: readonly (readonly TableCell[])[]): string {
      count += 1;
      const first = headings.map((text, at) => textCell(`${letters[at]}1`, text, heading)).join('');
      const widths = columns.map(
        (column, at) =>
          `<col min="${at + 1}" max="${at + 1}" width="${widthOf(headings[at] ?? '', column, at, sample)}" customWidth="1"/>`,
      );
      const cols = widths.length === 0 ? '' : `<cols>${widths.join('')}</cols>`;
      return (
        `${XML}<worksheet xmlns="${MAIN}" xmlns:r="${RELATED}"><sheetViews><sheetView workbookViewId="0">` +
        `<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews>` +
        `<sheetFormatPr defaultRowHeight="15"/>${cols}<sheetData><row r="1">${first}</row>`
      );
    },
    row,
    rows: () => count,
    range: () => (columns.length === 0 ? null : rangeOf(letters, count)),
    end(): string {
      const filter = columns.length === 0 ? '' : `<autoFilter ref="${rangeOf(letters, count)}"/>`;
      const made = links.map(({ place }, at) => `<hyperlink ref="${place}" r:id="rId${at + 1}"/>`);
      const linked = made.length === 0 ? '' : `<hyperlinks>${made.join('')}</hyperlinks>`;
      return `</sheetData>${filter}${marks()}${linked}</worksheet>`;
    },
    links: () => relationships(links.map(({ target }) => ['hyperlink', target])),
  };
}

const rangeOf = (letters: readonly string[], rows: number): string =>
  `A1:${letters.at(-1) ?? 'A'}${rows}`;

type Written = {
  readonly value: string | number | boolean | null;
  readonly format?: number | string | undefined;
};

function writtenValue(cell: TableCell, kind: TableColumn['kind']): Written {
  const typed = kind === 'own' && typeof cell === 'string' ? typedCellOf(cell) : cell;
  if (typeof typed === 'object' && typed !== null) return typed;
  if (typeof typed === 'number') {
    if (!Number.isFinite(typed)) return { value: null };
    const value = kind === 'percent' ? Number((typed / 100).toFixed(6)) : typed;
    return { value, format: FORMATS[kind] };
  }
  const serial = kind === 'time' && typeof typed === 'string' ? serialOf(typed) : null;
  return serial === null ? { value: typed } : { value: serial, format: FORMATS[kind] };
}

/** Addresses with which Excel opens the file without a complaint. */
function isLinkable(text: string): boolean {
  return (
    /^https?:\/\//i.test(text) && (URL.parse(text)?.href.length ?? LONGEST_LINK + 1) <= LONGEST_LINK
  );
}

const styleText = (style: number): string => (style === 0 ? '' : ` s="${style}"`);

function textCell(place: string, text: string, style: number): string {
  return `<c r="${place}" t="inlineStr"${styleText(style)}><is><t xml:space="preserve">${escaped(writtenText(text))}</t></is></c>`;
}

function widthOf(
  heading: string,
  { kind }: TableColumn,
  at: number,
  sample: readonly (readonly TableCell[])[],
): number {
  const lengths = sample.map((row) => {
    const cell = row[at] ?? null;
    if (kind === 'time') return 'yyyy-mm-dd hh:mm'.length;
    if (typeof cell === 'number' && kind !== 'number') return cell.toFixed(2).length + 2;
    return String(typeof cell === 'object' ? (cell?.text ?? '') : cell).length;
  });
  // The heading leaves room for the button of the filter.
  const longest = Math.max(heading.length + 3, ...lengths);
  return Math.min(WIDEST, Math.max(NARROWEST, longest + 1));
}

/** Returns the letters of a column: A, B, … Z, AA. */
function lettersOf(at: number): string {
  const rest = Math.floor(at / 26);
  return (rest === 0 ? '' : lettersOf(rest - 1)) + String.fromCharCode(65 + (at % 26));
}

function notesXml(notes: readonly string[]): string {
  const rows = notes.map(
    (note, at) => `<row r="${at + 1}">${textCell(`A${at + 1}`, note, 0)}</row>`,
  );
  return (
    `${XML}<worksheet xmlns="${MAIN}"><cols><col min="1" max="1" width="100" customWidth="1"/></cols>` +
    `<sheetData>${rows.join('')}</sheetData></worksheet>`
  );
}

function bookXml(tabs: readonly Tab[]): string {
  const sheets = tabs.map(
    ({ name }, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`,
  );
  // Programs look for the range of a filter under this name too.
  const filters = tabs.map(({ name, range }, at) =>
    range === null
      ? ''
      : `<definedName name="_xlnm._FilterDatabase" localSheetId="${at}" hidden="1">'${name}'!${absolute(range)}</definedName>`,
  );
  return (
    `${XML}<workbook xmlns="${MAIN}" xmlns:r="${RELATED}"><bookViews><workbookView/></bookViews>` +
    `<sheets>${sheets.join('')}</sheets>` +
    `${filters.join('') === '' ? '' : `<definedNames>${filters.join('')}</definedNames>`}</workbook>`
  );
}

const absolute = (range: string): string => range.replaceAll(/([A-Z]+)(\d+)/g, '$$$1$$$2');

function relationships(related: readonly (readonly [kind: string, target: string])[]): string {
  const items = related.map(
    ([kind, target], at) =>
      `<Relationship Id="rId${at + 1}" Type="${RELATED}/${kind}" Target="${escaped(target)}"` +
      `${kind === 'hyperlink' ? ' TargetMode="External"' : ''}/>`,
  );
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${items.join('')}</Relationships>`;
}

function typesXml(tabs: number): string {
  const parts = [
    ['xl/workbook.xml', 'sheet.main'],
    ['xl/styles.xml', 'styles'],
    ...Array.from({ length: tabs }, (_, at) => [`xl/worksheets/sheet${at + 1}.xml`, 'worksheet']),
  ];
  const overrides = parts.map(
    ([name, type]) => `<Override PartName="/${name}" ContentType="${TYPE}.${type}+xml"/>`,
  );
  return (
    `${XML}<Types xmlns="${PACKAGE}/content-types">` +
    `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
    `<Default Extension="xml" ContentType="application/xml"/>${overrides.join('')}</Types>`
  );
}

/** Characters that XML cannot contain. */
// oxlint-disable-next-line no-control-regex -- the range is what a workbook may not hold
const UNWRITABLE = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g;

/**
 * In a workbook `_x0041_` is another way to write A. In a text that looks like that, the first character is itself escaped
 * (ECMA-376, 22.9.2.19).
 */
function writtenText(text: string): string {
  const short = text.replace(UNWRITABLE, '').slice(0, MAX_CELL).toWellFormed();
  return short.includes('_x') ? short.replace(/_(?=x[\da-f]{4}_)/gi, '_x005F_') : short;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};

const escaped = (text: string): string =>
  text.replaceAll(/[&<>"\r]/g, (each) => ESCAPES[each] ?? '');
