// npm run lab -- small-machine [--rounds N] [--products N] [--seconds N] [--memory MB] [--json]: what the published package
// takes of a machine with that much memory (512), next to a bare node:http of the same Node, and the goals. Each round starts
// the command over new data: idle, one fresh lookup at all shops, many of them, a minute later, with daily watches; then many
// of them with 256 MB. The shops are simulated by this process. Linux only: figures come from /proc, for all processes and
// threads. Memory is resident, with proportional sizes of shared pages in parentheses. Bytes written need TMPDIR on a disk.

import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { globSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';

import { LEFT_ALONE } from '../../build/bundle.ts';
import { openSandbox, sandboxEnv } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';
import { cleanEnv, firstLine, LAUNCHER, runCommand } from './children.ts';
import { untilNothingWaits } from './lookup-stage.ts';
import { median } from './measurement.ts';
import { packedIn } from './start.ts';

const ROOT = dirname(dirname(LAUNCHER));
const WATCHES = 100;
const STARTED_MS = 5_000;
const MB = 1_048_576;

const GOALS = {
  'ready, MB': 95,
  'idle for a minute, MB': 95,
  'a minute after the lookups, MB': 150,
  'peak, MB': 200,
  'peak with the heap of 256 MB, MB': 200,
  'wake-ups a minute, idle': 60,
  'wake-ups a minute, 100 daily watches': 80,
  'written for a fresh lookup, KB': 200,
  'package and its dependencies without Node, MB': 20,
  'processor time to the first answer, no compile cache, s': 0.4,
  'processor time to the first answer, baked, s': 0.4,
} as const;

type Name =
  | keyof typeof GOALS
  | `${keyof typeof GOALS} (proportional)`
  | 'log of the database for it, KB'
  | 'lookups answered with the heap of 256 MB'
  | 'processor time to the first lookup, no compile cache, s'
  | 'processor time to the first lookup, baked, s';
type Round = Partial<Record<Name, number>>;
type Tree = AsyncDisposable & { readonly pid: number; readonly url: string };

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    products: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '60' },
    memory: { type: 'string', default: '512' },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, products, seconds] = [options.rounds, options.products, options.seconds].map(Number);
if (!(rounds! >= 1 && products! >= 2 && seconds! >= 1)) throw new Error('numbers from 1');

/** Makes a container's memory limit seem to be this many megabytes. */
function memoryOf(mb: number): NodeJS.ProcessEnv {
  const program = `process.constrainedMemory=()=>${mb * MB}`;
  return { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(program)}` };
}

/** A process and all that it has started. */
function treeOf(pid: number): readonly number[] {
  const children = globSync(`/proc/${pid}/task/*/children`).flatMap((path) =>
    textOf(path).split(' ').filter(Boolean).map(Number),
  );
  return [pid, ...children.flatMap(treeOf)];
}

/** Empty when the process or thread is gone. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}

/** The sum of a field over all processes of a tree, or over all their threads. */
function sumOf(pid: number, file: string, field: RegExp): number {
  const files = treeOf(pid).flatMap((each) => globSync(`/proc/${each}/${file}`));
  const found = files.flatMap((path) => [...textOf(path).matchAll(field)]);
  return found.reduce((sum, [, value]) => sum + Number(value), 0);
}

const KIB_OF_MB = 1_024;
const residentMb = (pid: number) => sumOf(pid, 'smaps_rollup', /^Rss:\s+(\d+)/gm) / KIB_OF_MB;
const proportionalMb = (pid: number) => sumOf(pid, 'smaps_rollup', /^Pss:\s+(\d+)/gm) / KIB_OF_MB;
const peakMb = (pid: number) => sumOf(pid, 'status', /^VmHWM:\s+(\d+)/gm) / KIB_OF_MB;
const switches = (pid: number) => sumOf(pid, 'task/*/status', /ctxt_switches:\s+(\d+)/g);
const writtenBytes = (pid: number) => sumOf(pid, 'io', /^write_bytes: (\d+)/gm);
const cpuSeconds = (pid: number) => sumOf(pid, 'task/*/schedstat', /^(\d+)/g) / 1e9;

async function wakeUps(pid: number): Promise<number> {
  const before = switches(pid);
  await wait(seconds! * 1_000);
  return ((switches(pid) - before) * 60) / seconds!;
}

async function started(child: ChildProcess): Promise<Tree> {
  const { url } = JSON.parse(await firstLine(child)) as { url: string };
  return {
    pid: child.pid!,
    url,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGTERM');
      await exited;
    },
  };
}

const PATH = `${dirname(process.execPath)}:${process.env['PATH']}`;
const STDIO = ['ignore', 'pipe', 'inherit'] as const;

function startBare(): Promise<Tree> {
  const program =
    "require('node:http').createServer((_, answer) => answer.end('{}')).listen(0, function () {" +
    'console.log(JSON.stringify({ url: `http://127.0.0.1:${this.address().port}` })) })';
  const child = spawn(process.execPath, ['-e', program], { env: cleanEnv(), stdio: [...STDIO] });
  return started(child);
}

