// npm run lab -- matching --data PATH [--model FILE] [--own-titles] [--leave-out] [--json]: how well the matcher recognizes
// listings of one product, and the cost of a comparison. Every folder of PATH is a dataset; its `test` is scored, or `valid`
// if there is no test. Uses the same code and threshold as the service, which gives the trees no prices
// (docs/how/matching.md).

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { similarityOf } from '../../src/rules/matching/pair/compare.ts';
import { consensusOf } from '../../src/rules/matching/group/consensus.ts';
import { modelFrom } from '../../src/rules/matching/model/model.ts';
import type { MatchModel } from '../../src/rules/matching/model/model.ts';
import { prepareListing } from '../../src/rules/matching/prepared/prepared.ts';
import type { MatchInput, Prepared } from '../../src/rules/matching/prepared/prepared.ts';
import { countTitles } from '../../src/rules/matching/words/vocabulary.ts';
import { leaveOut } from '../training/left-out.ts';
import { OPTIONS } from '../training/forest-training.ts';
import { labelledPairs } from '../training/training-rows.ts';
import { groupListingOf } from './matching/labelled-groups.ts';
import { leftOutLines, leftOutModel, leftOutRows } from './matching/left-out.ts';
import { datasetNames, has, readOutlierGroups, readPairs } from './matching/data.ts';
import type { OutlierGroup } from './matching/data.ts';

const USAGE =
  'usage: npm run lab -- matching --data PATH [--model FILE] [--own-titles] [--leave-out] [--json]';
const SHIPPED = join(import.meta.dirname, '../../src/rules/matching/model/model.txt');

type Arguments = {
  readonly data: string;
  readonly model: string;
  /** Adds the measured titles to the word rarities, as a service does with its stored ones. */
  readonly ownTitles: boolean;
  /** Trains without each dataset in turn, and measures that one. */
  readonly leaveOut: boolean;
  readonly json: boolean;
};

function argumentsOf(argv: readonly string[]): Arguments | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        model: { type: 'string', default: SHIPPED },
        'own-titles': { type: 'boolean', default: false },
        'leave-out': { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.data === undefined || values.data === '') throw new Error('--data is missing');
    const { data, model, json, 'own-titles': ownTitles, 'leave-out': leaves } = values;
    return { data, model, ownTitles, leaveOut: leaves, json };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return null;
  }
}

type Pair = {
  readonly left: Prepared;
  readonly right: Prepared;
  readonly isMatch: boolean;
  readonly similarity: number;
};

type Dataset = { readonly name: string; readonly split: string; readonly pairs: readonly Pair[] };

type Tally = { f1: number; p: number; r: number; rows: number };

function tallyOf(pairs: readonly Pair[], threshold: number): Tally {
  let [right, wrong, missed] = [0, 0, 0];
  for (const { isMatch, similarity } of pairs) {
    if (similarity >= threshold) {
      if (isMatch) right += 1;
      else wrong += 1;
    } else if (isMatch) missed += 1;
  }
  const p = right + wrong === 0 ? 0 : right / (right + wrong);
  const r = right + missed === 0 ? 0 : right / (right + missed);
  return { f1: right === 0 ? 0 : (2 * p * r) / (p + r), p, r, rows: pairs.length };
}

function scoredSplit(folder: string, name: string): 'test' | 'valid' | undefined {
  return (['test', 'valid'] as const).find((one) => has(folder, name, one));
}

/** Returns the model with the titles of all scored pairs counted in, each once. */
function withTitlesOf(model: MatchModel, folder: string): MatchModel {
  const count = countTitles(model.vocabulary.idf);
  const titles = datasetNames(folder).flatMap((name) => {
    const split = scoredSplit(folder, name);
    const pairs = split === undefined ? [] : readPairs(folder, name, split);
    return pairs.flatMap(({ left, right }) => [left.title ?? '', right.title ?? '']);
  });
  for (const title of new Set(titles)) count.add(title);
  return { ...model, vocabulary: { ...model.vocabulary, idf: count.idf() } };
}

function datasetsOf(model: MatchModel, folder: string): readonly Dataset[] {
  const known = new Map<string, Prepared>();
  const prepare = (input: MatchInput): Prepared => {
    const key = JSON.stringify(input);
    const found = known.get(key) ?? prepareListing(input, model.vocabulary);
    known.set(key, found);
    return found;
  };
  return datasetNames(folder).flatMap((name): Dataset[] => {
    const split = scoredSplit(folder, name);
    if (split === undefined) return [];
    const pairs = readPairs(folder, name, split).map(({ left, right, isMatch }): Pair => {
      const [one, two] = [prepare(left), prepare(right)];
      return { left: one, right: two, isMatch, similarity: similarityOf(model, one, two) };
    });
    return [{ name, split, pairs }];
  });
}

