// What the console costs: the bytes of all pages, processor time of the server for a page, and how much later than the answer of
// the service a card is there. Each measure is a check with its figure in its name.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';

import type { Page } from 'playwright-core';

import { consoleFiles } from '../src/package-files.ts';
import { lastJson, runProgram, serveProgram } from '../tests/support/program.ts';
import { temporaryFolder } from '../tests/support/temporary-folder.ts';
import { DESK, signedIn, unless, type CheckParts } from './console-acts.ts';
import { openWatched } from './console-browser.ts';

export type Measure = { readonly sentence: string; readonly found: readonly string[] };

const MOST_BYTES = 120 * 1_024;
const MOST_CPU_MS = 3;
const MOST_TIMES = 1.3;

/** Everything that a browser loads of the console, compressed. */
export async function measureBytes({ stage }: CheckParts): Promise<Measure> {
  const { url } = stage.service;
  const page = await (await fetch(`${url}/console`)).text();
  const [folder = ''] = /\/console\/files\/[\w-]+/.exec(page) ?? [];
  let bytes = 0;
  for (const path of ['/console', ...consoleFiles().map(({ name }) => `${folder}/${name}`)]) {
    const body = await compressedBody(`${url}${path}`);
    brotliDecompressSync(body);
    bytes += body.byteLength;
  }
  return {
    sentence: `all pages together ${(bytes / 1_024).toFixed(1)} KiB compressed (at most 120)`,
    found: unless(bytes <= MOST_BYTES, 'more than 120 KiB'),
  };
}

function compressedBody(url: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { 'accept-encoding': 'br' }, agent: false }, (response) => {
      void response.toArray().then((pieces) => resolve(Buffer.concat(pieces as Buffer[])), reject);
    })
      .on('error', reject)
      .end();
  });
}

const PAGES = ['/console', '/console/watches', '/console/channels', '/console/operator'];
const VISITS = 150;
/** As Linux counts it, in hundredths of a second. */
const TICK_MS = 10;

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** What a browser asks the server for, for a page, beside the calls of the API. */
async function askedFor(
  { browser }: CheckParts,
  origin: string,
  address: string,
): Promise<
  readonly (readonly [page: string, first: readonly string[], again: readonly string[]])[]
> {
  const asked = [];
  for (const path of PAGES) {
    const watched = await openWatched(browser, DESK, origin);
    const { page } = watched;
    let paths: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/v1/') && !response.fromServiceWorker()) paths.push(pathname);
    });
    await page.goto(address);
    await page.waitForSelector('#query');
    paths = [];
    // A browser that has seen no page yet: what it kept is forgotten.
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(`${origin}${path}`);
    await page.waitForSelector('main h1, #query');
    await page.waitForTimeout(200);
    const first = paths;
    await session.send('Network.setCacheDisabled', { cacheDisabled: false });
    await page.goto(`${origin}${path}`);
    await page.waitForSelector('main h1, #query');
    // Files under the tag of all files are never asked for again.
    const again = first.filter((each) => !each.startsWith('/console/files/'));
    asked.push([path, first, again] as const);
    await watched.close();
  }
  return asked;
}

/** A server of its own is asked what browsers ask it for; the calls of the API are the price of what they do. */
export async function measureCpu(parts: CheckParts): Promise<Measure> {
  if (process.platform !== 'linux')
    return { sentence: 'processor time of a page: measured on Linux only', found: [] };
  using folder = temporaryFolder();
  const served = await serveProgram(['--sandbox', '--data', folder.path, '--port', '0']);
  const signIn = ['console', '--data', folder.path, '--url', served.url, '--json'];
  const { address } = lastJson(await runProgram(signIn)) as { address: string };
  const asked = await askedFor(parts, served.url, address);
  const agent = new Agent({ keepAlive: true, maxSockets: 6 });
  const load = (path: string) =>
    new Promise<void>((resolve, reject) => {
      request(
        `${served.url}${path}`,
        { headers: { 'accept-encoding': 'br' }, agent },
        (response) => {
          response.resume().on('end', resolve);
        },
      )
        .on('error', reject)
        .end();
    });
  const costOf = async (paths: readonly string[]) => {
    const visit = () => Promise.all(paths.map(load));
    // Compressed and compiled with the first requests, which is not the price of a page.
    for (let warm = 0; warm < 40; warm += 1) await visit();
    const before = cpuMsOf(served.pid);
    for (let each = 0; each < VISITS; each += 1) await visit();
    return (cpuMsOf(served.pid) - before) / VISITS;
  };
  const costs = [];
  for (const [page, first, again] of asked) {
    costs.push({
      page,
      count: first.length,
      first: await costOf(first),
      again: await costOf(again),
    });
  }
  agent.destroy();
  await served.stop('SIGTERM');
  const most = (of: (cost: (typeof costs)[number]) => number) => Math.max(...costs.map(of));
  const all = costs.map(
    ({ page, count, first }) => `${page} ${count} files ${first.toFixed(1)} ms`,
  );
  return {
    sentence:
      `a page costs the server at most ${most(({ again }) => again).toFixed(1)} ms of processor time, ` +
      `the first of a browser, with its scripts, at most ${most(({ first }) => first).toFixed(1)} ms ` +
      `(at most ${MOST_CPU_MS}; ${all.join(', ')})`,
    found: unless(most(({ first }) => first) <= MOST_CPU_MS, `more than ${MOST_CPU_MS} ms`),
  };
}

