// Recognizes by its first bytes a file that no reader here accepts, so that the message says what it is and what to do. Pure.

/** The first bytes of a file, and the text that follows its name in a sentence. */
const FOREIGN: readonly (readonly [sign: string, what: string])[] = [
  [
    '\xd0\xcf\x11\xe0',
    'is an old Excel file (.xls) or one with a password. Save it as .xlsx without a password, or as .csv.',
  ],
  ['%PDF', 'is a PDF. Export the table as .xlsx or .csv.'],
  ['\x1f\x8b', 'is compressed (gzip). Unpack it first.'],
  ['PAR1', 'is a Parquet file. It is written here, but not read: export its rows as .csv.'],
  ['7z\xbc\xaf', 'is a 7-Zip archive. Unpack it first.'],
  ['Rar!', 'is a RAR archive. Unpack it first.'],
  ['{\\rtf', 'is a rich-text document. Save it as plain text.'],
];

/** Matches the beginning of a page or of XML, but not an address in angle brackets. */
const MARKUP = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype|!--|\?xml|html|head|meta|style|body|table)[\s>]/i;
const HEAD_BYTES = 256;

/** Identifies the file; null if it may be a text or a zip archive. */
export function foreignFormat(head: Uint8Array): string | null {
  const known = FOREIGN.find(([sign]) => startsWith(head, sign))?.[1];
  if (known !== undefined) return known;
  return MARKUP.test(latin1(head, HEAD_BYTES))
    ? 'is a web page or XML, which some programs call an Excel file. Open it in a spreadsheet program and save it as .xlsx or .csv.'
    : null;
}

export function startsWith(head: Uint8Array, sign: string): boolean {
  return latin1(head, sign.length) === sign;
}

const latin1 = (head: Uint8Array, length: number): string =>
  Buffer.from(head.subarray(0, length)).toString('latin1');
