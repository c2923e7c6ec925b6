// An output is complete or an error: a disk that takes only part of it, pipes and links in its place.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

import { filePath, openTextOutput } from '../../../src/edge/sheets/output-file.ts';
import { namedPipe } from '../../support/pipe.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';

const OUTPUT_FILE = new URL('../../../src/edge/sheets/output-file.ts', import.meta.url).href;

test('a disk that takes the beginning of a text only is an error, not a cut file', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  const program = `
    const { openTextOutput } = await import(${JSON.stringify(OUTPUT_FILE)});
    const output = openTextOutput(${JSON.stringify(path)});
    try {
      output.write('x'.repeat(100_000));
      output.keep();
    } finally {
      output.drop();
    }`;
  // A process limited to files of 64 KiB: the system writes that much of a longer text, and refuses the rest.
  const { status, stderr } = spawnSync(
    'bash',
    [
      '-c',
      `trap '' XFSZ; ulimit -f 64; exec "$0" --input-type=module -e "$1"`,
      process.execPath,
      program,
    ],
    { encoding: 'utf8' },
  );
  assert.equal(status, 1);
  assert.match(stderr, /EFBIG/);
  assert.deepEqual(readdirSync(folder.path), []);
});

test('a pipe is written to and stays a pipe', async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'pipe');
  await using pipe = namedPipe(path);
  const output = openTextOutput(path);
  output.write('one\n');
  output.write('x'.repeat(200_000));
  output.keep();
  output.drop();
  assert.equal(await pipe.read, `one\n${'x'.repeat(200_000)}`);
  assert.ok(lstatSync(path).isFIFO());
  assert.deepEqual(readdirSync(folder.path), ['pipe']);
});

test('where the name is a link, what it leads to is written, and the link stays', () => {
  using folder = temporaryFolder();
  const [file, link] = [join(folder.path, 'a.csv'), join(folder.path, 'link')];
  writeFileSync(file, 'old');
  symlinkSync(file, link);
  const output = openTextOutput(link);
  output.write('new');
  assert.equal(readFileSync(file, 'utf8'), 'old');
  output.keep();
  assert.equal(readFileSync(file, 'utf8'), 'new');
  assert.ok(lstatSync(link).isSymbolicLink());
});

test('a folder is refused before anything is written', () => {
  using folder = temporaryFolder();
  const path = join(folder.path, 'a.csv');
  mkdirSync(path);
  assert.throws(() => filePath(path), /a\.csv is a folder\. Specify a file in it\./);
});
