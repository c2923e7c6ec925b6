// Files that the service reads: its manifest, the trained matcher, the recorded examples, and the assets of the console's
// pages.

import { readdirSync, readFileSync } from 'node:fs';

import type { Example } from '../server/document/examples.ts';
import type { ConsoleFile } from '../server/routes/pages/console.ts';

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));
}

/** Returns the package version, as in `--version` and the User-Agent. */
export function versionText(): string {
  return (readJson('../../package.json') as { version: string }).version;
}

/** Returns the trained matcher (docs/how/matching.md), for `modelFrom`. */
export function matchModelText(): string {
  return readFileSync(new URL('../rules/matching/model/model.txt', import.meta.url), 'utf8');
}

/** Returns the recorded answers shown in the OpenAPI document. */
export function readExamples(): readonly Example[] {
  return readJson('../../assets/examples.json') as readonly Example[];
}

/** Files of packages, as shipped: the chart, and the QR code of one page. */
const PACKAGE_FILES = {
  'uplot.js': 'uplot/dist/uPlot.iife.min.js',
  'uplot.css': 'uplot/dist/uPlot.min.css',
  'lean-qr.js': 'lean-qr/nano',
};

/** Comments that have lines of their own. Those in a line with code stay. */
const COMMENTS = /^[ \t]*(?:\/\/.*|\/\*[^*]*\*+(?:[^/*][^*]*\*+)*\/[ \t]*)$/gm;

/** Comments are for those who change a file, and a fifth of its bytes. Its lines keep their numbers. */
function withoutComments(text: string): string {
  return text.replaceAll(COMMENTS, (comment) => comment.replaceAll(/[^\n]+/g, ''));
}

/** Returns the console's scripts and styles, including those of packages. */
export function consoleFiles(): readonly ConsoleFile[] {
  const folder = new URL('../../console/', import.meta.url);
  const names = readdirSync(folder).filter((name) => /\.(?:js|css|svg)$/.test(name));
  const own = names.map((name) => ({
    name,
    read: () => withoutComments(readFileSync(new URL(name, folder), 'utf8')),
  }));
  const packaged = Object.entries(PACKAGE_FILES).map(([name, file]) => ({
    name,
    read: () => readFileSync(new URL(import.meta.resolve(file)), 'utf8'),
  }));
  return [...own, ...packaged];
}
