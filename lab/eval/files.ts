// npm run lab -- files [--products N]: a sheet of N products (10,000) looked up at a service over the simulated market,
// stopped by a signal and killed on the way. The table must equal that of an uninterrupted run, each product charged once,
// memory flat, and the announced figures true. The processes and kills are real.

import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { openSandbox } from '../../src/edge/cli/sandbox-config.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const MAIN = fileURLToPath(new URL('../../src/edge/main.ts', import.meta.url));
const SEED = 20_261_123;
const FEW = 1_000;

const { values } = parseArgs({ options: { products: { type: 'string', default: '10000' } } });
const many = Number(values.products);
const few = Math.min(FEW, Math.floor(many / 10));
/** Some of the market's products have trouble at their shops; the others are looked up. */
const marketSize = Math.min(50_000, Math.ceil(many * 1.3) + 50);

using scratch = temporaryFolder();
const folder = scratch.path;
const failures: string[] = [];

function check(what: string, isSo: boolean, figure: string): void {
  console.log(`${isSo ? 'ok    ' : 'FAILED'} ${what}: ${figure}`);
  if (!isSo) failures.push(what);
}

function start(args: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess {
  return spawn(process.execPath, [MAIN, ...args], {
    cwd: folder,
    env: { PATH: process.env['PATH'], OPENSHELF_REQUEST_LOG: 'false', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

type Service = { readonly url: string; readonly key: string; readonly stop: () => Promise<void> };

async function serve(name: string): Promise<Service> {
  const data = join(folder, name);
  const market = ['--sandbox', '--seed', String(SEED), '--products', String(marketSize)];
  const child = start(['serve', '--json', '--port', '0', '--data', data, ...market]);
  child.stderr?.resume();
  if (child.stdout === null) throw new Error('a child without stdout');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { url } = JSON.parse(line) as { readonly url: string };
  const made = start(['keys', 'create', '--org', 'eval', '--json', '--data', data]);
  const key = JSON.parse(await textOf(made.stdout)) as { readonly key: string };
  return {
    url,
    key: key.key,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  let text = '';
  for await (const piece of stream ?? []) text += String(piece);
  return text;
}

async function charged({ url, key }: Service): Promise<number> {
  const response = await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
  return ((await response.json()) as { readonly tokens_used: number }).tokens_used;
}

type Ended = {
  readonly code: number | null;
  readonly json: Readonly<Record<string, unknown>>;
  readonly peakMb: number;
  readonly seconds: number;
  /** The announced remaining seconds, and when they were announced. */
  readonly said: { readonly seconds: number; readonly atSeconds: number } | null;
  readonly announcedTokens: number;
};

type Kill = { readonly share: number; readonly signal: NodeJS.Signals };

/** Runs one process of a run; `kill` sends it the signal when this share is answered. */
async function runOnce(
  service: Service,
  {
    input,
    out,
    products,
  }: { readonly input: string; readonly out: string; readonly products: number },
  kill: Kill | null = null,
): Promise<Ended> {
  const begin = performance.now();
  const child = start(['lookup', '--file', input, '--out', out, '--url', service.url, '--json'], {
    OPENSHELF_API_KEY: service.key,
  });
  let said: Ended['said'] = null;
  let announcedTokens = 0;
  if (child.stderr !== null) {
    createInterface({ input: child.stderr }).on('line', (line) => {
      const left = /the rest takes about (.+)\./.exec(line)?.[1];
      const atSeconds = (performance.now() - begin) / 1_000;
      if (left !== undefined) said = { seconds: secondsIn(left), atSeconds };
      announcedTokens = Number(/^Cost: (\d+) tokens/.exec(line)?.[1] ?? announcedTokens);
    });
  }
  const stdout = textOf(child.stdout);
  let peakMb = 0;
  const closed = once(child, 'close') as Promise<[number | null]>;
  while (child.exitCode === null && child.signalCode === null) {
    peakMb = Math.max(peakMb, peakOf(child.pid ?? 0));
    if (kill !== null && answeredIn(`${out}.progress`) >= kill.share * products) {
      child.kill(kill.signal);
      break;
    }
    await Promise.race([closed, sleep(kill === null ? 200 : 500)]);
  }
  const [code] = await closed;
  const last = (await stdout).trimEnd().split('\n').at(-1) ?? '';
  const json = last.startsWith('{') ? (JSON.parse(last) as Record<string, unknown>) : {};
  const seconds = (performance.now() - begin) / 1_000;
  return { code, json, peakMb, seconds, said, announcedTokens };
}

/** Returns the peak memory of the process, as counted by the system. */
function peakOf(pid: number): number {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1_024;
  } catch {
    return 0;
  }
}

function answeredIn(journal: string): number {
  if (!existsSync(journal)) return 0;
  return readFileSync(journal, 'utf8').split('"r":{').length - 1;
}

function secondsIn(text: string): number {
  const unit = { s: 1, min: 60, h: 3_600 };
  const parts = [...text.matchAll(/(\d+) (s|min|h)/g)];
  return parts.reduce(
    (sum, [, count, name]) => sum + Number(count) * unit[name as keyof typeof unit],
    0,
  );
}

type Row = Readonly<Record<string, unknown>>;
const rowsOf = (path: string): readonly Row[] =>
  readFileSync(path, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row);

/**
 * Which retailers say that a product is nowhere depends on which were asked before; tokens on how often a call came too early;
 * and the market's shops change prices during the run.
 */
const MOVES =
  /^(?:note|tokens|refreshed_at|warnings)$|price|fee|profit|roi|cost|offers|rank|sell_at|best_|in_stock/;
const bare = (row: Row) =>
  JSON.stringify(Object.fromEntries(Object.entries(row).filter(([name]) => !MOVES.test(name))));
const withPrices = ({ note: _note, tokens: _tokens, ...row }: Row) => JSON.stringify(row);

function sheetOf(codes: readonly string[], name: string): string {
  const path = join(folder, name);
  writeFileSync(
    path,
    `UPC,Cost\n${codes.map((code, at) => `${code},${(at % 40) + 1}.25`).join('\n')}\n`,
  );
  return path;
}

async function codesOf(count: number): Promise<readonly string[]> {
  await using market = await openSandbox({ seed: SEED, products: marketSize });
  const { catalog } = market.market();
  return catalog
    .filter(({ trouble }) => trouble === null)
    .slice(0, count)
    .map(({ gtin14 }) => gtin14.replace(/^00/, ''));
}

const codes = await codesOf(many);
console.log(`${codes.length} products; the short sheet has ${few}.`);

const short = await serve('short');
const shortSheet = {
  input: sheetOf(codes.slice(0, few), 'few.csv'),
  out: join(folder, 'few.jsonl'),
  products: few,
};
const small = await runOnce(short, shortSheet);
await short.stop();
console.log(`short run: ${small.seconds.toFixed(1)} s, peak ${small.peakMb.toFixed(0)} MB`);

const service = await serve('long');
const sheet = {
  input: sheetOf(codes, 'many.csv'),
  out: join(folder, 'many.jsonl'),
  products: codes.length,
};
const legs = [
  await runOnce(service, sheet, { share: 0.3, signal: 'SIGINT' }),
  await runOnce(service, sheet, { share: 0.6, signal: 'SIGKILL' }),
  await runOnce(service, sheet),
];
const total = legs.reduce((sum, { seconds }) => sum + seconds, 0);
console.log(`long run: ${total.toFixed(1)} s in three legs`);
const [stopped, killed, last] = legs;
check('a stop ends cleanly', stopped?.code === 1, `exit code ${stopped?.code}`);
check('the kill was one', killed?.code === null, `exit code ${killed?.code}`);
check(
  'the third leg completes',
  last?.code === 0 && last.json['complete'] === true,
  `exit code ${last?.code}`,
);

const rows = rowsOf(sheet.out);
const found = rows.filter(({ status }) => status === 'found').length;
const tokens = rows.reduce((sum, row) => sum + Number(row['tokens']), 0);
const spent = await charged(service);
check('every row is there', rows.length === codes.length, `${rows.length} rows, ${found} found`);
check('each product is charged once', spent === tokens, `${spent} charged, ${tokens} in the table`);
const early = (spent - 4 * found) / 3;
const most = Math.max(20, Math.ceil(codes.length / 10));
check(
  'the announced cost is correct',
  last?.announcedTokens === 4 * codes.length &&
    Number.isInteger(early) &&
    early >= 0 &&
    early <= most,
  `${last?.announcedTokens} announced for all, ${spent} for ${found} found, ${early} early calls of at most ${most}`,
);
const again = { ...sheet, out: join(folder, 'whole.jsonl') };
const whole = await runOnce(service, again);
const uninterrupted = rowsOf(again.out);
const expected = uninterrupted.map(bare);
const moved = rows.filter(
  (row, at) => withPrices(row) !== withPrices(uninterrupted[at] ?? {}),
).length;
// The market's shops change some prices every hour, and the two runs are as far apart as they take.
const minutes = (total + whole.seconds) / 60;
check(
  'few prices moved meanwhile',
  moved <= (rows.length * (1 + minutes / 10)) / 100,
  `${moved} rows in ${minutes.toFixed(0)} minutes`,
);
const different = rows.filter((row, at) => bare(row) !== expected[at]).length;
const at = rows.findIndex((row, index) => bare(row) !== expected[index]);
if (at !== -1) console.log(`first row that differs:\n${JSON.stringify(rows[at])}\n${expected[at]}`);
check('the table is that of an uninterrupted run', different === 0, `${different} rows differ`);
await service.stop();

const peak = Math.max(...legs.map(({ peakMb }) => peakMb));
const ratio = peak / small.peakMb;
check(
  'memory is flat',
  ratio <= 1.2,
  `${peak.toFixed(0)} MB against ${small.peakMb.toFixed(0)} MB, ${ratio.toFixed(2)} times`,
);
for (const [name, run] of [
  ['short run', small],
  ['last leg of the long run', last],
] as const) {
  if (run?.said === null || run === undefined) continue;
  const took = run.seconds - run.said.atSeconds;
  const off = run.said.seconds / took - 1;
  check(
    `the announced time of the ${name} is correct`,
    Math.abs(off) <= 0.3,
    `${run.said.seconds} s said, ${took.toFixed(0)} s taken, ${(off * 100).toFixed(0)} % off`,
  );
}
process.exitCode = failures.length === 0 ? 0 : 1;
