// The running service as a caller sees it: real HTTP on loopback against the simulated shops and retailers. Every answer is
// checked against the service's own OpenAPI document.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';

import { type App } from '../../../src/edge/app.ts';
import type { Env } from '../../../src/edge/settings/read-settings.ts';
import type { issueKey } from '../../../src/data/metering/keys.ts';
import type { Sandbox, SandboxDescription } from '../../../sandbox/server.ts';
import { startService, type Answer, type Service } from '../../support/service.ts';
import { shiftedClock, stillClock, type ShiftedClock } from '../../support/shifted-clock.ts';
import { comparePaths } from './both-paths.ts';
import { OWN_SHOP, openShop, type OwnShop } from './own-shop.ts';
import { createJudge, type Fields, type Json, type Judge } from './document.ts';

export type Call = {
  readonly method?: string;
  /** Null: no key. */
  readonly key?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type Contract = {
  readonly service: Service;
  readonly app: App;
  readonly sandbox: Sandbox;
  readonly clock: ShiftedClock;
  /** What can be requested in the simulated market. */
  readonly world: SandboxDescription;
  call(target: string, call?: Call): Promise<Answer>;
  /** The product lookup. */
  lookup(id: string, query?: string, call?: Call): Promise<Answer>;
  /** Returns the body of a lookup that must be a 200. */
  record(id: string, query?: string, call?: Call): Promise<Record<string, unknown>>;
  /** The forced refresh. */
  refresh(id: string, query?: string, call?: Call): Promise<Answer>;
  /** Returns the body of any target that must be a 200. */
  ok(target: string, call?: Call): Promise<Record<string, unknown>>;
  newKey(request: Parameters<typeof issueKey>[1]): Promise<string>;
  /** Resolves when the work after the answers is done: later requests are the test's own. */
  untilQueueIdle(): Promise<void>;
  /** Returns the service key's remaining tokens. */
  left(): Promise<number>;
};

const judges = new Map<string, Judge>();

/** Returns one judge per document for all services of this process. */
function judgeOf(document: string): Judge {
  const judge = judges.get(document) ?? createJudge(JSON.parse(document) as Json);
  judges.set(document, judge);
  return judge;
}

const scratch = process.env['CONTRACT_SCRATCH'];
if (scratch !== undefined) {
  process.once('exit', () => {
    writeFileSync(
      join(scratch, `fields-${process.pid}.json`),
      JSON.stringify([...judges.values()].map((judge): Fields => judge.fields())),
    );
  });
}

/**
 * The start time of every file, whatever the machine's time: the simulated market changes with the hour, and a test that
 * advances some hours must not reach another day.
 */
const STARTS_AT_MS = Date.UTC(2026, 10, 20, 12);

export const productPath = (id: string, suffix = ''): string =>
  `/v1/products/${encodeURIComponent(id)}${suffix}`;

type ContractOptions = {
  readonly env?: Env;
  /** Pages of a shop at OWN_SHOP, by path: for what no simulated shop states. */
  readonly pages?: Readonly<Record<string, string>>;
  /** Time advances only with `advance`: for what is counted by the minute. */
  readonly isStill?: boolean;
  /** Its tests count the requests that calls cause: no other caller may interfere. */
  readonly isAlone?: boolean;
  /** False: the retailers are not simulated, and none can be reached. */
  readonly hasRetailers?: boolean;
  /** The terms of sources are applied (D81), which they are not in the simulated market. */
  readonly hasTerms?: boolean;
};

/** One service for all tests of a file, removed after them. */
export function contractService(options: ContractOptions = {}): Contract {
  const clock = options.isStill === true ? stillClock(STARTS_AT_MS) : shiftedClock(STARTS_AT_MS);
  const { env: settings, pages, hasTerms = false, hasRetailers: withRetailers = true } = options;
  let service: Service | null = null;
  let judge: Judge | null = null;
  let world: SandboxDescription | null = null;
  let shop: OwnShop | null = null;
  before(async () => {
    shop = pages === undefined ? null : await openShop(pages);
    const mapped = shop === null ? {} : { OPENSHELF_ORIGINS: `${OWN_SHOP}=${shop.url}` };
    const env = { ...mapped, ...settings };
    service = await startService({ clock, withRetailers, env, hasTerms });
    // Compressing a megabyte for each service would take as long as many of the tests.
    const plain = { headers: { 'accept-encoding': 'identity' } };
    judge = judgeOf(await (await fetch(`${service.url}/openapi.json`, plain)).text());
    world = service.sandbox.describe();
  });
  after(async () => {
    await service?.[Symbol.asyncDispose]();
    await shop?.close();
  });
  const running = (): Service => service ?? assert.fail('asked before it runs');

  const call: Contract['call'] = async (target, { method = 'GET', key, headers, body } = {}) => {
    const bearer = key === undefined ? running().key : key;
    const response = await fetch(`${running().url}${target}`, {
      method,
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body }),
    });
    const text = await response.text();
    const contentType = response.headers.get('content-type') ?? '';
    const isLines = contentType.startsWith('application/x-ndjson');
    const isJson = !isLines && /json/.test(contentType) && text !== '';
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      body: isJson
        ? (JSON.parse(text) as Record<string, unknown>)
        : isLines
          ? { lines: linesOf(text) }
          : {},
    };
    const { status } = answer;
    const bodies = isLines ? linesOf(text) : [answer.body];
    for (const body of bodies) judge?.check({ method, target, status, contentType, body });
    const mayCompare = options.isAlone !== true && method === 'GET' && status === 200;
    if (mayCompare) await comparePaths(running(), target);
    return answer;
  };
  const ok: Contract['ok'] = async (target, options) => {
    const { status, body } = await call(target, options);
    assert.equal(status, 200, `${target}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    get service() {
      return running();
    },
    get app() {
      return running().app;
    },
    get sandbox() {
      return running().sandbox;
    },
    get world() {
      return world ?? assert.fail('asked before it runs');
    },
    clock,
    call,
    ok,
    lookup: (id, query = '', options = {}) => call(productPath(id, query), options),
    record: (id, query = '', options = {}) => ok(productPath(id, query), options),
    refresh: (id, query = '', options = {}) =>
      call(productPath(id, `/refresh${query}`), { ...options, method: 'POST' }),
    untilQueueIdle: () => running().untilQueueIdle(),
    newKey: (request) => running().newKey(request),
    left: async () => Number((await ok('/v1/usage'))['tokens_remaining']),
  };
}

/** Returns the objects of JSON lines, each of which is checked. */
function linesOf(text: string): readonly Record<string, unknown>[] {
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** Checks a refusal: its status and code, unbilled, in problem details format. */
export function refused(answer: Answer, status: number, code: string): Record<string, unknown> {
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  assert.equal(answer.body['code'], code);
  assert.equal(answer.body['status'], status);
  assert.equal(answer.body['tokens_consumed'], 0);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
  return answer.body;
}

/** Returns the value at a path, `a.b.c`; undefined if there is none. */
export function at(body: unknown, way: string): unknown {
  return way
    .split('.')
    .reduce<unknown>(
      (value, key) =>
        typeof value === 'object' && value !== null
          ? (value as Record<string, unknown>)[key]
          : undefined,
      body,
    );
}
