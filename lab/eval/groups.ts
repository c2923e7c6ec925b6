// npm run lab -- groups --data PATH [--fit] [--json]: groups of listings of kinds of goods that the model was not trained on.
// Each dataset is left out of training in turn; its groups of two and three listings of one product, and of the same with a
// wrong listing, are compared by that model. Counts wrong listings and correct ones that are left out. `--fit` prints the
// weights of the evidence in `src/rules/matching/group/outlier.ts`, fitted on the first half of the groups.

import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { groupWeights, type EvidenceRow } from '../training/group-weights.ts';
import { leaveOut } from '../training/left-out.ts';
import { OPTIONS } from '../training/forest-training.ts';
import { labelledPairs } from '../training/training-rows.ts';
import { consensusOf } from '../../src/rules/matching/group/consensus.ts';
import { groupConflicts } from '../../src/rules/matching/group/group-conflicts.ts';
import type { MatchModel } from '../../src/rules/matching/model/model.ts';
import { groupListingOf, labelledGroups, type LabelledGroup } from './matching/labelled-groups.ts';
import { leftOutModel } from './matching/left-out.ts';
import { datasetNames, readOutlierGroups } from './matching/data.ts';

const USAGE = 'usage: npm run lab -- groups --data PATH [--fit] [--json]';

/** Labels of the first call identical titles different products; the second is only scored. */
const NOT_FITTED = ['amazon-google', 'wdc-products'];

/** The dataset from whose clusters the given groups are made. */
const CLUSTERS = 'wdc-products';

type Tally = {
  readonly dataset: string;
  readonly kind: string;
  readonly half: 'fitted' | 'scored';
  groups: number;
  intruders: number;
  found: number;
  sound: number;
  left: number;
  named: number;
};

function tallyOf(
  model: MatchModel,
  groups: readonly LabelledGroup[],
  of: Pick<Tally, 'dataset' | 'kind' | 'half'>,
): Tally {
  const tally = { ...of, groups: 0, intruders: 0, found: 0, sound: 0, left: 0, named: 0 };
  for (const { listings, intruder } of groups) {
    const { disagreements } = consensusOf(
      model,
      listings.map((input, retailer) => ({
        retailer,
        ...groupListingOf(input, model.vocabulary),
      })),
    );
    const leftOut = new Set(disagreements.filter(({ isDoubt }) => !isDoubt).map(({ at }) => at));
    tally.groups += 1;
    tally.sound += listings.length - (intruder === null ? 0 : 1);
    if (disagreements.length > 0) tally.named += 1;
    if (intruder !== null) tally.intruders += 1;
    if (intruder !== null && leftOut.delete(intruder)) tally.found += 1;
    tally.left += leftOut.size;
  }
  return tally;
}

/** Returns every listing of the groups of three and more, each dataset with the same total weight. */
function evidenceRows(model: MatchModel, groups: readonly LabelledGroup[]): readonly EvidenceRow[] {
  const rows = groups
    .filter(({ listings }) => listings.length > 2)
    .flatMap(({ listings, intruder }) => {
      const compared = listings.map((input) => groupListingOf(input, model.vocabulary));
      const { evidence } = groupConflicts(model, compared);
      return evidence.map((found, at) => ({ evidence: found, isWrong: at === intruder }));
    });
  return rows.map((row) => ({ ...row, weight: ROWS_OF_DATASET / rows.length }));
}

const ROWS_OF_DATASET = 1000;

function percent(part: number, whole: number): string {
  return whole === 0 ? '     .' : ((100 * part) / whole).toFixed(1).padStart(6);
}

function linesOf(tallies: readonly Tally[]): readonly string[] {
  const head = `${'dataset'.padEnd(20)} ${'groups of'.padEnd(9)} half    number found  left named`;
  const line = ({ dataset, kind, half, groups, intruders, found, sound, left, named }: Tally) =>
    `${dataset.padEnd(20)} ${kind.padEnd(9)} ${half} ${String(groups).padStart(7)}` +
    `${percent(found, intruders)}${percent(left, sound)}${percent(named, groups)}`;
  return [
    'found: of the wrong listings; left: sound listings that are left out; named: groups with a disagreement or doubt; in percent',
    head,
    ...tallies.map(line),
  ];
}

async function measure(data: string, options: { fit: boolean; json: boolean }): Promise<void> {
  const names = datasetNames(data);
  const labelled = labelledPairs(data, names, ['train', 'valid']);
  const leftOut = await leaveOut(labelled, OPTIONS, (line) => process.stderr.write(`${line}\n`));
  const tallies: Tally[] = [];
  const rows: EvidenceRow[] = [];
  for (const one of leftOut) {
    const dataset = names[one.dataset] ?? String(one.dataset);
    const model = leftOutModel(one, leftOut);
    const kinds = labelledGroups(labelled.filter((pair) => pair.dataset === one.dataset));
    for (const [kind, groups] of Object.entries(kinds)) {
      for (const [at, half] of (['fitted', 'scored'] as const).entries()) {
        const chosen = groups.filter((group) => group.half === at);
        tallies.push(tallyOf(model, chosen, { dataset, kind, half }));
      }
    }
    const given = dataset === CLUSTERS ? readOutlierGroups(data) : null;
    if (given !== null) {
      const groups = given.map((group) => ({ ...group, half: 1 as const }));
      tallies.push(tallyOf(model, groups, { dataset, kind: 'given', half: 'scored' }));
    }
    if (options.fit && !NOT_FITTED.includes(dataset)) {
      const fitted = [...kinds.three, ...kinds.mixed].filter(({ half }) => half === 0);
      rows.push(...evidenceRows(model, fitted));
    }
  }
  process.stdout.write(`${linesOf(tallies).join('\n')}\n`);
  if (options.fit) process.stdout.write(`weights ${groupWeights(rows).join(', ')}\n`);
  if (options.json) process.stdout.write(`${JSON.stringify(tallies)}\n`);
}

async function main(argv: readonly string[]): Promise<number> {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        data: { type: 'string' },
        fit: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.data === undefined || values.data === '') throw new Error('--data is missing');
    await measure(values.data, values);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return 2;
  }
}

process.exitCode = await main(process.argv.slice(2));
