// The part of promise 2 that affects other organizations: while some look up pages that cost a reader as much as they can,
// or shops that send endless informational answers, the lookups of another organization stay fast. Service, shop and
// attackers are separate processes.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';

import { cleanEnv, runCommand } from '../bench/children.ts';
import { quantile } from '../bench/measurement.ts';
import { residentMb } from '../bench/resident-memory.ts';
import { makeStoredData, startProcess } from './held-service.ts';
import type { HeavyCallersJob, HeavyCallersResult } from './heavy-callers.ts';
import type { ProofResult } from './proof.ts';

const SHOP = 'https://heavy-shop.example.com';
const CALLERS = 8;
const MAX_EXTRA_MS = 150;
const MAX_TIMES = 3;
/** Below this, the difference from an idle service is due to the machine. */
const EVEN_MS = 10;
/** A call's deadline is 15 s; the rest is for the answer to arrive. */
const LATEST_MS = 15_500;
const MAX_EXTRA_MB = 100;
const SEEN = new Set([200, 404, 422, 429, 503]);

type Attack = { readonly says: string; readonly path: string; readonly organizations: number };
const ATTACKS: readonly Attack[] = [
  { says: '8 callers of one organization with heavy pages', path: '/heavy/', organizations: 1 },
  { says: '8 callers of each of four with heavy pages', path: '/heavy/', organizations: 4 },
  { says: '8 callers of one with floods of 103', path: '/hints/', organizations: 1 },
];

type Seen = { readonly freshP50: number; readonly cachedP99: number };

/** Measures another organization's lookups, one after another; throws on any status but 200. */
async function look(
  url: string,
  { key, path }: { readonly key: string; readonly path: string },
  { prefix, fresh }: { readonly prefix: string; readonly fresh: number },
): Promise<Seen> {
  const timed = async (target: string): Promise<number> => {
    const fromMs = performance.now();
    const answer = await fetch(`${url}${target}`, { headers: { authorization: `Bearer ${key}` } });
    const text = await answer.text();
    if (answer.status !== 200) throw new Error(`${target} answers ${answer.status}: ${text}`);
    return performance.now() - fromMs;
  };
  const freshMs: number[] = [];
  const cachedMs: number[] = [];
  for (let number = 0; number < fresh; number += 1) {
    freshMs.push(await timed(`/v1/products/${encodeURIComponent(`${prefix}${number}`)}`));
    for (let again = 0; again < 10; again += 1) cachedMs.push(await timed(path));
  }
  return { freshP50: quantile(freshMs, 0.5), cachedP99: quantile(cachedMs, 0.99) };
}

async function startShop(): Promise<{ readonly child: ChildProcess; readonly origin: string }> {
  const child = fork(new URL('./heavy-shop-process.ts', import.meta.url), { env: cleanEnv() });
  const [port] = (await once(child, 'message')) as [number];
  return { child, origin: `http://127.0.0.1:${port}` };
}

export async function proveHeavyShops(
  isLong: boolean,
  say: (line: string) => void,
): Promise<ProofResult> {
  using data = await makeStoredData();
  const keys: string[] = [];
  for (const name of ['one', 'two', 'three', 'four']) {
    const limits = ['--quota', '1000000000', '--throttle', '60000000'];
    const place = ['--data', data.dataDir, '--json'];
    const made = await runCommand(['keys', 'create', '--org', name, ...limits, ...place]);
    keys.push(String(made['key']));
  }
  const shop = await startShop();
  const origins = `${data.env['OPENSHELF_ORIGINS']},${SHOP}=${shop.origin}`;
  const env = { ...data.env, OPENSHELF_ORIGINS: origins };
  const service = await startProcess({ dataDir: data.dataDir, port: 0, env });
  const fresh = isLong ? 100 : 8;
  const figures: string[] = [];
  let holds = true;
  try {
    await look(service.url, data, { prefix: `${SHOP}/warm-`, fresh: 20 });
    const idle = await look(service.url, data, { prefix: `${SHOP}/idle-`, fresh });
    const before = await residentMb(service.url);
    for (const [at, { says, path, organizations }] of ATTACKS.entries()) {
      const attackers = fork(new URL('./heavy-callers.ts', import.meta.url), { env: cleanEnv() });
      const job: HeavyCallersJob = {
        url: service.url,
        keys: keys.slice(0, organizations),
        callers: CALLERS,
        prefix: `${SHOP}${path}${at}-`,
      };
      attackers.send(job);
      let mostMb = before;
      const watch = setInterval(() => {
        void residentMb(service.url).then((mb) => (mostMb = Math.max(mostMb, mb)));
      }, 250);
      const seen = await look(service.url, data, { prefix: `${SHOP}/other-${at}-`, fresh });
      clearInterval(watch);
      const done = once(attackers, 'message') as Promise<[HeavyCallersResult]>;
      attackers.send('stop');
      const [{ slowestMs, byStatus }] = await done;
      attackers.kill();
      const isFast =
        seen.freshP50 <= idle.freshP50 + MAX_EXTRA_MS &&
        seen.cachedP99 <= Math.max(EVEN_MS, MAX_TIMES * idle.cachedP99);
      const isKnown = Object.keys(byStatus).every((status) => SEEN.has(Number(status)));
      const isInTime = slowestMs <= LATEST_MS;
      const extraMb = mostMb - before;
      holds &&= isKnown && isInTime && (!isLong || (isFast && extraMb <= MAX_EXTRA_MB));
      const counts = Object.entries(byStatus).map(([status, count]) => `${status}: ${count}`);
      const figure =
        `${says}: another organization's fresh p50 ${seen.freshP50.toFixed(0)} ms (idle ${idle.freshP50.toFixed(0)}), ` +
        `cached p99 ${seen.cachedP99.toFixed(1)} ms (idle ${idle.cachedP99.toFixed(1)}); theirs ${counts.join(', ')}, ` +
        `the slowest ${(slowestMs / 1_000).toFixed(1)} s; memory +${extraMb.toFixed(0)} MB`;
      figures.push(figure);
      say(figure);
    }
  } finally {
    await service.stop('SIGINT');
    shop.child.kill('SIGKILL');
  }
  return { holds, figures };
}
