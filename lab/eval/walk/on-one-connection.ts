// Steps on one persistent connection: the same head repeatedly with other paths, which is answered without node:http once
// cached, and whatever may come in between: pairs in one chunk, a head in two chunks, another head, another key, a call with a
// body, a refusal, a change of stored data.

import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';

import { DAY_MS } from '../../../src/base/clock.ts';
import { integerBelow, pick } from '../../../tests/support/random.ts';
import { isValid, type Key } from './accounts.ts';
import { differencesOf, lasting } from './bodies.ts';
import { headersOf, saidOf, type Ask, type Said } from './calls.ts';
import { openConnection, type Connection } from './connection.ts';
import { KNOWN_WITHIN_MS, makeKey, usageOf } from './keys-and-limits.ts';
import {
  drawQuery,
  drawRefresh,
  drawSpelling,
  judgeRecord,
  lookupOf,
  READ,
  UNKNOWN_HEADER,
  type Judged,
} from './lookups.ts';
import { takeDown } from './time-and-trouble.ts';
import { askUntilQuiet, passTime, path, settle, type Step } from './world.ts';

const MOST_TARGETS = 3;
/** Anything but a plain head hands a connection over to node:http permanently, so several are opened. */
const CONNECTIONS = 3;
const MOVES = 7;
const MOST_AT_ONCE = 4;
/** An answer is cached after it was given several times. */
const ROUNDS = 4;

/** A request, and what its answer is compared with besides the model of the accounts. */
type Request = { readonly ask: Ask; readonly judged: Omit<Judged, 'ask' | 'said'> | null };

/**
 * How requests are sent: each in its own chunk, all of them in one, or all in two chunks, cut at this share of their
 * length.
 */
type Pieces = 'each' | 'one' | number;

type Line = {
  readonly step: Step;
  readonly connection: Connection;
  readonly at: string;
  readonly requests: readonly Request[];
  /** Header fields of each of its requests. */
  readonly fields: Readonly<Record<string, string>>;
  key: Key;
};

const FIELDS = [
  {},
  { 'accept-encoding': 'gzip, deflate, br' },
  { 'x-request-id': 'of-a-walk' },
  { 'accept-encoding': 'gzip', 'user-agent': 'walk', via: '1.1 walk' },
];

export async function askOnOneConnection(step: Step): Promise<void> {
  const { world, random } = step;
  const count = 1 + integerBelow(random, MOST_TARGETS);
  const requests = Array.from({ length: count }, () => drawRequest(step));
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const { ask } of requests) await world.caller.call(ask);
    await settle(world);
  }
  for (let opened = 0; opened < CONNECTIONS; opened += 1) {
    const at = pick(random, world.stage.urls());
    using connection = await openConnection(at);
    const fields = pick<Line['fields']>(random, FIELDS);
    const line: Line = { step, connection, at, requests, fields, key: world.keys[0]! };
    for (const request of [...requests, ...requests]) await exchange(line, [request]);
    for (let move = 0; move < MOVES; move += 1) await makeMove(line);
  }
}

/** Draws a cacheable request: lookups, histories, comparisons. */
function drawRequest(step: Step): Request {
  const { world, random } = step;
  const drawn = drawSpelling(step);
  const key = world.keys[0]!;
  const { text } = drawn.spelling;
  const other = random();
  if (other < 0.6) {
    const query = drawQuery(step, drawn, false);
    query.delete('include_offers');
    query.delete('include_offers_reviews');
    if (text.startsWith('http') && random() < 0.4) {
      const target = `/v1/products?url=${encodeURIComponent(text)}&${query.toString()}`;
      return {
        ask: { ...lookupOf(key, text, query), target },
        judged: { drawn, query, isRefresh: false },
      };
    }
    return { ask: lookupOf(key, text, query), judged: { drawn, query, isRefresh: false } };
  }
  const [route, rest, least] =
    other < 0.8
      ? (['history', '/history?timeframe=all&retailer=all', 2] as const)
      : (['compare', '/compare?cost=5&roi=30', 3] as const);
  const ask: Ask = {
    key,
    method: 'GET',
    target: path(text, rest),
    route: `GET /v1/products/{id}/${route}`,
    scope: READ,
    least,
  };
  return { ask, judged: null };
}

type Move = (line: Line) => Promise<unknown> | void;

const MOVES_OF: readonly (readonly [weight: number, move: Move])[] = [
  [36, (line) => exchange(line, [again(line)])],
  [16, (line) => exchange(line, several(line), 'each')],
  [5, (line) => exchange(line, several(line), 'one')],
  [4, (line) => exchange(line, several(line), line.step.random())],
  [6, (line) => exchange(line, [again(line), withBody(line.step), again(line)], 'each')],
  [8, (line) => exchange(line, [again(line), withOtherHead(line), again(line)], 'each')],
  [8, changeKey],
  [2, endKey],
  [7, (line) => compareWithComputed(line, again(line))],
  [4, refreshMeanwhile],
  [8, letTimePassMeanwhile],
  [0.5, ({ step }) => takeDown(step)],
];
const WEIGHT = MOVES_OF.reduce((sum, [weight]) => sum + weight, 0);

async function makeMove(line: Line): Promise<void> {
  let left = line.step.random() * WEIGHT;
  for (const [weight, move] of MOVES_OF) {
    left -= weight;
    if (left < 0) return void (await move(line));
  }
}

const again = ({ step, requests }: Line): Request => pick(step.random, requests);

function several(line: Line): readonly Request[] {
  const count = 2 + integerBelow(line.step.random, MOST_AT_ONCE - 1);
  return Array.from({ length: count }, () => again(line));
}

