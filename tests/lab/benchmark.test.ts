// The benchmark's metric, and its program on a made-up folder.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { countsOf, decimalOf, scoresOf } from '../../lab/eval/benchmark-metric.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

test('a wrong value counts against precision and recall, silence against recall, an invention against precision', () => {
  assert.deepEqual(countsOf(['5', '6'], '6'), { tp: 1, fp: 0, fn: 0 });
  assert.deepEqual(countsOf(['5'], '6'), { tp: 0, fp: 1, fn: 1 });
  assert.deepEqual(countsOf(['5'], null), { tp: 0, fp: 0, fn: 1 });
  assert.deepEqual(countsOf([], '6'), { tp: 0, fp: 1, fn: 0 });
  assert.deepEqual(countsOf([], null), { tp: 0, fp: 0, fn: 0 });
  const pages = [countsOf(['5'], '5'), countsOf(['5'], '6'), countsOf(['5'], null)];
  const { precision, recall, f1 } = scoresOf(pages);
  assert.deepEqual([precision, recall], [1 / 2, 1 / 3]);
  assert.ok(Math.abs(f1 - 0.4) < 1e-12);
  assert.deepEqual(scoresOf([countsOf([], null)]), { f1: 1, precision: 1, recall: 1 });
});

test('a decimal number is one number in every spelling', () => {
  for (const [text, number] of [
    ['12.50', '12.5'],
    ['012', '12'],
    ['0.90', '0.9'],
    ['100', '100'],
    ['7.00', '7'],
    ['x', null],
  ] as const) {
    assert.equal(decimalOf(text), number, text);
  }
});

test('the program reads the folder, scores each attribute and prints the published table next to it', async () => {
  using folder = temporaryFolder();
  await mkdir(join(folder.path, 'html'));
  const offer = { '@type': 'Offer', price: '12.50', availability: 'https://schema.org/OutOfStock' };
  const product = { '@type': 'Product', name: 'Oak Tray', sku: 'T-1', offers: offer };
  const page =
    '<html><head><title>Oak Tray</title><script type="application/ld+json">' +
    `${JSON.stringify(product)}</script></head><body><h1>Oak Tray</h1></body></html>`;
  await writeFile(join(folder.path, 'html', 'a.html.gz'), gzipSync(page));
  const truth = {
    a: {
      price: ['12.5'],
      sku: ['T-1'],
      availability: ['OutOfStock'],
      OutOfStock: ['OutOfStock'],
      url: 'https://shop.example/p/oak-tray',
    },
  };
  await writeFile(join(folder.path, 'ground-truth.json'), JSON.stringify(truth));
  const program = join(import.meta.dirname, '../../lab/eval/benchmark.ts');
  const run = promisify(execFile);
  const { stdout, stderr } = await run(process.execPath, [program, '--dir', folder.path, '--json']);
  const summary = JSON.parse(stdout) as Record<string, { f1: number; support: number }>;
  for (const attribute of ['price', 'sku', 'availability', 'OutOfStock']) {
    assert.deepEqual([summary[attribute]?.f1, summary[attribute]?.support], [1, 1], attribute);
  }
  assert.match(stderr, /Zyte\s+0\.918/);
});

test('a folder without annotations is refused with the file that is missing', async () => {
  using folder = temporaryFolder();
  const program = join(import.meta.dirname, '../../lab/eval/benchmark.ts');
  const run = promisify(execFile);
  await assert.rejects(
    run(process.execPath, [program, '--dir', folder.path]),
    (error: { readonly code?: number; readonly stderr?: string }) =>
      error.code === 1 && /ground-truth\.json cannot be read/.test(error.stderr ?? ''),
  );
});
