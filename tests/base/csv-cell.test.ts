// No text of a hostile shop becomes a formula in a spreadsheet, whatever delimits cells where the file is opened.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import { parse } from 'csv-parse/sync';

import { csvCell, textOfCell } from '../../src/base/csv-cell.ts';
import { nastyText } from '../support/nasty-cells.ts';
import { randomFrom, seedOf } from '../support/random.ts';

const TABLE: readonly (readonly [text: string, written: string])[] = [
  ['=1+1', "'=1+1"],
  ["Mug;-1 +cmd|' /C calc'!A0", "Mug;'-1 +cmd|' /C calc'!A0"],
  ['tea;=1+1', "tea;'=1+1"],
  ['tea|@SUM(A1)', "tea|'@SUM(A1)"],
  ['tea\t+1+1', "tea\t'+1+1"],
  ['tea,-1+1', `"tea,'-1+1"`],
  ['tea\n=1+1', `"tea\n'=1+1"`],
  ['tea\u2028=1+1', "tea\u2028'=1+1"],
  ['tea; "=1+1"', `"tea; ""'=1+1"""`],
  [' \u00a0=1+1', `" \u00a0'=1+1"`],
  ['\ufeff\u200b=1+1', `"\ufeff\u200b'=1+1"`],
  ['"=1+1"', `"""'=1+1"""`],
  ['＝1+1', "'＝1+1"],
  ['tea;＠SUM(A1)', "tea;'＠SUM(A1)"],
  ['\tx', `"'\tx"`.replaceAll('"', '')],
  ['\rx', `"'\rx"`],
  ['\u0000=1', "'\u0000'=1"],
  ['tea;;,|=1', `"tea;;,|'=1"`],
  ['black; - white', "black; '- white"],
  // A number alone stays a number; within a text it may start a cell that continues.
  ['-5', '-5'],
  ['+3,5', '"+3,5"'],
  ['-1,234.50', '"-1,234.50"'],
  ['-12.5%', '-12.5%'],
  ['-1.5e-7', '-1.5e-7'],
  ['20;-5', "20;'-5"],
  ['-5;x', "'-5;x"],
  ['+1 555 0100', "'+1 555 0100"],
  // Nothing here starts a cell.
  ['a=b - c @d +e', 'a=b - c @d +e'],
  ['size 4-5 (=10 cm)', 'size 4-5 (=10 cm)'],
  ['https://shop.example/a-b?c=d&e=+f', 'https://shop.example/a-b?c=d&e=+f'],
  ["'=1+1", "'=1+1"],
];

for (const [text, written] of TABLE) {
  test(`${JSON.stringify(text)} is written as ${JSON.stringify(written)}`, () => {
    assert.equal(csvCell(text), written);
  });
}

const SEPARATORS = [',', ';', '\t', '|'];
const NUMBER = /^[+-][\d.,]+%?$/;

/** Returns the cells of a line as parsed by readers that respect quotes and by readers that ignore them. */
function cellsOf(line: string, separator: string): readonly string[] {
  const options = { delimiter: separator, relax_quotes: true, relax_column_count: true } as const;
  const heeding = parse(`${line}x\n`, { ...options, skip_records_with_error: true }).flat();
  return [...heeding, ...line.split(/[\r\n]/).flatMap((part) => part.split(separator))];
}

const seed = seedOf(20_261_129);

test(`no part of a line begins a formula, whatever separates the parts (seed ${seed})`, () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 5_000; round += 1) {
    const texts = Array.from({ length: 3 }, () => nastyText(random));
    const line = `614141000036,${texts.map(csvCell).join(',')},`;
    for (const separator of SEPARATORS) {
      for (const cell of cellsOf(line, separator)) {
        const bare = cell.replace(/^[\s"\p{Cc}\p{Cf}]+/u, '').replace(/[\s"]+$/, '');
        const isFormula = /^[=+\-@＝＋－＠\ufe66]/.test(bare) && !NUMBER.test(bare);
        assert.ok(!isFormula, `seed ${seed}, ${JSON.stringify({ texts, separator, cell })}`);
      }
    }
  }
});

test(`a text is read back, and one that is written again does not grow (seed ${seed})`, () => {
  const random = randomFrom(seed);
  for (let round = 0; round < 5_000; round += 1) {
    const text = nastyText(random);
    const [[cell = ''] = []] = parse(`${csvCell(text)},\n`, { record_delimiter: '\n' });
    // If the text has its own apostrophe before a formula, it cannot be told from the one that is added.
    if (!/'[=+\-@＝＋－＠\ufe66\p{Cc}]/u.test(text))
      assert.equal(textOfCell(cell), text, `seed ${seed}`);
    const [[again = ''] = []] = parse(`${csvCell(cell)},\n`, { record_delimiter: '\n' });
    assert.equal(again, cell, `seed ${seed}, ${JSON.stringify(text)}`);
    assert.equal(cell.replaceAll("'", ''), text.replaceAll("'", ''), 'nothing else is changed');
  }
});

test('a text of a million blanks and separators takes no longer than its length', () => {
  const started = process.cpuUsage();
  for (const part of [' ', '\t', ';', ' ;', '"', "'", "\t'", '=', ';=']) {
    textOfCell(csvCell(part.repeat(1_000_000 / part.length)));
  }
  const { user } = process.cpuUsage(started);
  assert.ok(user < 10_000_000, `${user} µs of processor time`);
});