async function refreshMeanwhile({ step }: Line): Promise<void> {
  const { ask, judged } = refreshOf(step);
  const said = await step.world.caller.call(ask);
  if (judged !== null) judgeRecord(step, { ...judged, ask, said });
}

/**
 * Lets time pass, also to the end of the day and to the moment before; an answer after it has exactly the age that it
 * states.
 */
async function letTimePassMeanwhile(line: Line): Promise<void> {
  const { world, random } = line.step;
  const dayEnds = DAY_MS - (world.stage.now() % DAY_MS);
  const some = [1, 3_600_000, DAY_MS, DAY_MS + 1, dayEnds, dayEnds - 1];
  await passTime(world, pick(random, some));
  for (const request of line.requests) await exchange(line, [request]);
}

/** Revokes a key that its connection reuses. */
async function endKey(line: Line): Promise<void> {
  const { world } = line.step;
  const { stage } = world;
  const before = line.key;
  line.key = await makeKey(world, world.rich, {});
  world.keys.push(line.key);
  for (const request of [again(line), again(line)]) await exchange(line, [request]);
  line.key.revokedAtMs = stage.now();
  await stage.store.accounts.revokeKey(line.key.id, stage.now());
  await wait(KNOWN_WITHIN_MS);
  await passTime(world, KNOWN_WITHIN_MS);
  for (const request of [again(line), again(line)]) await exchange(line, [request]);
  line.key = before;
}

function refreshOf(step: Step): Request {
  const { drawn, query, ask } = drawRefresh(step);
  return { ask, judged: { drawn, query, isRefresh: true } };
}

/** Makes a POST between two requests: one that is answered after a fetch, and one whose body ends in the next chunk. */
function withBody(step: Step): Request {
  if (step.random() < 0.5) return refreshOf(step);
  const ask: Ask = {
    key: step.world.keys[0]!,
    method: 'POST',
    target: '/v1/watches',
    route: '',
    scope: 'products:refresh',
    body: '{"identifier":"no identifier!"}',
  };
  return { ask, judged: null };
}

function withOtherHead(line: Line): Request {
  const { world, random } = line.step;
  const { ask, judged } = again(line);
  const drawn = random();
  if (drawn < 0.2) return { ask: { ...ask, once: `on-connection-${(world.made += 1)}` }, judged };
  if (drawn < 0.3) return { ask: { ...usageOf(ask.key), method: 'HEAD' }, judged: null };
  const headers = pick<Record<string, string>>(random, [
    { 'x-request-id': `id-${integerBelow(random, 1_000)}` },
    { 'cache-control': 'no-cache' },
    UNKNOWN_HEADER,
    { 'accept-language': 'en' },
  ]);
  return { ask: { ...ask, headers }, judged };
}

/** Every key gives a head of the same length. */
function changeKey(line: Line): void {
  const { world, random } = line.step;
  const nowMs = world.stage.now();
  const able = world.keys.filter((key) => random() < 0.2 || isValid(key, nowMs));
  line.key = pick(random, able.length === 0 ? world.keys : able);
}

/** Checks that a cached answer equals the computed one, once no background work is left. */
async function compareWithComputed(line: Line, request: Request): Promise<void> {
  const { world } = line.step;
  const ask = { ...request.ask, key: line.key };
  await askUntilQuiet(world, ask);
  const [given] = await exchange(line, [request]);
  const computed = await world.caller.call({ ...ask, headers: { 'cache-control': 'no-cache' } });
  if (given?.status !== 200 || computed.status !== 200) return;
  const differences = differencesOf(lasting(given.body), lasting(computed.body));
  if (differences.length > 0)
    world.differs(
      `${ask.target} on a connection`,
      `differs from what is computed: ${differences.join('; ')}`,
    );
}

/** Sends requests, and reads their answers in the same order. */
async function exchange(
  { step, connection, at, fields, key }: Line,
  requests: readonly Request[],
  pieces: Pieces = 'one',
): Promise<readonly Said[]> {
  const { world } = step;
  const before = await world.stage.readCount();
  const { host } = new URL(at);
  const sent = requests.map(({ ask, judged }) => ({
    ask: { ...ask, key, headers: { ...fields, ...ask.headers } },
    judged,
  }));
  const texts = sent.map(({ ask }) => bytesOf(ask, host));
  const whole = texts.join('');
  const cut = typeof pieces === 'number' ? Math.floor(pieces * whole.length) : whole.length;
  const writes = pieces === 'each' ? texts : [whole.slice(0, cut), whole.slice(cut)];
  for (const [at, piece] of writes.filter((each) => each !== '').entries()) {
    // By then the previous chunk has been read, and most of its requests are in progress.
    if (at > 0) await nextTurn();
    await connection.write(piece);
  }
  const all: Said[] = [];
  for (const { ask, judged } of sent) {
    const said = saidOf(await connection.read(ask.method !== 'HEAD'));
    all.push(said);
    world.caller.judge(ask, said);
    if (judged !== null) judgeRecord(step, { ...judged, ask, said });
  }
  world.onConnections.sent += sent.length;
  world.onConnections.repeated += sent.length - ((await world.stage.readCount()) - before);
  return all;
}

function bytesOf(ask: Ask, host: string): string {
  const { method, target, body } = ask;
  const length = body === undefined ? {} : { 'content-length': String(body.length) };
  const fields = Object.entries({ host, ...headersOf(ask), ...length });
  return `${method} ${target} HTTP/1.1\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body ?? ''}`;
}