/** Starts the command of the package; `launcher` is `bin/openshelf`, or `bin/openshelf.js` as an image starts it. */
function startService(
  launcher: string,
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
): Promise<Tree> {
  const command = launcher.endsWith('.js') ? [process.execPath, launcher] : [launcher];
  const args = ['serve', '--json', '--port', '0', '--data', dataDir];
  const child = spawn(command[0]!, [...command.slice(1), ...args], {
    env: cleanEnv({ PATH, OPENSHELF_REQUEST_LOG: 'false', ...env }),
    stdio: [...STDIO],
  });
  return started(child);
}

function noteMemory(round: Round, name: keyof typeof GOALS, { pid }: Tree): void {
  round[name] = residentMb(pid);
  round[`${name} (proportional)`] = proportionalMb(pid);
}

async function untilReady({ url }: Tree): Promise<void> {
  while ((await fetch(`${url}/readyz`)).status !== 200) await wait(20);
}

async function bareRound(): Promise<Round> {
  const round: Round = {};
  await using bare = await startBare();
  await untilReady(bare);
  round['processor time to the first answer, baked, s'] = cpuSeconds(bare.pid);
  await wait(STARTED_MS);
  noteMemory(round, 'ready, MB', bare);
  round['wake-ups a minute, idle'] = await wakeUps(bare.pid);
  noteMemory(round, 'idle for a minute, MB', bare);
  return round;
}

type Market = {
  readonly env: NodeJS.ProcessEnv;
  readonly codes: readonly string[];
};

/** Looks products up at all shops, one after the other; returns how many were answered. */
async function lookUp({ url }: Tree, key: string, codes: readonly string[]): Promise<number> {
  let answered = 0;
  for (const code of codes) {
    const answer = await fetch(`${url}/v1/products/${code}?include_cross_retailer=true`, {
      headers: { authorization: `Bearer ${key}` },
    });
    const body = await answer.text();
    if (answer.ok || answer.status === 404) answered += 1;
    else console.error(`${code} answers ${answer.status}: ${body.slice(0, 500)}`);
  }
  return answered;
}

async function keyIn(dataDir: string): Promise<string> {
  const limits = ['--quota', '1000000000', '--throttle', '60000000'];
  return String(
    (await runCommand(['keys', 'create', '--org', 'lab', ...limits, '--data', dataDir, '--json']))[
      'key'
    ],
  );
}

async function serviceRound(launcher: string, dataDir: string, market: Market): Promise<Round> {
  const round: Round = {};
  const key = await keyIn(dataDir);
  const memory = memoryOf(Number(options.memory));
  const settings = { ...market.env, ...memory, XDG_CACHE_HOME: join(dataDir, 'cache') };
  // Every start but the first has a compile cache.
  await (await startService(launcher, dataDir, settings))[Symbol.asyncDispose]();
  await using service = await startService(launcher, dataDir, settings);
  const { pid, url } = service;
  await untilReady(service);
  await wait(STARTED_MS);
  noteMemory(round, 'ready, MB', service);
  round['wake-ups a minute, idle'] = await wakeUps(pid);
  noteMemory(round, 'idle for a minute, MB', service);
  const [first, second, ...others] = market.codes;
  // The first lookup of all also loads what asks shops.
  await lookUp(service, key, [first!]);
  await untilNothingWaits(service);
  await wait(STARTED_MS);
  const log = () => statSync(join(dataDir, 'openshelf.db-wal')).size;
  const [before, logBefore] = [writtenBytes(pid), log()];
  await lookUp(service, key, [second!]);
  await wait(STARTED_MS);
  round['written for a fresh lookup, KB'] = (writtenBytes(pid) - before) / 1_024;
  round['log of the database for it, KB'] = (log() - logBefore) / 1_024;
  await lookUp(service, key, others);
  await untilNothingWaits(service);
  round['peak, MB'] = peakMb(pid);
  await wait(60_000);
  noteMemory(round, 'a minute after the lookups, MB', service);
  for (const identifier of market.codes.slice(0, WATCHES)) {
    const answer = await fetch(`${url}/v1/watches`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ identifier, interval: '24h', below: 1 }),
    });
    if (!answer.ok) throw new Error(`a watch answers ${await answer.text()}`);
  }
  await untilNothingWaits(service);
  await wait(STARTED_MS);
  round['wake-ups a minute, 100 daily watches'] = await wakeUps(pid);
  return round;
}

async function smallRound(launcher: string, dataDir: string, market: Market): Promise<Round> {
  const key = await keyIn(dataDir);
  const cache = { XDG_CACHE_HOME: join(dataDir, 'cache') };
  await using service = await startService(launcher, dataDir, {
    ...market.env,
    ...cache,
    ...memoryOf(256),
  });
  await untilReady(service);
  const answered = await lookUp(service, key, market.codes);
  await untilNothingWaits(service);
  return {
    'lookups answered with the heap of 256 MB': answered,
    'peak with the heap of 256 MB, MB': peakMb(service.pid),
  };
}

