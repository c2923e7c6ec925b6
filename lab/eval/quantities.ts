// npm run lab -- quantities --data PATH [--json]: how many labelled titles and lines yield exactly the pack count and the
// quantities of their labels. PATH is a folder with `pack-count.jsonl` and `quantities.jsonl`, or one file of either kind.
// The readers are those of the service.

import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { packCountOf } from '../../src/read/titles/pack-count.ts';
import { statedQuantities } from '../../src/read/titles/stated-quantities.ts';
import type { StatedQuantity } from '../../src/read/titles/stated-quantities.ts';

const USAGE = 'usage: npm run lab -- quantities --data PATH [--json]';

const FILES = ['pack-count.jsonl', 'quantities.jsonl'];

/** Target shares for the files that were used while the rules were written. */
const GOALS = { pack: 0.94, quantities: 0.9 };

/** Labels are rounded conversions. */
const TOLERANCE = 0.01;

type PackRow = { readonly title: string; readonly pack_count: number | null };
type Label = {
  readonly kind: string;
  readonly value: number | readonly number[];
  readonly unit: string;
};
type QuantityRow = { readonly text: string; readonly quantities: readonly Label[] };
type Row = PackRow | QuantityRow;

type Miss = {
  readonly place: string;
  readonly text: string;
  readonly expected: unknown;
  readonly got: unknown;
};
type Score = { rows: number; right: number; misses: Miss[] };

function isLabel(value: unknown): value is Label {
  const { kind, value: amount, unit } = (value ?? {}) as Record<string, unknown>;
  const amounts = Array.isArray(amount) ? amount : [amount];
  const isNumbers = amounts.length > 0 && amounts.every((each) => typeof each === 'number');
  return typeof kind === 'string' && typeof unit === 'string' && isNumbers;
}

function rowOf(value: unknown): Row | null {
  if (typeof value !== 'object' || value === null) return null;
  const row = value as Record<string, unknown>;
  const { title, pack_count: count, text, quantities } = row;
  if (typeof title === 'string' && (typeof count === 'number' || count === null)) {
    return { title, pack_count: count };
  }
  if (typeof text === 'string' && Array.isArray(quantities) && quantities.every(isLabel)) {
    return { text, quantities };
  }
  return null;
}

/**
 * Returns whether a pack label is matched: 1 is matched by 1 and by no value, because a title of a single item need not
 * state it.
 */
function isPackRight(label: number | null, got: number | null): boolean {
  return got === label || (label === 1 && got === null);
}

function isSame(label: Label, got: StatedQuantity): boolean {
  if (label.kind !== got.kind || label.unit !== got.unit) return false;
  const [wanted, values] = [[label.value].flat(), [got.value].flat()];
  return (
    wanted.length === values.length &&
    wanted.every((each, index) => {
      return Math.abs(each - (values[index] ?? Number.NaN)) <= Math.abs(each) * TOLERANCE;
    })
  );
}

/** Returns whether every label has its quantity and no quantity is left over; the order is irrelevant. */
function isAllRight(labels: readonly Label[], got: readonly StatedQuantity[]): boolean {
  const rest = [...got];
  for (const label of labels) {
    const index = rest.findIndex((each) => isSame(label, each));
    if (index < 0) return false;
    rest.splice(index, 1);
  }
  return rest.length === 0;
}

type Scores = { readonly pack: Score; readonly quantities: Score };

function measure(row: Row, place: string, scores: Scores): void {
  const isPack = 'title' in row;
  const score = isPack ? scores.pack : scores.quantities;
  score.rows += 1;
  const got = isPack ? packCountOf({ specs: [], title: row.title }) : statedQuantities(row.text);
  const isRight = isPack
    ? isPackRight(row.pack_count, got as number | null)
    : isAllRight(row.quantities, got as readonly StatedQuantity[]);
  if (isRight) {
    score.right += 1;
    return;
  }
  const [text, expected] = isPack ? [row.title, row.pack_count] : [row.text, row.quantities];
  score.misses.push({ place, text, expected, got });
}

async function filesAt(path: string): Promise<readonly string[]> {
  return (await stat(path)).isDirectory() ? FILES.map((name) => join(path, name)) : [path];
}

/** Every line of a file is measured or is a problem: none is skipped. */
async function measureFile(file: string, scores: Scores, problems: string[]): Promise<void> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  for (const [index, line] of lines.entries()) {
    if (line.trim() === '') continue;
    const place = `${file}:${index + 1}`;
    try {
      const row = rowOf(JSON.parse(line));
      if (row === null) problems.push(`${place}: neither a pack count nor quantities`);
      else measure(row, place, scores);
    } catch (error) {
      problems.push(`${place}: ${messageOf(error)}`);
    }
  }
}

const shareOf = ({ rows, right }: Score): number | null =>
  rows === 0 ? null : Number((right / rows).toFixed(4));

function reportLines(scores: Scores): readonly string[] {
  const lines: string[] = [];
  for (const name of ['pack', 'quantities'] as const) {
    const score = scores[name];
    if (score.rows === 0) continue;
    for (const miss of score.misses) {
      lines.push(`${miss.place} ${miss.text}`);
      lines.push(`  expected ${JSON.stringify(miss.expected)}, got ${JSON.stringify(miss.got)}`);
    }
    const goal = GOALS[name];
    lines.push(`${name}: ${score.right} of ${score.rows} right, ${shareOf(score)} (goal ${goal})`);
  }
  return lines;
}

function pathOf(argv: readonly string[]): { data: string; json: boolean } | null {
  try {
    const options = {
      data: { type: 'string' },
      json: { type: 'boolean', default: false },
    } as const;
    const { values } = parseArgs({ args: [...argv], options });
    if (values.data === undefined || values.data === '') throw new Error('--data is missing');
    return { data: values.data, json: values.json };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return null;
  }
}

async function main(argv: readonly string[]): Promise<number> {
  const given = pathOf(argv);
  if (given === null) return 2;
  const empty = (): Score => ({ rows: 0, right: 0, misses: [] });
  const scores: Scores = { pack: empty(), quantities: empty() };
  const problems: string[] = [];
  try {
    for (const file of await filesAt(given.data)) await measureFile(file, scores, problems);
  } catch (error) {
    problems.push(messageOf(error));
  }
  if (scores.pack.rows + scores.quantities.rows === 0) problems.push('no labelled row');
  if (problems.length > 0) {
    process.stderr.write(`${problems.join('\n')}\n`);
    return 1;
  }
  const report = `${reportLines(scores).join('\n')}\n`;
  (given.json ? process.stderr : process.stdout).write(report);
  const summary = Object.fromEntries(
    Object.entries(scores)
      .filter(([, score]) => score.rows > 0)
      .map(([name, score]: [string, Score]) => {
        return [name, { rows: score.rows, right: score.right, share: shareOf(score) }];
      }),
  );
  if (given.json) process.stdout.write(`${JSON.stringify(summary)}\n`);
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
