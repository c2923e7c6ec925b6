// npm run lab -- train-matching --on train|train+valid --data PATH [--out FILE]: trains the model that the matcher ships.
// Uses no clock and no randomness except the printed seed: the same data give the same file, bit for bit.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { leftOutLines } from '../eval/matching/left-out.ts';
import { datasetNames } from '../eval/matching/data.ts';
import type { Split } from '../eval/matching/data.ts';
import { modelText } from '../../src/rules/matching/model/model.ts';
import { OPTIONS } from './forest-training.ts';
import { train } from './training.ts';
import { labelledPairs } from './training-rows.ts';

const USAGE =
  'usage: npm run lab -- train-matching --on train|train+valid --data PATH [--out FILE]\n' +
  '  PATH contains a folder for each dataset; FILE defaults to the shipped model';

const SHIPPED = join(import.meta.dirname, '../../src/rules/matching/model/model.txt');

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

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(argv: readonly string[]): Promise<number> {
  const given = argumentsOf(argv);
  if (given === null) return 2;
  try {
    const names = datasetNames(given.data);
    tell(`seed ${OPTIONS.boosting.seed}, trained on ${given.on.join('+')} of ${names.join(', ')}`);
    const trained = await train(labelledPairs(given.data, names, given.on), OPTIONS, tell);
    const { calibration, threshold, strong } = trained.model;
    tell(`calibration ${JSON.stringify(calibration)}, threshold ${threshold}, strong ${strong}`);
    for (const line of leftOutLines(names, trained.leftOut)) tell(line);
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

process.exitCode = await main(process.argv.slice(2));
