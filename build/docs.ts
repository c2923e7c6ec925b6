// `npm run docs [-- NAME ...]`: writes the pages that are generated from the code or from data, either all or the named ones:
// `examples` of the OpenAPI document, really answered by the service on the simulated shops; `settings`, .env.example and the
// tables of docs/run/settings.md; `credentials`, the table of docs/run/retailers.md, asked for with each set of keys; `figures`,
// docs/figures.md from build/figures.json. Tests compare each with its source.

import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { nearestName } from '../src/base/nearest-name.ts';
import { credentialCells } from './credential-cells.ts';
import { withCredentialTable } from './credentials-page.ts';
import { exampleCalls } from './example-calls.ts';
import { figureGroups, figuresPage } from './figures-page.ts';
import { produceExamples } from './produce-examples.ts';
import { envExample, withTables } from './settings-pages.ts';

const ROOT = dirname(import.meta.dirname);

/** Writes a file below the root of the repository. */
function write(path: string, text: string): void {
  writeFileSync(join(ROOT, path), text);
  console.error(`${path} is written`);
}

const WRITERS: Readonly<Record<string, () => void | Promise<void>>> = {
  examples: async () => {
    const examples = await produceExamples(exampleCalls);
    write('assets/examples.json', `${JSON.stringify(examples, null, 1)}\n`);
  },
  settings: () => {
    const page = 'docs/run/settings.md';
    write('.env.example', envExample());
    write(page, withTables(readFileSync(join(ROOT, page), 'utf8')));
  },
  credentials: async () => {
    const page = 'docs/run/retailers.md';
    const text = readFileSync(join(ROOT, page), 'utf8');
    write(page, withCredentialTable(text, await credentialCells()));
  },
  figures: () => write('docs/figures.md', figuresPage(figureGroups())),
};

const NAMES = Object.keys(WRITERS);
const asked = process.argv.slice(2);
const unknown = asked.find((name) => !NAMES.includes(name));
if (unknown === undefined) {
  for (const name of asked.length === 0 ? NAMES : asked) await WRITERS[name]?.();
} else {
  const meant = nearestName(unknown, NAMES);
  console.error(
    `There is no page "${unknown}".${meant === null ? '' : ` Did you mean "${meant}"?`}\n` +
      `usage: npm run docs -- [${NAMES.join('|')} ...]`,
  );
  process.exitCode = 2;
}
