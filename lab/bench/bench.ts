// npm run bench -- [name ...] [--json] [--quick] [--profile DIR] [--against FILE] [--pages DIR] [--only TEXT]: measures speed,
// each figure as a ratio to a baseline of the same run. What the figures mean: docs/how/benchmarks.md.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { messageOf } from '../../src/base/fault.ts';
import { earlierFigures, slowerThan, type EarlierFigure } from './against.ts';
import { benchBatch } from './batch.ts';
import { benchCachedLookup } from './cached-lookup.ts';
import { benchCompaction } from './compaction.ts';
import { benchLargerAnswers } from './larger-answers.ts';
import { benchLedgerSize } from './ledger-size.ts';
import { benchMemory } from './memory.ts';
import { benchLatency } from './latency.ts';
import type { Figure } from './measurement.ts';
import { benchPages } from './pages.ts';
import { benchPostgresLookup } from './postgres-lookup.ts';
import { benchPostgresWorkers } from './postgres-workers.ts';
import { benchPeers } from './peers.ts';
import { jsonLine, slowerLines, tableLines } from './report.ts';
import { benchRefusals } from './refusals.ts';
import { benchStart } from './start.ts';
import { benchTexts } from './texts.ts';
import { benchWatching } from './watching.ts';

type Options = {
  readonly quick: boolean;
  readonly profileDir: string | null;
  readonly pages: string | null;
  /** For refusals: only the rows whose name contains this text. */
  readonly only: string;
};

type Benchmark = (options: Options) => readonly Figure[] | Promise<readonly Figure[]>;

/** In table order; `--quick` only shows that the benchmarks run, its figures are rough. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  'cached-lookup': ({ quick, profileDir }) =>
    benchCachedLookup({ pairs: quick ? 2 : 7, msPerRound: quick ? 500 : 3_000, profileDir }),
  'larger-answers': ({ quick, profileDir }) =>
    benchLargerAnswers({ pairs: quick ? 2 : 7, msPerRound: quick ? 500 : 2_000, profileDir }),
  latency: ({ quick }) =>
    benchLatency({ pairs: quick ? 2 : 7, msPerRound: quick ? 500 : 5_000, profileDir: null }),
  'postgres-lookup': ({ quick, profileDir }) =>
    benchPostgresLookup({ pairs: quick ? 2 : 7, msPerRound: quick ? 500 : 3_000, profileDir }),
  'postgres-workers': ({ quick }) =>
    benchPostgresWorkers({
      pairs: quick ? 2 : 7,
      msPerRound: quick ? 500 : 3_000,
      profileDir: null,
    }),
  refusals: ({ quick, profileDir, only }) =>
    benchRefusals({ pairs: quick ? 1 : 5, msPerRound: quick ? 200 : 500, profileDir, only }),
  batch: ({ quick, profileDir }) =>
    benchBatch({ pairs: quick ? 2 : 9, msPerRound: quick ? 500 : 1_000, profileDir }),
  watching: ({ quick, profileDir }) =>
    benchWatching({
      pairs: quick ? 2 : 15,
      msPerRound: quick ? 200 : 1_000,
      profileDir,
      idleSeconds: quick ? 3 : 30,
    }),
  compaction: ({ quick }) =>
    benchCompaction({ rounds: quick ? 1 : 7, rows: quick ? 4_000 : 20_000 }),
  pages: ({ quick }) => benchPages({ pairs: quick ? 3 : 15, msPerRound: quick ? 100 : 400 }),
  peers: ({ quick, pages }) =>
    benchPeers({ pairs: quick ? 1 : 5, warmUpMs: quick ? 0 : 10_000, pages }),
  memory: ({ quick }) => benchMemory({ answers: quick ? 2_000 : 100_000 }),
  'ledger-size': ({ quick }) => benchLedgerSize({ calls: quick ? 20_000 : 1_000_000 }),
  start: ({ quick }) => benchStart({ pairs: quick ? 2 : 11 }),
  texts: ({ quick }) => benchTexts({ pairs: quick ? 3 : 11, msPerRound: quick ? 50 : 200 }),
};

const NAMES = Object.keys(BENCHMARKS);
/** They need packages used nowhere else, or minutes for a size that hardly changes: run only when named. */
const NAMED_ONLY = new Set(['peers', 'memory', 'ledger-size', 'refusals', 'batch', 'watching']);
const USAGE = `usage: npm run bench -- [${NAMES.join('|')} ...] [--json] [--quick] [--profile DIR] [--against FILE] [--pages DIR] [--only TEXT]`;

type Asked = Options & {
  readonly names: readonly string[];
  readonly json: boolean;
  /** Figures of an earlier run; null: nothing is compared. */
  readonly earlier: readonly EarlierFigure[] | null;
};

function askedFor(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
      against: { type: 'string' },
      pages: { type: 'string' },
      only: { type: 'string', default: '' },
    },
  });
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`there is no benchmark "${unknown}"`);
  return {
    names:
      positionals.length === 0
        ? NAMES.filter((name) => !NAMED_ONLY.has(name))
        : NAMES.filter((name) => positionals.includes(name)),
    json: values.json,
    quick: values.quick,
    profileDir: values.profile ?? null,
    pages: values.pages ?? null,
    only: values.only,
    earlier: values.against === undefined ? null : earlierOf(values.against),
  };
}

function earlierOf(path: string): readonly EarlierFigure[] {
  try {
    return earlierFigures(readFileSync(path, 'utf8'));
  } catch (error) {
    const why = messageOf(error);
    throw new Error(`${path} is not what "npm run bench -- --json" wrote: ${why}`, {
      cause: error,
    });
  }
}

async function main(argv: readonly string[]): Promise<number> {
  let asked: Asked;
  try {
    asked = askedFor(argv);
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return 2;
  }
  const figures: Figure[] = [];
  for (const name of asked.names) {
    process.stderr.write(`${name} ...\n`);
    figures.push(...((await BENCHMARKS[name]?.(asked)) ?? []));
  }
  const slower = asked.earlier === null ? null : slowerThan(asked.earlier, figures);
  const lines = asked.json
    ? [jsonLine(figures, slower)]
    : [...tableLines(figures), ...(slower === null ? [] : ['', ...slowerLines(slower)])];
  process.stdout.write(`${lines.join('\n')}\n`);
  // A missed goal is a figure, not a failure: machines are noisy.
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
