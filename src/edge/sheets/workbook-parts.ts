// Finds the parts of a workbook in its archive by their relationships, as Excel does (ECMA-376 part 2): where a part is and
// what it is called means nothing. Pure.

import { attributesOf, xmlTokens, type XmlTokens } from './xml-tokens.ts';
import { unpacked, type ZipEntry } from './zip-directory.ts';

/** A tab that shows a worksheet; charts, dialogs and macros are not listed. */
type WorksheetTab = {
  readonly name: string;
  readonly isHidden: boolean;
  /** Null if the archive does not have the part. */
  readonly part: ZipEntry | null;
};

type WorkbookParts = {
  readonly tabs: readonly WorksheetTab[];
  readonly texts: ZipEntry | null;
  readonly styles: ZipEntry | null;
  readonly startsIn1904: boolean;
};

export type Archive = {
  readonly bytes: Uint8Array;
  /** By the names that `partName` returns. */
  readonly entries: ReadonlyMap<string, ZipEntry>;
};

/**
 * Returns the name by which a part is found: names differ neither by case nor by a slash before them, and some programs write
 * backslashes.
 */
export function partName(written: string): string {
  const steps: string[] = [];
  for (const step of unescaped(written).replaceAll('\\', '/').toLowerCase().split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

function unescaped(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

export function tokensOfPart({ bytes }: Archive, part: ZipEntry): XmlTokens {
  return xmlTokens(unpacked(bytes, part));
}

/** Finds the parts; null if the archive is not a workbook in XML. */
export async function workbookParts(archive: Archive): Promise<WorkbookParts | null> {
  const [book] = (await relationshipsOf(archive, '')).filter(
    ({ kind }) => kind === 'officeDocument',
  );
  const part = book === undefined ? undefined : archive.entries.get(book.target);
  if (book === undefined || part === undefined) return null;
  if (book.target.endsWith('.bin')) {
    throw new Error('it is a binary workbook (.xlsb); save it as .xlsx');
  }
  const related = await relationshipsOf(archive, book.target);
  const entryOf = (target = ''): ZipEntry | null => archive.entries.get(target) ?? null;
  const partOf = (kind: string) => entryOf(related.find((each) => each.kind === kind)?.target);
  const listed = await listedIn(archive, part);
  if (listed === null) return null;
  const links = new Map(related.map((each) => [each.id, each]));
  const tabs = listed.sheets.flatMap(({ name = '', id = '', state = '' }): WorksheetTab[] => {
    const link = links.get(id);
    if (link?.kind !== 'worksheet') return [];
    return [{ name, isHidden: /^(?:very)?hidden$/i.test(state), part: entryOf(link.target) }];
  });
  const { startsIn1904 } = listed;
  return { tabs, texts: partOf('sharedStrings'), styles: partOf('styles'), startsIn1904 };
}

type Listed = {
  /** The attributes of each tab. */
  readonly sheets: readonly ReturnType<typeof attributesOf>[];
  readonly startsIn1904: boolean;
};

async function listedIn(archive: Archive, part: ZipEntry): Promise<Listed | null> {
  let [isWorkbook, startsIn1904] = [false, false];
  const sheets: ReturnType<typeof attributesOf>[] = [];
  for await (const piece of tokensOfPart(archive, part)) {
    for (const token of piece) {
      if (token.kind !== 'start') continue;
      if (token.name === 'workbook') isWorkbook = true;
      if (token.name === 'sheet') sheets.push(attributesOf(token.attributes));
      if (token.name !== 'workbookPr') continue;
      startsIn1904 = /^(?:1|true|on)$/.test(attributesOf(token.attributes)['date1904'] ?? '');
    }
  }
  return isWorkbook ? { sheets, startsIn1904 } : null;
}

type Relationship = { readonly id: string; readonly kind: string; readonly target: string };

/** Returns the relationships of a part, or of the whole archive for ''. */
async function relationshipsOf(archive: Archive, source: string): Promise<readonly Relationship[]> {
  const folder = source.slice(0, source.lastIndexOf('/') + 1);
  const list = archive.entries.get(`${folder}_rels/${source.slice(folder.length)}.rels`);
  if (list === undefined) return [];
  const found: Relationship[] = [];
  for await (const piece of tokensOfPart(archive, list)) {
    for (const token of piece) {
      if (token.kind !== 'start' || token.name !== 'Relationship') continue;
      const {
        Id: id = '',
        Type: type = '',
        Target: target = '',
        TargetMode: mode,
      } = attributesOf(token.attributes);
      if (mode?.toLowerCase() === 'external') continue;
      const isAbsolute = /^[/\\]/.test(target);
      found.push({
        id,
        // The kinds have the same last word in the transitional and the strict namespace.
        kind: type.slice(type.lastIndexOf('/') + 1),
        target: partName(isAbsolute ? target : folder + target),
      });
    }
  }
  return found;
}
