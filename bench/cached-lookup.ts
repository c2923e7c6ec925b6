// The figure that everything else rests on: a cached lookup with its key checked, its throttle taken and
// its token debited durably before the answer, against node:http sending the same bytes.

import { mkdtempSync, rmSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { BareAnswer } from './bare-server.ts';
import {
  loadRound,
  runCommand,
  startBareServer,
  startDurableServer,
  startLoad,
  startService,
} from './children.ts';
import type { Load, MeasuredServer } from './children.ts';
import { figureOf, type Figure, type Goal, type Pair } from './measurement.ts';
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

type Side = { readonly server: MeasuredServer; readonly request: string };

type Measured = { readonly pairs: readonly Pair[]; readonly answers: number };

/** Warms both up, then A/B/A/B. Returns the pairs and how many calls the first side answered. */
async function measure(
  load: Load,
  side: Side,
  baseline: Side,
  { pairs, msPerRound }: LookupEffort,
): Promise<Measured> {
  const round = ({ server, request }: Side, maxMs: number) =>
    loadRound(load, server, {
      request,
      connections: CONNECTIONS,
      maxRequests: MAX_REQUESTS,
      maxMs,
    });
  let { answers } = await round(side, msPerRound / 2);
  await round(baseline, msPerRound / 2);
  const found: Pair[] = [];
  for (let index = 0; index < pairs; index += 1) {
    const measured = await round(side, msPerRound);
    answers += measured.answers;
    found.push({ measured, baseline: await round(baseline, msPerRound) });
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

/** What leads past the answers that are kept: they know no such header. */
const MADE = 'X-Made-Anew: 1';

function requestOf(path: string, key: string, ...more: readonly string[]): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  return `${[...lines, ...more].join('\r\n')}\r\n\r\n`;
}

const BARE = 'bare node:http sending the same bytes';
const DURABLE = 'the same with one durable row a call, written in batches before the answer';

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
    const url = `${service.url}${path}`;
    // The first one fetches; the third one from the store is kept.
    for (let asked = 0; asked < ASKED_BEFORE - 1; asked += 1) await answerOf(url, key);
    const answer = await answerOf(url, key);
    await using bare = await startBareServer(answer);
    await using durable = await startDurableServer(answer, join(dataDir, 'durable.db'));
    await using load = startLoad();
    const kept = { server: service, request: requestOf(path, key) };
    const made = { server: service, request: requestOf(path, key, MADE) };
    const [plain, written] = [bare, durable].map((server) => ({ ...kept, server })) as [Side, Side];
    const againstBare = await measure(load, kept, plain, effort);
    const againstDurable = await measure(load, kept, written, effort);
    const ordinary = await measure(load, made, plain, effort);
    const answers = againstBare.answers + againstDurable.answers + ordinary.answers;
    await checkBilled(dataDir, answers + ASKED_BEFORE);
    const size = (Buffer.byteLength(answer.body) / 1_000).toFixed(1);
    const what = `lookup of ${size} KB (key, throttle, durable debit), ${CONNECTIONS} at once`;
    const text = { measured: `a kept ${what}`, ratioOf: 'throughput' } as const;
    return [
      figureOf(
        { ...text, name: 'kept-lookup', baseline: BARE, goal: goal(0.5, 0.62) },
        againstBare.pairs,
      ),
      figureOf(
        { ...text, name: 'kept-lookup-durable', baseline: DURABLE, goal: goal(0.8, 0.95) },
        againstDurable.pairs,
      ),
      figureOf(
        { ...text, name: 'made-lookup', measured: `a made ${what}`, baseline: BARE, goal: null },
        ordinary.pairs,
      ),
    ];
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
}

const ASKED_BEFORE = 5;

function goal(value: number, stretch: number): Goal {
  return { is: 'at least', value, stretch };
}
