// `npm run mutate:contract [-- part of a name]`: breaks a copy of the source in one small way at a time, and fails for each
// fault that no assertion of the suite detects. A fault whose text does not occur exactly once fails the run, so that
// faults stay up to date; so does a test that fails without a fault.

import { spawn } from 'node:child_process';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

import { FAULTS, rottenFaults } from './faults.ts';
import type { Fault } from './faults/fault.ts';
import { endedIn, type Ended } from './reporter.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const COPIED = ['src', 'assets', 'console', 'sandbox', 'tests', 'lab', 'bin', 'package.json'];
const JOBS = 2;
/** A fault may make the service hang forever. */
const TEST_TIMEOUT_MS = 60_000;

/** Makes a test file write its output before it exits: otherwise the forced exit truncates it. */
const WHOLE = {
  NODE_OPTIONS: '--import=data:text/javascript,process.stdout._handle?.setBlocking?.(true)',
};

type FaultVerdict = { readonly fault: string; readonly noticedBy: string | null };

const part = process.argv[2] ?? '';
const chosen = FAULTS.filter(({ name }) => name.includes(part));
using folder = temporaryFolder();
const scratch = folder.path;
process.exitCode = (await main()) ? 0 : 1;

async function main(): Promise<boolean> {
  if (chosen.length === 0) console.log(`no fault is called ${part}`);
  const rotten = rottenFaults(join(ROOT, 'src'));
  for (const problem of rotten) console.log(problem);
  if (rotten.length > 0 || chosen.length === 0) return false;
  const copies = Array.from({ length: JOBS }, (_, number) => copyTree(`copy-${number}`));
  const startedAt = performance.now();
  const sound = await everyFilePasses(copies);
  if (!sound) return false;
  const queue = [...chosen];
  const verdicts: FaultVerdict[] = [];
  await Promise.all(
    copies.map(async (copy) => {
      for (let fault = queue.shift(); fault !== undefined; fault = queue.shift()) {
        const verdict = await verdictOn(copy, fault);
        verdicts.push(verdict);
        console.log(
          verdict.noticedBy === null
            ? `SURVIVED  ${fault.name} (${fault.file})`
            : `noticed   ${fault.name}: ${verdict.noticedBy}`,
        );
      }
    }),
  );
  const survivors = verdicts.filter(({ noticedBy }) => noticedBy === null);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  console.log(`\nfaults ${verdicts.length}, survived ${survivors.length}, in ${seconds} s`);
  for (const { fault } of survivors) console.log(`  ${fault}`);
  return survivors.length === 0;
}

function copyTree(name: string): string {
  const copy = join(scratch, name);
  const filter = (path: string) => basename(path) !== 'node_modules';
  for (const path of COPIED)
    cpSync(join(ROOT, path), join(copy, path), { recursive: true, filter });
  // The readers' pages are not needed for these runs; packages are the project's.
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

/** Without a fault every named test file must pass, otherwise a failure would mean nothing. */
async function everyFilePasses(copies: readonly string[]): Promise<boolean> {
  const files = [...new Set(chosen.flatMap(({ tests }) => tests))];
  const [copy] = copies;
  if (copy === undefined) return false;
  const ended = await run(copy, files, JOBS);
  const failed = ended.filter(({ ok, todo }) => !ok && !todo);
  for (const { file, title, why } of failed)
    console.log(`fails without a fault: ${file}: ${title}: ${why}`);
  console.log(`${ended.length} tests pass without a fault, ${chosen.length} faults follow`);
  return failed.length === 0 && ended.length > 0;
}

async function verdictOn(copy: string, fault: Fault): Promise<FaultVerdict> {
  const path = join(copy, 'src', fault.file);
  const sound = readFileSync(path, 'utf8');
  writeFileSync(
    path,
    sound.replace(fault.find, () => fault.replace),
  );
  try {
    const ended = await run(copy, fault.tests, 1);
    const noticed = ended.find(({ ok, todo, asserted }) => !ok && !todo && asserted);
    return { fault: fault.name, noticedBy: noticed?.title ?? null };
  } finally {
    writeFileSync(path, sound);
  }
}

/** Runs test files of a copy; types are stripped, not checked. */
async function run(
  copy: string,
  tests: readonly string[],
  jobs: number,
): Promise<readonly Ended[]> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      // A failing test may leave a server open, which would keep its file running.
      '--test-force-exit',
      `--test-concurrency=${jobs}`,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      `--test-reporter=${join(copy, 'tests/contract/reporter.ts')}`,
      ...tests.map((file) => join('tests/contract', file)),
    ],
    { cwd: copy, stdio: ['ignore', 'pipe', 'ignore'], env: { ...process.env, ...WHOLE } },
  );
  let text = '';
  child.stdout.on('data', (piece: Buffer) => (text += piece.toString()));
  await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return endedIn(text);
}
