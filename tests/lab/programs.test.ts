// The table of lab programs, and how one of them is started by its name.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';

import { PROGRAMS, SECTIONS } from '../../lab/programs.ts';

const ROOT = dirname(dirname(import.meta.dirname));
const LAB = join(ROOT, 'lab');

function lab(...args: readonly string[]) {
  return spawnSync(process.execPath, [join(LAB, 'lab.ts'), ...args], { encoding: 'utf8' });
}

test('every program of the laboratory stands in its table, once', () => {
  const files = globSync('lab/**/*.{ts,js}', { cwd: ROOT, exclude: ['**/node_modules/**'] });
  // Files that another file imports or starts as a process are named there in quotes, by their relative path.
  const used = new Set(
    files
      .filter((path) => path !== 'lab/programs.ts')
      .flatMap((path) =>
        [...readFileSync(join(ROOT, path), 'utf8').matchAll(/'([\w./-]+\.(?:ts|js))'/g)].map(
          ([, named = '']) => join(dirname(path), named),
        ),
      ),
  );
  const programs = files.filter((path) => path !== 'lab/lab.ts' && !used.has(path));
  const listed = Object.values(PROGRAMS).map(({ file }) => `lab/${file}`);
  assert.ok(listed.length > 20);
  assert.deepEqual(programs.toSorted(), listed.toSorted());
});

test('every program has a question, and its file begins with the command that runs it', () => {
  const sections = Object.values(SECTIONS).map((programs) => Object.keys(programs).length);
  assert.equal(
    Object.keys(PROGRAMS).length,
    sections.reduce((sum, count) => sum + count, 0),
    'no name stands in two sections',
  );
  for (const [name, { file, question }] of Object.entries(PROGRAMS)) {
    assert.match(question, /^\w.{20,100}[.?]$/, name);
    const [first = ''] = readFileSync(join(LAB, file), 'utf8').split('\n');
    assert.match(first, new RegExp(`^// npm run (?:lab -- )?${name}(?![\\w-])`), file);
  }
});

test('without a name every program is listed, each in a line', () => {
  const { status, stdout } = lab();
  assert.equal(status, 0);
  for (const [name, { question }] of Object.entries(PROGRAMS)) {
    const line = stdout.split('\n').find((each) => each.startsWith(`  ${name} `)) ?? '';
    assert.ok(line.endsWith(question), name);
  }
});

test('an unknown name says which was meant, and runs nothing', () => {
  const { status, stdout, stderr } = lab('parsng', '--manifest', 'x');
  assert.equal(status, 2);
  assert.equal(stdout, '');
  assert.match(stderr, /There is no program "parsng"\. Did you mean "parsing"\?/);
  assert.match(lab('__proto__').stderr, /There is no program "__proto__"/);
});

test('options and the exit code are those of the program', () => {
  const refused = lab('parsing', '--manifest');
  assert.equal(refused.status, 2);
  assert.match(refused.stderr, /usage: npm run lab -- parsing --manifest PATH/);
  const shape = lab('shape', '--json');
  assert.equal(shape.status, 0);
  assert.equal(typeof (JSON.parse(shape.stdout) as { readonly files: unknown }).files, 'number');
});
