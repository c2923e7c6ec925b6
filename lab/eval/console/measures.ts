// Measures the cost of the console: the bytes of all pages, processor time of the server per page, and the delay between the
// service's answer and the card. Each measure is a check with its figure in its name.

import { readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { brotliDecompressSync } from 'node:zlib';

import type { Page } from 'playwright-core';

import { median } from '../../bench/measurement.ts';
import { consoleFiles } from '../../../src/edge/package-files.ts';
import { lastJson, runProgram, serveProgram } from '../../../tests/support/program.ts';
import { temporaryFolder } from '../../../tests/support/temporary-folder.ts';
import { DESK, signedIn, unless, type CheckParts } from './acts.ts';
import { openWatched } from './browser.ts';

type Measure = { readonly sentence: string; readonly found: readonly string[] };

const MOST_BYTES = 120 * 1_024;
const MOST_CPU_MS = 3;
/** Some 12 requests of a quarter of a millisecond, which a browser makes once for each version of the service. */
const MOST_FIRST_CPU_MS = 6;
const MOST_TIMES = 1.3;

/** Measures everything that a browser loads for the console, compressed. */
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
/** Linux counts CPU time in hundredths of a second. */
const TICK_MS = 10;

function cpuMsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/** Returns the browser's requests to the server for a page, besides the API calls. */
async function askedFor(
  { browser }: CheckParts,
  origin: string,
  newAddress: () => Promise<string>,
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
    await page.goto(await newAddress());
    await page.waitForSelector('#query');
    paths = [];
    // A browser that has not seen a page yet: its cache is cleared.
    const session = await page.context().newCDPSession(page);
    await session.send('Network.setCacheDisabled', { cacheDisabled: true });
    await page.goto(`${origin}${path}`);
    await page.waitForSelector('main h1, #query');
    await page.waitForTimeout(200);
    const first = paths;
    paths = [];
    await session.send('Network.setCacheDisabled', { cacheDisabled: false });
    await page.goto(`${origin}${path}`);
    await page.waitForSelector('main h1, #query');
    // Files under the tag of all files are never requested again.
    const again = first.filter((each) => !each.startsWith('/console/files/'));
    asked.push([path, first, again] as const);
    await watched.close();
  }
  return asked;
}

/** Replays browsers' requests on a separate server; the API calls are not part of the page's cost. */
export async function measureCpu(parts: CheckParts): Promise<Measure> {
  if (process.platform !== 'linux')
    return { sentence: 'processor time of a page: measured on Linux only', found: [] };
  using folder = temporaryFolder();
  const served = await serveProgram(['--sandbox', '--data', folder.path, '--port', '0']);
  const signIn = ['console', '--data', folder.path, '--url', served.url, '--json'];
  const asked = await askedFor(parts, served.url, async () => {
    const { address } = lastJson(await runProgram(signIn)) as { address: string };
    return address;
  });
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
    // Compression and compilation happen with the first requests, and are not part of a page's cost.
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
      `a page costs the server at most ${most(({ again }) => again).toFixed(1)} ms of processor time ` +
      `(at most ${MOST_CPU_MS}); once for each browser and version, with its scripts, ${all.join(', ')}`,
    found: [
      ...unless(most(({ again }) => again) <= MOST_CPU_MS, `more than ${MOST_CPU_MS} ms`),
      ...unless(
        most(({ first }) => first) <= MOST_FIRST_CPU_MS,
        `the first takes more than ${MOST_FIRST_CPU_MS} ms`,
      ),
    ],
  };
}

const CARDS = 16;

/** Milliseconds from submitting: the call's own time, and until the card was in the page, and painted. */
type Times = { readonly call: number; readonly there: number; readonly painted: number };

/**
 * Measures the delay between the answer of a card's own call and the card: for products that nobody has requested before,
 * and for stored ones.
 */
export async function measureCard(parts: CheckParts): Promise<Measure> {
  const codes = parts.stage.codes.slice(100, 100 + CARDS);
  const watched = await signedIn(parts);
  const { page } = watched;
  /** Waits until the card's follow-up requests, and the shops asked after the answer, cannot affect the next time. */
  const quiet = async () => {
    await parts.stage.service.untilQueueIdle();
    await page.waitForFunction(
      () =>
        document.querySelector('[aria-busy]') === null &&
        document.querySelector('.chart-section .busy') === null,
    );
    await page.waitForTimeout(100);
  };
  // The first card loads its scripts.
  await timeOf(page, parts.stage.known);
  await quiet();
  const fresh: Times[] = [];
  const held: Times[] = [];
  for (const times of [fresh, held]) {
    for (const code of codes) {
      times.push(await timeOf(page, code));
      await quiet();
    }
  }
  const complaints = await watched.complaints();
  await watched.close();
  const ratio = median(fresh.map(({ there, call }) => there / call));
  const words = (times: readonly Times[]) => {
    const of = (which: keyof Times) => median(times.map((each) => each[which])).toFixed(0);
    return `call ${of('call')} ms, card ${of('there')} ms, painted ${of('painted')} ms`;
  };
  const heldRatio = median(held.map(({ there, call }) => there / call));
  return {
    sentence:
      `a card is there in ${ratio.toFixed(2)} times the time of its call (at most ${MOST_TIMES}; ${words(fresh)}; medians of ` +
      `${CARDS} on simulated shops); of a stored product ${heldRatio.toFixed(2)} times (${words(held)})`,
    found: [...unless(ratio <= MOST_TIMES, `more than ${MOST_TIMES} times`), ...complaints],
  };
}

/** Measures on the clock of the page. */
function timeOf(page: Page, code: string): Promise<Times> {
  return page.evaluate(
    (id) =>
      new Promise<Times>((resolve) => {
        const input = document.querySelector<HTMLTextAreaElement>('#query');
        const result = document.querySelector('#result');
        if (input === null || result === null) return;
        input.value = id;
        performance.clearResourceTimings();
        const startedMs = performance.now();
        const observer = new MutationObserver(() => {
          // Some products of the market are sold nowhere: the message shown then counts as well.
          if (result.querySelector('.card :is(h1, .problem-box)') === null) return;
          observer.disconnect();
          const there = performance.now() - startedMs;
          const [entry] = performance
            .getEntriesByType('resource')
            .filter(({ name }) => name.includes('include_cross_retailer'));
          const call = entry?.duration ?? Number.NaN;
          requestAnimationFrame(() =>
            setTimeout(() => resolve({ call, there, painted: performance.now() - startedMs })),
          );
        });
        input.form?.requestSubmit();
        observer.observe(result, { childList: true, subtree: true });
      }),
    code,
  );
}
