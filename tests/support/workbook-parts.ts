// The contents of a written workbook, read from its XML by a reader that is not the product's: values, types, formats, links.

import { zipEntries, unpacked } from '../../src/edge/sheets/zip-directory.ts';

export type BookCell = {
  readonly type: 'text' | 'number' | 'boolean';
  readonly value: string | number | boolean;
  /** The code of the number format; `General` for none. */
  readonly format: string;
  readonly link: string | null;
};

export type BookTab = {
  readonly name: string;
  /** Rows of cells; null for an empty one. */
  readonly rows: readonly (readonly (BookCell | null)[])[];
  /** The first cell below what stays in place; null if nothing does. */
  readonly frozen: string | null;
  readonly filter: string | null;
  /** The range of rows that are marked by a condition, and the condition. */
  readonly marked: string | null;
  readonly widths: readonly number[];
};

/** The codes of the built-in formats that are used (ECMA-376, 18.8.30). */
const BUILT_IN: Readonly<Record<string, string>> = {
  '0': 'General',
  '1': '0',
  '2': '0.00',
  '3': '#,##0',
  '4': '#,##0.00',
  '9': '0%',
  '10': '0.00%',
  '14': 'yyyy-mm-dd',
};

export async function tabsOf(bytes: Uint8Array): Promise<readonly BookTab[]> {
  const entries = zipEntries(bytes) ?? [];
  const partOf = async (name: string): Promise<string> => {
    const entry = entries.find((each) => each.name === name);
    if (entry === undefined) return '';
    const pieces: Uint8Array[] = [];
    for await (const piece of unpacked(bytes, entry)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  };
  const styles = await partOf('xl/styles.xml');
  const codes = new Map(
    elements(styles, 'numFmt').map(({ attributes }) => [
      attributes['numFmtId'],
      attributes['formatCode'] ?? '',
    ]),
  );
  const xfs = /<cellXfs[^>]*>([^]*?)<\/cellXfs>/.exec(styles)?.[1] ?? '';
  const formats = elements(xfs, 'xf').map(
    ({ attributes: { numFmtId: id = '0' } }) => codes.get(id) ?? BUILT_IN[id] ?? id,
  );
  const shared = elements(await partOf('xl/sharedStrings.xml'), 'si').map(({ inner }) =>
    textIn(inner),
  );
  const tabs = elements(await partOf('xl/workbook.xml'), 'sheet');
  return Promise.all(
    tabs.map(async ({ attributes: { name = '' } }, at) => {
      const xml = await partOf(`xl/worksheets/sheet${at + 1}.xml`);
      const rels = await partOf(`xl/worksheets/_rels/sheet${at + 1}.xml.rels`);
      return tabOf(name, xml, { formats, shared, targets: targetsIn(rels) });
    }),
  );
}

type Context = {
  readonly formats: readonly string[];
  readonly shared: readonly string[];
  readonly targets: ReadonlyMap<string | undefined, string>;
};

const targetsIn = (rels: string) =>
  new Map(
    elements(rels, 'Relationship').map(({ attributes }) => [
      attributes['Id'],
      attributes['Target'] ?? '',
    ]),
  );

function tabOf(name: string, xml: string, { formats, shared, targets }: Context): BookTab {
  const links = new Map(
    elements(xml, 'hyperlink').map(({ attributes }) => [
      attributes['ref'],
      targets.get(attributes['r:id']) ?? null,
    ]),
  );
  const rows = elements(xml, 'row').map(({ inner: row }) => {
    const cells: (BookCell | null)[] = [];
    for (const { attributes, inner } of elements(row, 'c')) {
      const { r: place = '', s = '0', t: type = 'n' } = attributes;
      const raw = elements(inner, 'v')[0]?.inner ?? '';
      if (raw === '' && type !== 'inlineStr') continue;
      const read =
        type === 's'
          ? text(shared[Number(raw)] ?? '')
          : type === 'inlineStr'
            ? text(textIn(inner))
            : type === 'b'
              ? ({ type: 'boolean', value: raw === '1' } as const)
              : ({ type: 'number', value: Number(raw) } as const);
      cells[columnOf(place)] = {
        ...read,
        format: formats[Number(s)] ?? 'General',
        link: links.get(place) ?? null,
      };
    }
    return Array.from(cells, (cell) => cell ?? null);
  });
  const widths = elements(xml, 'col').flatMap(({ attributes: { min, max, width } }) =>
    Array.from({ length: Number(max) - Number(min) + 1 }, () => Number(width)),
  );
  const [pane] = elements(xml, 'pane');
  return {
    name,
    rows,
    frozen:
      pane?.attributes['state'] === 'frozen' ? (pane.attributes['topLeftCell'] ?? null) : null,
    filter: elements(xml, 'autoFilter')[0]?.attributes['ref'] ?? null,
    marked:
      elements(xml, 'conditionalFormatting')
        .map(({ attributes, inner }) => `${attributes['sqref']} ${formulaIn(inner)}`)
        .join() || null,
    widths,
  };
}

const formulaIn = (xml: string): string => unescaped(elements(xml, 'formula')[0]?.inner ?? '');

const text = (value: string) => ({ type: 'text', value }) as const;

const textIn = (xml: string): string =>
  elements(xml, 't')
    .map(({ inner }) => unescaped(inner))
    .join('');

function columnOf(place: string): number {
  const letters = /^[A-Z]+/.exec(place)?.[0] ?? 'A';
  return (
    Array.from(letters).reduce((sum, letter) => sum * 26 + Number.parseInt(letter, 36) - 9, 0) - 1
  );
}

type Element = {
  readonly attributes: Readonly<Record<string, string>>;
  readonly inner: string;
};

function elements(xml: string, name: string): readonly Element[] {
  const pattern = new RegExp(`<${name}((?: [^>]*?)?)(?:/>|>([^]*?)</${name}>)`, 'g');
  return [...xml.matchAll(pattern)].map(([, attributes = '', inner = '']) => ({
    attributes: Object.fromEntries(
      [...attributes.matchAll(/([\w:]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [
        key,
        unescaped(value),
      ]),
    ),
    inner,
  }));
}

const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};

function unescaped(xml: string): string {
  return xml.replaceAll(/&(?:#(\d+)|(\w+));/g, (_, code: string | undefined, name: string) =>
    code === undefined ? (NAMED[name] ?? '') : String.fromCodePoint(Number(code)),
  );
}
