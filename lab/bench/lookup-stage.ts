// The common setup of every measurement of answers: the program as it is started by hand with one key, a process that sends
// requests, and the proof at the end that every answer was charged for.

import { request as httpRequest, type IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

import type { BareAnswer } from './bare-server.ts';
import {
  loadRound,
  runCommand,
  startLoad,
  startService,
  type Load,
  type MeasuredServer,
} from './children.ts';
import type { Pair, Sample } from './measurement.ts';
import { temporaryFolder } from '../../tests/support/temporary-folder.ts';

export type LookupEffort = {
  readonly pairs: number;
  readonly msPerRound: number;
  /** Where CPU profiles of the service are written; null: none. */
  readonly profileDir: string | null;
};

/** A server, and the request it receives. */
type Call = { readonly server: MeasuredServer; readonly request: string };

export type Side = {
  readonly server: MeasuredServer;
  /** Several that cost the same, one after the other. */
  readonly request: string | readonly string[];
  /** The expected status of its answers; 200 unless stated. */
  readonly status?: number;
  /** Whether its answers are absent from the ledger. */
  readonly isFree?: boolean;
};

export type LookupStage = AsyncDisposable & {
  readonly dataDir: string;
  readonly service: MeasuredServer;
  /** The API key of the calls. */
  readonly key: string;
  /** Starts the same program again over the same data, with that many processes on its port; it stops with the stage. */
  withWorkers(workers: number): Promise<MeasuredServer>;
  /** Returns the call of a path at the service; `more` are header lines. */
  call(path: string, ...more: readonly string[]): Call;
  /** Returns the answer to a path, requested until it is cached. */
  kept(path: string): Promise<BareAnswer>;
  /** Runs one round of one side; returns it with the number of its answers. */
  round(
    side: Side,
    connections: number,
    maxMs: number,
  ): Promise<Sample & { readonly answers: number }>;
  /** Warms up both, then alternates. `connections` send one request at a time each. */
  measure(side: Side, baseline: Side, connections?: number): Promise<readonly Pair[]>;
  /** Throws unless the ledger has a row for each answer of the service and of `others`, with their tokens. */
  checkBilled(others?: Counted): Promise<void>;
};

/** Answers received by something other than the stage, with their total tokens. */
type Counted = { readonly answers: number; readonly tokens: number };

export const CONNECTIONS = 64;

/** The organization whose key the calls use. */
export const ORGANIZATION = 'bench';
/** Neither may run out within the benchmark; both are checked and written for every call. */
const QUOTA = '1000000000';
const THROTTLE = '60000000';
/** A round ends after this many requests even on a machine that could do more in the time. */
const MAX_REQUESTS = 500_000;
/** The first one fetches; the third one from the store is cached. */
const ASKED_BEFORE = 5;
const POLL_MS = 500;

/** Headers that node:http writes by itself, on both sides. */
const OWN_HEADERS = new Set(['date', 'connection', 'keep-alive']);

/** Gets one answer of the service, to be repeated byte for byte by a bare server. */
async function answerOf(url: string, key: string): Promise<BareAnswer> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}` };
    httpRequest(url, { headers, agent: false }, resolve).once('error', reject).end();
  });
  let body = '';
  for await (const piece of response.setEncoding('utf8')) body += String(piece);
  if (response.statusCode !== 200) throw new Error(`${url} answers ${body.slice(0, 300)}`);
  const { rawHeaders } = response;
  const headers = rawHeaders.flatMap((name, index) =>
    index % 2 === 1 || OWN_HEADERS.has(name.toLowerCase())
      ? []
      : [name, rawHeaders[index + 1] ?? ''],
  );
  return { headers, body };
}

/** Runs a command of the program for the measured organization. */
type Account = (...command: readonly string[]) => Promise<Record<string, unknown>>;

async function makeKey(account: Account, scopes: string | undefined): Promise<string> {
  const scoped = scopes === undefined ? [] : ['--scopes', scopes];
  const made = await account('keys', 'create', '--quota', QUOTA, '--throttle', THROTTLE, ...scoped);
  return String(made['key']);
}

function requestOf(path: string, key: string, more: readonly string[]): string {
  const lines = [`GET ${path} HTTP/1.1`, 'Host: 127.0.0.1', `Authorization: Bearer ${key}`];
  return `${[...lines, ...more].join('\r\n')}\r\n\r\n`;
}

/** Returns the cost stated in an answer. */
export function tokensOf({ body }: BareAnswer): number {
  return Number(/"tokens_consumed":(\d+)/.exec(body)?.[1] ?? 0);
}

/** Waits until no background work of earlier answers is left: it would distort the measurement. */
export async function untilNothingWaits({ url }: Pick<MeasuredServer, 'url'>): Promise<void> {
  for (;;) {
    const text = await (await fetch(`${url}/metrics`)).text();
    const jobs = [...text.matchAll(/^openshelf_jobs\{state="(?:waiting|running)"\} (\d+)/gm)];
    if (jobs.length > 0 && jobs.every(([, count]) => count === '0')) return;
    await wait(POLL_MS);
  }
}

type StageStart = {
  readonly effort: LookupEffort;
  readonly env: Readonly<Record<string, string>>;
  /** Called with the data folder before the service starts. */
  readonly prepare?: (dataDir: string) => Promise<void>;
  /** The URL of an empty PostgreSQL; absent: a data folder. */
  readonly databaseUrl?: string;
  /** The scopes of the key, comma-separated; absent: the default scopes. */
  readonly scopes?: string;
};

/** Starts the service over a new data folder; all of it stops with the stage. */
export async function openStage(start: StageStart): Promise<LookupStage> {
  const { effort, prepare, databaseUrl } = start;
  await using opened = new AsyncDisposableStack();
  const folder = opened.use(temporaryFolder()).path;
  const dataDir = join(folder, 'data');
  const env = databaseUrl === undefined ? start.env : { ...start.env, DATABASE_URL: databaseUrl };
  const place = databaseUrl === undefined ? ['--data', dataDir] : [];
  const account: Account = (...command) =>
    runCommand([...command, '--org', ORGANIZATION, ...place, '--json'], { env });
  const key = await makeKey(account, start.scopes);
  await prepare?.(dataDir);
  const { profileDir, pairs, msPerRound } = effort;
  const folderOrNone = databaseUrl === undefined ? dataDir : null;
  const service = opened.use(await startService({ dataDir: folderOrNone, env, profileDir }));
  const load: Load = opened.use(startLoad());
  const charging = new Set([service]);
  const costs = new Map<string, number>();
  let answers = 0;
  let tokens = 0;

  const ask = async (path: string): Promise<BareAnswer> => {
    const answer = await answerOf(`${service.url}${path}`, key);
    answers += 1;
    tokens += tokensOf(answer);
    return answer;
  };
  const round = async (side: Side, connections: number, maxMs: number) => {
    const { server, request, status = 200, isFree = false } = side;
    const job = { request, status, connections, maxRequests: MAX_REQUESTS, maxMs };
    const sample = await loadRound(load, server, job);
    if (charging.has(server) && !isFree) {
      answers += sample.answers;
      const [first = ''] = typeof request === 'string' ? [request] : request;
      tokens += sample.answers * (costs.get(first) ?? 0);
    }
    return sample;
  };

  const stage: Omit<LookupStage, typeof Symbol.asyncDispose> = {
    dataDir: folder,
    service,
    key,
    round,
    withWorkers: async (workers) => {
      const start = { dataDir: folderOrNone, env, profileDir: null, workers };
      const server = owned.use(await startService(start));
      charging.add(server);
      return server;
    },
    call: (path, ...more) => {
      const request = requestOf(path, key, more);
      costs.set(request, costs.get(path) ?? 0);
      return { server: service, request };
    },
    kept: async (path) => {
      for (let asked = 0; asked < ASKED_BEFORE - 1; asked += 1) await ask(path);
      const answer = await ask(path);
      costs.set(path, tokensOf(answer));
      return answer;
    },
    measure: async (side, baseline, connections = CONNECTIONS) => {
      await round(side, connections, msPerRound / 2);
      await round(baseline, connections, msPerRound / 2);
      const found: Pair[] = [];
      for (let index = 0; index < pairs; index += 1) {
        const measured = await round(side, connections, msPerRound);
        found.push({ measured, baseline: await round(baseline, connections, msPerRound) });
      }
      return found;
    },
    checkBilled: async (others = { answers: 0, tokens: 0 }) => {
      const usage = await account('usage');
      const expected = { calls: answers + others.answers, tokens: tokens + others.tokens };
      if (usage['calls'] === expected.calls && usage['tokens_used'] === expected.tokens) return;
      throw new Error(
        `${expected.calls} calls were answered for ${expected.tokens} tokens, the ledger says ${JSON.stringify(usage)}`,
      );
    },
  };
  const owned = opened.move();
  return { ...stage, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