const PAIRS = 12;

/** The time of the call alone and of a card for it, one behind the other, for products nobody has asked for before. */
export async function measureCard(parts: CheckParts): Promise<Measure> {
  const { codes } = parts.stage;
  const watched = await signedIn(parts);
  const { page } = watched;
  /** What a card asks for behind itself, and the shops that are asked behind the answer, are not in the next time. */
  const quiet = async () => {
    await parts.stage.service.worked();
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-busy]') === null &&
        document.querySelector('.chart-section .busy') === null,
    );
    await page.waitForTimeout(100);
  };
  const fresh = { call: [] as number[], card: [] as number[] };
  const held = { call: [] as number[], card: [] as number[] };
  // Both of a pair are a product's first look; which comes first changes with each pair.
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const [one = '', other = ''] = codes.slice(100 + 2 * pair);
    const order = pair % 2 === 0 ? (['call', 'card'] as const) : (['card', 'call'] as const);
    const [first, second] = order;
    fresh[first].push(await timeOf(page, first, one));
    await quiet();
    fresh[second].push(await timeOf(page, second, other));
    await quiet();
  }
  for (let pair = 0; pair < PAIRS; pair += 1) {
    const code = codes[100 + pair] ?? '';
    held.call.push(await timeOf(page, 'call', code));
    held.card.push(await timeOf(page, 'card', code));
    await quiet();
  }
  const complaints = await watched.complaints();
  await watched.close();
  const times = median(fresh.card) / median(fresh.call);
  const words = ({ call, card }: typeof fresh) =>
    `${median(card).toFixed(0)} ms to ${median(call).toFixed(0)} ms`;
  return {
    sentence:
      `a card is there in ${times.toFixed(2)} times the time of its call (at most ${MOST_TIMES}; ${words(fresh)}, ` +
      `medians of ${PAIRS} pairs on simulated shops); of a held product ${words(held)}`,
    found: [...unless(times <= MOST_TIMES, `more than ${MOST_TIMES} times`), ...complaints],
  };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** Milliseconds, on the clock of the page, from asking to the answer or to a painted card. */
async function timeOf(page: Page, what: 'call' | 'card', code: string): Promise<number> {
  if (what === 'call') {
    return page.evaluate(async (id) => {
      const key = sessionStorage.getItem('openshelf.key') ?? '';
      const query = 'include_cross_retailer=true&identifier_match=any&include_fee_breakdown=true';
      const startedMs = performance.now();
      const answer = await fetch(`/v1/products/${id}?${query}`, {
        headers: { authorization: `Bearer ${key}`, accept: 'application/json' },
        cache: 'no-store',
      });
      await answer.json();
      return performance.now() - startedMs;
    }, code);
  }
  return page.evaluate(
    (id) =>
      new Promise<number>((resolve) => {
        const input = document.querySelector<HTMLTextAreaElement>('#query');
        const result = document.querySelector('#result');
        if (input === null || result === null) return;
        input.value = id;
        const startedMs = performance.now();
        const observer = new MutationObserver(() => {
          // Some products of the market are sold nowhere: what is said then counts as well.
          if (result.querySelector('.card :is(h1, .problem-box)') === null) return;
          observer.disconnect();
          // After the frame in which it was painted.
          requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - startedMs)));
        });
        input.form?.requestSubmit();
        observer.observe(result, { childList: true, subtree: true });
      }),
    code,
  );
}
