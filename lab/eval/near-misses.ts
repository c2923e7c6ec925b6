// npm run eval:near-misses -- [--model FILE] [--json]: pairs of two products that differ in one thing (a part made for
// the other, the next size or generation, another flavour), written by hand, in kinds of at least twenty, and pairs of
// one product beside them. Right: below the threshold, or from it on for the pairs of one product. Prints every miss
// and exits 1 when a kind is below its goal.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { similarityOf } from '../../src/rules/matching/pair/compare.ts';
import { modelFrom } from '../../src/rules/matching/model/model.ts';
import type { MatchModel } from '../../src/rules/matching/model/model.ts';
import { prepareListing } from '../../src/rules/matching/prepared/prepared.ts';

const USAGE = 'usage: npm run eval:near-misses -- [--model FILE] [--json]';
const SHIPPED = join(import.meta.dirname, '../../src/rules/matching/model/model.txt');
const PAIRS = join(import.meta.dirname, 'near-misses.tsv');

/** Of the pairs of each kind of two products. */
const GOAL = 0.9;

/** The kind of the pairs of one product. */
const SAME = 'same';

export type NearMiss = { readonly kind: string; readonly titles: readonly [string, string] };

/** The pairs of the table. Throws where a line is no kind with two titles. */
function nearMisses(): readonly NearMiss[] {
  const lines = readFileSync(PAIRS, 'utf8').trimEnd().split('\n');
  return lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [kind, one, two, more] = line.split('\t');
      if (kind === undefined || one === undefined || two === undefined || more !== undefined) {
        throw new Error(`${PAIRS}: ${line} is no kind with two titles`);
      }
      return { kind, titles: [one, two] };
    });
}

export type KindScore = { right: number; pairs: number; readonly misses: string[] };

/** How many pairs of each kind the model tells right, in the order of the table. */
function scoreNearMisses(model: MatchModel): ReadonlyMap<string, KindScore> {
  const scores = new Map<string, KindScore>();
  for (const { kind, titles } of nearMisses()) {
    const [one, two] = titles.map((title) => prepareListing({ title }, model.vocabulary));
    if (one === undefined || two === undefined) continue;
    const similarity = similarityOf(model, one, two);
    const score = scores.get(kind) ?? { right: 0, pairs: 0, misses: [] };
    scores.set(kind, score);
    score.pairs += 1;
    if (similarity >= model.threshold === (kind === SAME)) score.right += 1;
    else score.misses.push(`${similarity.toFixed(2)}  ${titles.join('  |  ')}`);
  }
  return scores;
}

function main(argv: readonly string[]): number {
  let given: { model: string; json: boolean };
  try {
    given = parseArgs({
      args: [...argv],
      options: {
        model: { type: 'string', default: SHIPPED },
        json: { type: 'boolean', default: false },
      },
    }).values;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return 2;
  }
  const scores = scoreNearMisses(modelFrom(readFileSync(given.model, 'utf8')));
  for (const [kind, { right, pairs, misses }] of scores) {
    process.stdout.write(`${kind.padEnd(12)} ${right} of ${pairs}\n`);
    for (const miss of misses) process.stdout.write(`    ${miss}\n`);
  }
  if (given.json) {
    const answer = [...scores].map(([kind, { right, pairs }]) => [kind, { right, pairs }] as const);
    process.stdout.write(`${JSON.stringify(Object.fromEntries(answer))}\n`);
  }
  const isMet = [...scores].every(
    ([kind, { right, pairs }]) => kind === SAME || right >= GOAL * pairs,
  );
  return isMet ? 0 : 1;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
