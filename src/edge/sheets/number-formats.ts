// Applies a workbook's number formats to a number, which may be a date, or digits with leading zeros. Pure.

import { attributesOf, type XmlTokens } from './xml-tokens.ts';

/** How a number is shown: as a date and time, or with at least so many digits; null as it is. */
type NumberKind = 'date' | { readonly digits: number } | null;

export type NumberFormat = {
  readonly kind: NumberKind;
  /** The number of a built-in format, or the code of another. */
  readonly code: number | string;
};

/** The formats without a code of their own that are dates or times (ECMA-376, 18.8.30). */
const isBuiltInDate = (id: number): boolean =>
  (id >= 14 && id <= 22) ||
  (id >= 27 && id <= 36) ||
  (id >= 45 && id <= 47) ||
  (id >= 50 && id <= 58);

/** Reads the part of styles. Returns the format of each cell style, by its number. */
export async function readNumberFormats(tokens: XmlTokens): Promise<readonly NumberFormat[]> {
  const codes = new Map<string, string>();
  const styles: NumberFormat[] = [];
  let isInStyles = false;
  for await (const piece of tokens) {
    for (const token of piece) {
      if (token.kind === 'text') continue;
      if (token.name === 'cellXfs') isInStyles = token.kind === 'start';
      if (token.kind === 'end') continue;
      const { numFmtId: id = '0', formatCode } = attributesOf(token.attributes);
      if (token.name === 'numFmt' && formatCode !== undefined) codes.set(id, formatCode);
      if (token.name === 'xf' && isInStyles) {
        const code = codes.get(id);
        styles.push({ kind: kindOf(id, code), code: code ?? Number(id) });
      }
    }
  }
  return styles;
}

function kindOf(id: string, code: string | undefined): NumberKind {
  if (code === undefined) return isBuiltInDate(Number(id)) ? 'date' : null;
  if (/^0+$/.test(code)) return { digits: code.length };
  // Without quoted text, escaped characters, and colours, conditions and languages in brackets. Elapsed times are in brackets.
  const bare = code.replaceAll(/"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\]]*\]|general/gi, '');
  return /[ymdhs]/i.test(bare) ? 'date' : null;
}

const DAY_MS = 86_400_000;
/** The day after 9999-12-31. */
const END_OF_DATES = 2_958_466;

/** Returns a number of a cell as text. A date is in ISO 8601. A number outside the range of dates is not a date, whatever its format. */
export function shownNumber(value: number, format: NumberKind, startsIn1904: boolean): string {
  if (format === 'date' && value >= 0 && value < END_OF_DATES) {
    // In dates from 1900 on, there is a 29th of February of that year: serial 60.
    const days = startsIn1904 ? value : value - (value < 60 ? 0 : 1);
    const first = startsIn1904 ? Date.UTC(1904, 0, 1) : Date.UTC(1899, 11, 31);
    return new Date(first + Math.round(days * DAY_MS)).toISOString();
  }
  const text = String(value);
  const isPadded = typeof format === 'object' && format !== null && /^\d+$/.test(text);
  return isPadded ? text.padStart(format.digits, '0') : text;
}
