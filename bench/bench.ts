// npm run bench -- [name ...] [--json] [--quick] [--profile DIR]: how fast things are, each as a ratio against a
// baseline of the same run. What the figures mean: docs/benchmarks.md.

import { parseArgs } from 'node:util';

import { benchCachedLookup } from './cached-lookup.ts';
import type { Figure } from './measurement.ts';
import { benchPages } from './pages.ts';
import { jsonLine, tableLines } from './report.ts';
import { benchStart } from './start.ts';
import { benchTexts } from './texts.ts';

type Options = { readonly quick: boolean; readonly profileDir: string | null };

type Benchmark = (options: Options) => readonly Figure[] | Promise<readonly Figure[]>;

/** In the order of the table; `--quick` shows that they run, its figures are rough. */
const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  'cached-lookup': ({ quick, profileDir }) =>
    benchCachedLookup({ pairs: quick ? 2 : 7, msPerRound: quick ? 500 : 3_000, profileDir }),
  pages: ({ quick }) => benchPages({ pairs: quick ? 3 : 15, msPerRound: quick ? 100 : 400 }),
  start: ({ quick }) => benchStart({ pairs: quick ? 2 : 11 }),
  texts: ({ quick }) => benchTexts({ pairs: quick ? 3 : 11, msPerRound: quick ? 50 : 200 }),
};

const NAMES = Object.keys(BENCHMARKS);
const USAGE = `usage: npm run bench -- [${NAMES.join('|')} ...] [--json] [--quick] [--profile DIR]`;

type Asked = Options & { readonly names: readonly string[]; readonly json: boolean };

function askedFor(argv: readonly string[]): Asked {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      profile: { type: 'string' },
    },
  });
  const unknown = positionals.find((name) => !NAMES.includes(name));
  if (unknown !== undefined) throw new Error(`there is no benchmark "${unknown}"`);
  return {
    names: positionals.length === 0 ? NAMES : NAMES.filter((name) => positionals.includes(name)),
    json: values.json,
    quick: values.quick,
    profileDir: values.profile ?? null,
  };
}

async function main(argv: readonly string[]): Promise<number> {
  let asked: Asked;
  try {
    asked = askedFor(argv);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`);
    return 2;
  }
  const figures: Figure[] = [];
  for (const name of asked.names) {
    process.stderr.write(`${name} ...\n`);
    figures.push(...((await BENCHMARKS[name]?.(asked)) ?? []));
  }
  const text = asked.json ? jsonLine(figures) : tableLines(figures).join('\n');
  process.stdout.write(`${text}\n`);
  // A goal that is missed is a figure, not a failure: machines are noisy.
  return 0;
}

process.exitCode = await main(process.argv.slice(2));
