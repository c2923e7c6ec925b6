// What `npm test` runs. `npm test -- tests/domain` runs a part, `--all` adds the slow packaging tests (CI
// always has them), `--rows` lists what each row of the contract is proved by, and every other option goes to
// `node --test`. Where every file that the contract's rows name has run, the run fails with a row unproved.

import { spawn } from 'node:child_process';
import { globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { contractReport, filesOfContract } from './contract/report.ts';

const ROOT = dirname(import.meta.dirname);
const SLOW = 'tests/packaging/';
/** Nothing here takes a minute: a test that does is stuck, and its file is ended. */
const TEST_TIMEOUT_MS = 180_000;

const given = process.argv.slice(2);
const OWN_OPTIONS = ['--all', '--rows'];
const options = given.filter((text) => text.startsWith('-') && !OWN_OPTIONS.includes(text));
const parts = given.filter((text) => !text.startsWith('-'));
const isAll = given.includes('--all') || (process.env['CI'] ?? '') !== '';

const found = globSync('tests/**/*.test.ts', { cwd: ROOT }).sort();
const asked = found.filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
);
const files = asked.filter((file) => isAll || parts.length > 0 || !file.startsWith(SLOW));
// `node --test` on a pattern that matches nothing ends well: counted here instead.
if (files.length === 0) {
  console.error(
    `no test file ${parts.length === 0 ? 'below tests/' : `matches ${parts.join(' ')}`}`,
  );
  process.exit(1);
}

const scratch = mkdtempSync(join(tmpdir(), 'openshelf-test-'));
const tapFile = join(scratch, 'results.tap');
const endedFile = join(scratch, 'ended.jsonl');
const status = await runTests();
const isContractKept = reportContract();
process.exitCode = isContractKept ? status : status || 1;
const left = asked.length - files.length;
console.log(closingLines());
console.log(`# files ${files.length}`);
if (left > 0) console.log(`# left out: ${left} in ${SLOW} (slow; with --all or CI=1 they run)`);
rmSync(scratch, { recursive: true, force: true });

async function runTests(): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${Math.min(4, availableParallelism())}`,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      '--test-reporter=tap',
      `--test-reporter-destination=${tapFile}`,
      `--test-reporter=${pathToFileURL(join(ROOT, 'tests/contract/reporter.ts')).href}`,
      `--test-reporter-destination=${endedFile}`,
      ...options,
      ...files,
    ],
    { cwd: ROOT, stdio: 'inherit', env: { ...process.env, CONTRACT_SCRATCH: scratch } },
  );
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/** `# tests 12`, `# pass 12`, ...: the same last lines for a terminal, a pipe and a log. */
function closingLines(): string {
  const lines = readFileSync(tapFile, 'utf8').trimEnd().split('\n').slice(-8);
  return lines.filter((line) => /^# [a-z_]+ [\d.]+$/.test(line)).join('\n');
}

/** Whether every row of the contract is proved; a part of its files proves nothing, so it is not asked then. */
function reportContract(): boolean {
  const needed = filesOfContract();
  if (options.length > 0 || !needed.every((file) => files.includes(file))) return true;
  const { rows, summary, problems } = contractReport(endedFile, scratch);
  if (given.includes('--rows')) console.log(`\n${rows.join('\n')}`);
  console.log(`\n${summary.join('\n')}`);
  for (const problem of problems) console.log(`contract: ${problem}`);
  return problems.length === 0;
}
