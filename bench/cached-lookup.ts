// The figure that everything else rests on: a cached lookup with its key checked, its throttle taken and
// its token debited durably before the answer, against node:http sending the same bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BareAnswer } from './bare-server.ts';
import { loadRound, runCommand, startBareServer, startLoad, startService } from './children.ts';
import type { Load, MeasuredServer } from './children.ts';
import { figureOf, type Figure, type Pair } from './measurement.ts';
import { smallPage } from './page-generator.ts';
import { openShop } from './shop.ts';

export type LookupEffort = {
  readonly pairs: number;
  readonly msPerRound: number;
  /** Where CPU profiles of the service are written; null: none. */
  readonly profileDir: string | null;
};

const SEED = 64;
const CONNECTIONS = 64;
/** A round ends after this many requests even on a machine that could do more in its time. */
const MAX_REQUESTS = 500_000;
const ORGANIZATION = 'bench';
/** Neither may run out within the benchmark; both are checked and written for every call. */
const QUOTA = '1000000000';
const THROTTLE = '60000000';

/** Headers that node:http writes by itself, on both sides. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive']);

/** One answer of the service, to be repeated byte by byte by the bare server. */
async function answerOf(url: string, key: string): Promise<BareAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    httpRequest(url, { headers, agent: false }, resolve).once('error', reject).end();
  });
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += String(piece);
  if (response.statusCode !== 200) throw new Error(`the lookup answers ${body.slice(0, 300)}`);
  const { rawHeaders } = response;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || OWN_HEADERS.has(name.toLowerCase())
      ? []
      : [name, rawHeaders[index + 1] ?? ''],
  );
  return { headers, body };
}

/** Warms both up, then A/B/A/B. Returns the pairs and how many calls the service answered. */
async function measure(
  sides: { readonly load: Load; readonly service: MeasuredServer; readonly bare: MeasuredServer },
  request: string,
  { pairs, msPerRound }: LookupEffort,
): Promise<{ readonly pairs: readonly Pair[]; readonly answers: number }> {
  const { load, service, bare } = sides;
  const round = (server: MeasuredServer, maxMs: number) =>
    loadRound(load, server, {
      request,
      connections: CONNECTIONS,
      maxRequests: MAX_REQUESTS,
      maxMs,
    });
  let { answers } = await round(service, msPerRound / 2);
  await round(bare, msPerRound / 2);
  const found: Pair[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const measured = await round(service, msPerRound);
    answers += measured.answers;
    found.push({ measured, baseline: await round(bare, msPerRound) });
  }
  return { pairs: found, answers };
}

/** A service that answers before it has billed would be faster: so the ledger is counted. */
async function checkBilled(dataDir: string, answers: number): Promise<void> {
  const usage = await runCommand(['usage', '--org', ORGANIZATION, '--data', dataDir, '--json']);
  if (usage['calls'] === answers && usage['tokens_used'] === answers) return;
  throw new Error(`${answers} calls were answered, the ledger says ${JSON.stringify(usage)}`);
}

async function makeKey(dataDir: string): Promise<string> {
  const limits = ['--quota', QUOTA, '--throttle', THROTTLE];
  const place = ['--data', dataDir, '--json'];
  const made = await runCommand(['keys', 'create', '--org', ORGANIZATION, ...limits, ...place]);
  return String(made['key']);
}

/** Throughput of 64 connections, one request at a time on each. */
export async function benchCachedLookup(effort: LookupEffort): Promise<readonly Figure[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'openshelf-bench-'));
  try {
    const key = await makeKey(dataDir);
    const page = smallPage(SEED);
    await using shop = await openShop();
    shop.add(page);
    const { env } = shop;
    await using service = await startService({ dataDir, env, profileDir: effort.profileDir });
    const path = `/v1/products/${encodeURIComponent(page.product.url)}`;
    // The first one fetches, the second is the cached answer that is measured.
    await answerOf(`${service.url}${path}`, key);
    const answer = await answerOf(`${service.url}${path}`, key);
    await using bare = await startBareServer(answer);
    await using load = startLoad();
    const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
    const request = `${lines.join('\r\n')}\r\n\r\n`;
    const { pairs, answers } = await measure({ load, service, bare }, request, effort);
    await checkBilled(dataDir, answers + 2);
    const size = (Buffer.byteLength(answer.body) / 1_000).toFixed(1);
    const text = {
      name: 'cached-lookup',
      measured: `a cached lookup of ${size} KB (key, throttle, durable debit), ${CONNECTIONS} at once`,
      baseline: 'bare node:http sending the same bytes',
      goal: { is: 'at least', value: 0.7, stretch: 0.8 },
      ratioOf: 'throughput',
    } as const;
    return [figureOf(text, pairs)];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}
