// npm run train:matching -- --on train|train+valid --data PATH [--out FILE]: makes the model that the matcher
// ships. No clock and no chance but the seed that is printed: the same data give the same file, bit for bit.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { datasetNames, has, readPairs } from '../eval/matching-data.ts';
import type { Split } from '../eval/matching-data.ts';
import { modelText } from '../src/matching/model.ts';
import { similarityOf, tallyOf } from './matching/calibration.ts';
import { OPTIONS, train } from './matching/training.ts';
import type { Trained } from './matching/training.ts';
import type { TrainingPair } from './matching/training-rows.ts';

const USAGE =
  'usage: npm run train:matching -- --on train|train+valid --data PATH [--out FILE]\n' +
  '  PATH holds a folder for each dataset; FILE is the shipped model unless it is given';

const SHIPPED = join(import.meta.dirname, '..', 'src', 'matching', 'model.txt');

type Arguments = { readonly on: readonly Split[]; readonly data: string; readonly out: string };

function argumentsOf(argv: readonly string[]): Arguments | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: {
        on: { type: 'string' },
        data: { type: 'string' },
        out: { type: 'string', default: SHIPPED },
      },
    });
    if (values.data === undefined || values.data === '') throw new Error('--data is missing');
    if (values.on !== 'train' && values.on !== 'train+valid') {
      throw new Error('--on is train or train+valid');
    }
    const on: readonly Split[] = values.on === 'train' ? ['train'] : ['train', 'valid'];
    return { on, data: values.data, out: values.out };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

function pairsOf({ data, on }: Arguments, names: readonly string[]): readonly TrainingPair[] {
  return names.flatMap((name, dataset) =>
    on
      .filter((split) => has(data, name, split))
      .flatMap((split) =>
        readPairs(data, name, split).map((pair) => ({ ...pair, dataset, isExtra: false })),
      ),
  );
}

function report(names: readonly string[], { model, heldOut }: Trained): void {
  const scored = heldOut.map((pair) => ({
    ...pair,
    similarity: similarityOf(pair.score, model.calibration),
  }));
  tell(
    `calibration ${JSON.stringify(model.calibration)}, threshold ${model.threshold}, strong ${model.strong}`,
  );
  const sums = names.map((name, dataset) => {
    const group = scored.filter((pair) => pair.dataset === dataset);
    const [all, strong] = [tallyOf(group, model.threshold), tallyOf(group, model.strong)];
    tell(
      `${name.padEnd(20)} held out: F1 ${all.f1.toFixed(4)} P ${all.p.toFixed(3)} R ${all.r.toFixed(3)}` +
        `, strong P ${strong.p.toFixed(3)} R ${strong.r.toFixed(3)}`,
    );
    return all.f1;
  });
  const mean = sums.reduce((sum, f1) => sum + f1, 0) / sums.length;
  tell(`mean F1 ${mean.toFixed(4)}`);
}

function main(argv: readonly string[]): number {
  const given = argumentsOf(argv);
  if (given === null) return 2;
  try {
    const names = datasetNames(given.data);
    tell(`seed ${OPTIONS.boosting.seed}, trained on ${given.on.join('+')} of ${names.join(', ')}`);
    const trained = train(pairsOf(given, names), OPTIONS, tell);
    report(names, trained);
    const made = `${given.on.join('+')}, seed ${OPTIONS.boosting.seed}`;
    const text = modelText(trained.model, made);
    writeFileSync(given.out, text);
    tell(`${given.out}: ${text.length} bytes`);
    return 0;
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
