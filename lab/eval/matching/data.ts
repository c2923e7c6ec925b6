// Folders of labelled pairs, as `npm run lab -- train-matching` and `matching` read them: one folder per dataset,
// containing `train`, `valid` or `test` as JSON lines of two records, or as CSV of two ids into `offers.jsonl`.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

import type { MatchInput } from '../../../src/rules/matching/prepared/prepared.ts';

export type LabelledPair = {
  readonly id: string;
  readonly left: MatchInput;
  readonly right: MatchInput;
  readonly isMatch: boolean;
  /** Product numbers if the dataset has them; pairs of one product belong together. */
  readonly cluster: string | null;
};

export type Split = 'train' | 'valid' | 'test';

/** Returns the names of the sub-folders that contain pairs, sorted. Throws if there is none. */
export function datasetNames(folder: string): readonly string[] {
  const names = readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .filter((name) =>
      (['train', 'valid', 'test'] as const).some((split) => has(folder, name, split)),
    )
    .toSorted();
  if (names.length === 0) throw new Error(`${folder} contains no folder with pairs`);
  return names;
}

/** Returns whether a dataset has this split. */
export function has(folder: string, name: string, split: Split): boolean {
  return ['jsonl', 'csv'].some((ending) => existsSync(join(folder, name, `${split}.${ending}`)));
}

/** Returns the pairs of one split, in file order. */
export function readPairs(folder: string, name: string, split: Split): readonly LabelledPair[] {
  const path = join(folder, name, split);
  if (existsSync(`${path}.jsonl`)) {
    return linesOf(`${path}.jsonl`).map((line) => {
      const row = JSON.parse(line) as {
        id: string;
        left: RecordOfShop;
        right: RecordOfShop;
        label: number;
      };
      return {
        id: row.id,
        left: inputOf(row.left),
        right: inputOf(row.right),
        isMatch: row.label === 1,
        cluster: null,
      };
    });
  }
  const offers = new Map(
    linesOf(join(folder, name, 'offers.jsonl')).map((line) => {
      const offer = JSON.parse(line) as RecordOfShop;
      return [offer.id ?? '', { input: inputOf(offer), cluster: offer.cluster ?? null }];
    }),
  );
  return linesOf(`${path}.csv`)
    .slice(1)
    .map((line) => {
      const [left = '', right = '', label = ''] = line.split(',');
      const [one, two] = [offers.get(left), offers.get(right)];
      if (one === undefined || two === undefined) {
        throw new Error(`${path}.csv: ${line} names an offer that offers.jsonl does not contain`);
      }
      return {
        id: `${name}-${left}-${right}`,
        left: one.input,
        right: two.input,
        isMatch: label === '1',
        cluster: [one.cluster ?? '', two.cluster ?? ''].toSorted()[0] ?? null,
      };
    });
}

export type OutlierGroup = {
  readonly listings: readonly MatchInput[];
  /** Index of the listing of another product; null if all are of one. */
  readonly intruder: number | null;
};

/** Returns groups of listings of which one may be of another product; null if the file does not exist. */
export function readOutlierGroups(folder: string): readonly OutlierGroup[] | null {
  const path = join(folder, 'odd-one-out.jsonl');
  if (!existsSync(path)) return null;
  return linesOf(path).map((line) => {
    const row = JSON.parse(line) as { offers: RecordOfShop[]; intruder: number | null };
    return { listings: row.offers.map(inputOf), intruder: row.intruder };
  });
}

type RecordOfShop = {
  readonly id?: string;
  readonly title?: string;
  readonly name?: string;
  readonly brand?: string;
  readonly manufacturer?: string;
  readonly modelno?: string;
  readonly description?: string;
  readonly category?: string;
  readonly price?: string;
  readonly pricecurrency?: string;
  readonly cluster?: string;
};

function inputOf(record: RecordOfShop): MatchInput {
  const cents = Math.round(Number((record.price ?? '').replaceAll(/[^\d.eE]/g, '')) * 100);
  return {
    title: record.title ?? record.name ?? null,
    brand: record.brand ?? record.manufacturer ?? null,
    model: record.modelno ?? null,
    description: record.description ?? null,
    category: record.category ?? null,
    price: cents > 0 ? { cents, currency: record.pricecurrency ?? null } : null,
  };
}

function linesOf(path: string): readonly string[] {
  return readFileSync(path, 'utf8').trimEnd().split('\n');
}
