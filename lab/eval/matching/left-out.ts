// Measures how well the matcher handles goods that it was not trained on: every dataset is left out of training in turn and
// then measured, with the shipped word rarities and with those of its own titles. Calibration, threshold and strong band
// are chosen without the measured dataset, from the scores of the others when they are left out.

import {
  calibrationOf,
  choosingSets,
  similarityOf,
  strongPoint,
  tallyOf,
  thresholdOf,
} from '../../training/calibration.ts';
import { RARITIES } from '../../training/left-out.ts';
import type { LeftOut, Rarities, ScoredPair } from '../../training/left-out.ts';
import type { Calibration, MatchModel } from '../../../src/rules/matching/model/model.ts';

/** Lower bounds of the bins of the calibration table; each is a tenth wide. */
const BINS = [0.5, 0.6, 0.7, 0.8, 0.9] as const;

/** Bins with fewer pairs are not meaningful. */
const FEWEST = 50;

/** Its pairs are of all kinds of goods, half of them matches: it is printed, but not included in the means. */
const OUTSIDE_MEAN = 'wdc-products';

/** Its labels call identical titles different products: it measures no precision. */
const NO_PRECISION = 'amazon-google';

type Bin = { pairs: number; matches: number; said: number };

type LeftOutRow = {
  readonly name: string;
  readonly rarities: Rarities;
  readonly pairs: number;
  readonly f1: number;
  readonly p: number;
  readonly r: number;
  readonly strong: { readonly precision: number; readonly recall: number };
  readonly bins: readonly Bin[];
};

/** Computes what ships with the trees, from the other datasets when they are left out. */
function chosenWithout({ dataset }: LeftOut, leftOut: readonly LeftOut[]) {
  const others = leftOut.filter((each) => each.dataset !== dataset);
  const sets = choosingSets(others);
  const calibration = calibrationOf(sets);
  const own = others.map(({ pairs }) => pairs.own);
  return {
    calibration,
    threshold: thresholdOf(sets, calibration),
    strong: strongPoint(own, calibration),
  };
}

/** Returns the complete model that was trained and chosen without a dataset; its titles are counted in. */
export function leftOutModel(one: LeftOut, leftOut: readonly LeftOut[]): MatchModel {
  return { ...one.trained, ...chosenWithout(one, leftOut), number: 0 };
}

/** Returns one row for each dataset and table of rarities, as fractions of one. */
export function leftOutRows(
  names: readonly string[],
  leftOut: readonly LeftOut[],
): readonly LeftOutRow[] {
  return leftOut.flatMap((one) => {
    const { dataset, pairs } = one;
    const { calibration, threshold, strong } = chosenWithout(one, leftOut);
    return RARITIES.map((rarities): LeftOutRow => {
      const set = pairs[rarities];
      const band = tallyOf(set, calibration, strong);
      return {
        name: names[dataset] ?? String(dataset),
        rarities,
        pairs: set.length,
        ...tallyOf(set, calibration, threshold),
        strong: { precision: band.p, recall: band.r },
        bins: binsOf(set, calibration),
      };
    });
  });
}

function binsOf(set: readonly ScoredPair[], calibration: Calibration): readonly Bin[] {
  const bins = BINS.map((): Bin => ({ pairs: 0, matches: 0, said: 0 }));
  for (const pair of set) {
    const { isMatch } = pair;
    const said = similarityOf(pair, calibration);
    const bin = bins[Math.min(BINS.length - 1, Math.floor(said * 10 + 1e-9) - 5)];
    if (bin === undefined) continue;
    bin.pairs += 1;
    bin.matches += isMatch ? 1 : 0;
    bin.said += said;
  }
  return bins;
}

/** Formats the tables as text. */
export function leftOutLines(
  names: readonly string[],
  leftOut: readonly LeftOut[],
): readonly string[] {
  const rows = leftOutRows(names, leftOut);
  const heads = BINS.map((bin) => bin.toFixed(1).padStart(6)).join('');
  return RARITIES.flatMap((rarities) => {
    const own = rows.filter((row) => row.rarities === rarities);
    const counted = own.filter(({ name }) => name !== OUTSIDE_MEAN);
    const mean = (of: (row: LeftOutRow) => number, among = counted): string =>
      percent(among.reduce((sum, row) => sum + of(row), 0) / among.length).trim();
    const precise = counted.filter(({ name }) => name !== NO_PRECISION);
    const least = Math.min(...precise.map(({ strong }) => strong.precision));
    const pooled = BINS.map((_, at) =>
      counted.reduce(
        (sum, { bins }) => ({
          pairs: sum.pairs + (bins[at]?.pairs ?? 0),
          matches: sum.matches + (bins[at]?.matches ?? 0),
          said: sum.said + (bins[at]?.said ?? 0),
        }),
        { pairs: 0, matches: 0, said: 0 },
      ),
    );
    return [
      `left out, ${rarities === 'own' ? 'own titles counted in' : 'shipped rarities'}; ` +
        'behind the bar: share of matches less similarity in points, from the similarity above it on',
      `${'dataset'.padEnd(20)}  pairs    F1     P     R  strong P     R |${heads}`,
      ...own.map(
        ({ name, pairs, f1, p, r, strong, bins }) =>
          `${name.padEnd(20)} ${String(pairs).padStart(6)}${percent(f1)}${percent(p)}${percent(r)}    ` +
          `${percent(strong.precision)}${percent(strong.recall)} |${bins.map(gap).join('')}`,
      ),
      `all but ${OUTSIDE_MEAN}: mean F1 ${mean(({ f1 }) => f1)}, strong recall ${mean(({ strong }) => strong.recall)}, ` +
        `least strong precision but ${NO_PRECISION} ${percent(least).trim()}, pooled |${pooled.map(gap).join('')}`,
    ];
  });
}

function percent(value: number): string {
  return (100 * value).toFixed(1).padStart(6);
}

function gap({ pairs, matches, said }: Bin): string {
  if (pairs < FEWEST) return '     .';
  return ((100 * (matches - said)) / pairs).toFixed(1).padStart(6);
}
