// npm run lab -- parsing --manifest PATH [--slug a,b] [--json]: how much of a corpus of recorded pages the readers get
// right. Calls the same readers as the service, through the presentation that `parse` prints.

import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { isKnownSlug } from '../../src/base/retailer.ts';
import { savedPage } from '../../src/edge/cli/products/saved-page.ts';
import { readAnswer } from '../../src/read/retailers/registry.ts';
import { presentRetailerAnswer } from '../../src/answer/wire/record/retailer-answer.ts';
import { bodyOf, isHtmlRow } from './parsing/feed.ts';
import { parseManifest } from './parsing/manifest.ts';
import type { ManifestRow } from './parsing/manifest.ts';
import { reportLines } from './parsing/report.ts';
import { scoreRow } from './parsing/row-score.ts';
import type { Answer, RowScore } from './parsing/row-score.ts';
import { summaryOf } from './parsing/score.ts';

const USAGE = 'usage: npm run lab -- parsing --manifest PATH [--slug SLUG[,SLUG...]] [--json]';

type Arguments = {
  readonly manifest: string;
  readonly slugs: readonly string[] | null;
  readonly json: boolean;
};

function argumentsOf(argv: readonly string[]): Arguments | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        manifest: { type: 'string' },
        slug: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.manifest === undefined || values.manifest === '')
      throw new Error('--manifest is missing');
    const slugs = values.slug?.split(',').map((slug) => slug.trim()) ?? null;
    return { manifest: values.manifest, slugs, json: values.json };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return null;
  }
}

type Loaded = { readonly row: ManifestRow; readonly body: Uint8Array };

/** Loads the bodies of all rows; every row that cannot be loaded is a problem, none is skipped. */
async function load(
  rows: readonly ManifestRow[],
  folder: string,
  problems: string[],
): Promise<readonly Loaded[]> {
  const loaded: Loaded[] = [];
  for (const row of rows) {
    try {
      loaded.push({ row, body: bodyOf(await readFile(resolve(folder, row.file)), row.feed) });
    } catch (error) {
      problems.push(`row ${row.line} ${row.file}: ${messageOf(error)}`);
    }
  }
  return loaded;
}

/** Adds `image` as the vocabulary defines it: present or not. */
function withImage(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return { ...fields, image: typeof fields['image_url'] === 'string' ? true : null };
}

function ask({ row, body }: Loaded, reader: string): Answer {
  const page = savedPage(body, { url: row.url ?? 'https://shop.invalid/' });
  try {
    const verdict = readAnswer(page, reader, isKnownSlug(row.slug) ? row.slug : undefined);
    if (verdict === null) return { kind: 'no_reader' };
    const fields = presentRetailerAnswer(verdict);
    const entries = (fields['entries'] ?? []) as readonly Record<string, unknown>[];
    return { kind: 'answer', fields: withImage(fields), entries: entries.map(withImage) };
  } catch (error) {
    return { kind: 'threw', error: messageOf(error) };
  }
}

function measure(loaded: Loaded): RowScore {
  const { row, body } = loaded;
  const answer = ask(loaded, row.reader);
  if (row.reader === 'product' || !isHtmlRow(body, row.feed)) return scoreRow(row, answer, null);
  return scoreRow(row, answer, verdictOf(ask(loaded, 'product')));
}

function verdictOf(answer: Answer): string {
  return answer.kind === 'answer' ? String(answer.fields['verdict']) : 'threw';
}

function refuse(problems: readonly string[]): number {
  process.stderr.write(`${problems.join('\n')}\n`);
  return 1;
}

async function main(argv: readonly string[]): Promise<number> {
  const given = argumentsOf(argv);
  if (given === null) return 2;
  let text: string;
  try {
    text = await readFile(given.manifest, 'utf8');
  } catch (error) {
    return refuse([`the manifest cannot be read: ${messageOf(error)}`]);
  }
  const { rows, problems } = parseManifest(text);
  const chosen = rows.filter(({ slug }) => given.slugs?.includes(slug) ?? true);
  const unreadable = [...problems];
  if (chosen.length === 0 && problems.length === 0)
    unreadable.push('no row has one of these slugs');
  const loaded = await load(chosen, dirname(resolve(given.manifest)), unreadable);
  if (unreadable.length > 0) return refuse(unreadable);
  const scores = loaded.map(measure);
  const report = `${reportLines(scores).join('\n')}\n`;
  (given.json ? process.stderr : process.stdout).write(report);
  if (given.json) process.stdout.write(`${JSON.stringify(summaryOf(scores))}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