type Speed = { readonly pair: number; readonly jaccard: number; readonly prepare: number };

const ROUNDS = 9;

/** Microseconds of processor time, the best of several rounds over all pairs: time spent waiting does not count. */
function speedOf(model: MatchModel, datasets: readonly Dataset[]): Speed {
  const pairs = datasets.flatMap(({ pairs: all }) => all);
  const sets = new Map<Prepared, ReadonlySet<string>>();
  for (const { left, right } of pairs) {
    for (const side of [left, right]) sets.set(side, new Set(side.words));
  }
  const words = pairs.map(({ left, right }) => [sets.get(left), sets.get(right)] as const);
  const titles = [...sets.keys()].slice(0, 4000).map(({ title }) => title);
  let kept = 0;
  const best = (count: number, work: () => void): number => {
    let least = Infinity;
    for (let round = 0; round < ROUNDS; round += 1) {
      const from = process.cpuUsage();
      work();
      least = Math.min(least, process.cpuUsage(from).user);
    }
    return least / count;
  };
  const pair = best(pairs.length, () => {
    for (const { left, right } of pairs) kept += similarityOf(model, left, right);
  });
  const jaccard = best(pairs.length, () => {
    for (const [one, two] of words)
      if (one !== undefined && two !== undefined) kept += jaccardOf(one, two);
  });
  const prepare = best(titles.length, () => {
    for (const title of titles) kept += prepareListing({ title }, model.vocabulary).words.length;
  });
  // The sum is used, so that no loop can be optimized away.
  if (!Number.isFinite(kept)) throw new Error('a similarity is not a number');
  return { pair, jaccard, prepare };
}

function jaccardOf(one: ReadonlySet<string>, two: ReadonlySet<string>): number {
  let shared = 0;
  for (const word of one) if (two.has(word)) shared += 1;
  return shared / Math.max(1, one.size + two.size - shared);
}

function percent(value: number): string {
  return (100 * value).toFixed(1).padStart(6);
}

function tableLines(model: MatchModel, datasets: readonly Dataset[]): readonly string[] {
  const rows = datasets.map(({ name, split, pairs }) => {
    const { f1, p, r } = tallyOf(pairs, model.threshold);
    const strong = tallyOf(pairs, model.strong);
    return (
      `${name.padEnd(20)} ${split.padEnd(6)} ${String(pairs.length).padStart(6)}` +
      `${percent(f1)}${percent(p)}${percent(r)}   ${percent(strong.p)}${percent(strong.r)}`
    );
  });
  return [`${'dataset'.padEnd(20)} split    rows    F1     P     R    strong P     R`, ...rows];
}

/** Labels of Amazon-Google call identical titles different products, so they measure no precision. */
const NO_PRECISION = ['amazon-google', 'wdc-products'];

function strongLines(model: MatchModel, datasets: readonly Dataset[]): readonly string[] {
  const line = (title: string, chosen: readonly Dataset[]): string => {
    const { p, r } = tallyOf(
      chosen.flatMap(({ pairs }) => pairs),
      model.strong,
    );
    return `strong band (from ${model.strong}), ${title}: precision ${percent(p).trim()} % recall ${percent(r).trim()} %`;
  };
  const products = datasets.filter(({ name }) => name === 'wdc-products');
  return [
    line(
      'pooled without amazon-google and wdc-products',
      datasets.filter(({ name }) => !NO_PRECISION.includes(name)),
    ),
    line('pooled over all', datasets),
    ...(products.length === 0 ? [] : [line('wdc-products', products)]),
  ];
}

