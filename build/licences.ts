// The licences of the bundled packages, whose texts have to be distributed with the bundle.

import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Each requires only that its text and copyright line are included. */
const ACCEPTED = ['0BSD', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', 'ISC', 'MIT', 'MIT-0'];

type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly repository?: { readonly url: string };
};

/** Returns one text with the licence of each package. Throws if a package has none, or one that is not accepted. */
export function licenceTexts(folders: readonly string[]): string {
  return folders.map(licenceText).join(`\n${'-'.repeat(80)}\n\n`);
}

function licenceText(folder: string): string {
  const manifest = readFileSync(join(folder, 'package.json'), 'utf8');
  const { name, version, license, repository } = JSON.parse(manifest) as Manifest;
  if (license === undefined || !ACCEPTED.includes(license)) {
    throw new Error(`${name} has the licence ${license}, which is not approved for the bundle`);
  }
  const files = globSync('{LICEN[CS]E,NOTICE}*', { cwd: folder }).sort();
  const texts = files.map((file) => readFileSync(join(folder, file), 'utf8').trim());
  if (!files.some((file) => file.startsWith('LICEN'))) {
    if (license !== 'MIT') throw new Error(`${name} comes without the text of its licence`);
    texts.push(
      `The package comes without a text; this is the usual one (${repository?.url}).`,
      MIT,
    );
  }
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

const MIT = `Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
