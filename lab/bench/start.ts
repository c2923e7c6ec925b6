// Measures how long a person waits: from process start to the first answer of the service, a liveness check or a lookup from
// its store, against a Node that does nothing. The data folder and the compile cache exist, as at every start but the first.
// Once for this checkout, once for the package that `npm run package` makes from it.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { dirname, join } from 'node:path';

import { writeDist } from '../../build/write-dist.ts';
import { cleanEnv, firstLine, LAUNCHER, runCommand } from './children.ts';
import { figureOf, type Figure, type Pair, type Sample } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

type Service = { readonly launcher: string; readonly dataDir: string };

/** The request sent to a service that has just started. */
type Question = { readonly path: string; readonly headers: Readonly<Record<string, string>> };

const LIVES: Question = { path: '/livez', headers: {} };
const SEED = 65;
/** Nothing listens there: pending fetches after the lookup ask no shop. */
const NO_WAY_OUT = { OPENSHELF_EGRESS_PROXY: 'http://127.0.0.1:9' };

async function statusOf(url: string, { path, headers }: Question): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  get(`${url}${path}`, { agent: false, headers }, resolve).once('error', reject);
  const response = await promise;
  // The service is stopped next: whoever leaves before the last byte may be reset.
  await once(response.resume(), 'end');
  return response.statusCode;
}

/** A child's CPU time cannot be queried without loading something into it. */
function sample(fromMs: number): Sample {
  return { usPerCall: (performance.now() - fromMs) * 1e3, cpuUsPerCall: null };
}

async function startService({ launcher, dataDir }: Service, question: Question): Promise<Sample> {
  const from = performance.now();
  const args = [launcher, 'serve', '--json', '--port', '0', '--data', dataDir];
  const child = spawn(process.execPath, args, {
    env: cleanEnv({ ...NO_WAY_OUT, XDG_CACHE_HOME: join(dataDir, 'cache') }),
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const closed = once(child, 'close');
  const { url, pid } = JSON.parse(await firstLine(child)) as { url: string; pid: number };
  const status = await statusOf(url, question);
  const taken = sample(from);
  process.kill(pid, 'SIGTERM');
  await closed;
  if (status !== 200) throw new Error(`${question.path} answers ${status}`);
  return taken;
}

async function startNothing(): Promise<Sample> {
  const from = performance.now();
  const child = spawn(process.execPath, ['-e', '0'], { env: cleanEnv(), stdio: 'ignore' });
  await once(child, 'exit');
  return sample(from);
}

/** Returns a lookup that the store in this folder answers, and its key. */
async function heldLookup(dataDir: string): Promise<Question> {
  await using shop = await openShop();
  const { product } = smallPage(SEED);
  shop.add(smallPage(SEED));
  const place = ['--data', dataDir, '--json'];
  const { key } = await runCommand(['keys', 'create', '--org', 'bench', ...place]);
  await runCommand(['lookup', product.url, ...place], { env: shop.env });
  const path = `/v1/products/${encodeURIComponent(product.url)}`;
  return { path, headers: { Authorization: `Bearer ${String(key)}` } };
}

/** Returns the launcher of the package as npm would install it below this folder. */
export async function packedIn(folder: string): Promise<string> {
  const root = dirname(dirname(LAUNCHER));
  const home = join(folder, 'node_modules', 'openshelf');
  mkdirSync(home, { recursive: true });
  for (const name of ['bin', 'console', 'assets', 'package.json']) {
    cpSync(join(root, name), join(home, name), { recursive: true });
  }
  symlinkSync(join(root, 'node_modules'), join(home, 'node_modules'));
  await writeDist(join(home, 'dist'));
  return join(home, 'bin', 'openshelf.js');
}

/** Makes one start of each to warm up, then `pairs` of them. */
export async function benchStart({
  pairs,
}: {
  readonly pairs: number;
}): Promise<readonly Figure[]> {
  using folder = temporaryFolder();
  const dataDir = folder.path;
  const pairsOf = async (launcher: string, question: Question): Promise<readonly Pair[]> => {
    const service = { launcher, dataDir };
    await startService(service, question);
    await startNothing();
    const found: Pair[] = [];
    for (let index = 0; index < pairs; index += 1) {
      const measured = await startService(service, question);
      found.push({ measured, baseline: await startNothing() });
    }
    return found;
  };
  const held = await heldLookup(dataDir);
  const packed = await packedIn(dataDir);
  const figures: Figure[] = [];
  for (const [where, launcher, text] of [
    ['', LAUNCHER, 'starting `serve` in a checkout'],
    ['-packed', packed, 'starting `serve` of the published package'],
  ] as const) {
    const lives = figureText(`start${where}`, `${text} until /livez answers`);
    const looksUp = figureText(
      `start-lookup${where}`,
      `${text} until a lookup from the store answers`,
    );
    figures.push(figureOf(lives, await pairsOf(launcher, LIVES)));
    figures.push(figureOf(looksUp, await pairsOf(launcher, held)));
  }
  return figures;
}

function figureText(name: string, measured: string) {
  const goal = { is: 'at most', value: 6, stretch: 4 } as const;
  return { name, measured, baseline: '`node -e 0`', goal, ratioOf: 'time' } as const;
}
