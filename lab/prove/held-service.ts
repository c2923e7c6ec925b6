// A service with a key and one stored product: the target of proofs about load and restarts. The data can be served by
// several processes one after another, and copied for a second one.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync } from 'node:fs';
import { join } from 'node:path';

import { cleanEnv, firstLine, LAUNCHER, runCommand } from '../bench/children.ts';
import { smallPage } from '../bench/page-generator.ts';
import { openShop } from '../bench/shop.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

const SEED = 64;
/** As started by the files of deploy/ and the launcher of the package. */
const DEPLOYED = { MALLOC_ARENA_MAX: '2' };

export type StoredData = Disposable & {
  readonly dataDir: string;
  readonly key: string;
  /** Of the stored product. */
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  copy(): string;
};

/** Creates the data: an organization without limits, its key, one product. */
export async function makeStoredData(): Promise<StoredData> {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const limits = ['--quota', '1000000000', '--throttle', '60000000'];
  const place = ['--data', dataDir, '--json'];
  const made = await runCommand(['keys', 'create', '--org', 'prove', ...limits, ...place]);
  const key = String(made['key']);
  const page = smallPage(SEED);
  await using shop = await openShop();
  shop.add(page);
  const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
  const first = await startProcess({ dataDir, port: 0, env: shop.env });
  const answer = await fetch(`${first.url}${path}`, {
    headers: { authorization: `Bearer ${key}`, connection: 'close' },
  });
  if (answer.status !== 200) throw new Error(`the lookup answers ${await answer.text()}`);
  await answer.text();
  await first.stop('SIGINT');
  let copies = 0;
  return {
    dataDir,
    key,
    path,
    env: shop.env,
    copy: () => {
      copies += 1;
      const place = join(folder.path, `copy-${copies}`);
      cpSync(dataDir, place, { recursive: true });
      return place;
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

export type ServiceProcess = {
  readonly url: string;
  readonly port: number;
  /** Its log output. */
  log(): string;
  /** Sends the signal; returns the exit code (or the signal that ended it) and how long the shutdown took. */
  stop(signal: NodeJS.Signals): Promise<{ readonly code: number | string; readonly ms: number }>;
};

/** Running processes: they are killed when this one exits, for whatever reason. */
const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

export type ProcessStart = {
  readonly dataDir: string;
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
};

/** Starts `serve`; resolves when it answers. */
export async function startProcess({ dataDir, port, env }: ProcessStart): Promise<ServiceProcess> {
  const args = ['serve', '--json', '--port', String(port), '--data', dataDir];
  const child: ChildProcess = fork(LAUNCHER, args, {
    env: cleanEnv({ ...DEPLOYED, ...env }),
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let said = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (said += text));
  running.add(child);
  child.once('close', () => running.delete(child));
  const { url } = JSON.parse(await firstLine(child)) as { readonly url: string };
  return {
    url,
    port: Number(new URL(url).port),
    log: () => said,
    stop: async (signal) => {
      const fromMs = performance.now();
      const ended = once(child, 'close') as Promise<[number | null, string | null]>;
      child.kill(signal);
      const [code, by] = await ended;
      return { code: code ?? by ?? 'unknown', ms: performance.now() - fromMs };
    },
  };
}
