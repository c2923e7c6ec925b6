// Tables in text are read in the dialects that programs write beside RFC 4180, and a text in RFC 4180 is never taken for
// another.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { openSheet } from '../../../src/edge/sheets/sheet.ts';

const A = '614141000036';
const B = '614141000043';

async function cellsOf(text: string | Uint8Array) {
  const bytes = Buffer.from(text);
  const pieces = async function* () {
    for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
  };
  const sheet = await openSheet({ name: 'a.csv', bytes: pieces }, null);
  const rows: (readonly string[])[] = [];
  for await (const { cells } of sheet.rows()) rows.push(cells);
  return rows;
}

const HEADING = ['upc', 'title', 'cost'];
const table = (first: string, second: string) => [HEADING, [A, first, '4.10'], [B, second, '5.00']];

for (const [what, text, rows] of [
  [
    'backslashes before quotes',
    `"upc","title","cost"\n"${A}","12\\" pan, \\"best\\"","4.10"\n"${B}","plain","5.00"\n`,
    table('12" pan, "best"', 'plain'),
  ],
  [
    'backslashes before quotes and backslashes, with tabs',
    `upc\ttitle\tcost\r\n${A}\t"a \\\\ \\"b\\""\t4.10\r\n${B}\t"c"\t5.00\r\n`,
    table('a \\ "b"', 'c'),
  ],
  [
    'backslashes before quotes in a cell of two lines',
    `upc;title;cost\n${A};"12\\" pan\n\\"best\\"";4.10\n${B};"plain";5.00\n`,
    table('12" pan\n"best"', 'plain'),
  ],
  [
    'a backslash at the end of a quoted cell, which is RFC 4180',
    `"upc","title","cost"\n"${A}","C:\\pans\\","4.10"\n"${B}","x","5.00"\n`,
    table('C:\\pans\\', 'x'),
  ],
  [
    'single quotes',
    `'upc','title','cost'\n'${A}','Mug, red','4.10'\n'${B}','Joe''s mug','5.00'\n`,
    table('Mug, red', "Joe's mug"),
  ],
  [
    'single quotes around texts only',
    `upc;title;cost\n${A};'Mug; red';4.10\n${B};'Mug "big"';5.00\n`,
    table('Mug; red', 'Mug "big"'),
  ],
  [
    'single quotes around a cell of two lines',
    `'upc'|'title'|'cost'\n'${A}'|'Mug\nred'|'4.10'\n'${B}'|'x'|'5.00'\n`,
    table('Mug\nred', 'x'),
  ],
  [
    'apostrophes before numbers, which quote nothing',
    `upc,title,cost\n'${A},Mug,4.10\n'${B},Lamp,5.00\n`,
    [HEADING, [`'${A}`, 'Mug', '4.10'], [`'${B}`, 'Lamp', '5.00']],
  ],
  [
    'apostrophes at the beginning of words',
    `upc,title,cost\n${A},'90s mug,4.10\n${B},rock 'n' roll,5.00\n`,
    table("'90s mug", "rock 'n' roll"),
  ],
  [
    'a cell in single quotes within a text in double quotes',
    `"upc","title","cost"\n"${A}","'mug'","4.10"\n"${B}","it's, so","5.00"\n`,
    table("'mug'", "it's, so"),
  ],
  [
    'a declared separator that is not a usual one',
    `sep=^\r\nupc^title^cost\r\n${A}^Mug, red^4.10\r\n${B}^x^5.00\r\n`,
    table('Mug, red', 'x'),
  ],
  [
    'a declared separator in quotes',
    `"sep=;"\nupc;title;cost\n${A};Mug, red, big, new;4.10\n${B};a, b, c, d;5.00\n`,
    table('Mug, red, big, new', 'a, b, c, d'),
  ],
  [
    'bars and stray quotes',
    `upc|title|cost\n${A}|3" pan|4.10\n${B}|pan 4"|5.00\n`,
    table('3" pan', 'pan 4"'),
  ],
  [
    'tabs in UTF-16 with a mark, as a spreadsheet program saves text',
    Buffer.from(
      `\ufeffupc\ttitle\tcost\r\n${A}\t"Mug, ""red"""\t4.10\r\n${B}\tx\t5.00\r\n`,
      'utf16le',
    ),
    table('Mug, "red"', 'x'),
  ],
] as const) {
  test(`a table with ${what} has its cells`, async () => {
    assert.deepEqual(await cellsOf(text), rows);
  });
}