function oddLines(model: MatchModel, groups: readonly OutlierGroup[] | null): readonly string[] {
  if (groups === null) return [];
  let right = 0;
  let flagged = 0;
  let flaggedRight = 0;
  const bins = new Map<number, { groups: number; pure: number }>();
  for (const { listings, intruder } of groups) {
    const entries = listings.map((input, retailer) => ({
      retailer,
      ...groupListingOf(input, model.vocabulary),
    }));
    const { disagreements, score } = consensusOf(model, entries);
    const [odd] = disagreements
      .filter(({ isDoubt }) => !isDoubt)
      .toSorted((a, b) => a.similarity - b.similarity);
    const oddOne = odd?.at ?? null;
    if (oddOne === intruder) right += 1;
    if (oddOne !== null) flagged += 1;
    if (oddOne !== null && oddOne === intruder) flaggedRight += 1;
    const bin = Math.min(4, Math.floor((score ?? 0) * 5));
    const known = bins.get(bin) ?? { groups: 0, pure: 0 };
    bins.set(bin, { groups: known.groups + 1, pure: known.pure + (intruder === null ? 1 : 0) });
  }
  const intruders = groups.filter(({ intruder }) => intruder !== null).length;
  return [
    `odd one out: ${right} of ${groups.length} right, ${percent(right / groups.length).trim()} %; ` +
      `flags right ${flaggedRight} of ${flagged}, intruders found ${flaggedRight} of ${intruders}`,
    ...[...bins]
      .toSorted(([a], [b]) => a - b)
      .map(
        ([bin, { groups: all, pure }]) =>
          `  score ${(bin / 5).toFixed(1)} to ${((bin + 1) / 5).toFixed(1)}: ${pure} of ${all} groups are of one product`,
      ),
  ];
}

type Strong = { readonly precision: number; readonly recall: number };

/** Sums over one dataset, or over all except those whose labels measure no precision. */
function strongOf(model: MatchModel, datasets: readonly Dataset[], name: string | null): Strong {
  const chosen = datasets.filter((each) =>
    name === null ? !NO_PRECISION.includes(each.name) : each.name === name,
  );
  const { p, r } = tallyOf(
    chosen.flatMap(({ pairs }) => pairs),
    model.strong,
  );
  return { precision: p, recall: r };
}

/** The dataset from whose clusters the groups are made. */
const CLUSTERS = 'wdc-products';

async function measureLeftOut({ data, json }: Arguments): Promise<number> {
  const names = datasetNames(data);
  const leftOut = await leaveOut(labelledPairs(data, names, ['train', 'valid']), OPTIONS, (line) =>
    process.stderr.write(`${line}\n`),
  );
  process.stdout.write(`${leftOutLines(names, leftOut).join('\n')}\n`);
  const groups = readOutlierGroups(data);
  for (const one of leftOut.filter(({ dataset }) => names[dataset] === CLUSTERS)) {
    const lines = oddLines(leftOutModel(one, leftOut), groups);
    process.stdout.write(
      `groups of ${CLUSTERS}, which no pair of the training touches\n${lines.join('\n')}\n`,
    );
  }
  if (json) process.stdout.write(`${JSON.stringify(leftOutRows(names, leftOut))}\n`);
  return 0;
}

async function main(argv: readonly string[]): Promise<number> {
  const given = argumentsOf(argv);
  if (given === null) return 2;
  try {
    if (given.leaveOut) return await measureLeftOut(given);
    const asShipped = modelFrom(readFileSync(given.model, 'utf8'));
    const model = given.ownTitles ? withTitlesOf(asShipped, given.data) : asShipped;
    const datasets = datasetsOf(model, given.data);
    const tallies = datasets.map(
      ({ name, pairs }) => [name, tallyOf(pairs, model.threshold)] as const,
    );
    const macro = tallies.reduce((sum, [, { f1 }]) => sum + f1, 0) / tallies.length;
    const speed = speedOf(model, datasets);
    const lines = [
      ...tableLines(model, datasets),
      `macro F1 at the one threshold ${model.threshold}: ${percent(macro).trim()} %`,
      ...strongLines(model, datasets),
      ...oddLines(model, readOutlierGroups(given.data)),
      `prepared pair ${speed.pair.toFixed(2)} us, Jaccard of the same words ${speed.jaccard.toFixed(3)} us, ` +
        `ratio ${(speed.pair / speed.jaccard).toFixed(1)}; preparing a title ${speed.prepare.toFixed(1)} us`,
    ];
    process.stdout.write(`${lines.join('\n')}\n`);
    if (given.json) {
      const answer = {
        datasets: Object.fromEntries(
          tallies.map(([name, tally]) => [
            name,
            { ...tally, strong: strongOf(model, datasets, name) },
          ]),
        ),
        strong: strongOf(model, datasets, null),
        macro_f1: macro,
        us_per_pair: speed.pair,
      };
      process.stdout.write(`${JSON.stringify(answer)}\n`);
    }
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

process.exitCode = await main(process.argv.slice(2));