type FirstStart = { readonly ready: number; readonly looked: number };

/** The processor time of a container's first start, whose layers have no data and perhaps a compile cache. */
async function firstStart(
  launcher: string,
  dataDir: string,
  env: NodeJS.ProcessEnv,
  code: string,
): Promise<FirstStart> {
  rmSync(dataDir, { recursive: true, force: true });
  const key = await keyIn(dataDir);
  await using service = await startService(`${launcher}.js`, dataDir, env);
  await untilReady(service);
  const ready = cpuSeconds(service.pid);
  await lookUp(service, key, [code]);
  return { ready, looked: cpuSeconds(service.pid) };
}

async function startRound(launcher: string, folder: string, market: Market): Promise<Round> {
  const [dataDir, cache] = [join(folder, 'new'), join(folder, 'baked')];
  rmSync(cache, { recursive: true, force: true });
  const env = { ...market.env, NODE_COMPILE_CACHE: cache, MALLOC_ARENA_MAX: '2' };
  const first = await firstStart(launcher, dataDir, env, market.codes[0]!);
  const baked = await firstStart(launcher, dataDir, env, market.codes[0]!);
  return {
    'processor time to the first answer, no compile cache, s': first.ready,
    'processor time to the first answer, baked, s': baked.ready,
    'processor time to the first lookup, no compile cache, s': first.looked,
    'processor time to the first lookup, baked, s': baked.looked,
  };
}

/** The files of the package, and of the packages that npm installs with it but Node. */
async function packageMb(): Promise<number> {
  const args = ['run', '--silent', 'package', '--', '--dry-run', '--json'];
  const { stdout } = await promisify(execFile)('npm', args, { cwd: ROOT, maxBuffer: 64 * MB });
  const [packed] = JSON.parse(stdout) as readonly { readonly unpackedSize: number }[];
  const installed = new Set(LEFT_ALONE);
  for (const name of installed) {
    const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    const { dependencies = {} } = JSON.parse(manifest) as { readonly dependencies?: object };
    for (const each of Object.keys(dependencies)) installed.add(each);
  }
  const sizes = [...installed].map((name) => sizeOf(join(ROOT, 'node_modules', name)));
  return sizes.reduce((sum, size) => sum + size, packed!.unpackedSize) / MB;
}

function sizeOf(path: string): number {
  return readdirSync(path, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, each) => {
      const at = join(path, each.name);
      return sum + (each.isDirectory() ? sizeOf(at) : statSync(at).size);
    }, 0);
}

async function main(): Promise<void> {
  using folder = temporaryFolder();
  const launcher = join(dirname(await packedIn(folder.path)), basename(LAUNCHER, '.js'));
  await using sandbox = await openSandbox();
  const market = {
    env: { ...sandboxEnv(sandbox, {}), OPENSHELF_HOST_INTERVAL_MS: '0' },
    codes: sandbox
      .market()
      .catalog.filter(({ trouble }) => trouble === null)
      .slice(0, products)
      .map(({ gtin14 }) => gtin14.replace(/^00/, '')),
  };
  const measured: Round[] = [];
  const bare: Round[] = [];
  const size = await packageMb();
  for (let number = 1; number <= rounds!; number += 1) {
    console.error(`round ${number} of ${rounds}`);
    bare.push(await bareRound());
    measured.push({
      ...(await serviceRound(launcher, join(folder.path, `data-${number}`), market)),
      ...(await smallRound(launcher, join(folder.path, `small-${number}`), market)),
      ...(await startRound(launcher, folder.path, market)),
      'package and its dependencies without Node, MB': size,
    });
  }
  report(measured, bare);
}

function report(measured: readonly Round[], bare: readonly Round[]): void {
  const of = (all: readonly Round[], name: Name): number | null => {
    const found = all.flatMap((round) => round[name] ?? []);
    return found.length === 0 ? null : Number(median(found).toPrecision(3));
  };
  const names = Object.keys(measured[0]!) as Name[];
  const rows = names
    .filter((name) => !name.endsWith('(proportional)'))
    .map((name) => {
      const proportional = `${name} (proportional)` as Name;
      const shown = (all: readonly Round[]) =>
        [of(all, name) ?? '-', of(all, proportional) === null ? '' : `(${of(all, proportional)})`]
          .join(' ')
          .trim();
      return {
        name,
        now: shown(measured),
        goal: `${GOALS[name as keyof typeof GOALS] ?? '-'}`,
        bare: shown(bare),
      };
    });
  if (options.json) console.log(JSON.stringify({ node: process.version, measured, bare }));
  else console.table(Object.fromEntries(rows.map(({ name, ...cells }) => [name, cells])));
}

await main();
