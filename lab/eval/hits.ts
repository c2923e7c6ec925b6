// npm run lab -- hits --data PATH | --pairs FILE [--list]: whether a search hit is accepted as the product, by the service's
// rule. With --data each dataset is left out of training in turn, and each listing of its pairs is a hit next to one, two and
// three known listings. With --pairs the shipped model judges a table of pairs (kind, 1 or 0 for one product or two, and two
// titles, separated by tabs), by kind, as hits and as two listings of one barcode; --list prints the wrong judgements.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { leaveOut } from '../training/left-out.ts';
import { OPTIONS } from '../training/forest-training.ts';
import { labelledPairs } from '../training/training-rows.ts';
import { messageOf } from '../../src/base/fault.ts';
import {
  createMatching,
  type KnownListings,
  type Matching,
} from '../../src/rules/matching/matcher.ts';
import { modelFrom } from '../../src/rules/matching/model/model.ts';
import { matchModelText } from '../../src/edge/package-files.ts';
import { datasetNames } from './matching/data.ts';
import { labelledHits, storedListingOf, type LabelledHit } from './matching/labelled-hits.ts';
import { leftOutModel } from './matching/left-out.ts';

const USAGE = 'usage: npm run lab -- hits --data PATH | --pairs FILE [--list]';

const MOST_KNOWN = 3;

/** How many pairs of one product and of two there are, are accepted, and are strong. */
type Tally = { readonly all: Sides; readonly taken: Sides; readonly strong: Sides };
type Sides = { right: number; wrong: number };

function newTally(): Tally {
  const none = (): Sides => ({ right: 0, wrong: 0 });
  return { all: none(), taken: none(), strong: none() };
}

function count(tally: Tally, matching: Matching, { known, hit, isRight }: LabelledHit): boolean {
  const side = isRight ? 'right' : 'wrong';
  const isTaken = matching.isLikely(known, hit);
  tally.all[side] += 1;
  if (isTaken) tally.taken[side] += 1;
  if (matching.isStrong(known, { ...known[0], listing: hit })) tally.strong[side] += 1;
  return isTaken;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '     .' : ((100 * part) / whole).toFixed(1).padStart(6);
}

const HEAD = 'right wrong | taken right wrong      P     R | strong right wrong      P     R';

function columnsOf({ all, taken, strong }: Tally): string {
  const number = (value: number): string => String(value).padStart(6);
  const of = ({ right, wrong }: Sides): string =>
    `${number(right)}${number(wrong)} ${percent(right, right + wrong)}${percent(right, all.right)}`;
  return `${number(all.right)}${number(all.wrong)} | ${of(taken)} | ${of(strong)}`;
}

async function measureLeftOut(data: string): Promise<void> {
  const names = datasetNames(data);
  const labelled = labelledPairs(data, names, ['train', 'valid']);
  const leftOut = await leaveOut(labelled, OPTIONS, (line) => process.stderr.write(`${line}\n`));
  process.stdout.write(`${'left out'.padEnd(20)} known  ${HEAD}\n`);
  for (const one of leftOut) {
    const matching = createMatching(leftOutModel(one, leftOut));
    const pairs = labelled.filter(({ dataset }) => dataset === one.dataset);
    for (let known = 1; known <= MOST_KNOWN; known += 1) {
      const tally = newTally();
      for (const hit of labelledHits(pairs, known)) count(tally, matching, hit);
      const name = (names[one.dataset] ?? '').padEnd(20);
      process.stdout.write(`${name} ${String(known).padStart(5)} ${columnsOf(tally)}\n`);
    }
  }
}

type WrittenPair = {
  readonly kind: string;
  readonly isOne: boolean;
  readonly titles: readonly [one: string, two: string];
};

/** Parses the pairs of a table. Throws if a line is not a pair. */
function writtenPairs(path: string): readonly WrittenPair[] {
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  return lines.map((line, at) => {
    const [kind = '', label = '', one = '', two = '', more] = line.split('\t');
    if (!/^[01]$/.test(label) || one === '' || two === '' || more !== undefined) {
      throw new Error(
        `Line ${at + 1} of ${path} is not a pair. Write the kind, 1 or 0, and two titles, separated by tabs.`,
      );
    }
    return { kind, isOne: label === '1', titles: [one, two] };
  });
}

/** For two listings under one barcode: how many are reported, and how many have the second one left out. */
type Groups = { readonly named: Sides; readonly left: Sides };

function measureWritten(path: string, isListed: boolean): void {
  const matching = createMatching(modelFrom(matchModelText()));
  const kinds = new Map<string, Tally & Groups>();
  const none = (): Sides => ({ right: 0, wrong: 0 });
  const newKind = (): Tally & Groups => ({ ...newTally(), named: none(), left: none() });
  const all = newKind();
  for (const { kind, isOne, titles } of writtenPairs(path)) {
    const [one, two] = titles.map((title) => storedListingOf({ title }));
    if (one === undefined || two === undefined) continue;
    const of = kinds.get(kind) ?? newKind();
    kinds.set(kind, of);
    const known: KnownListings = [one];
    const { agreeing, disagreements } = matching.agreementOf([one, two]);
    for (const tally of [of, all]) {
      const isTaken = count(tally, matching, { known, hit: two.listing, isRight: isOne });
      if (disagreements.length > 0) tally.named[isOne ? 'right' : 'wrong'] += 1;
      if (agreeing.length < 2) tally.left[isOne ? 'right' : 'wrong'] += 1;
      if (isListed && tally === all && isTaken !== isOne) {
        const likely = matching.similarity(known, two.listing).toFixed(3);
        process.stdout.write(`${likely}  ${kind}  ${titles.join('  |  ')}\n`);
      }
    }
  }
  process.stdout.write(
    `${'kind'.padEnd(20)} ${HEAD} | of two under one barcode: named right wrong, left out right wrong\n`,
  );
  for (const [kind, tally] of [...kinds, ['all', all] as const]) {
    const { named, left } = tally;
    const groups = [named.right, named.wrong, left.right, left.wrong];
    const columns = groups.map((each) => String(each).padStart(6)).join('');
    process.stdout.write(`${kind.padEnd(20)} ${columnsOf(tally)} | ${columns}\n`);
  }
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        pairs: { type: 'string' },
        list: { type: 'boolean', default: false },
      },
    });
    const { data, pairs, list } = values;
    if ((data === undefined) === (pairs === undefined)) {
      throw new Error('Use either --data or --pairs.');
    }
    if (pairs !== undefined) measureWritten(pairs, list);
    if (data !== undefined) await measureLeftOut(data);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
