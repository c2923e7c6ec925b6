// What `npm test` runs: every test, and those of contract and store in parallel on PostgreSQL. `npm test -- tests/rules/fees`
// runs a part, `--quick` rules, readers, documents and the published contract (within a minute on two cores), `--all` adds the
// slow packaging tests (CI always has them), `--rows` lists the tests that prove each row of the contract, `--times` the most
// expensive files, and every other option is passed to `node --test`. OPENSHELF_TEST_DATABASE=sqlite or postgres: on one
// database only. If the whole contract has run, an unproved row fails the run.

import { spawn } from 'node:child_process';
import { chmodSync, existsSync, globSync, mkdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

import { contractReport, filesOfContract } from './contract/report.ts';
import { countsIn, endedIn } from './contract/reporter.ts';
import { failureLines } from './failures.ts';
import { dearestFiles, entriesOf, groupsOf, TIMES_VARIABLE } from './groups.ts';
import { memoryFolder } from './memory-folder.ts';
import { DATABASE_VARIABLE, SERVER_VARIABLE, startTestServer } from './support/databases.ts';
import { temporaryFolder } from './support/temporary-folder.ts';

const ROOT = dirname(import.meta.dirname);
const SLOW = 'tests/packaging/';
/** No test takes a minute on an otherwise idle machine: one that takes ten on a busy machine is stuck, and fails. */
const TEST_TIMEOUT_MS = 600_000;
/** Run on both databases, like the contract: what the store and the metering promise. */
const ON_BOTH =
  /^tests\/(?:data\/(?:host-pauses|listings|jobs|marketplace|misses|offers|reading-counts|revisions|metering\/(?:authentication|batched-charges|crash|forced-refreshes|idempotency|metering|races|throttle))|rules\/matching\/matcher)\.test\.ts$/;
/**
 * Pure modules, readers and the checks of code and documents, without thousands of damaged or random inputs; and what detects
 * a broken contract: the document with an answer of each kind, and the client's types.
 */
const QUICK =
  /^tests\/(?:architecture|docs|recipes|repository|clients\/types|server\/document|(?:answer\/(?:metrics|wire)|base|console|edge\/settings|read|rules)\/(?!.*(?:damage|properties)\.test).*)\.test\.ts$/;
const DATABASES = ['sqlite', 'postgres'] as const;
/**
 * Many tests wait for a process, a database or a clock: with one process more than processors, and the parallel run on
 * PostgreSQL with as many as processors, these stay busy meanwhile.
 */
const CORES = availableParallelism();

const given = process.argv.slice(2);
const OWN_OPTIONS = ['--all', '--quick', '--rows', '--times'];
const isQuick = given.includes('--quick');
const isTimed = given.includes('--times');
const options = given.filter((text) => text.startsWith('-') && !OWN_OPTIONS.includes(text));
const parts = given.filter((text) => !text.startsWith('-'));
const isAll = given.includes('--all') || (process.env['CI'] ?? '') !== '';

const found = globSync('tests/**/*.test.ts', { cwd: ROOT }).sort();
const asked = found.filter(
  (file) => parts.length === 0 || parts.some((part) => file.includes(part)),
);
const files = asked.filter((file) =>
  isQuick ? QUICK.test(file) : isAll || parts.length > 0 || !file.startsWith(SLOW),
);
// `node --test` succeeds on a pattern that matches nothing: files are counted here instead.
if (files.length === 0) {
  console.error(
    `no test file ${parts.length === 0 ? 'below tests/' : `matches ${parts.join(' ')}`}`,
  );
  process.exit(1);
}

type Database = 'sqlite' | 'postgres';

const memory = (process.env['TMPDIR'] ?? '') === '' ? memoryFolder() : null;
using folder = temporaryFolder(memory ?? tmpdir());
const scratch = folder.path;
// It contains the tests' own folders, and is removed with them. PostgreSQL runs as another user, who must reach its own.
chmodSync(scratch, 0o711);
process.env['TMPDIR'] = scratch;
const onlyOn = process.env[DATABASE_VARIABLE] ?? '';
const contract = new Set(filesOfContract());
const again = isQuick ? [] : files.filter((file) => contract.has(file) || ON_BOTH.test(file));
const isWholeContract = [...contract].every((file) => files.includes(file));
const server =
  onlyOn === 'postgres' || (onlyOn === '' && again.length > 0) || files.some(asksForPostgres)
    ? await startTestServer()
    : null;
let status: number;
try {
  const first = onlyOn === 'postgres' ? 'postgres' : 'sqlite';
  const beside = onlyOn === '' && again.length > 0 ? runBeside('postgres', again) : null;
  status = await runTests(first, files, { atOnce: Math.min(4, CORES + 2), stdout: 'inherit' });
  if (beside !== null) {
    const { status: other, said } = await beside;
    console.log(`\nonce more, on PostgreSQL: ${again.length} files\n${said}`);
    status ||= other;
  }
} finally {
  await server?.[Symbol.asyncDispose]();
}
const kept = DATABASES.filter((name) => existsSync(fileOf(name))).map(reportContract);
process.exitCode = kept.every(Boolean) ? status : status || 1;
const left = isQuick ? 0 : asked.length - files.length;
for (const name of DATABASES.filter((each) => existsSync(fileOf(each)))) {
  const lines = failureLines(ROOT, name, endedIn(readFileSync(fileOf(name), 'utf8')));
  if (lines.length > 0) console.log(`\n${lines.join('\n')}\n`);
}
console.log(closingLines());
console.log(`# files ${files.length}`);
if (left > 0) console.log(`# left out: ${left} in ${SLOW} (slow; with --all or CI=1 they run)`);
if (isTimed) {
  const paths = DATABASES.map((name) => [name, timesOf(name)]);
  console.log(dearestFiles(Object.fromEntries(paths)).join('\n'));
}

/** Returns whether a test file has its own databases; a test service uses none in the first run. */
function asksForPostgres(file: string): boolean {
  return readFileSync(join(ROOT, file), 'utf8').includes('support/databases.ts');
}

/** Returns the file of a run's results: the finished tests, and how many there were. */
function fileOf(database: Database): string {
  return join(scratch, database, 'results.jsonl');
}

/** Returns the file for the time that each test file took. */
function timesOf(database: Database): string {
  return join(scratch, database, 'times.jsonl');
}

/**
 * Runs the second run in parallel with the first, in its own processes: its output is buffered until the first has ended.
 */
async function runBeside(database: Database, files: readonly string[]) {
  const pieces: string[] = [];
  const status = await runTests(database, files, {
    atOnce: Math.min(3, CORES),
    stdout: (piece) => void pieces.push(piece),
  });
  return { status, said: pieces.join('') };
}

type Running = {
  /** Processes. */
  readonly atOnce: number;
  readonly stdout: 'inherit' | ((piece: string) => void);
};

async function runTests(
  database: Database,
  files: readonly string[],
  { atOnce, stdout }: Running,
): Promise<number> {
  mkdirSync(join(scratch, database));
  const child = spawn(
    process.execPath,
    [
      '--test',
      `--test-concurrency=${atOnce}`,
      `--test-timeout=${TEST_TIMEOUT_MS}`,
      '--test-reporter=spec',
      '--test-reporter-destination=stdout',
      `--test-reporter=${pathToFileURL(join(ROOT, 'tests/contract/reporter.ts')).href}`,
      `--test-reporter-destination=${fileOf(database)}`,
      ...options,
      ...entriesOf(ROOT, groupsOf(files), join(scratch, database)),
    ],
    {
      cwd: ROOT,
      stdio: ['inherit', stdout === 'inherit' ? stdout : 'pipe', 'inherit'],
      env: {
        // Otherwise every file and every store thread would strip types again: a fifth of the processor time of
        // tests/edge/cli.
        NODE_COMPILE_CACHE: join(ROOT, 'node_modules', '.cache', 'openshelf'),
        ...process.env,
        [DATABASE_VARIABLE]: database,
        ...(server === null ? {} : { [SERVER_VARIABLE]: server.url }),
        ...(isTimed ? { [TIMES_VARIABLE]: timesOf(database) } : {}),
        CONTRACT_SCRATCH: join(scratch, database),
      },
    },
  );
  if (stdout !== 'inherit') child.stdout?.setEncoding('utf8').on('data', stdout);
  const stop = (signal: NodeJS.Signals): void => void child.kill(signal);
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/** `# tests 12`, `# pass 12`, ... of all runs: the same last lines for a terminal, a pipe and a log. */
function closingLines(): string {
  const sums = new Map<string, number>();
  for (const path of DATABASES.map(fileOf).filter(existsSync)) {
    for (const { count, of } of countsIn(readFileSync(path, 'utf8'))) {
      const before = sums.get(count) ?? 0;
      // The runs are parallel.
      sums.set(count, count === 'duration_ms' ? Math.max(before, of) : before + of);
    }
  }
  return [...sums].map(([name, sum]) => `# ${name} ${sum}`).join('\n');
}

/** Returns whether every row of the contract is proved; a part of its files proves nothing, so nothing is checked then. */
function reportContract(database: Database): boolean {
  if (options.length > 0 || !isWholeContract) return true;
  const { rows, summary, problems } = contractReport(fileOf(database), join(scratch, database));
  if (given.includes('--rows')) console.log(`\n${rows.join('\n')}`);
  console.log(`\non ${database}: ${summary.join('\n')}`);
  for (const problem of problems) console.log(`contract on ${database}: ${problem}`);
  return problems.length === 0;
}
