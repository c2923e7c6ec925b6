// npm run lab -- fees [--data PATH] [--json]: every test vector of the reference file of rate cards, computed by the
// functions that the service uses. One line per miss; exit code 1 if there is one.

import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { judge, missLine, vectorsOf, type Vector } from './fee-vectors.ts';

const USAGE = 'usage: npm run lab -- fees [--data PATH] [--json]';

/** Next to the project, where the reference facts are stored. */
const USUAL_PLACE = resolve(import.meta.dirname, '../../../shared/reference/fees.json');

type Arguments = { readonly data: string; readonly json: boolean };

function argumentsOf(argv: readonly string[]): Arguments | null {
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { data: { type: 'string' }, json: { type: 'boolean', default: false } },
    });
    const data = values.data ?? (existsSync(USUAL_PLACE) ? USUAL_PLACE : '');
    if (data === '') throw new Error('--data is missing, and no file is in the usual place');
    return { data, json: values.json };
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return null;
  }
}

function measure(vectors: readonly Vector[], json: boolean): number {
  const outcomes = vectors.map(judge);
  const missed = outcomes.filter(({ misses }) => misses.length > 0);
  const right = outcomes.length - missed.length;
  const lines = [...missed.map(missLine), `${right} of ${outcomes.length} vectors to the cent`];
  (json ? process.stderr : process.stdout).write(`${lines.join('\n')}\n`);
  if (json) {
    const sums = { vectors: outcomes.length, right, missed: missed.length };
    process.stdout.write(`${JSON.stringify(sums)}\n`);
  }
  return missed.length === 0 ? 0 : 1;
}

function main(argv: readonly string[]): number {
  const given = argumentsOf(argv);
  if (given === null) return 2;
  try {
    return measure(vectorsOf(readFileSync(given.data, 'utf8')), given.json);
  } catch (error) {
    process.stderr.write(`the vectors cannot be read: ${messageOf(error)}\n`);
    return 1;
  }
}

process.exitCode = main(process.argv.slice(2));
